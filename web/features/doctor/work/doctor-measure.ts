import type { TreeLayout } from '../../../api/api';
import { clusterOf, clustersOf } from '../../../reads/layout-stats';

/** Window in which baskets are measured if a tree has no clusters: about the bytes that ROOT writes at once. */
const WINDOW_BYTES = 30_000_000;

export interface LayoutMeasure {
  baskets: number;
  /** Stored bytes of the baskets in the file itself, and their median. */
  stored: number;
  medianBytes: number;
  /** Number of ranges of entries: clusters, or windows of about 30 MB. */
  windows: number;
  /** Stored bytes of the largest window. */
  largestWindow: number;
  /**
   * Bytes of the file between the first and the last basket of each window, divided by the bytes of the tree. 1 is
   * ideal.
   */
  span: number;
  /**
   * Bytes of all baskets with entries of each window, divided by the bytes of the tree. Above 1, some are read twice.
   */
  shared: number;
  /** Baskets with entries of two or more clusters. */
  crossing: number;
  /** When reading in entry order: number of backward jumps, and their distance divided by the bytes of the tree. */
  backward: number;
  travel: number;
  /** Position of the window with the largest span. */
  worst: { offset: number; length: number; branch: number } | undefined;
}

/**
 * Measures the layout of a tree's baskets for reading all branches in entry order. `clusters` are first entries;
 * default: the clusters of the tree.
 */
export function measureLayout(layout: TreeLayout, clusters = clustersOf(layout)): LayoutMeasure {
  const { tree, offset, storedBytes, firstEntry, entries } = layout;
  const own = Array.from(offset.keys()).filter((i) => (offset[i] ?? 0) > 0);
  const stored = own.reduce((sum, i) => sum + (storedBytes[i] ?? 0), 0);
  const clustered = clusters.length > 0;
  const starts = clustered ? clusters : evenStarts(tree.entries, Math.ceil(stored / WINDOW_BYTES));
  const count = starts.length;
  const low = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(count);
  const bytes = new Float64Array(count);
  const windowOf = (entry: number) => clusterOf(starts, entry);
  let crossing = 0;
  for (const i of own) {
    const from = windowOf(firstEntry[i] ?? 0);
    const end = (firstEntry[i] ?? 0) + Math.max(1, entries[i] ?? 0) - 1;
    const to = windowOf(end);
    if (to > from) crossing++;
    for (let w = from; w <= to; w++) {
      low[w] = Math.min(low[w] ?? 0, offset[i] ?? 0);
      high[w] = Math.max(high[w] ?? 0, (offset[i] ?? 0) + (storedBytes[i] ?? 0));
      bytes[w] = (bytes[w] ?? 0) + (storedBytes[i] ?? 0);
    }
  }
  let spans = 0;
  let sharedBytes = 0;
  let worst: LayoutMeasure['worst'];
  for (let w = 0; w < count; w++) {
    if ((bytes[w] ?? 0) === 0) continue;
    const length = (high[w] ?? 0) - (low[w] ?? 0);
    spans += length;
    sharedBytes += bytes[w] ?? 0;
    if (!worst || length > worst.length) worst = { offset: low[w] ?? 0, length, branch: -1 };
  }
  const sizes = Float64Array.from(own, (i) => storedBytes[i] ?? 0).sort();
  return {
    baskets: own.length,
    stored,
    medianBytes: sizes[sizes.length >> 1] ?? 0,
    windows: count,
    largestWindow: bytes.reduce((most, value) => Math.max(most, value), 0),
    span: stored > 0 ? spans / stored : 1,
    shared: stored > 0 ? sharedBytes / stored : 1,
    crossing: clustered ? crossing : 0,
    ...travelOf(layout, own, stored),
    worst,
  };
}

function travelOf(
  { offset, storedBytes, firstEntry, basketStart, tree }: TreeLayout,
  own: readonly number[],
  stored: number,
): Pick<LayoutMeasure, 'backward' | 'travel'> {
  const branchOf = new Uint32Array(offset.length);
  for (let b = 0; b < tree.branches.length; b++) branchOf.fill(b, basketStart[b], basketStart[b + 1]);
  const order = [...own].sort(
    (a, b) => (firstEntry[a] ?? 0) - (firstEntry[b] ?? 0) || (branchOf[a] ?? 0) - (branchOf[b] ?? 0),
  );
  let backward = 0;
  let way = 0;
  let end = offset[order[0] ?? 0] ?? 0;
  for (const i of order) {
    const gap = (offset[i] ?? 0) - end;
    if (gap < 0) backward++;
    way += Math.abs(gap);
    end = (offset[i] ?? 0) + (storedBytes[i] ?? 0);
  }
  return { backward, travel: stored > 0 ? way / stored : 0 };
}

function evenStarts(entries: number, parts: number): Float64Array {
  const count = Math.max(1, Math.min(parts, entries));
  return Float64Array.from({ length: count }, (_, i) => Math.floor((entries * i) / count));
}
