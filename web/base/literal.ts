/*
 * Writes texts from files and addresses as literals of other languages. Every character is escaped that could end the
 * string, hide a part of the line (controls, bidirectional marks) or break the line.
 */

/** Controls of ASCII and Latin-1, line separators, and marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not be in source text
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns a string literal in double quotes for JavaScript and Python. */
export function quotedText(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replace(HIDDEN, (sign) => {
    const code = sign.charCodeAt(0);
    return code > 0xff
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/** Returns the UTF-8 bytes of a character as octal escapes for C++ and shells. */
function octal(sign: string): string {
  return Array.from(new TextEncoder().encode(sign), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(
    '',
  );
}

/**
 * Returns a string literal for C++. It has octal escapes, because \x would also take hexadecimal digits after it.
 * Question marks are escaped, because "??/" is a backslash if trigraphs are on (up to C++14).
 */
export function cppText(text: string): string {
  const escaped = text.replace(/[\\"?]/g, '\\$&').replace(HIDDEN, octal);
  return `"${escaped}"`;
}

/**
 * Returns one word of a shell's command line, quoted if necessary. Control characters are escaped as $'…' (bash, zsh,
 * POSIX 2024), because a terminal would act on them when the line is pasted. A shell without this escape, such as dash,
 * reads another word, but still only one. Otherwise the word is in single quotes, with backslashes and quotes outside
 * of them, because shells differ in what these mean inside.
 */
export function shellWord(text: string): string {
  if (text.search(HIDDEN) >= 0) return `$'${text.replace(/[\\'!]/g, octal).replace(HIDDEN, octal)}'`;
  if (/^[\w./@][\w./:@%+=,-]*$/.test(text)) return text;
  const apart = (signs: string): string =>
    signs.replace(/\\/g, '\\\\').replace(/'+/g, (quotes) => `"${quotes}"`);
  return `'${text.replace(/[\\']+/g, (signs) => `'${apart(signs)}'`)}'`;
}

/** Returns a path or an address as a shell word that is not read as an option or as a list of files ("@"). */
export function fileWord(name: string): string {
  return shellWord(/^[-@]/.test(name) ? `./${name}` : name);
}
