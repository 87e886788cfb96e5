import type { TreeInfo } from './api';

/**
 * Places of the baskets of a tree, from its metadata; for an RNTuple, branches are fields, and baskets
 * the pages of the columns of the field itself. The baskets of branch `b` (its index in `tree.branches`) are those from
 * `basketStart[b]` to `basketStart[b + 1]`, in entry order. Offsets and sizes are in bytes.
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
  /** First entry and number of entries of which the basket has values. */
  firstEntry: Float64Array;
  entries: Float64Array;
  /** Uncompressed bytes of each page; a TTree only knows sums (`TreeInfo.branches[b].totalBytes`). */
  pageBytes?: Float64Array | undefined;
  /** For each page the type of its column, as the format of RNTuples numbers them. */
  pageType?: Uint8Array | undefined;
  /** For each page the number of its column, as ROOT counts the physical ones. */
  pageColumn?: Uint32Array | undefined;
  /** For each field of an RNTuple the index of the one whose columns it shows when it is projected, else -1. */
  source?: Int32Array | undefined;
  /** For each field of an RNTuple the entries that clusters claim and its pages do not have; 0 for one within a collection. */
  lacking?: Float64Array | undefined;
  /** For each branch 1 when entries are those of each basket, 0 when they are those of its cluster. */
  exact: Uint8Array;
  /** First entries of the clusters that the tree's record claims; empty when it does not say. */
  clusterStart: Float64Array;
  /** First entries of the true clusters, whose borders the baskets keep to: see `trueClusters`. */
  trueStart: Float64Array;
  /** fAutoFlush (entries; bytes when below zero), fAutoSave, fFlushedBytes; 0 for an RNTuple. */
  autoFlush: number;
  autoSave: number;
  flushedBytes: number;
  /** For each branch: 100 × algorithm + level as ROOT counts, -1 when it is not known. */
  compress: Int32Array;
  /** For each branch: fBasketSize, the buffer's bytes uncompressed; 0 for an RNTuple. */
  basketSize: Float64Array;
}
