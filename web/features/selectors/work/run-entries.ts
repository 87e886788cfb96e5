import type { Values } from './entries';
import type { Selector, SelectorTask } from './types';
import type { Watch } from './watch';

// These loops are functions of their own, because JavaScript engines compile a loop anew for each closure that has it.

/** The entries of a part, and what runs for each. */
export interface EntryRun {
  own: Selector;
  entries: Float64Array;
  weights: Float64Array;
  valuesOf(at: number): Values;
  /** Gets the weight and the number of each entry. */
  task: SelectorTask;
  /** The task that the code gets. */
  given: SelectorTask;
  state: object;
  /** The index of the entry that runs. If the code throws, it is that of the entry that failed. */
  place: { at: number };
  watch: Pick<Watch, 'absent'>;
}

/** Runs the code for the entries with the indices [from, to). */
export function runEntries(run: EntryRun, from: number, to: number): void {
  const { own, entries, weights, valuesOf, task, given, state, place, watch } = run;
  for (let at = from; at < to; at++) {
    place.at = at;
    watch.absent = undefined;
    task.weight = weights[at] as number;
    task.entry = entries[at] as number;
    const result: unknown = own.entry?.(valuesOf(at) as never, state, given);
    if (result !== undefined) refuseAsync(result);
  }
}

/** Does the same; `prepare` may change the values and the weight of each entry first. */
export function runPrepared(
  run: EntryRun,
  from: number,
  to: number,
  prepare: (values: Values) => void,
): void {
  const { own, entries, weights, valuesOf, task, given, state, place, watch } = run;
  for (let at = from; at < to; at++) {
    place.at = at;
    watch.absent = undefined;
    task.weight = weights[at] as number;
    task.entry = entries[at] as number;
    const values = valuesOf(at);
    prepare(values);
    const result: unknown = own.entry?.(values as never, state, given);
    if (result !== undefined) refuseAsync(result);
  }
}

/** Throws TypeError for a promise. */
export function refuseAsync(result: unknown): void {
  if (typeof (result as { then?: unknown } | null | undefined)?.then === 'function')
    throw new TypeError('process and entry must not be async');
}
