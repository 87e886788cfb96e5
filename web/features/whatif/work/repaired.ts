import type { TreeLayout } from '../../../api/api';
import type { BasketLayout } from '../../../reads/basket-layout';

/** Stored bytes of a cluster in a rewritten TTree, about as in ROOT by default. */
export const CLUSTER_BYTES = 30_000_000;
/** Maximum uncompressed bytes of a cluster, because all its baskets are in memory at once. */
const CLUSTER_MEMORY = 300_000_000;
/** Defaults of ROOT::RNTupleWriteOptions: stored bytes of a cluster, uncompressed bytes of a page. */
const NTUPLE_CLUSTER_BYTES = 128 * 1024 * 1024;
const PAGE_BYTES = 1024 * 1024;

/** Returns the number of entries in a cluster of a rewritten TTree. */
export function clusterEntries({ entries, storedBytes, totalBytes }: TreeLayout['tree']): number {
  const clusters = Math.max(1, Math.round(storedBytes / CLUSTER_BYTES), totalBytes / CLUSTER_MEMORY);
  return Math.max(1, Math.ceil(entries / clusters));
}

/**
 * Returns the layout after rewriting, with the present stored bytes: clusters in order, in each the branches in
 * order, with one basket or consecutive pages.
 */
export function repairedLayout(layout: TreeLayout): BasketLayout {
  const { tree } = layout;
  const { entries, storedBytes, branches } = tree;
  const isNtuple = tree.kind === 'RNTuple';
  const clusters = isNtuple ? repairedNtuple(layout).clusters : 1;
  const size = isNtuple ? Math.max(1, Math.ceil(entries / clusters)) : clusterEntries(tree);
  const count = Math.max(1, Math.ceil(entries / size));
  const sums = isNtuple ? storedOf(layout) : branches.map((branch) => branch.storedBytes);
  const held = branches.filter(({ baskets, totalBytes, index }) =>
    isNtuple ? (sums[index] ?? 0) > 0 : baskets > 0 && totalBytes > 0,
  );
  const better: BasketLayout = {
    kind: tree.kind,
    entries,
    zipBytes: storedBytes,
    autoFlush: size,
    clusterStarts: Float64Array.from({ length: count }, (_, i) => i * size),
    starts: new Int32Array(branches.length + 1),
    offsets: new Float64Array(held.length * count),
    bytes: new Int32Array(held.length * count),
    firsts: new Float64Array(held.length * count),
    ends: new Float64Array(held.length * count),
  };
  for (const { index } of held) better.starts[index + 1] = count;
  for (let b = 0; b < branches.length; b++)
    better.starts[b + 1] = (better.starts[b + 1] ?? 0) + (better.starts[b] ?? 0);
  let at = 100;
  for (let cluster = 0; cluster < count; cluster++) {
    for (const branch of held) {
      const i = (better.starts[branch.index] ?? 0) + cluster;
      const bytes = Math.max(1, Math.round((sums[branch.index] ?? 0) / count));
      better.firsts[i] = cluster * size;
      better.ends[i] = Math.min(entries, (cluster + 1) * size);
      better.bytes[i] = bytes;
      better.offsets[i] = at;
      at += bytes;
    }
  }
  return better;
}

/** Returns the stored bytes of the pages of each field. */
function storedOf({ tree, basketStart, storedBytes }: TreeLayout): number[] {
  return tree.branches.map(({ index }) =>
    storedBytes.subarray(basketStart[index], basketStart[index + 1]).reduce((sum, bytes) => sum + bytes, 0),
  );
}

/**
 * Estimates the number of clusters and pages of an RNTuple rewritten with ROOT's defaults. ROOT assumes a compression
 * factor of 2 for the first cluster, and the factor so far for the next ones.
 */
export function repairedNtuple({ tree, basketStart, pageBytes, pageType }: TreeLayout): {
  clusters: number;
  pages: number;
} {
  const rest = tree.totalBytes - 2 * NTUPLE_CLUSTER_BYTES;
  const next = (NTUPLE_CLUSTER_BYTES * tree.totalBytes) / Math.max(1, tree.storedBytes);
  const clusters = 1 + Math.max(0, Math.ceil(rest / Math.max(1, next)));
  let pages = 0;
  for (const { index } of tree.branches) {
    const columns = new Map<number, number>();
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) {
      const type = pageType?.[i] ?? 0;
      columns.set(type, (columns.get(type) ?? 0) + (pageBytes?.[i] ?? 0));
    }
    for (const bytes of columns.values()) pages += Math.max(clusters, Math.ceil(bytes / PAGE_BYTES));
  }
  return { clusters, pages };
}
