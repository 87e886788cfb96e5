import type { BranchInfo } from '../api/api';
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
  maxDecoded?: number;
  maxEntries?: number;
  /** Maximum gap in bytes between two units in one read. -1: each unit is read separately. */
  gap: number;
  from?: number;
  to?: number;
  /**
   * Size of the first task in bytes. Each following task is twice as large, up to `maxBytes`. 0: all have the same
   * size.
   */
  firstBytes?: number;
}

/** Ways to divide units into tasks, numbered as in wasm/src/decode/task_plan.h. */
export const HOW = { places: 0, entries: 1, given: 2 } as const;

/** The members of xy_plan_limits in order. */
export const LIMITS = [
  ...([
    'how',
    'minBytes',
    'maxBytes',
    'shares',
    'maxUnits',
    'maxDecoded',
    'maxEntries',
    'gap',
    'from',
    'to',
    'firstBytes',
  ] as const),
] as const;

/**
 * Numbers of units, counted over all lists, ascending. For `given` tasks, the units of each task are preceded by their
 * number.
 */
export type ChosenUnits = Float64Array;

/** The result of xy_plan_tasks: see wasm/src/decode/task_plan.h. */
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

/** Consecutive units of one list in one task. */
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
  /** Start and end of its bytes in the input of the task. */
  start: number;
  end: number;
}

/** A read of a task: its file, range, and the offset of its bytes in the input of the task. */
export interface TaskRead extends Range {
  file: number;
  at: number;
}

/** A list of units to be packed: its file, its column, and the number that is added to its entries. */
export interface PackedList {
  numbers: DecodeUnitNumbers;
  file?: number;
  column?: number;
  shift?: number;
  /** Approximate number of decoded bytes for each byte of the file. Default: 1. */
  growth?: number;
}

/** Packs lists of units in the form of wasm/src/decode/packed_units.h. */
export function packUnits(lists: readonly PackedList[]): Float64Array {
  let size = 0;
  for (const { numbers } of lists)
    size += 6 + (numbers.ends ? 5 : 3) * numbers.first.length + 2 * numbers.offset.length;
  const packed = new Float64Array(size);
  let at = 0;
  const put = (values: ArrayLike<number>): void => {
    packed.set(values, at);
    at += values.length;
  };
  for (const [i, { numbers, file = 0, column = i, shift = 0, growth = 1 }] of lists.entries()) {
    const { first, from, to, ends, offset, size: bytes } = numbers;
    put([first.length, offset.length, ends ? 0 : 1, file, column, growth]);
    put(shift === 0 ? first : first.map((entry) => entry + shift));
    for (const list of [from, to]) put(list);
    if (ends) for (const list of [ends.ranges, ends.heads]) put(list);
    put(offset);
    put(bytes);
  }
  return packed;
}

/** Above this latency in ms, the first tasks are small, so that there is soon something to see. */
const SLOW_MS = 20;
const FIRST_BYTES = 4096;

/** Returns the size of the first task that is read from a file, in bytes; 0 if it is not limited. */
export function firstBytesOf({ source, trace }: Pick<ByteReader, 'source' | 'trace'>): number {
  const link = linkOf(source, trace);
  return link !== undefined && link.latencyMs > SLOW_MS ? FIRST_BYTES : 0;
}

/** Maximum number of decompressed bytes in a task. They are in memory together with the decoded values. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * Returns the fraction of the usual compressed bytes that a task may have: 1, or less if decompressing would need too
 * much memory.
 */
export function partInMemory(sources: readonly UnitsOfFile[], usual: number): number {
  let [stored, total] = [0, 0];
  for (const { scan } of sources) {
    stored += scan.branch.storedBytes;
    total += scan.branch.totalBytes;
  }
  return total === 0 ? 1 : Math.min(1, (MEMORY_BYTES * stored) / total / usual);
}

/**
 * Returns the approximate number of decoded bytes for each byte of a branch in the file. Bits become bytes, so an entry
 * has at least one.
 */
export function growthOf({ storedBytes, totalBytes, entries }: BranchInfo): number {
  return storedBytes > 0 ? Math.max(totalBytes, entries) / storedBytes : 1;
}

/** Divides units into tasks. `chosen` contains the numbers of the units to plan; all if undefined. */
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

/** A list of tasks. In each task, the units are ordered by list and then by entry. */
export class TaskPlan {
  readonly length: number;
  /** Whether the array lengths of some units are in other branches. */
  readonly isCounted: boolean;

  constructor(
    readonly lists: TaskLists,
    readonly sources: readonly UnitsOfFile[],
  ) {
    this.length = lists.bytes.length;
    this.isCounted = sources.some(({ scan }) => scan.counts !== undefined);
  }

  /** Units with impossible ranges. They are not in any task. */
  get bad(): { list: number; index: number }[] {
    const { badLists, badUnits } = this.lists;
    return Array.from(badLists, (list, i) => ({ list, index: badUnits[i] ?? 0 }));
  }

  /** Returns the number of bytes of files that a task needs. */
  bytes(task: number): number {
    return this.lists.bytes[task] ?? 0;
  }

  /** Returns the first entry of a task, and the entry after the last. */
  entries(task: number): [from: number, to: number] {
    return [this.lists.firstEntries[task] ?? 0, this.lists.lastEntries[task] ?? 0];
  }

  /** Returns the index of the first part of a task. If `task` is the number of tasks, returns the number of parts. */
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

  /** Returns the list of each column of a task. A part of `Task.parts` without a plan continues the previous column. */
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

  /** Yields the units of a task in order. */
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

  /** Returns a copy of the units of a task, with four numbers each: see Task. */
  units(task: number): Float64Array {
    const { units, unitEnds } = this.lists;
    return units.slice(4 * (unitEnds[task - 1] ?? 0), 4 * (unitEnds[task] ?? 0));
  }

  /** For each list, the number of its first unit, counted over all lists. */
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
