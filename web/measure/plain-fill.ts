import type { BranchInfo, CallOptions, EntrySelection } from '../api/api';
import type { Column } from '../core/columns';
import type { Fill } from '../core/query-core';
import { type Summary, sumOf } from '../core/summary';
import type { DataModel } from '../model/data-model';
import { sliceSelection } from '../model/entry-choice';
import { decodeColumns } from '../pass/columns/decode-columns';
import { decodeBranches, planBranch } from '../pass/pass';
import type { TaskGoal } from '../pass/task';
import type { BranchPlan, PartResult, TaskRunner } from '../pass/types';
import type { FillGoal, FillJob, OnFill, RangePart, StepOptions } from './fill-job';

/** Fills from all values of a branch. Decoding fills directly, so that no program has to run. */
export class PlainFill implements FillJob {
  readonly integer: readonly boolean[];
  readonly random = false;

  private constructor(
    readonly tree: DataModel,
    readonly runner: TaskRunner,
    readonly entries: EntrySelection | undefined,
    readonly plan: BranchPlan,
    integer: boolean,
  ) {
    this.integer = [integer];
  }

  /** Opens the branch. Throws if it cannot be decoded. */
  static async open(
    tree: DataModel,
    runner: TaskRunner,
    branch: BranchInfo,
    entries: EntrySelection | undefined,
    integer: boolean,
    { signal }: CallOptions,
  ): Promise<PlainFill> {
    await tree.prepare(entries, { signal }, [branch]);
    return new PlainFill(tree, runner, entries, planBranch(tree, branch.index, entries), integer);
  }

  get units(): number {
    return this.plan.units.length;
  }

  findRanges(options: StepOptions, onPart: (part: RangePart) => void): Promise<void> {
    return this.#run({ kind: 'summary' }, options, ({ number, count, summary }) => {
      if (summary) onPart({ number, count, summaries: [summary], empty: false });
    });
  }

  fill({ axes: [axis] }: FillGoal, _parts: unknown, options: StepOptions, onFill: OnFill): Promise<void> {
    const { bins, low, high } = axis ?? { bins: 1, low: 0, high: 1 };
    return this.#run({ kind: 'fill', bins, low, high }, options, ({ counts, summary, inside }) => {
      if (counts && summary && inside) onFill(toFill(counts, summary, inside));
    });
  }

  async values({ number, count }: RangePart, { signal }: CallOptions): Promise<Float64Array[]> {
    const { branch, units } = this.plan;
    const first = units.at(number);
    const last = units.at(number + count - 1);
    const all = this.entries ?? [0, this.tree.info.entries];
    const entries = sliceSelection(all, first.first + first.from, last.first + last.to);
    const plan = planBranch(this.tree, branch.index, entries);
    const [decoded] = await decodeColumns(this.tree, this.runner, [plan], { signal });
    const lists = (decoded?.columns ?? []).map(numbersOf);
    const values = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of lists) {
      values.set(list, at);
      at += list.length;
    }
    return [values];
  }

  #run(goal: TaskGoal, options: StepOptions, onPart: (part: PartResult) => void): Promise<void> {
    return decodeBranches(this.tree, this.runner, [this.plan], {
      signal: options.signal,
      goal,
      onBytes: options.onBytes,
      onResult: (_plan, part) => {
        if (part.failures.length > 0) options.onFailures(part.failures.map(({ error }) => error));
        onPart(part);
      },
    });
  }
}

/** Converts the counts of decoding (underflow, bins, overflow, NaN) to a filled histogram. */
function toFill(counts: Float64Array, all: Summary, inside: Summary): Fill {
  const overflow = counts.length - 2;
  const sums = counts.slice(0, overflow + 1);
  // As in TH1, NaN counts as overflow.
  sums[overflow] = (sums[overflow] ?? 0) + all.nans;
  const { values, deviation } = inside;
  const mean = values > 0 ? sumOf(inside) / values : 0;
  const { values: finite, min, max } = all;
  return {
    sums,
    squares: sums,
    stats: {
      fills: finite + all.infinities + all.nans,
      nans: all.nans,
      weight: values,
      weight2: values,
      axes: [{ mean, deviation, finite, min, max }],
      codeviation: 0,
      entries: 0,
    },
  };
}

/** Returns the numbers at the innermost level of lists and arrays, as doubles. */
function numbersOf(column: Column): Float64Array {
  if (column.kind === 'primitive')
    return Float64Array.from(column.data as ArrayLike<number | bigint>, Number);
  return 'child' in column ? numbersOf(column.child) : new Float64Array(0);
}
