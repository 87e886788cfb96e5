import type { Core } from '../core/core';
import type { TapeValue } from '../core/tape';
import type { DecodePlan } from '../core/tree-core';
import type { Reader, ReadOptions } from '../io/reader';
import type { Range } from '../io/source';
import type { BranchInfo, EntrySelection, TreeInfo } from './api';
import type { EntryChoice } from './entry-choice';
import type { ModelLayout } from './layout';
import type { PieceList } from './piece-list';

/** What is read and decoded as one: a basket of a TTree, or a piece of a cluster of an RNTuple. */
export interface WantedPiece {
  /** For messages: "Basket 12", "Cluster 3". */
  name: string;
  /** Number of its first entry in the tree; `from`, `to` and `spans` count from it. */
  first: number;
  from: number;
  to: number;
  /** How many entries are wanted. */
  rows: number;
  /** Which, where not all of `from` to `to` are: see EntryChoice. */
  spans?: (() => Float64Array) | undefined;
  /** Where its bytes lie in the file, in the order in which the decoder takes them. */
  ranges: Range[];
  /** Bytes that do not lie in the file and go before the others. */
  head?: (() => Uint8Array) | undefined;
  /** Place in the file from which the offsets of the decoder's errors count. */
  origin: number;
}

/** What the file of a tree has beside it. */
export interface TreeHome {
  /** Where the file lies: what a path in it is relative to. */
  readonly reader: Reader;
  tree(path: string, options?: { signal?: AbortSignal | undefined }): Promise<DataModel>;
  object(path: string, options?: { signal?: AbortSignal | undefined }): Promise<TapeValue>;
}

/** A TTree or RNTuple of an open file, as reading and drawing see it. */
export interface DataModel {
  /** Numbers of baskets and bytes are those of the clusters that are known: see `complete`. */
  readonly info: TreeInfo;
  /** So many entries have the clusters that are known. */
  readonly knownEntries: number;
  readonly reader: Reader;
  /** What interprets its bytes. */
  readonly core: Core;
  /** Its file, and its key there with the cycle; of trees of a file only. */
  readonly home?: TreeHome | undefined;
  readonly key?: string | undefined;
  /**
   * The branch of an index or a path; where no path is equal, a name that occurs once.
   * Throws NOT_FOUND with a suggestion.
   */
  branch(which: number | string): BranchInfo;
  /** How to decode a branch. Throws UNSUPPORTED or NO_STREAMER with what stopped it. */
  plan(branch: BranchInfo): DecodePlan;
  /** How to get the bytes of each entry. Throws UNSUPPORTED where entries have none of their own. */
  rawPlan(branch: BranchInfo): DecodePlan;
  /**
   * Gets to know the clusters of chosen entries, of all without a choice: an RNTuple's page lists are
   * read as they are needed. Of the branches that will be read, offsets of collections are read where
   * that spares reading more. Throws what reading and parsing page lists throws.
   */
  prepare(
    entries: EntrySelection | undefined,
    options: ReadOptions,
    branches?: readonly BranchInfo[],
  ): Promise<void>;
  /** What holds chosen entries, in entry order; they must be prepared. */
  pieces(branch: BranchInfo, choice: EntryChoice): PieceList;
  /** Where all baskets or pages lie; all entries must be prepared. */
  layout(): ModelLayout;
  close(): void;
}

/** Bytes in the file that a piece needs. */
export function pieceBytes(piece: WantedPiece): number {
  let sum = 0;
  for (const range of piece.ranges) sum += range.length;
  return sum;
}
