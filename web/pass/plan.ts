import type { Core } from '../core/core';
import { parse } from '../core/file-core';
import type { ByteReader } from '../io/fetch/reader';
import type { Range } from '../io/source';
import { linkOf } from '../io/trace';
import type { DecodeUnitNumbers } from '../model/slice-list';
import type { DirectInput } from './direct';
import type { UnitsOfFile } from './types';

/** Limits on the size of tasks and of the gaps in reads: see xy_plan_limits. */
export interface TaskLimits {
  how: keyof typeof HOW;
  minBytes?: number;
  maxBytes?: number;
  shares?: number;
  maxUnits?: number;
  maxEntries?: number;
  /** A read goes on over at most this many bytes between two units; -1: each unit has reads of its own. */
  gap: number;
  from?: number;
  to?: number;
  /** Size of the first task in bytes. Each next task is twice as large, up to `maxBytes`; 0: all have the same size. */
  firstBytes?: number;
}

/** Ways to divide units into tasks, numbered as in wasm/src/decode/task_plan.h. */
export const HOW = { places: 0, entries: 1, given: 2 } as const;

/** The numbers of xy_plan_limits in their order. */
export const LIMITS = [
  ...([
    'how',
    'minBytes',
    'maxBytes',
    'shares',
    'maxUnits',
    'maxEntries',
    'gap',
    'from',
    'to',
    'firstBytes',
  ] as const),
] as const;

/** Numbers of units, counted over all lists, ascending; for given tasks before those of each task how many. */
export type ChosenUnits = Float64Array;

/** Lists of xy_plan_tasks; see wasm/src/decode/task_plan.h. */
export interface TaskLists {
  units: Float64Array;
  unitEnds: Uint32Array;
  partLists: Uint32Array;
  partFirsts: Uint32Array;
  partCounts: Uint32Array;
  partEnds: Uint32Array;
  reads: Float64Array;
  readEnds: Uint32Array;
  headLists: Uint32Array;
  headUnits: Uint32Array;
  headPlaces: Float64Array;
  headEnds: Uint32Array;
  inputs: Float64Array;
  bytes: Float64Array;
  places: Float64Array;
  firstEntries: Float64Array;
  lastEntries: Float64Array;
  lost: Float64Array;
  lostEnds: Uint32Array;
  badLists: Uint32Array;
  badUnits: Uint32Array;
}

/** Units of one list that follow each other, in one task. */
export interface UnitRun {
  list: number;
  /** Index of the first unit. */
  first: number;
  count: number;
}

/** A unit of a list. */
export interface UnitPlace {
  list: number;
  index: number;
  /** Start and end of its bytes in the task's input. */
  start: number;
  end: number;
}

/** A read of a task: the file, and the position of its bytes in the task's input. */
export interface TaskRead extends Range {
  file: number;
  at: number;
}

/** A list of units as it is packed: its file and its column, and what is added to its entries. */
export interface PackedList {
  numbers: DecodeUnitNumbers;
  file?: number;
  column?: number;
  shift?: number;
}

/** Packs lists of units as the core takes them; see wasm/src/decode/packed_units.h. */
export function packUnits(lists: readonly PackedList[]): Float64Array {
  let size = 0;
  for (const { numbers } of lists)
    size += 5 + (numbers.ends ? 5 : 3) * numbers.first.length + 2 * numbers.offset.length;
  const packed = new Float64Array(size);
  let at = 0;
  const put = (values: ArrayLike<number>): void => {
    packed.set(values, at);
    at += values.length;
  };
  for (const [i, { numbers, file = 0, column = i, shift = 0 }] of lists.entries()) {
    const { first, from, to, ends, offset, size: bytes } = numbers;
    put([first.length, offset.length, ends ? 0 : 1, file, column]);
    put(shift === 0 ? first : first.map((entry) => entry + shift));
    for (const list of [from, to]) put(list);
    if (ends) for (const list of [ends.ranges, ends.heads]) put(list);
    put(offset);
    put(bytes);
  }
  return packed;
}

/** Links with a longer latency get small tasks first, so that there is something to see soon. */
const SLOW_MS = 20;
const FIRST_BYTES = 4096;

/** Returns the size of the first task that is read from a file, in bytes; 0 if it is not limited. */
export function firstBytesOf({ source, trace }: Pick<ByteReader, 'source' | 'trace'>): number {
  const link = linkOf(source, trace);
  return link !== undefined && link.latencyMs > SLOW_MS ? FIRST_BYTES : 0;
}

/** Bytes of a task when they are decompressed: they are in memory together, with the values that are made of them. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * Returns the fraction of its usual compressed bytes that a task may have: 1, or less if they would need too much memory
 * when they are decompressed.
 */
export function partInMemory(sources: readonly UnitsOfFile[], usual: number): number {
  let [stored, total] = [0, 0];
  for (const { scan } of sources) {
    stored += scan.branch.storedBytes;
    total += scan.branch.totalBytes;
  }
  return total === 0 ? 1 : Math.min(1, (MEMORY_BYTES * stored) / total / usual);
}

/** Divides units into tasks. `chosen` has the numbers of the units to plan; all if it is missing. */
export function makeTaskLists(
  core: Core,
  packed: Float64Array,
  limits: TaskLimits,
  chosen?: ChosenUnits,
): TaskLists {
  const some = chosen ?? new Float64Array(0);
  const numbers = Float64Array.from(LIMITS, (name) =>
    name === 'how' ? HOW[limits.how] : (limits[name] ?? 0),
  );
  const tape = core.withDoubles(packed, (at) =>
    core.withDoubles(some, (list) =>
      core.withDoubles(numbers, (limit) =>
        core.call((x, ctx) => x.xy_plan_tasks(ctx, at, packed.length, chosen ? list : 0, some.length, limit)),
      ),
    ),
  );
  return parse<TaskLists>(tape);
}

/** Tasks, in each the units by list and in entry order. */
export class TaskPlan {
  readonly length: number;
  /** Whether other branches hold the array lengths of some units. */
  readonly isCounted: boolean;

  constructor(
    readonly lists: TaskLists,
    readonly sources: readonly UnitsOfFile[],
  ) {
    this.length = lists.bytes.length;
    this.isCounted = sources.some(({ scan }) => scan.counts !== undefined);
  }

  /** Units whose ranges are impossible; they are in no task. */
  get bad(): { list: number; index: number }[] {
    const { badLists, badUnits } = this.lists;
    return Array.from(badLists, (list, i) => ({ list, index: badUnits[i] ?? 0 }));
  }

  /** Bytes of files that a task needs. */
  bytes(task: number): number {
    return this.lists.bytes[task] ?? 0;
  }

  /** First entry of a task, and the one after the last. */
  entries(task: number): [from: number, to: number] {
    return [this.lists.firstEntries[task] ?? 0, this.lists.lastEntries[task] ?? 0];
  }

  /** Returns the index of a task's first part in the lists; for the number of tasks, the number of all parts. */
  firstPart(task: number): number {
    return task === 0 ? 0 : (this.lists.partEnds[task - 1] ?? 0);
  }

  parts(task: number): UnitRun[] {
    const { partLists, partFirsts, partCounts } = this.lists;
    const parts: UnitRun[] = [];
    for (let i = this.firstPart(task); i < this.firstPart(task + 1); i++)
      parts.push({ list: partLists[i] ?? 0, first: partFirsts[i] ?? 0, count: partCounts[i] ?? 0 });
    return parts;
  }

  /** Returns the list of each column of a task. A part of `Task.parts` without a plan continues the column before it. */
  columnLists(task: number, parts: Int32Array): number[] {
    const first = this.firstPart(task);
    const columns: number[] = [];
    for (let i = 0; i < this.firstPart(task + 1) - first; i++)
      if (i === 0 || parts[2 * i] !== 0) columns.push(this.lists.partLists[first + i] ?? 0);
    return columns;
  }

  reads(task: number): TaskRead[] {
    const { reads, readEnds } = this.lists;
    const list: TaskRead[] = [];
    for (let i = 4 * (readEnds[task - 1] ?? 0); i < 4 * (readEnds[task] ?? 0); i += 4) {
      const [file = 0, offset = 0, length = 0, at = 0] = [reads[i], reads[i + 1], reads[i + 2], reads[i + 3]];
      list.push({ file, offset, length, at });
    }
    return list;
  }

  /** The units of a task, in its order. */
  *places(task: number): Generator<UnitPlace> {
    const { units, unitEnds } = this.lists;
    let at = 4 * (unitEnds[task - 1] ?? 0);
    for (const { list, first, count } of this.parts(task)) {
      for (let index = first; index < first + count; index++, at += 4) {
        const start = units[at] ?? 0;
        yield { list, index, start, end: start + (units[at + 1] ?? 0) };
      }
    }
  }

  /** Four numbers for each unit of a task: see Task. A copy. */
  units(task: number): Float64Array {
    const { units, unitEnds } = this.lists;
    return units.slice(4 * (unitEnds[task - 1] ?? 0), 4 * (unitEnds[task] ?? 0));
  }

  /** Number of the first unit of each list, counted over all. */
  get starts(): number[] {
    let before = 0;
    return this.sources.map(({ scan }) => {
      before += scan.units.length;
      return before - scan.units.length;
    });
  }

  /** Returns the input of a task for a worker that reads the bytes itself. `files` has one item for each file. */
  directInput(task: number, files: readonly unknown[]): DirectInput {
    const { reads, readEnds, inputs } = this.lists;
    const own = reads.slice(4 * (readEnds[task - 1] ?? 0), 4 * (readEnds[task] ?? 0));
    return { files, size: inputs[task] ?? 0, reads: own, heads: this.#heads(task) };
  }

  /** Returns the input of a task: the bytes of its reads, copied into one buffer. */
  bytesInput(task: number, bytes: readonly Uint8Array[]): Uint8Array {
    const { inputs, reads, readEnds } = this.lists;
    const input = new Uint8Array(inputs[task] ?? 0);
    const first = readEnds[task - 1] ?? 0;
    for (const [i, part] of bytes.entries()) input.set(part, reads[4 * (first + i) + 3] ?? 0);
    for (const [at, head] of this.#heads(task)) input.set(head, at);
    return input;
  }

  #heads(task: number): [at: number, bytes: Uint8Array][] {
    const { headLists, headUnits, headPlaces, headEnds } = this.lists;
    const heads: [number, Uint8Array][] = [];
    for (let i = headEnds[task - 1] ?? 0; i < (headEnds[task] ?? 0); i++) {
      const head = this.sources[headLists[i] ?? 0]?.scan.units.source.headOf(headUnits[i] ?? 0);
      if (head) heads.push([headPlaces[i] ?? 0, head]);
    }
    return heads;
  }
}
