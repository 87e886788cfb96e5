import type { TreeInfo } from '../api/api';
import type { TreeLayout } from '../api/layout';
import type { PagePlaces } from '../core/ntuple-core';
import type { TreePlaces } from '../core/tree-core';

/** The part of a layout that a tree's model knows; the file adds the place of the tree's record. */
export type ModelLayout = Omit<TreeLayout, 'record'>;

/** Limit on the number of listed clusters, because it comes from the file and may be wrong. */
const MAX_CLUSTERS = 4_000_000;

export function layoutOfTree(tree: TreeInfo, places: TreePlaces, compress: ArrayLike<number>): ModelLayout {
  const { stored, first, clusterRangeEnd: _ends, clusterSize: _sizes, ...same } = places;
  return {
    ...same,
    tree,
    parts: [],
    storedBytes: stored,
    firstEntry: first,
    exact: new Uint8Array(tree.branches.length).fill(1),
    clusterStart: treeClusters(places, tree.entries),
    compress: Int32Array.from(compress),
  };
}

export function layoutOfNtuple(
  tree: TreeInfo,
  places: PagePlaces,
  compress: ArrayLike<number>,
  parts: ModelLayout['parts'],
): ModelLayout {
  const { stored, first, length, type, ...same } = places;
  return {
    ...same,
    tree,
    parts,
    storedBytes: stored,
    firstEntry: first,
    pageBytes: length,
    pageType: type,
    autoFlush: 0,
    autoSave: 0,
    flushedBytes: 0,
    compress: Int32Array.from(compress),
    basketSize: new Float64Array(tree.branches.length),
  };
}

/**
 * First entries of the clusters of a TTree: ranges of entries that were written with another fAutoFlush
 * (fClusterRangeEnd, fClusterSize), and after them fAutoFlush itself, as TTree::TClusterIterator counts.
 * Empty when the tree does not say (fAutoFlush not above 0).
 */
export function treeClusters(
  { autoFlush, clusterRangeEnd, clusterSize }: TreePlaces,
  entries: number,
): Float64Array {
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
