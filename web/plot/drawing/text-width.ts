/**
 * Estimates the width of a text in usual sans-serif fonts, slightly too large. Layout must not depend on the
 * available fonts, so that pictures are the same everywhere.
 */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += widthOf(letter);
  return width * size;
}

function widthOf(letter: string): number {
  if (/[\u0300-\u036f\u20d0-\u20ff]/.test(letter)) return 0;
  if (/[ijlI|.,:;'!]/.test(letter)) return 0.29;
  if (/[ ftr()[\]{}/\\"-]/.test(letter)) return 0.38;
  if (/[mwMW@%…×]/.test(letter)) return 0.92;
  if (/[A-Z]/.test(letter)) return 0.69;
  if (/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]/.test(letter)) return 0.42;
  if (letter.charCodeAt(0) >= 0x1100) return /[\u2190-\u22ff]/.test(letter) ? 0.85 : 1;
  return 0.6;
}
