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
import type { TaskPlan } from './plan';
import type { Task, TaskResult } from './task';

/** Runs tasks: in this thread, or in a pool of workers. */
export interface TaskRunner {
  /** Decodes units and computes the goals. Transfers the bytes of the task. */
  run(task: Task, signal: AbortSignal | undefined): Promise<TaskResult>;
  /** Encodes columns for a file. Transfers the bytes of the task. */
  encode(task: EncodeTask, signal: AbortSignal | undefined): Promise<EncodeResult>;
  /** Makes baskets of a file that is written. Transfers the bytes of the task. */
  makeBaskets(task: BasketTask, signal: AbortSignal | undefined): Promise<BasketResult>;
  /** Number of simultaneous tasks that are useful. */
  readonly concurrency: number;
  /** Loads modules that only few tasks need. */
  readonly modules?: LoadModule | undefined;
  /** Whether tasks may read the files of `ByteSource.direct` themselves. */
  readonly readsFiles: boolean;
  /** Set when nothing is to be read: takes what each pass would read. */
  readonly record?: ReadRecorder | undefined;
  /** Called with the total number of bytes of all tasks before the first task of a pass. */
  expect?(bytes: number): void;
  /** Starts the workers. Resolves when one of them is ready or cannot be started. */
  warm?(): Promise<void>;
}

/** Takes the plans of passes in place of reading. */
export interface ReadRecorder {
  /** Gaps of up to this many bytes are read over within a task. */
  gapBytes: number;
  take(plan: TaskPlan): void;
}

/** A branch to be read: its decode plan and its units. */
export interface BranchPlan {
  branch: BranchInfo;
  plan: DecodePlan;
  units: DecodeUnitList;
  /** Lengths of its arrays, if another branch contains them. */
  counts?: EntryCounts | undefined;
}

/** The units of a branch in one file. */
export interface UnitsOfFile {
  tree: DataModel;
  scan: BranchPlan;
  /** Added to the entry numbers of the file. */
  shift: number;
}

/** A branch that a pass reads: its units in one file or in several consecutive files. */
export interface PassColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  parts: UnitsOfFile[];
  /** Values that are extracted from tapes into additional buffers after those of the plan. */
  tapes?: TapeColumns | undefined;
  /**
   * For a friend whose entries are looked up: the friend's entry for each chosen entry in order, or -1. The entry
   * numbers of the units are in the same numbering.
   */
  rows?: Float64Array | undefined;
}

/** A compiled expression, and the columns of the pass that it reads. */
export interface ProgramUse {
  bytes: Uint8Array;
  columns: number[];
  /** Whether it calls functions of xylem-math.wasm. */
  math: boolean;
  /** The program that computes its weights, if another one does. It reads some of the same columns. */
  given?: ProgramUse | undefined;
}

export interface PassProgress {
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
}

/** Consecutive units that were decoded together. */
export interface Part {
  /** Index of their column in the pass; -1 for a task over entries, which is one part. */
  column: number;
  /** Number of the first unit, or of the task in its group. Parts with higher numbers have later entries. */
  number: number;
  /** Number of units; 1 for a task. */
  count: number;
  /** Number of entries that were decoded. */
  rows: number;
  /** Units that failed, by their index in the part. */
  failures: { unit: number; error: ErrorRecord }[];
  /** Gives the memory of a column to other tasks. A goal may call it once, after it has copied the column. */
  release?: (() => void) | undefined;
}
