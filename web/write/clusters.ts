import type { TreeLayout } from '../api/layout';

/** Ranges of entries that have clusters of one size, and fAutoFlush, which rules after the last range. */
export interface ClusterRanges {
  /** Last entry of each range. */
  end: number[];
  /** Entries in its clusters; the last cluster of a range may have fewer. */
  size: number[];
  autoFlush: number;
}

/**
 * The shortest description of clusters that TTree::GetClusterIterator understands. `starts` are their first entries,
 * of which the first is 0. fAutoFlush stays as it is where that is possible.
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
  // The last run may go by fAutoFlush, which its last cluster need not reach.
  if (last && (last.size === autoFlush || (last.clusters === 1 && last.size < autoFlush))) runs.pop();
  return { ...listed(runs), autoFlush };
}

function listed(runs: readonly { size: number; end: number }[]): { end: number[]; size: number[] } {
  return { end: runs.map(({ end }) => end - 1), size: runs.map(({ size }) => size) };
}

/** Baskets of a true cluster that has more bytes than this are sorted in windows of this size. */
const WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * The baskets of a tree that lie in the file, in the order in which they are read: cluster by cluster, in each by
 * branch, and those of a branch by entry. Where baskets of branches do not end together, so that a cluster is large,
 * they are taken in windows by their first entries.
 */
export function readingOrder(layout: TreeLayout): Uint32Array {
  const { basketStart, offset, storedBytes, firstEntry, trueStart } = layout;
  const count = offset.length;
  const branch = new Uint32Array(count);
  for (let b = 0; b + 1 < basketStart.length; b++)
    branch.fill(b, basketStart[b] ?? 0, basketStart[b + 1] ?? 0);
  const of = (list: ArrayLike<number>, i: number): number => list[i] ?? 0;
  const byEntry = Uint32Array.from({ length: count }, (_, i) => i)
    .filter((i) => of(offset, i) > 0)
    .sort((a, b) => of(firstEntry, a) - of(firstEntry, b) || of(branch, a) - of(branch, b));
  const windowOf = new Uint32Array(count);
  let number = 0;
  for (let k = 0, from = 0; from < byEntry.length; k++) {
    const next = trueStart[k + 1] ?? Number.POSITIVE_INFINITY;
    let to = from;
    let bytes = 0;
    while (to < byEntry.length && of(firstEntry, byEntry[to] ?? 0) < next) {
      bytes += of(storedBytes, byEntry[to] ?? 0);
      to++;
    }
    const parts = bytes > 2 * WINDOW_BYTES ? Math.ceil(bytes / WINDOW_BYTES) : 1;
    let done = 0;
    for (let j = from; j < to; j++) {
      const i = byEntry[j] ?? 0;
      windowOf[i] = number + Math.min(parts - 1, Math.floor((done * parts) / Math.max(1, bytes)));
      done += of(storedBytes, i);
    }
    number += parts;
    from = to;
  }
  return byEntry.sort(
    (a, b) =>
      of(windowOf, a) - of(windowOf, b) ||
      of(branch, a) - of(branch, b) ||
      of(firstEntry, a) - of(firstEntry, b),
  );
}
