import type { BranchInfo } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { BasketResult, BasketTask } from '../core/basket-packer';
import type { Column } from '../core/columns';
import type { DistinctSketch } from '../core/distinct-sketch';
import type { EncodeResult, EncodeTask } from '../core/encoder';
import type { Summary } from '../core/summary';
import type { DecodePlan } from '../core/tree-core';
import type { DecodeUnitList } from '../model/slice-list';
import type { TapeColumns } from './columns/tape-columns';
import type { EntryCounts } from './entry-counts';
import type { QueryResult, QueryTask } from './query-task';
import type { DecodeResult, DecodeTask } from './task';

/** Runs decode tasks: in this thread, or in a pool of workers. */
export interface TaskRunner {
  /** Runs a task and takes its bytes over. */
  run(task: DecodeTask, signal: AbortSignal | undefined): Promise<DecodeResult>;
  /** Evaluates expressions over several branches; takes the task's bytes over. */
  query(task: QueryTask, signal: AbortSignal | undefined): Promise<QueryResult>;
  /** Encodes columns for a Parquet file; takes the task's bytes over. */
  encode(task: EncodeTask, signal: AbortSignal | undefined): Promise<EncodeResult>;
  /** Makes baskets of a file that is written; takes the task's bytes over. */
  makeBaskets(task: BasketTask, signal: AbortSignal | undefined): Promise<BasketResult>;
  /** Number of tasks that may usefully be under way at once. */
  readonly concurrency: number;
  /** Loads xylem-math.wasm. Undefined when it cannot be loaded. */
  readonly math?: (() => Promise<WebAssembly.Module>) | undefined;
  /** Loads xylem-export.wasm. Undefined when it cannot be loaded. */
  readonly encoder?: (() => Promise<WebAssembly.Module>) | undefined;
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

/** An expression program, and the branches that it reads. */
export interface Program {
  program: Uint8Array;
  columns: ProgramColumn[];
  /** Number of columns that the cut reads. They are the first ones; 0 without a cut. */
  cutColumns: number;
  /** Whether the program calls functions of xylem-math.wasm. */
  math: boolean;
}

/** A branch that a program reads. */
export interface ProgramColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  /** Index of the friend; -1 for the tree itself. */
  friend: number;
  /** The columns made from the branch's tapes after decoding. */
  tapes?: TapeColumns | undefined;
}

export interface DecodeProgress {
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
}

/** Result of some units of a branch that follow each other. */
export interface PartResult {
  /** Number of the first unit: parts of one branch arrive in any order. */
  number: number;
  /** Number of units. */
  count: number;
  rows: number;
  column?: Column | undefined;
  /** Gives the memory of the column to other tasks. It may be called once, by one that copied it. */
  release?: (() => void) | undefined;
  summary?: Summary | undefined;
  /** Summary of the values within the range of a fill, and its counts (underflow, bins, overflow, NaN). */
  inside?: Summary | undefined;
  counts?: Float64Array | undefined;
  sketch?: DistinctSketch | undefined;
  /** For `verify`: see DecodeResult. */
  unitRows?: Float64Array | undefined;
  /** Units that failed, counted from the first. */
  failures: { unit: number; error: ErrorRecord }[];
}
