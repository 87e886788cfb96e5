/*
 * Shortens names and titles that come from files and may have any length. Each function looks at every
 * character once, because a regular expression like /x+$/ starts again at each x and takes quadratic time.
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
