import type { BranchInfo, EntrySelection, TreeInfo } from '../api/api';
import { XylemError } from '../base/errors';
import type { Core } from '../core/core';
import type { Schema } from '../core/decoder';
import type { ClassRecord } from '../core/file-core';
import type { TapeValue } from '../core/tape';
import type { DecodePlan } from '../core/tree-core';
import type { ByteReader, ReadOptions } from '../io/fetch/reader';
import type { Range } from '../io/source';
import type { EntryChoice } from './entry-choice';
import type { ModelLayout } from './layout';
import type { DecodeUnitList } from './slice-list';

/** The unit of reading and decoding: a basket of a TTree, or a part of a cluster of an RNTuple. */
export interface DecodeUnit {
  /** For messages: "Basket 12", "Cluster 3". */
  name: string;
  /** Number of its first entry in the tree; `from`, `to` and `spans` count from it. */
  first: number;
  from: number;
  to: number;
  /** Number of chosen entries. */
  rows: number;
  /** The chosen entries, when they are not all of `from` to `to`: see EntryChoice. */
  spans?: (() => Float64Array) | undefined;
  /** Whether no basket or cluster holds its entries: see `withAbsent`. It cannot be read. */
  absent?: boolean;
  /** Its places in the file, in the order in which the decoder takes the bytes. */
  ranges: Range[];
  /** Bytes that do not lie in the file and go before the others. */
  head?: (() => Uint8Array) | undefined;
  /** Position in the file from which the offsets in the decoder's errors count. */
  origin: number;
}

/** Runs something; an error of the core then says which branch it concerns. */
export function ofBranch<T>(tree: TreeInfo, branch: BranchInfo, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw thrown instanceof XylemError ? thrown.at({ path: `${tree.path}/${branch.path}` }) : thrown;
  }
}

/** The rest of the file of a tree. */
export interface TreeHome {
  /** The file, to which a path in it is relative. */
  readonly reader: ByteReader;
  tree(path: string, options?: { signal?: AbortSignal | undefined }): Promise<DataModel>;
  object(path: string, options?: { signal?: AbortSignal | undefined }): Promise<TapeValue>;
}

/** A TTree or RNTuple of an open file, as reading and drawing see it. */
export interface DataModel {
  /** Numbers of baskets and bytes count the known clusters only: see `complete`. */
  readonly info: TreeInfo;
  /** Number of entries in the known clusters. */
  readonly knownEntries: number;
  readonly reader: ByteReader;
  /** The core that interprets its bytes. */
  readonly core: Core;
  /** Its file, and its key there with the cycle; undefined for trees that are not in a file. */
  readonly home?: TreeHome | undefined;
  readonly key?: string | undefined;
  /**
   * The branch of an index or a path; when no path is equal, a name that occurs once. Throws NOT_FOUND with a
   * suggestion.
   */
  branch(which: number | string): BranchInfo;
  /** The plan that decodes a branch. Throws UNSUPPORTED or NO_STREAMER with the reason. */
  plan(branch: BranchInfo): DecodePlan;
  /** The shape of objects of a class; null when it is not known. Trees only. */
  classSchema?(name: string): Schema | null;
  /** The classes that the file describes, with the names of their own members. */
  classes?(): ClassRecord[];
  /**
   * The plan that yields the bytes of each entry. Throws UNSUPPORTED when entries do not have bytes of their
   * own.
   */
  rawPlan(branch: BranchInfo): DecodePlan;
  /**
   * Loads the clusters of chosen entries (of all entries without a choice): the page lists of an RNTuple are
   * read when they are needed. For the branches that will be read, offsets of collections are read when that
   * saves reading more. Throws the errors of reading and parsing page lists.
   */
  prepare(
    entries: EntrySelection | undefined,
    options: ReadOptions,
    branches?: readonly BranchInfo[],
  ): Promise<void>;
  /** The units that hold chosen entries, in entry order; `prepare` must have loaded them. */
  units(branch: BranchInfo, choice: EntryChoice): DecodeUnitList;
  /** The places of all baskets or pages; `prepare` must have loaded all entries. */
  layout(): ModelLayout;
  close(): void;
}

/** Bytes of the file that a unit needs. */
export function unitBytes(unit: DecodeUnit): number {
  let sum = 0;
  for (const range of unit.ranges) sum += range.length;
  return sum;
}
