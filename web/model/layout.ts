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
  { autoFlush, clusterRangeEnd, clusterSize }: TreePlaces,
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
  const counted: number[] = [];
  for (let branch = 0; branch + 1 < basketStart.length; branch++) {
    const before = counted.length;
    for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++)
      if ((offset[i] ?? 0) > 0 && (lengths[i] ?? 0) > 0) counted.push(i);
    // A single basket gives no information.
    if (counted.length === before + 1) counted.pop();
  }
  const endOf = (i: number) => (first[i] ?? 0) + (lengths[i] ?? 0);
  const places = new Float64Array(2 * counted.length + 1);
  for (const [k, i] of counted.entries()) {
    places[2 * k + 1] = first[i] ?? 0;
    places[2 * k + 2] = endOf(i);
  }
  const borders = places
    .sort()
    .filter((entry, k) => entry >= 0 && entry < entries && (k === 0 || entry !== places[k - 1]));
  // For each border, the change in the number of baskets with entries on both sides.
  const change = new Int32Array(borders.length + 1);
  for (const i of counted) {
    const from = 1 + firstAtLeast(borders, first[i] ?? 0);
    const to = firstAtLeast(borders, endOf(i));
    change[from] = (change[from] ?? 0) + 1;
    change[to] = (change[to] ?? 0) - 1;
  }
  let across = 0;
  return borders.filter((_, k) => {
    across += change[k] ?? 0;
    return across === 0;
  });
}
