import type { BranchInfo, TreeLayout } from '../api/api';
import { lastAtMost } from '../base/search';
import { sortedOrder } from '../base/sort';
import { compressionName } from '../core/compression';
import { collectionNames } from '../model/collections';

/** Smallest, mean and largest of some sizes; all 0 if there are none. */
export interface Spread {
  min: number;
  mean: number;
  max: number;
}

/** Layout of a branch in its file. Sizes are stored bytes of its own baskets, unless stated otherwise. */
export interface BranchStats {
  index: number;
  path: string;
  typeName: string;
  /** Name of its collection: see `collectionNames`. */
  collection: string;
  storedBytes: number;
  /** Uncompressed. */
  totalBytes: number;
  /** totalBytes / storedBytes; NaN if nothing is stored. */
  factor: number;
  compression: string;
  baskets: number;
  entriesPerBasket: Spread;
  basketBytes: Spread;
  /** fBasketSize; 0 for an RNTuple. */
  bufferBytes: number;
  /** Stored and uncompressed bytes per entry. */
  bytesPerEntry: number;
  totalPerEntry: number;
  /** Baskets that hold entries of more than one cluster. */
  crossing: number;
}

export interface TreeStats {
  path: string;
  kind: 'TTree' | 'RNTuple';
  entries: number;
  /** Sum over all branches' baskets. */
  storedBytes: number;
  totalBytes: number;
  factor: number;
  baskets: number;
  basketBytes: Spread;
  /** Number of baskets in the tree's own record. */
  embeddedBaskets: number;
  /** Number of clusters according to the tree's record; 0 if unknown. */
  clusters: number;
  /** Number of clusters according to the baskets: see `trueClusters`. */
  trueClusters: number;
  /** Whether the record is wrong, so that the true clusters are used here: see `clustersOf`. */
  wrongClusters: boolean;
  /** Stored bytes of the baskets that begin in each cluster. */
  clusterBytes: Spread;
  /** Baskets that hold entries of more than one claimed cluster. */
  crossing: number;
  /** When reading all baskets by their first entry: number of reads before the position of the previous one. */
  backwardSeeks: number;
  /** In the same order: number of times that bytes are skipped. */
  forwardSkips: number;
  /**
   * How far the baskets of a cluster are apart: the length of the file that they cover, divided by their bytes; 1 if
   * nothing is between them. Without clusters, each hundredth of the entries is used.
   */
  scatter: number;
  /** Size of the tree's own record, in the file and decompressed. */
  recordBytes: number;
  recordObjectBytes: number;
  /** Codec settings, with the stored bytes of each; the largest first. */
  compressions: { name: string; storedBytes: number }[];
  branches: BranchStats[];
}

/** Bytes, baskets and clusters of a tree, from its layout. */
export function layoutStats(layout: TreeLayout): TreeStats {
  const { tree, offset, clusterStart, record } = layout;
  const names = collectionNames(tree.branches);
  const { sizes, embedded } = basketSizes(layout);
  const branches = tree.branches.map((branch) =>
    branchStats(layout, sizes, branch, names[branch.index] ?? ''),
  );
  const stored = sum(sizes);
  const total = branches.reduce((all, branch) => all + branch.totalBytes, 0);
  const compressions = new Map<string, number>();
  for (const { compression, storedBytes: bytes } of branches) {
    if (bytes > 0) compressions.set(compression, (compressions.get(compression) ?? 0) + bytes);
  }
  return {
    path: tree.path,
    kind: tree.kind,
    entries: tree.entries,
    storedBytes: stored,
    totalBytes: total,
    factor: total / stored,
    baskets: offset.length,
    basketBytes: spread(sizes, 0, sizes.length),
    embeddedBaskets: embedded,
    clusters: clusterStart.length,
    trueClusters: layout.trueStart.length,
    wrongClusters: hasWrongClusters(layout),
    ...clusterFacts(layout),
    crossing: branches.reduce((all, branch) => all + branch.crossing, 0),
    ...seeks(layout),
    recordBytes: record.length,
    recordObjectBytes: record.objectBytes,
    compressions: [...compressions]
      .map(([name, bytes]) => ({ name, storedBytes: bytes }))
      .sort((a, b) => b.storedBytes - a.storedBytes),
    branches,
  };
}

/**
 * Returns the stored bytes of each basket. Those in the tree's own record share its bytes in proportion to the bytes
 * of their branch there.
 */
function basketSizes({ tree, basketStart, offset, storedBytes, record }: TreeLayout): {
  sizes: Float64Array;
  embedded: number;
} {
  const sizes = storedBytes.slice();
  let embedded = 0;
  for (const { index, embeddedBytes = 0 } of tree.branches) {
    if (embeddedBytes === 0) continue;
    const own: number[] = [];
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++)
      if (offset[i] === 0) own.push(i);
    const stored = embeddedBytes * Math.min(1, record.length / Math.max(1, record.objectBytes));
    for (const i of own) sizes[i] = Math.round(stored / own.length);
    embedded += own.length;
  }
  return { sizes, embedded };
}

function branchStats(
  layout: TreeLayout,
  storedBytes: Float64Array,
  branch: BranchInfo,
  collection: string,
): BranchStats {
  const { basketStart, entries, pageBytes, firstEntry, clusterStart, basketSize, compress } = layout;
  const from = basketStart[branch.index] ?? 0;
  const to = basketStart[branch.index + 1] ?? from;
  let stored = 0;
  let total = 0;
  let crossing = 0;
  for (let i = from; i < to; i++) {
    stored += storedBytes[i] ?? 0;
    total += pageBytes?.[i] ?? 0;
    const first = firstEntry[i] ?? 0;
    const last = first + (entries[i] ?? 0) - 1;
    if (clusterStart.length > 0 && clusterOf(clusterStart, first) !== clusterOf(clusterStart, last))
      crossing++;
  }
  // Numbers of a field include its subfields; numbers of a branch do not.
  if (pageBytes === undefined) total = to > from ? branch.totalBytes : 0;
  return {
    index: branch.index,
    path: branch.path,
    typeName: branch.typeName,
    collection,
    storedBytes: stored,
    totalBytes: total,
    factor: stored > 0 ? total / stored : Number.NaN,
    compression: to > from ? compressionName(compress[branch.index] ?? -1) : '',
    baskets: to - from,
    entriesPerBasket: spread(entries, from, to),
    basketBytes: spread(storedBytes, from, to),
    bufferBytes: basketSize[branch.index] ?? 0,
    bytesPerEntry: branch.entries > 0 ? stored / branch.entries : 0,
    totalPerEntry: branch.entries > 0 ? total / branch.entries : 0,
    crossing,
  };
}

/** Returns the index of the cluster that contains an entry. `starts` are first entries, ascending. */
export function clusterOf(starts: Float64Array, entry: number): number {
  return lastAtMost(starts, starts.length, entry);
}

/** The clusters in the record are wrong if more than this fraction of the baskets is in two of them. */
const WRONG_SHARE = 0.02;
/** The true clusters are used if there are at least this fraction as many as claimed ones. */
const ENOUGH_TRUE = 0.5;

/**
 * Whether the tree's record claims clusters that its baskets do not have, while the baskets have other clusters. This
 * is common in merged files, because hadd continues to count from the start of the first file. If the baskets have
 * few common borders, they cross the borders of any clusters, and the claimed ones are as good as others.
 */
export function hasWrongClusters({
  tree,
  clusterStart,
  trueStart,
  offset,
  firstEntry,
  entries,
}: TreeLayout): boolean {
  if (tree.kind !== 'TTree' || clusterStart.length < 2) return false;
  if (trueStart.length < Math.max(2, ENOUGH_TRUE * clusterStart.length)) return false;
  let own = 0;
  let crossing = 0;
  for (let i = 0; i < offset.length; i++) {
    const first = firstEntry[i] ?? 0;
    const last = first + (entries[i] ?? 0) - 1;
    if ((offset[i] ?? 0) === 0 || last < first) continue;
    own++;
    if (clusterOf(clusterStart, first) !== clusterOf(clusterStart, last)) crossing++;
  }
  return crossing > WRONG_SHARE * own;
}

/** Returns the first entries of a tree's clusters: the claimed ones, or the true ones if those are wrong. */
export function clustersOf(layout: TreeLayout): Float64Array {
  return hasWrongClusters(layout) ? layout.trueStart : layout.clusterStart;
}

/** Range in the file of the baskets that begin in a cluster. `from` is Infinity if there are none. */
export interface ClusterExtent {
  firstEntry: number;
  /** First byte of its first basket in the file, and the byte after its last basket. */
  from: number;
  to: number;
  storedBytes: number;
}

/** Returns the ranges of clusters, or of hundredths of the entries if there are no clusters. */
export function clusterExtents(layout: TreeLayout): ClusterExtent[] {
  const { tree, offset, storedBytes, firstEntry, pageBytes } = layout;
  const clusters = clustersOf(layout);
  const starts =
    clusters.length > 0 ? clusters : Float64Array.from({ length: 100 }, (_, i) => (i * tree.entries) / 100);
  const extents = Array.from(starts, (first) => ({
    firstEntry: first,
    from: Number.POSITIVE_INFINITY,
    to: 0,
    storedBytes: 0,
  }));
  // Identical pages are stored once.
  const seen = pageBytes === undefined ? undefined : new Set<number>();
  for (let i = 0; i < offset.length; i++) {
    const at = offset[i] ?? 0;
    const bytes = storedBytes[i] ?? 0;
    const extent = extents[clusterOf(starts, firstEntry[i] ?? 0)];
    if (at === 0 || bytes === 0 || extent === undefined || seen?.has(at)) continue;
    seen?.add(at);
    extent.from = Math.min(extent.from, at);
    extent.to = Math.max(extent.to, at + bytes);
    extent.storedBytes += bytes;
  }
  return extents;
}

function clusterFacts(layout: TreeLayout): Pick<TreeStats, 'clusterBytes' | 'scatter'> {
  const extents = clusterExtents(layout).filter(({ storedBytes }) => storedBytes > 0);
  const sizes = Float64Array.from(extents, ({ storedBytes }) => storedBytes);
  const stretch = extents.reduce((all, { from, to }) => all + to - from, 0);
  const none = { min: 0, mean: 0, max: 0 };
  return {
    clusterBytes: clustersOf(layout).length > 0 ? spread(sizes, 0, sizes.length) : none,
    scatter: stretch / sum(sizes),
  };
}

function seeks({
  offset,
  storedBytes,
  firstEntry,
}: TreeLayout): Pick<TreeStats, 'backwardSeeks' | 'forwardSkips'> {
  let at = -1;
  let backwardSeeks = 0;
  let forwardSkips = 0;
  for (const i of sortedOrder(firstEntry)) {
    const next = offset[i] ?? 0;
    if (next === 0) continue;
    if (at >= 0 && next < at) backwardSeeks++;
    if (at >= 0 && next > at) forwardSkips++;
    at = next + (storedBytes[i] ?? 0);
  }
  return { backwardSeeks, forwardSkips };
}

/** Bytes and branches of each collection, largest first. */
export interface CollectionStats {
  name: string;
  branches: number;
  storedBytes: number;
  totalBytes: number;
}

export function collectionStats(branches: readonly BranchStats[]): CollectionStats[] {
  const found = new Map<string, CollectionStats>();
  for (const { collection, storedBytes, totalBytes } of branches) {
    const known = found.get(collection) ?? { name: collection, branches: 0, storedBytes: 0, totalBytes: 0 };
    known.branches++;
    known.storedBytes += storedBytes;
    known.totalBytes += totalBytes;
    found.set(collection, known);
  }
  return [...found.values()].sort((a, b) => b.storedBytes - a.storedBytes);
}

function spread(values: Float64Array, from: number, to: number): Spread {
  if (to <= from) return { min: 0, mean: 0, max: 0 };
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  let all = 0;
  for (let i = from; i < to; i++) {
    const value = values[i] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
    all += value;
  }
  return { min, mean: all / (to - from), max };
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}
