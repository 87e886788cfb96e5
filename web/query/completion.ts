import type { TreeInfo } from '../api/api';
import { bareName } from '../base/text';
import { namesOf } from './compile/branches-of-query';
import { functionNames, SPECIALS } from './language/functions';

/** A name that fits the typed word, and its kind. */
export interface Completion {
  name: string;
  /** A branch's type, "function", "alias", "friend" or "value". */
  what: string;
  /** The documentation of a branch. */
  about?: string | undefined;
  /** The text that replaces the word. For a function it ends with an opening bracket. */
  text: string;
}

/** The word before the caret and its possible completions. */
export interface Completions {
  from: number;
  to: number;
  found: Completion[];
}

const IN_WORD = /[\p{L}\p{N}_$:./@]/u;
const FIRST = /[\p{L}_@]/u;
/** A letter after one of these is an exponent or a unit, not the start of a name. */
const IN_NUMBER = /[\p{N}.]/u;
const MAX_COMPLETIONS = 50;
/** Letters of a word that is also looked for in the documentation; shorter ones are parts of many words. */
const MIN_LETTERS = 3;
/** Rank of a name that does not fit. */
const NONE = 4;
const lists = new WeakMap<TreeInfo, Completion[]>();

/**
 * Returns the completions of the word before the caret: first the names that begin with it, then those
 * that contain it, then branches with it in their documentation. Returns nothing inside a text and at places that cannot
 * have a name.
 */
export function complete(tree: TreeInfo, text: string, caret: number): Completions {
  const before = text.slice(0, caret);
  const word = lastWord(before);
  // "y:x" is two words, "TMath::Pi" is one.
  const whole = word.slice(lastColon(word)).replace(/^@/, '');
  if (inText(before)) return { from: caret, to: caret, found: [] };
  const named = matching(tree, whole, caret);
  // A slash is part of a path or a division.
  const afterSlash = whole.slice(whole.lastIndexOf('/') + 1);
  return named.found.length > 0 || afterSlash === whole ? named : matching(tree, afterSlash, caret);
}

/** Returns the name at the end of a text; an empty text if no name ends there. */
function lastWord(text: string): string {
  const characters = [...text];
  let start = characters.length;
  while (start > 0 && IN_WORD.test(characters[start - 1] ?? '')) start--;
  for (let i = start; i < characters.length; i++) {
    const behindNumber = i > 0 && IN_NUMBER.test(characters[i - 1] ?? '');
    if (!behindNumber && FIRST.test(characters[i] ?? '')) return characters.slice(i).join('');
  }
  return '';
}

function matching(tree: TreeInfo, wanted: string, caret: number): Completions {
  const from = caret - wanted.length;
  const none = { from, to: caret, found: [] };
  if (wanted === '') return none;
  const low = wanted.toLowerCase();
  const ranked: { one: Completion; rank: number }[] = [];
  for (const one of namesOfTree(tree)) {
    const name = one.name.toLowerCase();
    const isAbout = low.length >= MIN_LETTERS && one.about?.toLowerCase().includes(low);
    const rank = one.name.startsWith(wanted)
      ? 0
      : name.startsWith(low)
        ? 1
        : name.includes(low)
          ? 2
          : isAbout
            ? 3
            : NONE;
    if (rank < NONE) ranked.push({ one, rank });
  }
  // The sort is stable: branches come before functions, in the order of the tree.
  ranked.sort((a, b) => a.rank - b.rank);
  const isWhole = ranked[0]?.one.name === wanted;
  const named = isWhole ? ranked.filter(({ rank }) => rank < 3) : ranked;
  const found = named.slice(0, MAX_COMPLETIONS).map(({ one }) => one);
  if (found.length === 1 && found[0]?.name === wanted) return none;
  return { from, to: caret, found };
}

/** Returns the position after the last single colon. */
function lastColon(word: string): number {
  let at = 0;
  for (let i = 0; i < word.length; i++) {
    if (word[i] !== ':') continue;
    if (word[i + 1] === ':') i++;
    else at = i + 1;
  }
  return at;
}

function inText(before: string): boolean {
  let quote = '';
  for (const character of before) {
    if (quote === '') quote = character === '"' || character === "'" ? character : '';
    else if (character === quote) quote = '';
  }
  return quote !== '';
}

/** Lists each branch with the shortest name that identifies it. */
function namesOfTree(tree: TreeInfo): Completion[] {
  const known = lists.get(tree);
  if (known !== undefined) return known;
  const catalog = namesOf(tree);
  const branches = tree.branches
    .filter(({ kind }) => kind !== 'group')
    .map((branch): Completion => {
      const bare = bareName(branch.name);
      const own = catalog.find(bare)?.branch === branch;
      const name = own ? bare : branch.path;
      return { name, what: branch.typeName, about: branch.documentation, text: name };
    });
  const rest = (names: readonly string[], what: string, ending = ''): Completion[] =>
    names.map((name) => ({ name, what, text: name + ending }));
  const list = [
    ...branches,
    ...rest(Object.keys(tree.aliases ?? {}), 'alias'),
    ...rest([...new Set(tree.friends?.map(({ name }) => `${name}.`))], 'friend'),
    ...rest(functionNames(), 'function', '('),
    ...rest(SPECIALS, 'value'),
  ];
  lists.set(tree, list);
  return list;
}
