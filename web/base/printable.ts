/*
 * Names and titles come from files. They must not move a terminal's cursor, set its title, or show text in
 * another order than it has: so control characters (C0, DEL, C1), the line and paragraph separators, and
 * marks that turn the direction of text are replaced.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const WITHIN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const WITHIN_CELL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns a name or title as one line: each such character, also tabs and line ends, is shown as a dot. */
export function printable(text: string): string {
  return text.replace(WITHIN_CELL, '·');
}

/** As `printable`, for text that xylem put together, with lines and tabs of its own. */
export function printableText(text: string): string {
  return text.replace(WITHIN_TEXT, '·');
}

/** The same JSON (or any part of it) without these characters: they are escaped within its strings. */
export function printableJson(json: string): string {
  return json.replace(WITHIN_TEXT, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
