import type { BranchInfo } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { BasketResult, BasketTask } from '../core/basket-packer';
import type { EncodeResult, EncodeTask } from '../core/encoder';
import type { LoadModule } from '../core/modules/registry';
import type { DecodePlan } from '../core/tree-core';
import type { DataModel } from '../model/data-model';
import type { DecodeUnitList } from '../model/slice-list';
import type { TapeColumns } from './columns/tape-columns';
import type { EntryCounts } from './entry-counts';
import type { Task, TaskResult } from './task';

/** Runs tasks: in this thread, or in a pool of workers. */
export interface TaskRunner {
  /** Decodes units and takes their values to goals; takes the task's bytes over. */
  run(task: Task, signal: AbortSignal | undefined): Promise<TaskResult>;
  /** Encodes columns for a Parquet file; takes the task's bytes over. */
  encode(task: EncodeTask, signal: AbortSignal | undefined): Promise<EncodeResult>;
  /** Makes baskets of a file that is written; takes the task's bytes over. */
  makeBaskets(task: BasketTask, signal: AbortSignal | undefined): Promise<BasketResult>;
  /** Number of tasks that may usefully be under way at once. */
  readonly concurrency: number;
  /** Loads what few tasks need. */
  readonly modules?: LoadModule | undefined;
  /** Whether it reads the files of `ByteSource.direct` itself. */
  readonly readsFiles: boolean;
  /** Called before the first task of a pass with the number of bytes of all its tasks. */
  expect?(bytes: number): void;
  /** Starts the workers. Resolves when one of them is ready, or cannot be started. */
  warm?(): Promise<void>;
}

/** A branch to be read: its decode plan and its units. */
export interface BranchPlan {
  branch: BranchInfo;
  plan: DecodePlan;
  units: DecodeUnitList;
  /** Lengths of its arrays, when another branch holds them. */
  counts?: EntryCounts | undefined;
}

/** The units of a branch in one file. */
export interface UnitsOfFile {
  tree: DataModel;
  scan: BranchPlan;
  /** Added to the entry numbers of the file. */
  shift: number;
}

/** A branch that a pass reads: its units in one file, or in several that follow each other. */
export interface PassColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  parts: UnitsOfFile[];
  /** Values that are taken from tapes, into buffers after those of the plan. */
  tapes?: TapeColumns | undefined;
  /**
   * For a friend whose entries are looked up: its entry for each chosen entry, in order; -1 for none. The units count
   * as these do.
   */
  rows?: Float64Array | undefined;
}

/** An expression program, and the columns of the pass that it reads. */
export interface ProgramUse {
  bytes: Uint8Array;
  columns: number[];
  /** Whether it calls functions of xylem-math.wasm. */
  math: boolean;
  /** The program that makes its weights, if another one does. It reads some of the same columns. */
  given?: ProgramUse | undefined;
}

export interface PassProgress {
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
}

/** Units that were decoded together, and that follow each other. */
export interface Part {
  /** Index of their column in the pass; -1 for a task over entries, which is one part. */
  column: number;
  /** Number of the first unit, or of the task in its group. Parts with higher numbers hold later entries. */
  number: number;
  /** Number of units; 1 for a task. */
  count: number;
  /** Number of entries that were decoded. */
  rows: number;
  /** Units that failed, counted from the first. */
  failures: { unit: number; error: ErrorRecord }[];
  /** Gives the memory of a column to other tasks. A goal may call it once, after it has copied the column. */
  release?: (() => void) | undefined;
}
