import type { ErrorRecord } from '../base/errors';
import { toXylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { Core } from '../core/core';
import { Decoder, mergeSummaries, type Schema, type Summary } from '../core/decoder';

/** One basket of a task, and which of its entries are wanted. */
export interface TaskBasket {
  bytes: Uint8Array;
  from: number;
  /** Entries up to here, counted from the basket's first; -1 for all. */
  to: number;
  /** Where not all of `from` to `to` are wanted: pairs from, to, ascending. */
  spans?: Float64Array | undefined;
  /** Numbers of the counter branch from the basket's first entry on. */
  counts?: Int32Array | undefined;
}

/**
 * What a task gives back: columns, a summary, filled bins, or of each basket how many entries were
 * decoded (`whole`: all that the basket has, however many were expected).
 */
export type TaskGoal =
  | { kind: 'columns' }
  | { kind: 'summary' }
  | { kind: 'verify'; whole: boolean }
  | { kind: 'fill'; bins: number; low: number; high: number };

/** A piece of work for one core: baskets of one branch, in order. Plain data. */
export interface DecodeTask {
  plan: Uint8Array;
  schema: Schema;
  baskets: TaskBasket[];
  goal: TaskGoal;
}

export interface DecodeResult {
  rows: number;
  column?: Column;
  summary?: Summary;
  counts?: Float64Array;
  /** Summary of the values within the range of a fill. */
  inside?: Summary;
  /** Of a `verify`: entries of each basket, undefined where it failed. */
  baskets?: (number | undefined)[];
  /** Baskets that failed, by their index in the task; the rest is decoded all the same. */
  failures: { basket: number; error: ErrorRecord }[];
}

/** Does a task. A basket that fails is reported and leaves no rows. */
export function runDecodeTask(core: Core, task: DecodeTask, aborted: () => boolean): DecodeResult {
  const decoder = new Decoder(core, task.plan);
  try {
    const result: DecodeResult = { rows: 0, failures: [] };
    const { goal } = task;
    for (const [basket, { bytes, from, to, spans, counts }] of task.baskets.entries()) {
      if (aborted()) break;
      try {
        if (spans) decoder.decodeSpans(bytes, spans, counts);
        else decoder.decode(bytes, from, goal.kind === 'verify' && goal.whole ? -1 : to, counts);
      } catch (thrown) {
        result.failures.push({ basket, error: toXylemError(thrown).toRecord() });
        continue;
      }
      if (goal.kind !== 'columns') {
        result.rows += decoder.rows;
        reduce(decoder, goal, basket, result);
        decoder.clear();
      }
    }
    if (goal.kind === 'columns') {
      result.rows = decoder.rows;
      result.column = decoder.column(task.schema);
    }
    return result;
  } finally {
    decoder.close();
  }
}

function reduce(decoder: Decoder, goal: TaskGoal, basket: number, result: DecodeResult): void {
  if (goal.kind === 'columns') return;
  if (goal.kind === 'verify') {
    result.baskets ??= [];
    result.baskets[basket] = decoder.rows;
    return;
  }
  if (goal.kind === 'summary') {
    result.summary = merged(result.summary, decoder.summarize());
    return;
  }
  const { counts, inside, all } = decoder.fill(goal.bins, goal.low, goal.high);
  result.counts = result.counts ? addCounts(result.counts, counts) : counts;
  result.inside = merged(result.inside, inside);
  result.summary = merged(result.summary, all);
}

function merged(sum: Summary | undefined, more: Summary): Summary {
  return sum ? mergeSummaries(sum, more) : more;
}

/** Adds `more` to `sum` in place. */
export function addCounts(sum: Float64Array, more: Float64Array): Float64Array {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (more[i] ?? 0);
  return sum;
}
