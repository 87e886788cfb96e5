/*
 * Writes texts of files and addresses as literals of other languages. Every character is escaped that could
 * end the string, hide a part of the line (controls, bidirectional marks) or divide it.
 */

/** Controls of ASCII and of Latin 1, line separators, and the marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in source text
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A string in double quotes, for JavaScript and Python. */
export function quotedText(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replace(HIDDEN, (sign) => {
    const code = sign.charCodeAt(0);
    return code > 0xff
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/** The bytes of a character as C++ and shells write them. */
function octal(sign: string): string {
  return Array.from(new TextEncoder().encode(sign), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(
    '',
  );
}

/**
 * Returns a string of C++. It has octal escapes, because \x would also take the digits that follow. Question marks are
 * escaped, because "??/" is a backslash if trigraphs are on (up to C++14).
 */
export function cppText(text: string): string {
  const escaped = text.replace(/[\\"?]/g, '\\$&').replace(HIDDEN, octal);
  return `"${escaped}"`;
}

/**
 * One word of a shell's command line, in single quotes where it needs them. Controls are escaped as bash, zsh
 * and POSIX of 2024 do it, because a terminal would act on them when the line is pasted; a shell that knows no such escapes,
 * as dash, takes it for another word, but for one. Else backslashes and quotes stand outside of the single quotes, because
 * shells do not agree on what they mean within.
 */
export function shellWord(text: string): string {
  if (text.search(HIDDEN) >= 0) return `$'${text.replace(/[\\'!]/g, octal).replace(HIDDEN, octal)}'`;
  if (/^[\w./@][\w./:@%+=,-]*$/.test(text)) return text;
  const apart = (signs: string): string =>
    signs.replace(/\\/g, '\\\\').replace(/'+/g, (quotes) => `"${quotes}"`);
  return `'${text.replace(/[\\']+/g, (signs) => `'${apart(signs)}'`)}'`;
}

/** A path or an address as a word of a shell that is neither taken for an option nor for a list of files ("@"). */
export function fileWord(name: string): string {
  return shellWord(/^[-@]/.test(name) ? `./${name}` : name);
}
