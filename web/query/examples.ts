import type { BranchInfo, TreeInfo } from '../api/api';
import { bareName } from '../base/text';
import { branchesOfQuery, namesOf } from './compile/branches-of-query';

/** A drawing of a tree to begin with, and what it shows. */
export interface Example {
  expr: string;
  cut: string;
  about: string;
}

/** Names of numbers that count or identify entries. Their histograms show little. */
const COUNTERS = /^(run|event|evt|lumi|entry|index|id|bunch|orbit)/i;
/** Ends of names of numbers that everybody knows. */
const FAMILIAR = /(?:^|[_.])(?:pt|et|mass|energy|eta)\d?$/i;
/** Number of branches that are tried. */
const TRIED = 2000;

/**
 * Returns up to three drawings of branches of this tree: a number, a list of which a cut selects entries, and one
 * number over another. A tree that lacks such branches has fewer.
 */
export function examplesOf(tree: TreeInfo): Example[] {
  const usable = tree.branches
    .slice(0, TRIED)
    .filter((branch) => branch.kind === 'number' && !holds(branch, tree))
    .flatMap((branch) => {
      const name = nameOf(branch, tree);
      return name === undefined ? [] : [{ branch, name, isList: isList(branch), group: groupOf(branch) }];
    });
  const scalars = bestFirst(usable.filter((one) => !one.isList));
  const lists = bestFirst(usable.filter((one) => one.isList));
  const number = scalars[0];
  const list = lists[0];
  const pairs = [lists, scalars].flatMap((all) => {
    const [first] = all;
    const other = all.find((one) => one !== first && one.group === first?.group);
    return first && other ? [[first, other] as const] : [];
  });
  const pair = pairs[0] ?? (scalars[0] && scalars[1] ? ([scalars[0], scalars[1]] as const) : undefined);
  return [
    ...(number ? [{ expr: number.name, cut: '', about: 'a number of each entry' }] : []),
    ...(list
      ? [
          {
            expr: list.name,
            cut: `Length$(${list.name})>1`,
            about: 'lists, of entries with more than one value',
          },
        ]
      : []),
    ...(pair
      ? [{ expr: `${pair[1].name}:${pair[0].name}`, cut: '', about: 'one over the other, as a map' }]
      : []),
  ].filter(({ expr, cut }) => isValid(tree, expr, cut));
}

interface Usable {
  branch: BranchInfo;
  name: string;
  isList: boolean;
  group: string;
}

/** Broken numbers before whole ones, those with documentation first, and those that only count entries last. */
function bestFirst(all: readonly Usable[]): Usable[] {
  const rank = ({ branch, name }: Usable): number =>
    (/float|double/i.test(branch.typeName) ? 0 : 4) +
    (branch.unit === undefined ? 1 : 0) +
    (COUNTERS.test(bareName(branch.name)) ? 8 : 0) +
    (FAMILIAR.test(bareName(branch.name)) ? 0 : 2) +
    (/[^\w.]/.test(name) ? 2 : 0);
  return [...all].sort((a, b) => rank(a) - rank(b));
}

const isList = ({ typeName }: BranchInfo): boolean => /\[|vector|array|collection/i.test(typeName);

/** The collection of a branch: "Muon" of "Muon_pt", the branch above it, or nothing. */
const groupOf = ({ name, parent }: BranchInfo): string =>
  parent >= 0 ? `#${parent}` : (/^[^_]+(?=_)/.exec(bareName(name))?.[0] ?? '');

const holds = ({ index }: BranchInfo, { branches }: TreeInfo): boolean =>
  branches[index + 1]?.parent === index;

/** Returns the shortest name of a branch in expressions; undefined if none can be written. */
function nameOf(branch: BranchInfo, tree: TreeInfo): string | undefined {
  const bare = bareName(branch.name);
  const name = namesOf(tree).find(bare)?.branch === branch ? bare : branch.path;
  return isValid(tree, name, '', branch) ? name : undefined;
}

/** Whether a query can be parsed; with `branch` whether it names this branch, and no other. */
function isValid(tree: TreeInfo, expr: string, cut: string, branch?: BranchInfo): boolean {
  try {
    const found = branchesOfQuery(tree, expr, cut);
    return branch === undefined ? found.length > 0 : found.length === 1 && found[0] === branch;
  } catch {
    return false;
  }
}
