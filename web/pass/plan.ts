import type { Core } from '../core/core';
import type { Schema } from '../core/decoder';
import { parse } from '../core/file-core';
import type { Range } from '../io/source';
import type { DecodeUnitNumbers } from '../model/slice-list';
import { countsFrom } from './entry-counts';
import type { DecodeTask, TaskGoal, UnitExtras } from './task';
import type { BranchPlan } from './types';

/** Minimum size of a task, so that it is worth a message; more tasks keep all workers busy. */
const MIN_BYTES = 128 * 1024;
const MAX_BYTES = 1024 * 1024;
const MAX_UNITS = 2048;
const TASKS_PER_WORKER = 6;

export interface TaskPlanOptions {
  concurrency: number;
  /** Up to this many bytes between two units are read over. */
  gapBytes: number;
  /** Units of the branches by `packUnits`. */
  packed: Float64Array;
  /** Those to plan; all when it is missing. */
  chosen?: ChosenUnits | undefined;
  /** Whether each unit gets a task of its own. */
  alone?: boolean | undefined;
}

/** Numbers of units, counted over all branches, ascending. */
export type ChosenUnits = Float64Array;

/** Lists of xy_plan_tasks; see wasm/src/decode/task_plan.h. */
interface TaskLists {
  units: Float64Array;
  unitEnds: Uint32Array;
  partPlans: Uint32Array;
  partFirsts: Uint32Array;
  partCounts: Uint32Array;
  partEnds: Uint32Array;
  reads: Float64Array;
  readEnds: Uint32Array;
  headPlans: Uint32Array;
  headUnits: Uint32Array;
  headPlaces: Float64Array;
  headEnds: Uint32Array;
  inputs: Float64Array;
  bytes: Float64Array;
  places: Float64Array;
  fileEnds: Float64Array;
  firstEntries: Float64Array;
  lastEntries: Float64Array;
  badPlans: Uint32Array;
  badUnits: Uint32Array;
}

/** Units of one branch that follow each other, in one task. */
export interface TaskPart {
  plan: number;
  /** Index of the first unit. */
  first: number;
  count: number;
}

/** A read of a task, and the position of its bytes in the task's input. */
export interface TaskRead extends Range {
  at: number;
}

/** See xy_plan_limits. */
interface TaskLimits {
  minBytes: number;
  maxBytes: number;
  shares: number;
  maxUnits: number;
  gapBytes: number;
}

/**
 * Divides the units of branches into tasks by their place in the file, so that a task's bytes lie close
 * together.
 */
export function planTasks(core: Core, plans: readonly BranchPlan[], options: TaskPlanOptions): TaskPlan {
  const { concurrency, gapBytes, packed, chosen, alone } = options;
  const limits = {
    minBytes: alone ? 0 : MIN_BYTES,
    maxBytes: alone ? 0 : MAX_BYTES,
    shares: concurrency * TASKS_PER_WORKER,
    maxUnits: MAX_UNITS,
    gapBytes,
  };
  return new TaskPlan(makeTaskLists(core, packed, limits, chosen), plans);
}

/** Divides units into tasks; `chosen` are those to plan, all when it is missing. */
export function makeTaskLists(
  core: Core,
  packed: Float64Array,
  { minBytes, maxBytes, shares, maxUnits, gapBytes }: TaskLimits,
  chosen?: ChosenUnits,
): TaskLists {
  const some = chosen ?? new Float64Array(0);
  const tape = core.withDoubles(packed, (at) =>
    core.withDoubles(some, (list) =>
      core.call((x, ctx) => {
        const which = [chosen ? list : 0, some.length] as const;
        return x.xy_plan_tasks(
          ctx,
          at,
          packed.length,
          ...which,
          minBytes,
          maxBytes,
          shares,
          maxUnits,
          gapBytes,
        );
      }),
    ),
  );
  return parse<TaskLists>(tape);
}

/** The units of several branches as the core takes them; see wasm/src/decode/packed_units.h. */
export function packUnits(lists: readonly DecodeUnitNumbers[]): Float64Array {
  let size = 0;
  for (const { first, ends, offset } of lists) size += 3 + (ends ? 5 : 3) * first.length + 2 * offset.length;
  const packed = new Float64Array(size);
  let at = 0;
  const put = (values: ArrayLike<number>): void => {
    packed.set(values, at);
    at += values.length;
  };
  for (const { first, from, to, ends, offset, size: bytes } of lists) {
    put([first.length, offset.length, ends ? 0 : 1]);
    for (const list of [first, from, to]) put(list);
    if (ends) for (const list of [ends.ranges, ends.heads]) put(list);
    put(offset);
    put(bytes);
  }
  return packed;
}

/** Tasks by their place in the file; in each the units by branch and in entry order. */
export class TaskPlan {
  readonly length: number;

  constructor(
    readonly lists: TaskLists,
    readonly plans: readonly BranchPlan[],
  ) {
    this.length = lists.bytes.length;
  }

  /** Units whose ranges are impossible; they are in no task. */
  get bad(): { plan: number; index: number }[] {
    const { badPlans, badUnits } = this.lists;
    return Array.from(badPlans, (plan, i) => ({ plan, index: badUnits[i] ?? 0 }));
  }

  /** Number of chosen entries, summed up over all branches. */
  get entries(): number {
    const { partPlans, partFirsts, partCounts } = this.lists;
    let entries = 0;
    for (const [i, plan] of partPlans.entries()) {
      const rows = this.plans[plan]?.units.numbers.rows;
      const first = partFirsts[i] ?? 0;
      for (let k = first; rows && k < first + (partCounts[i] ?? 0); k++) entries += rows[k] ?? 0;
    }
    return entries;
  }

  /** Bytes of the file that a task needs. */
  bytes(task: number): number {
    return this.lists.bytes[task] ?? 0;
  }

  parts(task: number): TaskPart[] {
    const { partPlans, partFirsts, partCounts, partEnds } = this.lists;
    const parts: TaskPart[] = [];
    for (let i = partEnds[task - 1] ?? 0; i < (partEnds[task] ?? 0); i++)
      parts.push({ plan: partPlans[i] ?? 0, first: partFirsts[i] ?? 0, count: partCounts[i] ?? 0 });
    return parts;
  }

  reads(task: number): TaskRead[] {
    const { reads, readEnds } = this.lists;
    const list: TaskRead[] = [];
    for (let i = 3 * (readEnds[task - 1] ?? 0); i < 3 * (readEnds[task] ?? 0); i += 3)
      list.push({ offset: reads[i] ?? 0, length: reads[i + 1] ?? 0, at: reads[i + 2] ?? 0 });
    return list;
  }

  /**
   * For each unit of a task: start and end in the task's input, its branch and index, in the task's order.
   */
  *places(task: number): Generator<{ plan: number; index: number; start: number; end: number }> {
    const { units, unitEnds } = this.lists;
    let at = 4 * (unitEnds[task - 1] ?? 0);
    for (const { plan, first, count } of this.parts(task)) {
      for (let index = first; index < first + count; index++, at += 4) {
        const start = units[at] ?? 0;
        yield { plan, index, start, end: start + (units[at + 1] ?? 0) };
      }
    }
  }

  numbersOf(units: Iterable<{ plan: number; index: number }>): ChosenUnits {
    const starts: number[] = [];
    let before = 0;
    for (const plan of this.plans) {
      starts.push(before);
      before += plan.units.length;
    }
    return Float64Array.from(units, ({ plan, index }) => (starts[plan] ?? 0) + index).sort();
  }

  /** The task as data for a worker that reads the bytes itself. */
  fileTask(task: number, goal: TaskGoal, file: unknown): DecodeTask {
    const { reads, readEnds, inputs } = this.lists;
    const own = reads.slice(3 * (readEnds[task - 1] ?? 0), 3 * (readEnds[task] ?? 0));
    const input = { file, size: inputs[task] ?? 0, reads: own, heads: this.#heads(task) };
    return { goal, input, ...this.#plans(task, goal) };
  }

  /** The task as data with its bytes, which are copied into one buffer. */
  bytesTask(task: number, goal: TaskGoal, bytes: readonly Uint8Array[]): DecodeTask {
    const { inputs, reads, readEnds } = this.lists;
    const input = new Uint8Array(inputs[task] ?? 0);
    const first = readEnds[task - 1] ?? 0;
    for (const [i, part] of bytes.entries()) input.set(part, reads[3 * (first + i) + 2] ?? 0);
    for (const [at, head] of this.#heads(task)) input.set(head, at);
    return { goal, input, ...this.#plans(task, goal) };
  }

  #heads(task: number): [at: number, bytes: Uint8Array][] {
    const { headPlans, headUnits, headPlaces, headEnds } = this.lists;
    const heads: [number, Uint8Array][] = [];
    for (let i = headEnds[task - 1] ?? 0; i < (headEnds[task] ?? 0); i++) {
      const head = this.plans[headPlans[i] ?? 0]?.units.source.headOf(headUnits[i] ?? 0);
      if (head) heads.push([headPlaces[i] ?? 0, head]);
    }
    return heads;
  }

  #plans(task: number, goal: TaskGoal): Omit<DecodeTask, 'goal' | 'input'> {
    const { units, unitEnds } = this.lists;
    const list = this.parts(task);
    const parts = new Int32Array(2 * list.length);
    const programs: Uint8Array[] = [];
    const schemas: Schema[] = [];
    let bytes = 0;
    for (const [i, { plan, count }] of list.entries()) {
      const { plan: program = new Uint8Array(0), schema } = this.plans[plan]?.plan ?? {};
      programs.push(program);
      if (schema && goal.kind === 'sketch') schemas.push(schema);
      parts[2 * i] = program.length;
      parts[2 * i + 1] = count;
      bytes += program.length;
    }
    const own = units.slice(4 * (unitEnds[task - 1] ?? 0), 4 * (unitEnds[task] ?? 0));
    // To the end of each unit, however many entries it should have.
    if (goal.kind === 'verify' && goal.whole) for (let i = 3; i < own.length; i += 4) own[i] = -1;
    return {
      units: own,
      parts,
      plans: concat(programs, new Uint8Array(bytes)),
      ...(schemas.length > 0 && { schemas }),
      ...(list.some(({ plan }) => hasExtras(this.plans[plan])) && { more: extrasOf(list, this.plans) }),
    };
  }
}

function hasExtras(plan: BranchPlan | undefined): boolean {
  return plan !== undefined && (plan.counts !== undefined || !plan.units.choice.contiguous);
}

function extrasOf(parts: readonly TaskPart[], plans: readonly BranchPlan[]): UnitExtras {
  const places: number[] = [];
  const spans: Float64Array[] = [];
  const counts: Int32Array[] = [];
  let spansBefore = 0;
  let countsBefore = 0;
  for (const { plan, first, count } of parts) {
    for (let index = first; index < first + count; index++) {
      const own = plans[plan]?.units.spansOf(index)?.() ?? NO_SPANS;
      const numbers = countsOf(plans[plan], index);
      places.push(spansBefore, own.length / 2, numbers ? countsBefore : -1, numbers?.length ?? 0);
      spans.push(own);
      if (numbers) counts.push(numbers);
      spansBefore += own.length / 2;
      countsBefore += numbers?.length ?? 0;
    }
  }
  return {
    places: Float64Array.from(places),
    spans: concat(spans, new Float64Array(2 * spansBefore)),
    counts: concat(counts, new Int32Array(countsBefore)),
  };
}

const NO_SPANS = new Float64Array(0);

/** Fills an array with others, one after another. */
function concat<T extends Uint8Array | Int32Array | Float64Array>(parts: readonly T[], into: T): T {
  let at = 0;
  for (const part of parts) {
    into.set(part, at);
    at += part.length;
  }
  return into;
}

function countsOf(plan: BranchPlan | undefined, index: number): Int32Array | undefined {
  if (!plan?.counts) return undefined;
  const { first, to } = plan.units.numbers;
  const from = first[index] ?? 0;
  return countsFrom(plan.counts, from, from + (to[index] ?? 0));
}
