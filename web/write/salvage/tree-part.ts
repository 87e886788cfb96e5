import type { Finding } from '../../api/api';
import type { TreeLayout } from '../../api/layout';
import { formatCount } from '../../base/format';
import { chooseEntries } from '../../model/entry-choice';
import type { TreePart } from '../tree-copy';

/** First entry, and the one after the last. */
export type LostRange = [from: number, to: number];

/** The loss of a tree. */
export interface TreeLoss {
  why: string;
  entries?: LostRange[] | undefined;
  branches: string[];
}

/**
 * The part of a tree that can be read in all its branches: entries of which a branch has lost a basket are left out of
 * all, and branches of which all baskets are lost are left out. `findings` are those of a check of the file; `part` is
 * undefined where nothing is lost.
 */
export function treePart(
  layout: TreeLayout,
  findings: readonly Finding[],
): { part?: TreePart; losses: TreeLoss[] } {
  const { tree, basketStart, entries } = layout;
  const paths = new Map(tree.branches.map(({ path, index }) => [`${tree.path}/${path}`, index]));
  const lost = new Map<number, LostRange[]>();
  for (const { path = '', entries: range, severity } of findings) {
    const branch = paths.get(path);
    if (branch === undefined || range === undefined || severity !== 'error') continue;
    lost.set(branch, [...(lost.get(branch) ?? []), range]);
  }
  if (lost.size === 0) return { losses: [] };
  const count = (branch: number): number => {
    let sum = 0;
    for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) sum += entries[i] ?? 0;
    return sum;
  };
  const filled = tree.branches.filter(({ index }) => count(index) > 0);
  const gone = filled.filter(({ index }) => lengthOf(lost.get(index) ?? []) >= count(index));
  // A tree of which nothing is left keeps its branches.
  const without = new Set(gone.length < filled.length ? gone.map(({ index }) => index) : []);
  const ranges = joined([...lost].flatMap(([branch, own]) => (without.has(branch) ? [] : own)));
  const losses: TreeLoss[] = [];
  const namesOf = (which: (index: number) => boolean) =>
    tree.branches.filter(({ index }) => which(index)).map(({ path }) => path);
  if (without.size > 0)
    losses.push({ why: 'All baskets of these branches are lost.', branches: namesOf((i) => without.has(i)) });
  if (ranges.length > 0)
    losses.push({
      why: `${formatCount(lengthOf(ranges))} of ${formatCount(tree.entries)} entries are left out, because baskets of branches are lost.`,
      entries: ranges,
      branches: namesOf((i) => lost.has(i) && !without.has(i)),
    });
  const chosen = ranges.length > 0 ? chooseEntries(between(ranges, tree.entries), tree.entries) : undefined;
  return { part: { chosen, without }, losses };
}

/** Ascending, without overlaps. */
function joined(ranges: readonly LostRange[]): LostRange[] {
  const found: LostRange[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/** The ranges that are left of `total` entries. */
function between(lost: readonly LostRange[], total: number): LostRange[] {
  const left: LostRange[] = [];
  let next = 0;
  for (const [from, to] of lost) {
    if (from > next) left.push([next, from]);
    next = to;
  }
  if (next < total) left.push([next, total]);
  return left;
}

function lengthOf(ranges: readonly LostRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
