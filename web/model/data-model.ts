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
  /** Index of its first entry in the tree. `from`, `to` and `spans` are relative to it. */
  first: number;
  from: number;
  to: number;
  /** Number of chosen entries. */
  rows: number;
  /** The chosen entries, if these are not all from `from` to `to`: see EntryChoice. */
  spans?: (() => Float64Array) | undefined;
  /** Whether it stands for entries that no basket or cluster contains. It cannot be read: see `withAbsent`. */
  absent?: boolean;
  /** Its positions in the file, in the order in which the decoder takes the bytes. */
  ranges: Range[];
  /** Bytes that come before the others and are not in the file. */
  head?: (() => Uint8Array) | undefined;
  /** Position in the file to which the offsets in the decoder's errors are relative. */
  origin: number;
}

/** Calls `run`. Adds the name of the branch to errors of the core. */
export function ofBranch<T>(tree: TreeInfo, branch: BranchInfo, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw thrown instanceof XylemError ? thrown.at({ path: `${tree.path}/${branch.path}` }) : thrown;
  }
}

/** The file of a tree, as far as other code needs it. */
export interface TreeHome {
  /** The file. Paths in it are relative to it. */
  readonly reader: ByteReader;
  tree(path: string, options?: { signal?: AbortSignal | undefined }): Promise<DataModel>;
  object(path: string, options?: { signal?: AbortSignal | undefined }): Promise<TapeValue>;
}

/** A TTree or RNTuple of an open file, for reading and drawing. */
export interface DataModel {
  /** Numbers of baskets and bytes include only the loaded clusters: see `complete`. */
  readonly info: TreeInfo;
  /** Number of entries in the loaded clusters. */
  readonly knownEntries: number;
  readonly reader: ByteReader;
  /** The core that decodes its bytes. */
  readonly core: Core;
  /** Its file, and its key in the file with the cycle. Undefined for trees that are not in a file. */
  readonly home?: TreeHome | undefined;
  readonly key?: string | undefined;
  /**
   * Returns the branch with an index or a path. If no path matches, a name that occurs once. Throws NOT_FOUND with a
   * suggestion.
   */
  branch(which: number | string): BranchInfo;
  /** The plan that decodes a branch. Throws UNSUPPORTED or NO_STREAMER with the reason. */
  plan(branch: BranchInfo): DecodePlan;
  /** Returns the schema of objects of a class; null if unknown. Trees only. */
  classSchema?(name: string): Schema | null;
  /** The classes that the file describes, with the names of their own members. */
  classes?(): ClassRecord[];
  /**
   * Returns the plan that gives the bytes of each entry. Throws UNSUPPORTED if entries do not have separate bytes.
   */
  rawPlan(branch: BranchInfo): DecodePlan;
  /**
   * Loads the clusters of the chosen entries, or of all: page lists of an RNTuple are read when they are needed. If
   * that saves reading, also reads the offsets of collections for the branches that will be read. Throws the errors
   * of reading and parsing page lists.
   */
  prepare(
    entries: EntrySelection | undefined,
    options: ReadOptions,
    branches?: readonly BranchInfo[],
  ): Promise<void>;
  /** Returns the units with chosen entries, in entry order. Call `prepare` first. */
  units(branch: BranchInfo, choice: EntryChoice): DecodeUnitList;
  /** Returns the positions of all baskets or pages. Call `prepare` for all entries first. */
  layout(): ModelLayout;
  close(): void;
}

/** Returns the number of bytes of the file that a unit needs. */
export function unitBytes(unit: DecodeUnit): number {
  let sum = 0;
  for (const range of unit.ranges) sum += range.length;
  return sum;
}
