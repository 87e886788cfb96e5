import type { ErrorRecord } from '../base/errors';
import type { Column } from '../core/columns';
import type { DataModel } from '../model/data-model';
import { badUnit, placed } from './failures';
import type { Goal } from './goals/goal';
import {
  type ChosenUnits,
  firstBytesOf,
  growthOf,
  makeTaskLists,
  packUnits,
  partInMemory,
  TaskPlan,
} from './plan';
import type { TaskWork } from './read-tasks';
import type { PackedPlans, SpansOf, TaskContent, TaskResults } from './task-message';
import type { Part, PassProgress, TaskRunner, UnitsOfFile } from './types';

/** Minimum size of a task in bytes. A smaller one is not worth a message to a worker. */
const MIN_BYTES = 128 * 1024;
const MAX_BYTES = 1024 * 1024;
const MAX_UNITS = 2048;
/** Maximum number of decoded bytes of a task, because several tasks are in memory at once. */
const MAX_DECODED_BYTES = 6 * 1024 * 1024;
const TASKS_PER_WORKER = 6;

/** Data that all tasks of a pass over branches of one file share. */
export interface BranchPass {
  tree: DataModel;
  runner: TaskRunner;
  sources: readonly UnitsOfFile[];
  /** The units to decode. Default: all. */
  units?: { packed: Float64Array; chosen: ChosenUnits } | undefined;
  onPart?: ((part: Part) => void) | undefined;
  progress: PassProgress;
  /** The goals by column. Goals for all columns are under -1. */
  goals: ReadonlyMap<number, readonly Goal[]>;
  /** The decode plans of the columns. */
  plans: PackedPlans;
}

/** A goal of a task, its column (if it has one) and the number of its part. */
interface TaskGoal {
  goal: Goal;
  column: number | undefined;
  number: number;
}

/**
 * Divides branches that do not depend on each other by offset: a task has units that are close in the file, and each
 * unit is decoded once. Each run of units of a branch is a part. A unit that fails contributes no values to its part;
 * the other units do.
 */
export class BranchWork implements TaskWork {
  readonly plan: TaskPlan;
  readonly #packed: Float64Array;
  readonly #spansOf: SpansOf | undefined;
  /** Numbers of the units to try again. */
  readonly #again: number[] = [];

  constructor(
    readonly pass: BranchPass,
    /** Maximum gap between units that is read over, in bytes. */
    readonly gap: number,
    readonly alone: boolean,
    chosen = pass.units?.chosen,
  ) {
    const { tree, sources, runner } = pass;
    this.#packed =
      pass.units?.packed ??
      packUnits(sources.map(({ scan }) => ({ numbers: scan.units.numbers, growth: growthOf(scan.branch) })));
    const part = alone ? 0 : partInMemory(sources, MAX_BYTES);
    const limits = {
      minBytes: part * MIN_BYTES,
      maxBytes: part * MAX_BYTES,
      shares: runner.concurrency * TASKS_PER_WORKER,
      maxUnits: MAX_UNITS,
      maxDecoded: MAX_DECODED_BYTES,
      firstBytes: alone ? 0 : firstBytesOf(tree.reader),
    };
    const lists = makeTaskLists(tree.core, this.#packed, { how: 'places', ...limits, gap }, chosen);
    this.plan = new TaskPlan(lists, sources);
    const some = sources.some(({ scan }) => !scan.units.choice.contiguous);
    this.#spansOf = some ? (list, index) => sources[list]?.scan.units.spansOf(index)?.() : undefined;
  }

  /** Reports units with impossible ranges, and adds the entries of all others to the total. */
  start(): void {
    const { sources, progress } = this.pass;
    for (const { list, index } of this.plan.bad)
      this.#fail(list, index, badUnit(sources[list] as UnitsOfFile, index));
    const { partLists, partFirsts, partCounts } = this.plan.lists;
    let entries = 0;
    for (let i = 0; i < partLists.length; i++) {
      const rows = sources[partLists[i] ?? -1]?.scan.units.numbers.rows;
      const first = partFirsts[i] ?? 0;
      for (let k = first; rows && k < first + (partCounts[i] ?? 0); k++) entries += rows[k] ?? 0;
    }
    progress.entriesTotal += entries;
  }

  content(task: number): TaskContent {
    const { plan } = this;
    const { plans } = this.pass;
    const [first, end] = [plan.firstPart(task), plan.firstPart(task + 1)];
    const columns = plan.lists.partLists.subarray(first, end);
    return {
      goals: this.#goalsOf(task).map(({ goal, column, number }) => {
        const data = goal.data(number);
        return column === undefined ? data : { ...data, column };
      }),
      plans: plans.of(columns),
      parts: plans.parts(columns, plan.lists.partCounts.subarray(first, end)),
      spansOf: this.#spansOf,
    };
  }

  /**
   * Gives the results to the goals, part by part. There may be ten thousand parts, so each loop handles one kind of
   * list: V8 compiles a function again for each kind.
   */
  take(task: number, results: TaskResults, release: () => void): void {
    const { progress, onPart, sources } = this.pass;
    const { partLists, partFirsts, partCounts } = this.plan.lists;
    const goals = this.#goalsOf(task);
    const { data, order, result } = results;
    const { common, own } = order;
    const failed = new Map(result.failures.map(({ unit, error }) => [unit, error]));
    const [begin, end] = [this.plan.firstPart(task), this.plan.firstPart(task + 1)];
    let open = end - begin;
    const released = (): void => {
      open -= 1;
      if (open === 0) release();
    };
    let unit = 0;
    let next = 0;
    for (let i = begin; i < end; i++) {
      const list = partLists[i] ?? 0;
      const [number, count, rows] = [partFirsts[i] ?? 0, partCounts[i] ?? 0, result.rows[i - begin] ?? 0];
      const failures = failed.size > 0 ? this.#failuresOf(failed, list, number, count, unit) : [];
      const part: Part = { column: list, number, count, rows, failures, release: released };
      unit += count;
      progress.entriesDone += rows;
      onPart?.(part);
      let column: Column | undefined;
      const columnOf = (): Column => {
        column ??= results.column((sources[list] as UnitsOfFile).scan.plan.schema, rows);
        return column;
      };
      for (let k = 0; k < common.length; k++)
        results.give(common[k] ?? 0, goals[common[k] ?? 0]?.goal, part, count, columnOf);
      for (; data[own[next] ?? -1]?.column === i - begin; next++)
        results.give(own[next] ?? 0, goals[own[next] ?? 0]?.goal, part, count, columnOf);
    }
    results.end();
  }

  /** Returns the failures of a part. `before` is the number of units of the task before the part. */
  #failuresOf(
    failed: ReadonlyMap<number, ErrorRecord>,
    list: number,
    first: number,
    count: number,
    before: number,
  ): Part['failures'] {
    const source = this.pass.sources[list] as UnitsOfFile;
    const failures: Part['failures'] = [];
    for (let unit = 0; unit < count; unit++) {
      const error = failed.get(before + unit);
      if (error) failures.push({ unit, error: placed(error, source, first + unit) });
    }
    return failures;
  }

  #goalsOf(task: number): TaskGoal[] {
    const { goals } = this.pass;
    const common = (goals.get(-1) ?? []).map((goal) => ({ goal, column: undefined, number: 0 }));
    if (goals.size === 1 && common.length > 0) return common;
    const own = this.plan
      .parts(task)
      .flatMap(({ list, first }, column) =>
        (goals.get(list) ?? []).map((goal) => ({ goal, column, number: first })),
      );
    return [...common, ...own];
  }

  lose(task: number, failed: ReadonlyMap<number, ErrorRecord>): void {
    const { starts } = this.plan;
    let k = 0;
    for (const { list, index } of this.plan.places(task)) {
      const error = failed.get(k++);
      if (error) this.#fail(list, index, error);
      else this.#again.push((starts[list] ?? 0) + index);
    }
  }

  some(tasks: readonly number[]): TaskWork {
    if (tasks.length === this.plan.length && this.gap === 0) return this;
    const { starts } = this.plan;
    const units = tasks.flatMap((task) =>
      Array.from(this.plan.places(task), ({ list, index }) => (starts[list] ?? 0) + index),
    );
    return new BranchWork(this.pass, 0, this.alone, Float64Array.from(units).sort());
  }

  rest(): TaskWork | undefined {
    if (this.#again.length === 0) return undefined;
    return new BranchWork(this.pass, 0, true, Float64Array.from(this.#again).sort());
  }

  #fail(list: number, index: number, error: ErrorRecord): void {
    const failures = [{ unit: 0, error }];
    this.pass.onPart?.({ column: list, number: index, count: 1, rows: 0, failures });
  }
}
