import type { TreeLayout } from '../../../../api/layout';
import { firstAtLeast } from '../../../../base/search';

/** Ranges of entries with clusters of the same size, and fAutoFlush, which applies after the last range. */
export interface ClusterRanges {
  /** Last entry of each range. */
  end: number[];
  /** Number of entries in its clusters. The last cluster of a range may have fewer. */
  size: number[];
  autoFlush: number;
}

/**
 * Returns the shortest description of clusters for TTree::GetClusterIterator. `starts` are their first entries,
 * beginning with 0. fAutoFlush is kept if possible.
 */
export function clusterRanges(starts: ArrayLike<number>, entries: number, autoFlush: number): ClusterRanges {
  const runs: { size: number; end: number; clusters: number }[] = [];
  // A cluster that is shorter than those before it ends its run.
  let closed = true;
  for (let i = 0; i < starts.length; i++) {
    const end = starts[i + 1] ?? entries;
    const size = end - (starts[i] ?? 0);
    const run = runs.at(-1);
    if (run && !closed && size <= run.size) {
      run.end = end;
      run.clusters++;
      closed = size < run.size;
    } else {
      runs.push({ size, end, clusters: 1 });
      closed = false;
    }
  }
  const last = runs.at(-1);
  if (last && autoFlush <= 0) {
    runs.pop();
    return { ...listed(runs), autoFlush: last.size };
  }
  // The last run may be described by fAutoFlush. Its last cluster may be shorter.
  if (last && (last.size === autoFlush || (last.clusters === 1 && last.size < autoFlush))) runs.pop();
  return { ...listed(runs), autoFlush };
}

function listed(runs: readonly { size: number; end: number }[]): { end: number[]; size: number[] } {
  return { end: runs.map(({ end }) => end - 1), size: runs.map(({ size }) => size) };
}

/**
 * If a cluster has more than twice this many bytes, its baskets are sorted by branch in windows of about this size.
 */
const WINDOW_BYTES = 30_000_000;

/**
 * Returns the first entries of the windows in which the baskets of a tree are sorted by branch: its true clusters, or
 * parts of large ones. If the baskets of different branches do not end together, the clusters that the tree claims
 * are used, because readers fetch these. Small windows are joined.
 */
function windowStarts({ tree, clusterStart, trueStart, firstEntry, storedBytes }: TreeLayout): number[] {
  const isTrue = trueStart.length > 1;
  const claimed = clusterStart.length > 1 ? clusterStart : [0];
  const borders = isTrue ? trueStart : claimed;
  const bytes = new Float64Array(borders.length);
  for (const [i, first] of firstEntry.entries()) {
    const cluster = indexOf(borders, first);
    bytes[cluster] = (bytes[cluster] ?? 0) + (storedBytes[i] ?? 0);
  }
  const starts: number[] = [];
  let filled = 0;
  for (const [k, size] of bytes.entries()) {
    const first = borders[k] ?? 0;
    filled += size;
    if (k > 0 && !isTrue && filled <= WINDOW_BYTES) continue;
    const entries = (borders[k + 1] ?? tree.entries) - first;
    const parts =
      size > 2 * WINDOW_BYTES ? Math.min(Math.ceil(size / WINDOW_BYTES), Math.max(1, entries)) : 1;
    const step = Math.ceil(entries / parts);
    for (let part = 0; part === 0 || (part < parts && part * step < entries); part++)
      starts.push(first + part * step);
    filled = size / parts;
  }
  return starts;
}

/**
 * Returns the layout of a healed tree. A tree without true and claimed clusters gets the windows in which its baskets
 * are written. Otherwise readers would choose ranges of entries that cross them.
 */
export function withWindows(layout: TreeLayout): TreeLayout {
  const hasNone = layout.clusterStart.length === 0 && layout.trueStart.length < 2;
  return hasNone ? { ...layout, trueStart: Float64Array.from(windowStarts(layout)) } : layout;
}

/** Returns the index of the last of ascending starts that is not after an entry. */
function indexOf(starts: ArrayLike<number>, entry: number): number {
  return Math.max(0, firstAtLeast(starts, entry + 1) - 1);
}

/** The layout of a tree, and the indices of the branches that come first in each window. */
export interface OrderedLayout extends TreeLayout {
  firstBranches?: readonly number[] | undefined;
}

/** Returns the rank of each branch of a layout in its order of branches. */
export function branchRanks({ tree, firstBranches = [] }: OrderedLayout): number[] {
  const ranks = new Map(firstBranches.map((index, rank) => [index, rank]));
  return tree.branches.map(({ index }, b) => ranks.get(index) ?? firstBranches.length + b);
}

/**
 * Returns the baskets of a tree in the file in reading order: by window of their first entry, then by branch, then by
 * entry.
 */
export function readingOrder(layout: OrderedLayout): number[] {
  const { basketStart, offset, firstEntry } = layout;
  const starts = windowStarts(layout);
  const windows: number[][] = Array.from(starts, () => []);
  const ranks = branchRanks(layout);
  const branches = ranks.map((_, b) => b).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  for (const b of branches) {
    const own: number[] = [];
    let isSorted = true;
    for (let i = basketStart[b] ?? 0; i < (basketStart[b + 1] ?? 0); i++) {
      if (!((offset[i] ?? 0) > 0)) continue;
      isSorted &&= own.length === 0 || (firstEntry[own.at(-1) ?? 0] ?? 0) <= (firstEntry[i] ?? 0);
      own.push(i);
    }
    if (!isSorted) own.sort((one, other) => (firstEntry[one] ?? 0) - (firstEntry[other] ?? 0));
    for (const i of own) windows[indexOf(starts, firstEntry[i] ?? 0)]?.push(i);
  }
  return windows.flat();
}
