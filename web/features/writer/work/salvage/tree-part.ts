import type { BranchInfo, EntryRange, Finding } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import { formatCount } from '../../../../base/format';
import { ascending, chooseEntries } from '../../../../model/entry-choice';
import { branchesElsewhere } from '../input/other-files';
import type { TreePart } from '../input/tree-copy';
import type { NtuplePart } from '../ntuple/ntuple-input';

export interface TreeLoss {
  why: string;
  entries?: EntryRange[] | undefined;
  branches: string[];
}

/** The loss of a tree or RNTuple. */
interface Loss {
  /** Indices of branches that have lost everything. */
  without: ReadonlySet<number>;
  /** Entries that are left out of all other branches: ascending, without overlaps. */
  ranges: readonly EntryRange[];
  losses: TreeLoss[];
}

/**
 * Returns the part of a tree that can be read in all its branches. Entries of which any branch has lost a basket are
 * left out of all; branches that have lost all baskets are left out. `findings` come from a check of the file. `part`
 * is undefined if nothing is lost.
 */
export function treePart(
  layout: TreeLayout,
  findings: readonly Finding[],
): { part?: TreePart; losses: TreeLoss[] } {
  const { basketStart, entries, tree } = layout;
  const loss = lossOf(layout, findings, (branch) => {
    let sum = 0;
    for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) sum += entries[i] ?? 0;
    return sum;
  });
  if (!loss) return { losses: [] };
  const { ranges, losses } = loss;
  const without = new Set(loss.without);
  const elsewhere = ranges.length > 0 ? branchesElsewhere(tree) : [];
  for (const { index } of elsewhere) without.add(index);
  if (elsewhere.length > 0)
    losses.push({
      why: 'These branches are left out: their baskets lie in another file, and entries of the others are left out.',
      branches: elsewhere.map(({ path }) => path),
    });
  const chosen = ranges.length > 0 ? chooseEntries(between(ranges, tree.entries), tree.entries) : undefined;
  return { part: { chosen, without }, losses };
}

/** Does the same for an RNTuple, whose clusters are kept or left out as a whole. */
export function ntuplePart(
  layout: TreeLayout,
  findings: readonly Finding[],
): { part?: NtuplePart; losses: TreeLoss[] } {
  const { clusterStart, tree, basketStart, firstEntry } = layout;
  const clusters = Array.from(
    clusterStart,
    (from, i): EntryRange => [from, clusterStart[i + 1] ?? tree.entries],
  );
  const clustersOf = (from: number, to: number): EntryRange[] =>
    clusters.filter((cluster) => cluster[0] < to && from < cluster[1]);
  const widened = findings.map((finding): Finding => {
    if (!finding.entries) return finding;
    const own = clustersOf(...finding.entries);
    const [first, last] = [own[0], own.at(-1)];
    return first && last ? { ...finding, entries: [first[0], last[1]] } : finding;
  });
  // Findings name top-level fields. Clusters written before a field was added have no page of it.
  const stored = new Map<number, EntryRange[]>();
  for (const { index } of tree.branches) {
    const top = topOf(tree.branches, index);
    const own = Array.from(firstEntry.subarray(basketStart[index], basketStart[index + 1]));
    stored.set(top, ascending([...(stored.get(top) ?? []), ...own.flatMap((at) => clustersOf(at, at + 1))]));
  }
  const loss = lossOf(layout, widened, (branch) => lengthOf(stored.get(branch) ?? []));
  return loss
    ? { part: { without: loss.without, leftOut: loss.ranges }, losses: loss.losses }
    : { losses: [] };
}

/** `count` is the number of entries of each branch. */
function lossOf(
  { tree }: TreeLayout,
  findings: readonly Finding[],
  count: (branch: number) => number,
): Loss | undefined {
  const paths = new Map(tree.branches.map(({ path, index }) => [`${tree.path}/${path}`, index]));
  const lost = new Map<number, EntryRange[]>();
  for (const { path = '', entries: range, severity, rule } of findings) {
    const branch = paths.get(path);
    // A basket that cannot be decoded, unlike others of its branch, makes other readers fail or crash.
    const isLoss = severity === 'error' || rule === 'not-decoded';
    if (branch === undefined || range === undefined || !isLoss) continue;
    lost.set(branch, [...(lost.get(branch) ?? []), range]);
  }
  if (lost.size === 0) return undefined;
  const [branches, parts] = tree.kind === 'TTree' ? ['branches', 'baskets'] : ['fields', 'pages'];
  const filled = tree.branches.filter(({ index }) => count(index) > 0);
  const gone = filled.filter(({ index }) => lengthOf(ascending(lost.get(index) ?? [])) >= count(index));
  // If everything is lost, the tree keeps its branches.
  const without = new Set(gone.length < filled.length ? gone.map(({ index }) => index) : []);
  const ranges = ascending([...lost].flatMap(([branch, own]) => (without.has(branch) ? [] : own)));
  const losses: TreeLoss[] = [];
  const namesOf = (which: (index: number) => boolean) =>
    tree.branches.filter(({ index }) => which(index)).map(({ path }) => path);
  if (without.size > 0)
    losses.push({
      why: `All ${parts} of these ${branches} are lost.`,
      branches: namesOf((i) => without.has(i)),
    });
  if (ranges.length > 0)
    losses.push({
      why: `${formatCount(lengthOf(ranges))} of ${formatCount(tree.entries)} entries are left out, because ${parts} of ${branches} are lost.`,
      entries: [...ranges],
      branches: namesOf((i) => lost.has(i) && !without.has(i)),
    });
  return { without, ranges, losses };
}

/** Returns the index of the top-level field that contains a field. */
function topOf(branches: readonly BranchInfo[], index: number): number {
  let top = index;
  for (let up = branches[top]?.parent ?? -1; up >= 0; up = branches[up]?.parent ?? -1) top = up;
  return top;
}

/** Returns the ranges of `total` entries outside the lost ones. */
function between(lost: readonly EntryRange[], total: number): EntryRange[] {
  const left: EntryRange[] = [];
  let next = 0;
  for (const [from, to] of lost) {
    if (from > next) left.push([next, from]);
    next = to;
  }
  if (next < total) left.push([next, total]);
  return left;
}

function lengthOf(ranges: readonly EntryRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
