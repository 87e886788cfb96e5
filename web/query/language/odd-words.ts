/**
 * Words of branch names that are not plain names, such as "bTags#0", "2x3mat" and "vector<Hit>". TFormula
 * accepts them.
 */
export class OddWords {
  readonly #words = new Map<string, string[]>();

  constructor(names: Iterable<string>) {
    const words = new Set<string>();
    for (const name of names) {
      if (!PLAIN.test(name)) for (const word of wordsOf(name)) if (isOdd(word)) words.add(word);
    }
    for (const word of words) {
      const first = word.charAt(0);
      this.#words.set(first, [...(this.#words.get(first) ?? []), word]);
    }
    for (const list of this.#words.values()) list.sort((a, b) => b.length - a.length);
  }

  /**
   * Returns the longest such word at a place of a text that ends before `to`; an empty text if there is
   * none.
   */
  at(text: string, at: number, to: number): string {
    const found = this.#words.get(text.charAt(at))?.find((word) => {
      const end = at + word.length;
      if (end > to || !text.startsWith(word, at)) return false;
      return !(IN_NAME.test(word.charAt(word.length - 1)) && IN_NAME.test(text.charAt(end)) && end < to);
    });
    return found ?? '';
  }
}

const PLAIN = /^[A-Za-z_.][A-Za-z0-9_.]*$/;
const IN_NAME = /^[\p{L}\p{N}_$]$/u;
const START = /^[\p{L}_]/u;
/** Characters that TFormula reads as an operator, an index, arguments or a text. */
const OPERATORS = /[-+*/%^&|?()[\]"'!,\s]/;
/** Characters that cannot be in the name of a type. */
const IN_NO_TYPE = /[-+/%^|?()[\]"'!]/;

/** Returns the parts of a name between dots. Class names with dots do not occur. */
function wordsOf(name: string): string[] {
  const at = name.indexOf('[');
  return (at < 0 ? name : name.slice(0, at)).split('.');
}

/** Returns a name without the arguments of its template: commas, blanks and "*" mean types there. */
function withoutArguments(word: string): string {
  const from = word.indexOf('<') + 1;
  const to = word.lastIndexOf('>');
  if (from === 0 || to < from || IN_NO_TYPE.test(word.slice(from, to))) return word;
  return word.slice(0, from) + word.slice(to);
}

function isOdd(word: string): boolean {
  if (word === '' || OPERATORS.test(withoutArguments(word))) return false;
  if (word.split('<').length !== word.split('>').length) return false;
  if (/[<>]/.test(word) && !/^[^<>]+</.test(word)) return false;
  if (/:/.test(word.replaceAll('::', '')) || word.includes('==')) return false;
  // Plain names, and numbers.
  const plain = [...word.replaceAll('::', '')].every((character) => IN_NAME.test(character));
  return plain ? !START.test(word) && Number.isNaN(Number(word)) : true;
}
