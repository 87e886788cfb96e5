import type { CallOptions, EntryRange, EntrySelection } from '../api/api';
import { type ErrorRecord, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import { BufferTaker } from '../core/packed-buffers';
import type { Range } from '../io/source';
import { withAbsent } from '../model/absent';
import type { DataModel } from '../model/data-model';
import { chooseEntries } from '../model/entry-choice';
import { entryCounts } from './entry-counts';
import { badUnit, isReadable, placed } from './failures';
import { columnsGoal } from './goals/columns';
import type { Goal, GoalData } from './goals/goal';
import { PackedPlans } from './packed-plans';
import { type ChosenUnits, firstBytesOf, makeTaskLists, packUnits, partInMemory, TaskPlan } from './plan';
import { TaskReader, type TaskWork } from './read-tasks';
import { doublesOf, type GoalOrder, orderOf, type Task, type TaskResult } from './task';
import { type SpansOf, unitsOfTask } from './task-units';
import type { BranchPlan, Part, PassProgress, TaskRunner, UnitsOfFile } from './types';

/** Minimum size of a task in bytes: a smaller one is not worth a message to a worker. */
const MIN_BYTES = 128 * 1024;
const MAX_BYTES = 1024 * 1024;
const MAX_UNITS = 2048;
const TASKS_PER_WORKER = 6;
/** Limit on bytes of arrays that are read together with the branches that hold their lengths. */
const COUNTED_AHEAD_BYTES = 16 * 1024 * 1024;

export interface PassOptions extends CallOptions {
  goals: readonly Goal[];
  /** The units to decode; all when it is missing. */
  units?: { packed: Float64Array; chosen: ChosenUnits } | undefined;
  /** Whether each unit is a part, so that the parts do not depend on the number of workers. */
  alone?: boolean | undefined;
  /** Called with each part before its results are taken, and with units that cannot be read, which have no results. */
  onPart?: ((part: Part) => void) | undefined;
  onBytes?: ((progress: PassProgress) => void) | undefined;
}

/**
 * Plans the reading of a branch. Entries that the branch counts and no basket holds become units that cannot be read; with
 * `whole` also entries of the tree that the branch does not count. Throws if the branch cannot be decoded.
 */
export function planBranch(
  tree: DataModel,
  which: number | string,
  entries?: EntrySelection,
  { raw = false, whole = false } = {},
): BranchPlan {
  const there = planUnits(tree, which, entries, raw);
  const { branch } = there;
  // A branch that only holds others counts entries and has no baskets.
  if (branch.kind === 'group' && branch.baskets === 0) return there;
  const counted = whole ? Math.max(tree.info.entries, branch.entries) : branch.entries;
  return { ...there, units: withAbsent(there.units, chooseEntries(entries, counted), branch.entries) };
}

/**
 * Plans the reading of the stored units of a branch, whatever number of entries it claims. Throws if it cannot be
 * decoded.
 */
export function planUnits(
  tree: DataModel,
  which: number | string,
  entries: EntrySelection | undefined,
  raw: boolean,
): BranchPlan {
  const branch = tree.branch(which);
  const choice = chooseEntries(entries, branch.entries);
  const plan = raw ? tree.rawPlan(branch) : tree.plan(branch);
  return { branch, plan, units: tree.units(branch, choice) };
}

/**
 * Reads and decodes the units of several branches of a file and gives the values of each branch to goals. Units that
 * cannot be read or decoded are reported in the parts. Throws ABORTED, and what a goal throws.
 */
export async function runPass(
  tree: DataModel,
  runner: TaskRunner,
  plans: readonly BranchPlan[],
  options: PassOptions,
): Promise<void> {
  const sources = plans.map((scan): UnitsOfFile => ({ tree, scan, shift: 0 }));
  await readCounts(runner, sources, options.units?.chosen, options.signal);
  const progress: PassProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  const reader = new TaskReader(runner, {
    ...{ readers: [tree.reader], purpose: purposeOf(plans), progress },
    ...{ signal: options.signal, onBytes: options.onBytes },
  });
  const goals = new Map<number, Goal[]>();
  for (const goal of options.goals) {
    const own = goals.get(goal.column ?? -1);
    if (own) own.push(goal);
    else goals.set(goal.column ?? -1, [goal]);
  }
  const pass: BranchPass = {
    ...{ tree, runner, sources, options, progress, goals },
    plans: new PackedPlans(plans.map(({ plan }) => plan.plan)),
  };
  const work = new BranchWork(pass, reader.direct?.gapBytes ?? 0);
  work.start();
  await reader.run(work);
}

/**
 * Reads the branches that hold the array lengths of others, from the first entry of each of their units on; `chosen` are
 * the units that are needed. The first bytes of the arrays are read at the same time, which saves a round trip.
 */
export async function readCounts(
  runner: TaskRunner,
  sources: readonly UnitsOfFile[],
  chosen: ChosenUnits | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const uncounted = sources.filter(({ scan }) => scan.plan.counter >= 0 && !scan.counts);
  if (uncounted.length === 0) return;
  const indices = new Map(indicesOf(sources, chosen).map((list, i) => [sources[i], list]));
  const counting = async (): Promise<void> => {
    for (const source of uncounted)
      source.scan.counts = await countsOf(runner, source, indices.get(source) ?? [], signal);
  };
  await Promise.all([readAhead(sources, indices, signal), counting()]);
}

/** For each list, the indices of its units that are chosen; all when `chosen` is missing. */
function indicesOf(sources: readonly UnitsOfFile[], chosen: ChosenUnits | undefined): number[][] {
  if (!chosen) return sources.map(({ scan }) => [...scan.units.numbers.first.keys()]);
  let before = 0;
  let at = 0;
  return sources.map(({ scan }) => {
    const indices: number[] = [];
    const end = before + scan.units.length;
    for (; (chosen[at] ?? end) < end; at++) indices.push((chosen[at] ?? 0) - before);
    before = end;
    return indices;
  });
}

async function readAhead(
  sources: readonly UnitsOfFile[],
  indices: ReadonlyMap<UnitsOfFile | undefined, readonly number[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ranges = new Map<UnitsOfFile['tree']['reader'], Range[]>();
  let bytes = 0;
  for (const source of sources) {
    const { units } = source.scan;
    const own = ranges.get(source.tree.reader) ?? [];
    ranges.set(source.tree.reader, own);
    for (const i of indices.get(source) ?? []) {
      if (bytes > COUNTED_AHEAD_BYTES) break;
      for (const range of units.ranges(i).filter(isReadable)) {
        bytes += range.length;
        own.push(range);
      }
    }
  }
  const purpose = purposeOf(sources.map(({ scan }) => scan));
  // A range that fails here is read again when its bytes are used; the error is reported there.
  const rest = { onRange: () => {}, onError: () => {} };
  await Promise.all([...ranges].map(([reader, own]) => reader.stream(own, { signal, purpose, ...rest })));
}

async function countsOf(
  runner: TaskRunner,
  { tree, scan }: UnitsOfFile,
  indices: readonly number[],
  signal: AbortSignal | undefined,
): Promise<BranchPlan['counts']> {
  const { first, to } = scan.units.numbers;
  const ranges = indices.map((i): EntryRange => [first[i] ?? 0, (first[i] ?? 0) + (to[i] ?? 0)]);
  const columns: { number: number; column: Column }[] = [];
  let failure: ErrorRecord | undefined;
  await runPass(tree, runner, [planBranch(tree, scan.plan.counter, ranges, { whole: true })], {
    signal,
    goals: [columnsGoal((column, { number }) => columns.push({ number, column }))],
    onPart: ({ failures }) => {
      failure ??= failures[0]?.error;
    },
  });
  if (failure) throw new XylemError({ ...failure, cause: undefined });
  columns.sort((a, b) => a.number - b.number);
  return entryCounts(
    columns.map(({ column }) => column),
    ranges,
  );
}

/** The purpose of the reads of a pass, for the trace. */
export function purposeOf(columns: readonly Pick<BranchPlan, 'branch'>[]): string {
  return columns.length === 1 ? (columns[0]?.branch.path ?? '') : `${columns.length} branches`;
}

interface BranchPass {
  tree: DataModel;
  runner: TaskRunner;
  sources: readonly UnitsOfFile[];
  options: PassOptions;
  progress: PassProgress;
  /** The goals by their column; those for all columns are under -1. */
  goals: ReadonlyMap<number, readonly Goal[]>;
  /** The decode plans of the columns. */
  plans: PackedPlans;
}

/**
 * Reads branches that do not depend on each other: a task has units that lie close in the file. Each run of units of a
 * branch is a part.
 */
class BranchWork implements TaskWork {
  readonly plan: TaskPlan;
  readonly alone: boolean;
  readonly #pass: BranchPass;
  readonly #packed: Float64Array;
  readonly #gap: number;
  readonly #spansOf: SpansOf | undefined;
  /** Numbers of the units to try again. */
  readonly #again: number[] = [];

  constructor(
    pass: BranchPass,
    gap: number,
    chosen = pass.options.units?.chosen,
    alone = pass.options.alone,
  ) {
    const { sources, runner, options, tree } = pass;
    this.#pass = pass;
    this.#gap = gap;
    this.#packed =
      options.units?.packed ?? packUnits(sources.map(({ scan }) => ({ numbers: scan.units.numbers })));
    this.alone = alone ?? false;
    const part = alone ? 0 : partInMemory(sources, MAX_BYTES);
    const limits = {
      minBytes: part * MIN_BYTES,
      maxBytes: part * MAX_BYTES,
      shares: runner.concurrency * TASKS_PER_WORKER,
      maxUnits: MAX_UNITS,
      firstBytes: alone ? 0 : firstBytesOf(tree.reader),
    };
    const lists = makeTaskLists(tree.core, this.#packed, { how: 'places', ...limits, gap }, chosen);
    this.plan = new TaskPlan(lists, sources);
    const some = sources.some(({ scan }) => !scan.units.choice.contiguous);
    this.#spansOf = some ? (list, index) => sources[list]?.scan.units.spansOf(index)?.() : undefined;
  }

  /** Reports the units with impossible ranges, and adds the entries of all others to the total. */
  start(): void {
    const { sources, progress } = this.#pass;
    for (const { list, index } of this.plan.bad) {
      this.#fail(list, index, badUnit(sources[list] as UnitsOfFile, index));
    }
    const { partLists, partFirsts, partCounts } = this.plan.lists;
    let entries = 0;
    for (let i = 0; i < partLists.length; i++) {
      const rows = sources[partLists[i] ?? -1]?.scan.units.numbers.rows;
      const first = partFirsts[i] ?? 0;
      for (let k = first; rows && k < first + (partCounts[i] ?? 0); k++) entries += rows[k] ?? 0;
    }
    progress.entriesTotal += entries;
  }

  build(task: number, input: Task['input']): Task {
    const { plan } = this;
    const { plans } = this.#pass;
    const [first, end] = [plan.firstPart(task), plan.firstPart(task + 1)];
    const columns = plan.lists.partLists.subarray(first, end);
    const parts = plans.parts(columns, plan.lists.partCounts.subarray(first, end));
    const work = unitsOfTask(plan, task, this.#spansOf);
    const goals = this.#goalsOf(task).map(({ goal, column, number }) => {
      const data = goal.data(number);
      return column === undefined ? data : { ...data, column };
    });
    // To the end of each unit, however many entries it should have.
    if (goals.some((goal) => 'whole' in goal && goal.whole))
      for (let i = 3; i < work.units.length; i += 4) work.units[i] = -1;
    return { goals, input, plans: plans.of(columns), parts, ...work };
  }

  take(task: number, built: Task, result: TaskResult, release: () => void): void {
    const taker = new TaskTaker(this.#pass, this.#goalsOf(task), built.goals, result);
    const { lists } = this.plan;
    const [first, end] = [this.plan.firstPart(task), this.plan.firstPart(task + 1)];
    let open = end - first;
    const released = (): void => {
      open -= 1;
      if (open === 0) release();
    };
    for (let i = first; i < end; i++)
      taker.take(lists.partLists[i] ?? 0, lists.partFirsts[i] ?? 0, lists.partCounts[i] ?? 0, released);
    taker.end();
  }

  /** Returns the goals of a task, each with its column, if it has one, and the number of its part. */
  #goalsOf(task: number): TaskGoal[] {
    const { goals } = this.#pass;
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
    if (tasks.length === this.plan.length && this.#gap === 0) return this;
    const { starts } = this.plan;
    const units = tasks.flatMap((task) =>
      Array.from(this.plan.places(task), ({ list, index }) => (starts[list] ?? 0) + index),
    );
    return new BranchWork(this.#pass, 0, Float64Array.from(units).sort(), this.alone);
  }

  rest(): TaskWork | undefined {
    if (this.#again.length === 0) return undefined;
    return new BranchWork(this.#pass, 0, Float64Array.from(this.#again).sort(), true);
  }

  #fail(list: number, index: number, error: ErrorRecord): void {
    this.#pass.options.onPart?.({
      column: list,
      number: index,
      count: 1,
      rows: 0,
      failures: [{ unit: 0, error }],
    });
  }
}

interface TaskGoal {
  goal: Goal;
  column: number | undefined;
  number: number;
}

/**
 * Gives the results of a task to its goals, part by part. There may be ten thousand parts, so each loop runs over one kind
 * of list: V8 compiles a function again for each kind.
 */
class TaskTaker {
  readonly #order: GoalOrder;
  readonly #buffers: BufferTaker;
  readonly #failures: Map<number, ErrorRecord>;
  /** The next part, and its first unit, number and goal of one column. */
  #part = 0;
  #unit = 0;
  #at = 0;
  #own = 0;

  constructor(
    readonly pass: BranchPass,
    readonly goals: readonly TaskGoal[],
    readonly data: readonly GoalData[],
    readonly result: TaskResult,
  ) {
    this.#order = orderOf(data);
    this.#buffers = new BufferTaker(result.buffers);
    this.#failures = new Map(result.failures.map(({ unit, error }) => [unit, error]));
  }

  /** Gives the part with these units of a list to its goals. */
  take(list: number, first: number, count: number, release: () => void): void {
    const { pass, result } = this;
    const index = this.#part++;
    const rows = result.rows[index] ?? 0;
    const failures = this.#failures.size > 0 ? this.#failed(list, first, count) : [];
    this.#unit += count;
    const part: Part = { column: list, number: first, count, rows, failures, release };
    pass.progress.entriesDone += rows;
    pass.options.onPart?.(part);
    const { common, own } = this.#order;
    let column: Column | undefined;
    const columnOf = (): Column => {
      const { schema } = (pass.sources[list] as UnitsOfFile).scan.plan;
      column ??= buildColumn(schema, rows, this.#buffers);
      return column;
    };
    for (let i = 0; i < common.length; i++) this.#give(common[i] ?? 0, part, columnOf);
    for (; this.data[own[this.#own] ?? -1]?.column === index; this.#own++)
      this.#give(own[this.#own] ?? 0, part, columnOf);
  }

  #give(goal: number, part: Part, columnOf: () => Column): void {
    const data = this.data[goal] as GoalData;
    const { numbers, extras } = this.result;
    const from = this.#at;
    this.#at += doublesOf(data, part.count);
    const extra = data.kind === 'columns' ? columnOf() : extras[goal];
    this.goals[goal]?.goal.take({ numbers, from, to: this.#at, extra }, part);
  }

  #failed(list: number, first: number, count: number): Part['failures'] {
    const failures: Part['failures'] = [];
    for (let unit = 0; unit < count; unit++) {
      const error = this.#failures.get(this.#unit + unit);
      const source = this.pass.sources[list] as UnitsOfFile;
      if (error) failures.push({ unit, error: placed(error, source, first + unit) });
    }
    return failures;
  }

  /** Throws INTERNAL when values are left. */
  end(): void {
    this.#buffers.end();
  }
}
