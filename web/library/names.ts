import type { BranchInfo, TreeInfo } from '../api/api';
import { argumentError, toXylemError, XylemError } from '../base/errors';
import { own } from '../base/search';
import { chooseBranches } from '../model/choose';

/** Branches or expressions: a list, or one text with commas between them. */
export type Names = string | readonly string[];

type Trim<S extends string> = S extends ` ${infer T}` | `${infer T} ` ? Trim<T> : S;
/** Texts with these characters name several branches, or are expressions whose commas do not divide. */
type Open = `${string}${'*' | '?' | '(' | '[' | '"'}${string}`;
type Split<S extends string> = string extends S
  ? string
  : S extends Open
    ? string
    : S extends `${infer Head},${infer Tail}`
      ? Trim<Head> | Split<Tail>
      : Trim<S>;
type Single<S extends string> = S extends `${string}${'*' | '?'}${string}` ? string : Trim<S>;

/** The names that a literal stands for; `string` where only the file knows them. */
export type NameOf<N extends Names> = N extends string
  ? Split<N>
  : N extends readonly (infer S extends string)[]
    ? Single<S>
    : string;

/** A list of names, from a list or from one text with commas. Commas within brackets or quotes do not divide. */
export function splitNames(names: Names): string[] {
  if (typeof names !== 'string') {
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names.map(trim);
    throw argumentError(
      'The names of branches are neither a text nor a list of texts.',
      "Give ['nMuon', 'Muon_pt'] or 'nMuon,Muon_pt'.",
    );
  }
  const parts: string[] = [''];
  let depth = 0;
  let quoted = false;
  for (const character of names) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && '([{'.includes(character)) depth += 1;
    else if (!quoted && ')]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0 && !quoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map(trim).filter((part) => part !== '');
}

const trim = (name: string): string => name.trim();

/** A requested column: a branch, or an expression that is computed. */
export type Wanted = { name: string; branch: BranchInfo } | { name: string; expression: string };

/**
 * Finds what names stand for in a tree, in order. Without names: all branches that hold values. A name with
 * "*" or "?", or of a branch that only holds others, stands for several, each under its own path. A name that
 * is not a branch is an expression. Throws NOT_FOUND for a plain word that is neither a branch nor an alias.
 */
export function findNames(tree: TreeInfo, names: Names | undefined, hasFriends: boolean): Wanted[] {
  if (names === undefined) {
    return chooseBranches(tree, undefined).map((branch) => ({ name: branch.path, branch }));
  }
  const wanted = new Map<string, Wanted>();
  for (const name of splitNames(names)) {
    const branches = branchesOf(tree, name, hasFriends);
    if (branches === undefined) wanted.set(name, { name, expression: name });
    else if (branches.length === 1 && branches[0]) wanted.set(name, { name, branch: branches[0] });
    else for (const branch of branches) wanted.set(branch.path, { name: branch.path, branch });
  }
  return [...wanted.values()];
}

/** The branches that a name stands for; undefined for an expression. */
function branchesOf(tree: TreeInfo, name: string, hasFriends: boolean): BranchInfo[] | undefined {
  const exact = tree.branches.find((branch) => branch.path === name);
  // "Muon_pt[0]" is one element, and a comma stands between arguments.
  if (!exact && (/[[(,]/.test(name) || own(tree.aliases ?? {}, name) !== undefined)) return undefined;
  try {
    return chooseBranches(tree, [name]);
  } catch (thrown) {
    const error = toXylemError(thrown);
    // A pattern, and no product: "Foo_*", "*_pt".
    if (error.code === 'NOT_FOUND' && /^[\w/.*?]+$/.test(name) && /^[*?]|[*?]$/.test(name))
      throw noMatch(name);
    const isWord = /^[\w/]+$/.test(name) && !/^\d/.test(name);
    if (error.code !== 'NOT_FOUND' || (isWord && !hasFriends)) throw error;
    return undefined;
  }
}

function noMatch(pattern: string): XylemError {
  return new XylemError({
    code: 'NOT_FOUND',
    message: `No branch matches "${pattern}".`,
    where: { path: pattern },
    fix: 'The branches are in tree.info.branches.',
  });
}
