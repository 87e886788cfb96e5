import type { PagePlaces } from '../core/ntuple-core';
import type { TreePlaces } from '../core/tree-core';
import type { TreeInfo } from './api';

/**
 * Where the baskets of a tree lie, from its metadata alone; for an RNTuple, branches are fields and
 * baskets the pages of a field's own columns. Of the branch `b` (its index in `tree.branches`) the
 * baskets are those from `basketStart[b]` to `basketStart[b + 1]`, in entry order. Offsets and sizes
 * are in bytes.
 */
export interface TreeLayout {
  tree: TreeInfo;
  /** The tree's own record, or the RNTuple's anchor. */
  record: { offset: number; length: number; objectBytes: number };
  /** Header, footer and page lists of an RNTuple. */
  parts: { name: string; offset: number; length: number }[];
  /** Length: branches + 1. */
  basketStart: Uint32Array;
  /** 0 for a basket that lies in the tree's own record. */
  offset: Float64Array;
  /** Bytes in the file, with the basket's key; 0 for a basket that lies in the tree's own record. */
  storedBytes: Float64Array;
  /** First entry and number of entries that the basket has values of. */
  firstEntry: Float64Array;
  entries: Float64Array;
  /** Uncompressed bytes of each page; a TTree only knows sums (`TreeInfo.branches[b].totalBytes`). */
  pageBytes?: Float64Array | undefined;
  /** Of each page the type of its column, as the format of RNTuples numbers them. */
  pageType?: Uint8Array | undefined;
  /** Per branch 1 where entries are those of each basket, 0 where they are those of its cluster. */
  exact: Uint8Array;
  /** First entries of the clusters; empty where the file does not say. */
  clusterStart: Float64Array;
  /** fAutoFlush (entries; bytes when below zero), fAutoSave, fFlushedBytes; 0 for an RNTuple. */
  autoFlush: number;
  autoSave: number;
  flushedBytes: number;
  /** Per branch: 100 × algorithm + level as ROOT counts, -1 where it is not known. */
  compress: Int32Array;
  /** Per branch: fBasketSize, the buffer's bytes uncompressed; 0 for an RNTuple. */
  basketSize: Float64Array;
}

/** What a tree's model knows; the file adds the place of the tree's record. */
export type ModelLayout = Omit<TreeLayout, 'record'>;

/** More clusters than this are not listed: the numbers are the file's own claim. */
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
 * First entries of the clusters of a TTree: ranges of entries that were written with another
 * fAutoFlush (fClusterRangeEnd, fClusterSize), and behind them fAutoFlush itself, as
 * TTree::TClusterIterator counts. Empty when the tree does not say (fAutoFlush not above 0).
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
