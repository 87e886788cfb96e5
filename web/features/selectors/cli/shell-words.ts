/** A word of a command line, and the part of the line that it was. */
export interface ShellWord {
  text: string;
  from: number;
  to: number;
  /** Whether a shell would put something in its place: a variable, a command, or names of files. */
  changes: boolean;
}

/** Returns the words of a line as a POSIX shell reads them. Nothing is replaced by values. */
export function shellWords(line: string): ShellWord[] {
  const words: ShellWord[] = [];
  let word: ShellWord | undefined;
  const add = (text: string, at: number, to: number, changes = false): void => {
    word ??= { text: '', from: at, to, changes: false };
    word.text += text;
    word.to = to;
    word.changes ||= changes;
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (/\s/.test(sign)) {
      if (word) words.push(word);
      word = undefined;
    } else if (sign === "'") {
      const end = endOf(line, "'", at + 1);
      add(line.slice(at + 1, end), at, end + 1);
      at = end;
    } else if (sign === '"') {
      add('', at, at + 1);
      for (at += 1; at < line.length && line[at] !== '"'; at++) {
        const isEscaped = line[at] === '\\' && /["\\$`]/.test(line[at + 1] ?? '');
        if (isEscaped) at += 1;
        add(line[at] ?? '', at, at + 1, !isEscaped && /[$`]/.test(line[at] ?? ''));
      }
      add('', at, at + 1);
    } else if (sign === '\\') {
      add(line[at + 1] ?? '', at, at + 2);
      at += 1;
    } else add(sign, at, at + 1, /[$`*?[\]~]/.test(sign));
  }
  if (word) words.push(word);
  return words;
}

/** Index of a sign from a place on, or the end of the line. */
function endOf(line: string, sign: string, from: number): number {
  const at = line.indexOf(sign, from);
  return at < 0 ? line.length : at;
}
