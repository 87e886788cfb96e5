import type { TreeInfo } from '../file/api';
import { functionNames, SPECIALS } from './functions';
import { namesOf } from './needs';

/** A name that fits what is being written, and what it is. */
export interface Completion {
  name: string;
  /** A branch's type, "function", "alias", "friend" or "value". */
  what: string;
  /** What stands in place of the word: a function opens its bracket. */
  text: string;
}

/** The word before the caret, and what it could become. */
export interface Completions {
  from: number;
  to: number;
  found: Completion[];
}

const WORD = /(?<![\p{N}.])[\p{L}_@][\p{L}\p{N}_$:./@]*$/u;
const most = 50;
const lists = new WeakMap<TreeInfo, Completion[]>();

/**
 * What the word before the caret could become: names that begin with it first, then those that have
 * it in them. Nothing within a text or where no name can stand.
 */
export function complete(tree: TreeInfo, text: string, caret: number): Completions {
  const before = text.slice(0, caret);
  const word = WORD.exec(before)?.[0] ?? '';
  // "y:x" are two words, "TMath::Pi" is one.
  const whole = word.slice(lastColon(word)).replace(/^@/, '');
  if (inText(before)) return { from: caret, to: caret, found: [] };
  const named = matching(tree, whole, caret);
  // A slash is part of a path or a division.
  const behind = whole.slice(whole.lastIndexOf('/') + 1);
  return named.found.length > 0 || behind === whole ? named : matching(tree, behind, caret);
}

function matching(tree: TreeInfo, wanted: string, caret: number): Completions {
  const from = caret - wanted.length;
  const none = { from, to: caret, found: [] };
  if (wanted === '') return none;
  const low = wanted.toLowerCase();
  const ranked: { one: Completion; rank: number }[] = [];
  for (const one of namesOfTree(tree)) {
    const name = one.name.toLowerCase();
    const rank = one.name.startsWith(wanted) ? 0 : name.startsWith(low) ? 1 : name.includes(low) ? 2 : 3;
    if (rank < 3) ranked.push({ one, rank });
  }
  // The sort is stable: branches before functions, in the tree's order.
  ranked.sort((a, b) => a.rank - b.rank);
  const found = ranked.slice(0, most).map(({ one }) => one);
  if (found.length === 1 && found[0]?.name === wanted) return none;
  return { from, to: caret, found };
}

/** Behind the last colon that stands alone. */
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

/** A branch by the shortest of its names that means it. */
function namesOfTree(tree: TreeInfo): Completion[] {
  const known = lists.get(tree);
  if (known !== undefined) return known;
  const catalog = namesOf(tree);
  const branches = tree.branches
    .filter(({ kind }) => kind !== 'group')
    .map((branch): Completion => {
      const bare = branch.name.replace(/(\[[^\]]*\])+$/, '').replace(/\.+$/, '');
      const own = catalog.find(bare)?.branch === branch;
      const name = own ? bare : branch.path;
      return { name, what: branch.typeName, text: name };
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
