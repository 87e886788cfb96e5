import type { Core } from '../../core/core';
import type { Axis } from '../../core/fill';
import type { GoalWords } from '../../core/goals';
import type { Part, ProgramUse } from '../types';

/** The work of a worker for a goal: plain data. */
export interface GoalData {
  kind: string;
  /** The only column of the task whose values it takes; each column has a result of its own if it is left out. */
  column?: number | undefined;
  /** The program of which it takes the values, and the columns of the task that it reads. */
  program?: ProgramData | undefined;
  /** The code of a user that it runs. */
  select?: UserCode | undefined;
}

/** Code of a user, and the part of a tree that it runs on. */
export interface UserCode {
  module: string;
  file: string;
  tree: string;
  /** Time limit of a task in ms. It is ended then. */
  limitMs: number;
}

/** Returns the first rejection since the last call that code of a user left unhandled in this thread. */
export type RejectionOf = (code: UserCode) => Error | undefined;

/** A program, and the columns of the task that it reads; `given` is the one that makes its weights. Goals may share one. */
export interface ProgramData {
  bytes: Uint8Array;
  columns: number[];
  given?: ProgramData | undefined;
}

/** The result of a worker for a goal and a column, or for a goal with a program. */
export interface GoalResult {
  /** Numbers of many results; those of this one are from..to. */
  numbers: Float64Array;
  from: number;
  to: number;
  /** The result of `OpenGoal.take`. */
  extra: unknown;
}

/** A goal of a pass: what a worker does, and who takes its results. */
export interface Goal {
  /** The work, without column and program; asked for before each task. Part 0 has the first entries. */
  data(number: number): GoalData;
  /**
   * The only column of the pass whose values it takes. Without it and without a program, each column has results of its
   * own.
   */
  column?: number | undefined;
  /** The program whose values it takes. */
  program?: ProgramUse | undefined;
  /** Takes the result of a part. Parts come in any order. */
  take(result: GoalResult, part: Part): void;
}

/** The side of a kind of goals that is in the worker. */
export interface GoalWork<Data> {
  /** Number of doubles of a result. */
  doubles(data: Data): number;
  /** Number of further doubles for each unit of its column; 0 when it is missing. */
  unitDoubles?: number;
  axes?(data: Data): readonly Axis[];
  /** Whether it may take the values of a program together with other goals. */
  together?(data: Data): boolean;
  /** Loads what a result needs, before the task begins. */
  prepare?(data: Data): Promise<unknown>;
  /** Opens what a result needs besides its numbers; for goals that have one column or a program. */
  open?(core: Core, data: Data, prepared: unknown): OpenGoal;
}

export interface OpenGoal {
  /** Members of its xy_goal besides those of every one. */
  words?: GoalWords | undefined;
  /** Takes what belongs to the result besides its numbers; `rest` is what the core returned for the last values. */
  take?(rest: Uint8Array<ArrayBuffer>, query: { buffer(index: number): ArrayBuffer } | undefined): unknown;
  close?(): void;
}

export function numbersOf({ numbers, from, to }: GoalResult): Float64Array {
  return numbers.subarray(from, to);
}
