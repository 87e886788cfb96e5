import type { Core } from '../core/core';
import type { Schema } from '../core/decoder';
import { parse } from '../core/file-core';
import type { Range } from '../io/source';
import type { DecodeUnitNumbers } from '../model/slice-list';
import type { BranchPlan } from './decode-branches';
import type { DecodeTask, PieceExtras, TaskGoal } from './decode-task';
import { countsFrom } from './entry-counts';

/** Minimum size of a task, so that it is worth a message; more tasks keep all workers busy. */
const MIN_BYTES = 128 * 1024;
const MAX_BYTES = 1024 * 1024;
const MAX_PIECES = 2048;
const TASKS_PER_WORKER = 6;

export interface TaskPlanOptions {
  concurrency: number;
  /** Up to this many bytes between two pieces are read over. */
  gapBytes: number;
  /** The pieces to plan, counted over all branches, ascending; all when it is missing. */
  chosen?: Float64Array | undefined;
  /** Whether each piece gets a task of its own. */
  alone?: boolean | undefined;
}

/** Lists of xy_plan_tasks; see wasm/src/decode/task_plan.h. */
interface TaskLists {
  pieces: Float64Array;
  pieceEnds: Uint32Array;
  partScans: Uint32Array;
  partFirsts: Uint32Array;
  partCounts: Uint32Array;
  partEnds: Uint32Array;
  reads: Float64Array;
  readEnds: Uint32Array;
  headScans: Uint32Array;
  headPieces: Uint32Array;
  headPlaces: Float64Array;
  headEnds: Uint32Array;
  inputs: Float64Array;
  bytes: Float64Array;
  places: Float64Array;
  fileEnds: Float64Array;
  firstEntries: Float64Array;
  lastEntries: Float64Array;
  badScans: Uint32Array;
  badPieces: Uint32Array;
}

/** Pieces of one branch that follow each other, in one task. */
export interface TaskPart {
  scan: number;
  /** Index of the first piece. */
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
  maxPieces: number;
  gapBytes: number;
}

/**
 * Divides the units of branches into tasks by their place in the file, so that a task's bytes lie close
 * together.
 */
export function planTasks(core: Core, scans: readonly BranchPlan[], options: TaskPlanOptions): TaskPlan {
  const { concurrency, gapBytes, chosen, alone } = options;
  const limits = {
    minBytes: alone ? 0 : MIN_BYTES,
    maxBytes: alone ? 0 : MAX_BYTES,
    shares: concurrency * TASKS_PER_WORKER,
    maxPieces: MAX_PIECES,
    gapBytes,
  };
  const numbers = scans.map(({ pieces }) => pieces.numbers);
  return new TaskPlan(makeTaskLists(core, numbers, limits, chosen), scans);
}

/**
 * Divides pieces into tasks; `chosen` are the pieces to plan, counted over all lists and ascending; all when
 * it is missing.
 */
export function makeTaskLists(
  core: Core,
  lists: readonly DecodeUnitNumbers[],
  { minBytes, maxBytes, shares, maxPieces, gapBytes }: TaskLimits,
  chosen?: Float64Array,
): TaskLists {
  const packed = pack(lists);
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
          maxPieces,
          gapBytes,
        );
      }),
    ),
  );
  return parse<TaskLists>(tape);
}

function pack(lists: readonly DecodeUnitNumbers[]): Float64Array {
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

/** Tasks by their place in the file; in each the pieces by branch and in entry order. */
export class TaskPlan {
  readonly length: number;

  constructor(
    readonly lists: TaskLists,
    readonly scans: readonly BranchPlan[],
  ) {
    this.length = lists.bytes.length;
  }

  /** Pieces whose ranges are impossible; they are in no task. */
  get bad(): { scan: number; index: number }[] {
    const { badScans, badPieces } = this.lists;
    return Array.from(badScans, (scan, i) => ({ scan, index: badPieces[i] ?? 0 }));
  }

  /** Bytes of the file that a task needs. */
  bytes(task: number): number {
    return this.lists.bytes[task] ?? 0;
  }

  parts(task: number): TaskPart[] {
    const { partScans, partFirsts, partCounts, partEnds } = this.lists;
    const parts: TaskPart[] = [];
    for (let i = partEnds[task - 1] ?? 0; i < (partEnds[task] ?? 0); i++)
      parts.push({ scan: partScans[i] ?? 0, first: partFirsts[i] ?? 0, count: partCounts[i] ?? 0 });
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
   * For each piece of a task: start and end in the task's input, its branch and index, in the task's order.
   */
  *places(task: number): Generator<{ scan: number; index: number; start: number; end: number }> {
    const { pieces, pieceEnds } = this.lists;
    let at = 4 * (pieceEnds[task - 1] ?? 0);
    for (const { scan, first, count } of this.parts(task)) {
      for (let index = first; index < first + count; index++, at += 4) {
        const start = pieces[at] ?? 0;
        yield { scan, index, start, end: start + (pieces[at + 1] ?? 0) };
      }
    }
  }

  /** Numbers of pieces counted over all branches, ascending. */
  numbersOf(pieces: Iterable<{ scan: number; index: number }>): Float64Array {
    const starts: number[] = [];
    let before = 0;
    for (const scan of this.scans) {
      starts.push(before);
      before += scan.pieces.length;
    }
    return Float64Array.from(pieces, ({ scan, index }) => (starts[scan] ?? 0) + index).sort();
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
    const { headScans, headPieces, headPlaces, headEnds } = this.lists;
    const heads: [number, Uint8Array][] = [];
    for (let i = headEnds[task - 1] ?? 0; i < (headEnds[task] ?? 0); i++) {
      const head = this.scans[headScans[i] ?? 0]?.pieces.source.headOf(headPieces[i] ?? 0);
      if (head) heads.push([headPlaces[i] ?? 0, head]);
    }
    return heads;
  }

  #plans(task: number, goal: TaskGoal): Omit<DecodeTask, 'goal' | 'input'> {
    const { scans } = this;
    const { pieces, pieceEnds } = this.lists;
    const list = this.parts(task);
    const parts = new Int32Array(2 * list.length);
    const plans: Uint8Array[] = [];
    const schemas: Schema[] = [];
    let bytes = 0;
    for (const [i, { scan, count }] of list.entries()) {
      const { plan = new Uint8Array(0), schema } = scans[scan]?.plan ?? {};
      plans.push(plan);
      if (schema && goal.kind === 'sketch') schemas.push(schema);
      parts[2 * i] = plan.length;
      parts[2 * i + 1] = count;
      bytes += plan.length;
    }
    const own = pieces.slice(4 * (pieceEnds[task - 1] ?? 0), 4 * (pieceEnds[task] ?? 0));
    // To the end of each piece, however many entries it should have.
    if (goal.kind === 'verify' && goal.whole) for (let i = 3; i < own.length; i += 4) own[i] = -1;
    return {
      pieces: own,
      parts,
      plans: concat(plans, new Uint8Array(bytes)),
      ...(schemas.length > 0 && { schemas }),
      ...(list.some(({ scan }) => hasExtras(scans[scan])) && { more: extrasOf(list, scans) }),
    };
  }
}

function hasExtras(scan: BranchPlan | undefined): boolean {
  return scan !== undefined && (scan.counts !== undefined || !scan.pieces.choice.contiguous);
}

function extrasOf(parts: readonly TaskPart[], scans: readonly BranchPlan[]): PieceExtras {
  const places: number[] = [];
  const spans: Float64Array[] = [];
  const counts: Int32Array[] = [];
  let spansBefore = 0;
  let countsBefore = 0;
  for (const { scan, first, count } of parts) {
    for (let index = first; index < first + count; index++) {
      const own = scans[scan]?.pieces.spansOf(index)?.() ?? NO_SPANS;
      const numbers = countsOf(scans[scan], index);
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

function countsOf(scan: BranchPlan | undefined, index: number): Int32Array | undefined {
  if (!scan?.counts) return undefined;
  const { first, to } = scan.pieces.numbers;
  const from = first[index] ?? 0;
  return countsFrom(scan.counts, from, from + (to[index] ?? 0));
}
