/*
 * Names and titles from files may have any length and any characters. Functions that shorten them look at each
 * character once, because a regular expression like /x+$/ starts again at each x and takes quadratic time.
 */

/** Returns the text without characters of `dropped` at its end. */
export function trimEndOf(text: string, dropped: string): string {
  let end = text.length;
  while (end > 0 && dropped.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Returns a path without slashes at its start and end. */
export function trimSlashes(path: string): string {
  return trimEndOf(path.replace(/^\/+/, ''), '/');
}

/** Returns "x" for "x[2][n]". */
export function withoutDimensions(name: string): string {
  let end = name.length;
  while (end > 0 && name[end - 1] === ']') {
    const open = name.indexOf('[', end < 2 ? 0 : name.lastIndexOf(']', end - 2) + 1);
    if (open < 0 || open >= end) break;
    end = open;
  }
  return name.slice(0, end);
}

/** Returns the name of a branch without its dimensions and without the dot at the end of names of split objects. */
export function bareName(name: string): string {
  return trimEndOf(withoutDimensions(name), '.');
}

/** Shortens a text to at most this many characters. "…" marks that something was removed. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Does not cut between the two halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

// Text must not move the cursor of a terminal, set its title, or appear in another order. Therefore control characters
// (C0, DEL, C1), line and paragraph separators, and marks that change the direction of text are replaced.

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to be replaced
const WITHIN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const WITHIN_CELL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns a name or title as one line: each of these characters, and also tabs and line ends, becomes a dot. */
export function printable(text: string): string {
  return text.replace(WITHIN_CELL, '·');
}

/** As `printable`, but keeps line ends and tabs, for text composed by xylem. */
export function printableText(text: string): string {
  return text.replace(WITHIN_TEXT, '·');
}

/** Returns the same JSON (or a part of it) with these characters escaped in its strings. */
export function printableJson(json: string): string {
  return json.replace(WITHIN_TEXT, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
