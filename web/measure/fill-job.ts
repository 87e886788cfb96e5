import type { CallOptions } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { Axis, Fill } from '../core/query-core';
import type { Summary } from '../core/summary';
import type { DecodeProgress } from '../pass/types';

/**
 * Fills histograms from the entries of one tree: `plain-fill.ts` for the values of a branch as they are
 * stored, `program-fill.ts` for expressions and cuts.
 */
export interface FillJob {
  /**
   * For each coordinate, x first: whether all values are whole numbers by their type
   * (TTreeFormula::IsInteger).
   */
  readonly integer: readonly boolean[];
  /** Whether the values depend on the seed. */
  readonly random: boolean;
  /** Number of baskets or pages to read, each of which may fail. */
  readonly units: number;
  /** Summarizes the values without filling. Calls `onPart` for the parts in any order. */
  findRanges(options: StepOptions, onPart: (part: RangePart) => void): Promise<void>;
  /** Fills part by part. `parts` are the numbers of the parts that hold values; undefined means all. */
  fill(
    goal: FillGoal,
    parts: readonly number[] | undefined,
    options: StepOptions,
    onFill: OnFill,
  ): Promise<void>;
  /** Returns the values of a part from `findRanges`, by coordinate, in the order of the entries. */
  values(part: RangePart, options: CallOptions): Promise<Float64Array[]>;
}

export interface FillGoal {
  axes: Axis[];
  dims: number;
  profile: boolean;
  /** Whether the sums are exact: see Fill. Only programs can do that. */
  exact?: boolean | undefined;
}

export type OnFill = (fill: Fill) => void;

/** The values of consecutive entries. */
export interface RangePart {
  /** Number of the part. In one job, parts with higher numbers hold later entries. */
  number: number;
  /** Number of units, for jobs in which a part consists of units. */
  count: number;
  /** Summaries by coordinate. */
  summaries: Summary[];
  /** Whether filling can skip this part, because all of it was read and nothing passed. */
  empty: boolean;
}

export interface StepOptions extends CallOptions {
  onFailures: (errors: ErrorRecord[]) => void;
  onBytes: (progress: DecodeProgress) => void;
}
