import type { Core } from '../../core/core';
import type { Axis } from '../../core/fill';
import type { GoalWords } from '../../core/goals';
import type { Part, ProgramUse } from '../types';

/** The part of a goal that a worker executes. Plain data. */
export interface GoalData {
  kind: string;
  /**
   * The only column of the task whose values are used. If undefined (and without a program), each column has a result.
   */
  column?: number | undefined;
  /** The program whose values are used, and the columns of the task that it reads. */
  program?: ProgramData | undefined;
  /** User code that the goal runs. */
  select?: UserCode | undefined;
}

/** User code, and the tree that it processes. */
export interface UserCode {
  module: string;
  file: string;
  tree: string;
  /** Time limit of a task in ms, after which it is ended. */
  limitMs: number;
}

/** Returns the first unhandled rejection of user code in this thread since the last call. */
export type RejectionOf = (code: UserCode) => Error | undefined;

/**
 * A program, and the columns of the task that it reads. `given` is the program that computes its weights. Several goals
 * may share a program.
 */
export interface ProgramData {
  bytes: Uint8Array;
  columns: number[];
  given?: ProgramData | undefined;
}

/** The result of a worker for a goal and a column, or for a goal with a program. */
export interface GoalResult {
  /** The numbers of many results. Those of this result are at [from, to). */
  numbers: Float64Array;
  from: number;
  to: number;
  /** The return value of `OpenGoal.take`. */
  extra: unknown;
}

/** A goal of a pass: what a worker computes, and where its results go. */
export interface Goal {
  /** Returns the worker's part without column and program; called before each task. Part 0 has the first entries. */
  data(number: number): GoalData;
  /**
   * The only column of the pass whose values are used. If undefined (and without a program), each column has results.
   */
  column?: number | undefined;
  /** The program whose values are used. */
  program?: ProgramUse | undefined;
  /** Receives the result of a part. Parts come in any order. */
  take(result: GoalResult, part: Part): void;
}

/** The implementation of a kind of goals in the worker. */
export interface GoalWork<Data> {
  /** Returns the number of doubles of a result. */
  doubles(data: Data): number;
  /** Number of additional doubles for each unit of its column. Default: 0. */
  unitDoubles?: number;
  axes?(data: Data): readonly Axis[];
  /** Whether it may receive the values of a program together with other goals. */
  together?(data: Data): boolean;
  /** Loads what a result needs before the task begins. */
  prepare?(data: Data): Promise<unknown>;
  /** Opens resources of a result, for goals with one column or a program. */
  open?(core: Core, data: Data, prepared: unknown): OpenGoal;
}

export interface OpenGoal {
  /** Members of its xy_goal in addition to the common ones. */
  words?: GoalWords | undefined;
  /**
   * Returns the part of the result that is not in its numbers. `rest` is what the core returned for the last values.
   */
  take?(rest: Uint8Array<ArrayBuffer>, query: { buffer(index: number): ArrayBuffer } | undefined): unknown;
  close?(): void;
}

export function numbersOf({ numbers, from, to }: GoalResult): Float64Array {
  return numbers.subarray(from, to);
}
