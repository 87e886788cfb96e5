import type { TreeInfo } from '../api/api';
import type { TreeLayout } from '../api/layout';
import { firstAtLeast } from '../base/search';
import type { PagePlaces } from '../core/ntuple-core';
import type { BasketPlaces, TreePlaces } from '../core/tree-core';

/** The part of a layout that the model of a tree knows. The file adds the position of the tree's record. */
export type ModelLayout = Omit<TreeLayout, 'record'>;

/** Maximum number of listed clusters. The number in the file may be wrong. */
const MAX_CLUSTERS = 4_000_000;

export function layoutOfTree(tree: TreeInfo, places: TreePlaces, compress: ArrayLike<number>): ModelLayout {
  const { basketStart, offset, stored, first, entries, basketSize } = places;
  const { autoFlush, autoSave, flushedBytes, totBytes, zipBytes } = places;
  const { offsetLength, splitLevel, elementType, streamerType, leafCount, leaves } = places;
  return {
    ...{ basketStart, offset, entries, basketSize, autoFlush, autoSave, flushedBytes },
    recorded: { totBytes, zipBytes },
    settings: { offsetLength, splitLevel, elementType, streamerType, leafCount, leaves },
    tree,
    parts: [],
    storedBytes: stored,
    firstEntry: first,
    exact: new Uint8Array(tree.branches.length).fill(1),
    clusterStart: treeClusters(places, tree.entries),
    trueStart: trueClusters(places, tree.entries),
    compress: Int32Array.from(compress),
  };
}

export function layoutOfNtuple(
  tree: TreeInfo,
  places: PagePlaces,
  compress: ArrayLike<number>,
  parts: ModelLayout['parts'],
): ModelLayout {
  const { stored, first, length, type, column, ...same } = places;
  return {
    ...same,
    tree,
    parts,
    storedBytes: stored,
    firstEntry: first,
    pageBytes: length,
    pageType: type,
    pageColumn: column,
    trueStart: places.clusterStart,
    autoFlush: 0,
    autoSave: 0,
    flushedBytes: 0,
    compress: Int32Array.from(compress),
    basketSize: new Float64Array(tree.branches.length),
  };
}

/**
 * Returns the first entries of the clusters of a TTree, as TTree::TClusterIterator does: first the ranges of entries
 * that were written with another fAutoFlush (fClusterRangeEnd, fClusterSize), then fAutoFlush itself. Empty if
 * fAutoFlush is not positive.
 */
export function treeClusters(
  {
    autoFlush,
    clusterRangeEnd,
    clusterSize,
  }: Pick<TreePlaces, 'autoFlush' | 'clusterRangeEnd' | 'clusterSize'>,
  entries: number,
): Float64Array {
  // Adding a small number to a larger one would not change it.
  if (!Number.isSafeInteger(entries)) return new Float64Array(0);
  const starts: number[] = [];
  let first = 0;
  const add = (end: number, size: number): boolean => {
    const step = size > 0 ? size : Number.POSITIVE_INFINITY;
    if ((end - first) / step > MAX_CLUSTERS - starts.length) return false;
    for (let at = first; at < end; at += step) starts.push(at);
    first = Math.max(first, end);
    return true;
  };
  for (const [i, last] of clusterRangeEnd.entries()) {
    if (!add(Math.min(last + 1, entries), clusterSize[i] ?? 0)) return new Float64Array(0);
  }
  if (first < entries && autoFlush <= 0 && starts.length === 0) return new Float64Array(0);
  if (!add(entries, autoFlush)) return new Float64Array(0);
  return Float64Array.from(starts);
}

/**
 * Returns the first entries of the true clusters of a TTree, from its baskets. A cluster begins at entry 0 and
 * wherever a basket begins or ends and no other basket has entries on both sides. Three kinds of baskets are ignored:
 * empty ones; those in the tree's own record, which are not fetched with a cluster; and the only basket of a branch,
 * which is fetched once in any case. A tree with only such baskets is one cluster.
 */
export function trueClusters(
  { basketStart, offset, first, entries: lengths }: BasketPlaces,
  entries: number,
): Float64Array {
  if (entries <= 0) return new Float64Array(0);
  const counted = countedBaskets(basketStart, offset, lengths);
  const from = new Float64Array(counted.length);
  const to = new Float64Array(counted.length);
  for (let k = 0; k < counted.length; k++) {
    const i = counted[k] ?? 0;
    from[k] = first[i] ?? 0;
    to[k] = (from[k] ?? 0) + (lengths[i] ?? 0);
  }
  // Most baskets begin or end together, so that there are few borders to sort.
  const places = new Set([0]);
  for (const list of [from, to])
    for (const entry of list) if (entry >= 0 && entry < entries) places.add(entry);
  const borders = Float64Array.from(places).sort();
  const indices = new Map<number, number>();
  for (let k = 0; k < borders.length; k++) indices.set(borders[k] ?? 0, k);
  const indexOf = (entry: number) => indices.get(entry) ?? firstAtLeast(borders, entry);
  // For each border, the change in the number of baskets with entries on both sides.
  const change = new Int32Array(borders.length + 2);
  for (let k = 0; k < counted.length; k++) {
    const [start, end] = [1 + indexOf(from[k] ?? 0), indexOf(to[k] ?? 0)];
    change[start] = (change[start] ?? 0) + 1;
    change[end] = (change[end] ?? 0) - 1;
  }
  let across = 0;
  return borders.filter((_, k) => {
    across += change[k] ?? 0;
    return across === 0;
  });
}

/** Returns the indices of the baskets that tell where clusters end. A single basket of a branch gives no information. */
function countedBaskets(
  basketStart: ArrayLike<number>,
  offset: ArrayLike<number>,
  lengths: ArrayLike<number>,
): Int32Array {
  const counted = new Int32Array(offset.length);
  let count = 0;
  for (let branch = 0; branch + 1 < basketStart.length; branch++) {
    const before = count;
    const stop = basketStart[branch + 1] ?? 0;
    for (let i = basketStart[branch] ?? 0; i < stop; i++)
      if ((offset[i] ?? 0) > 0 && (lengths[i] ?? 0) > 0) counted[count++] = i;
    if (count === before + 1) count--;
  }
  return counted.subarray(0, count);
}
