import type { BranchSettings } from '../core/tree-core';
import type { TreeInfo } from './api';

/**
 * Positions of the baskets of a tree, from its metadata. For an RNTuple, branches are fields, and baskets are the pages
 * of the columns of the field itself. The baskets of branch `b` (its index in `tree.branches`) are those from
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
  /** 0 for a basket in the tree's own record. */
  offset: Float64Array;
  /** Size in the file including the basket's key, in bytes; 0 for a basket in the tree's own record. */
  storedBytes: Float64Array;
  /** First entry and number of entries in the basket. */
  firstEntry: Float64Array;
  entries: Float64Array;
  /** Uncompressed size of each page in bytes. For a TTree, only sums are known (`TreeInfo.branches[b].totalBytes`). */
  pageBytes?: Float64Array | undefined;
  /** For each page, the type of its column, as the RNTuple format numbers it. */
  pageType?: Uint8Array | undefined;
  /** For each page, the number of its column among the physical ones, as in ROOT. */
  pageColumn?: Uint32Array | undefined;
  /**
   * For each field of an RNTuple: the index of the field whose columns it shows if it is a projected field, otherwise
   * -1.
   */
  source?: Int32Array | undefined;
  /**
   * For each field of an RNTuple: number of entries that clusters claim but its pages do not contain; 0 for a field
   * within a collection.
   */
  lacking?: Float64Array | undefined;
  /** For each branch: 1 if entries are counted for each basket, 0 if they are counted for its cluster. */
  exact: Uint8Array;
  /** First entries of the clusters according to the tree's record; empty if the record does not contain them. */
  clusterStart: Float64Array;
  /** First entries of the true clusters, whose borders no basket crosses: see `trueClusters`. */
  trueStart: Float64Array;
  /** fAutoFlush (entries, or bytes if negative), fAutoSave, fFlushedBytes; 0 for an RNTuple. */
  autoFlush: number;
  autoSave: number;
  flushedBytes: number;
  /**
   * fTotBytes and fZipBytes by the record of a TTree: without baskets that lie in the record itself, and 0 in some files.
   * Undefined for an RNTuple.
   */
  recorded?: { totBytes: number; zipBytes: number } | undefined;
  /** For each branch: 100 × algorithm + level as in ROOT, -1 if unknown. */
  compress: Int32Array;
  /** For each branch: fBasketSize, the size of the uncompressed buffer in bytes; 0 for an RNTuple. */
  basketSize: Float64Array;
  /** The buffers and classes of branches by the record of a TTree; undefined for an RNTuple. */
  settings?: BranchSettings | undefined;
  /**
   * If requested, for each branch of a TTree the orders of the members of collections of objects in its first basket: 1
   * object-wise, 2 member-wise, 3 both, 0 for a branch without such collections, or that cannot be decoded by itself.
   */
  orders?: Uint8Array | undefined;
}
