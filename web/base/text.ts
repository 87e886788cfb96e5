/*
 * Names and titles that come from files: they may have any length and any characters. Each function that shortens looks
 * at every character once, because a regular expression like /x+$/ starts again at each x and takes quadratic time.
 */

/** The text without the characters of `dropped` at its end. */
export function trimEndOf(text: string, dropped: string): string {
  let end = text.length;
  while (end > 0 && dropped.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A path without slashes at its beginning and end. */
export function trimSlashes(path: string): string {
  return trimEndOf(path.replace(/^\/+/, ''), '/');
}

/** "x[2][n]" as "x". */
export function withoutDimensions(name: string): string {
  let end = name.length;
  while (end > 0 && name[end - 1] === ']') {
    const open = name.indexOf('[', end < 2 ? 0 : name.lastIndexOf(']', end - 2) + 1);
    if (open < 0 || open >= end) break;
    end = open;
  }
  return name.slice(0, end);
}

/**
 * The name of a branch without its dimensions and without the dot at the end of the names of split objects.
 */
export function bareName(name: string): string {
  return trimEndOf(withoutDimensions(name), '.');
}

/** Cuts a text to at most this many characters; "…" shows that something was cut off. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the two halves of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

// A text must not move a terminal's cursor, set its title, or show text in another order than it has: so control
// characters (C0, DEL, C1), the line and paragraph separators, and marks that turn the direction of text are replaced.

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
