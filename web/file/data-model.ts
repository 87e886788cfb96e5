import type { DecodePlan } from '../core/tree-core';
import type { Reader } from '../io/reader';
import type { Range } from '../io/source';
import type { BranchInfo, EntryRange, TreeInfo } from './api';
import type { ModelLayout } from './layout';

/** What is read and decoded as one: a basket of a TTree, or a piece of a cluster of an RNTuple. */
export interface WantedPiece {
  /** For messages: "Basket 12", "Cluster 3". */
  name: string;
  /** Number of its first entry in the tree; `from` and `to` count from it. */
  first: number;
  from: number;
  to: number;
  /** Where its bytes lie in the file, in the order in which the decoder takes them. */
  ranges: Range[];
  /** Bytes that do not lie in the file and go before the others. */
  head?: (() => Uint8Array) | undefined;
  /** Place in the file from which the offsets of the decoder's errors count. */
  origin: number;
}

/** A TTree or RNTuple of an open file, as reading and drawing see it. */
export interface DataModel {
  readonly info: TreeInfo;
  readonly reader: Reader;
  /**
   * The branch of an index or a path; where no path is equal, a name that occurs once.
   * Throws NOT_FOUND with a suggestion.
   */
  branch(which: number | string): BranchInfo;
  /** Clips a range to the entries that a branch has; all of them without one. Throws ARGUMENT. */
  entryRange(branch: BranchInfo, range: EntryRange | undefined): EntryRange;
  /** How to decode a branch. Throws UNSUPPORTED or NO_STREAMER with what stopped it. */
  plan(branch: BranchInfo): DecodePlan;
  /** How to get the bytes of each entry. Throws UNSUPPORTED where entries have none of their own. */
  rawPlan(branch: BranchInfo): DecodePlan;
  /** What holds entries of the range, in entry order. */
  pieces(branch: BranchInfo, range: EntryRange): WantedPiece[];
  /** Where all baskets or pages lie. */
  layout(): ModelLayout;
  close(): void;
}

/** Bytes in the file that a piece needs. */
export function pieceBytes(piece: WantedPiece): number {
  return piece.ranges.reduce((sum, range) => sum + range.length, 0);
}
