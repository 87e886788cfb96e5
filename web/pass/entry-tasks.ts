import { lastAtMost } from '../base/search';
import type { ByteReader } from '../io/fetch/reader';
import type { DataModel } from '../model/data-model';
import type { EntryChoice } from '../model/entry-choice';
import { entriesWithRows, isSound, unitsWithRows } from './friend-column';
import { firstBytesOf, makeTaskLists, packUnits, partInMemory, TaskPlan } from './plan';
import { PackedPlans } from './task-message';
import type { PassColumn, UnitsOfFile } from './types';

/** Target number of compressed bytes in a task, so that its work is worth a message to a worker. */
const TASK_BYTES = 512 * 1024;
/** Up to this number of entries, a range is one task, because columns are decoded as a whole. */
const TASK_ENTRIES = 2 ** 18;
/**
 * Maximum number of bytes in a task. A task ends where units of all its branches end. If this does not happen before
 * this size, it ends at any entry. With many branches the size is larger, because units that are divided are decoded
 * twice.
 */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_WIDE_BYTES = 32 * 1024 * 1024;
/** Minimum size of a task, as a multiple of the bytes of one unit of each branch. */
const LAYERS = 8;

/**
 * A range of entries of a group of columns, and the numbers of the units with these entries, counted over all lists.
 */
export interface EntryTask {
  /** Index of the group, and number of the task in the group. Tasks with higher numbers have later entries. */
  group: number;
  number: number;
  from: number;
  to: number;
  /** Number of chosen entries in the range, and before it. */
  chosen: number;
  before: number;
  /** Ascending. */
  units: number[];
  /** Ranges of entries for which a column has no unit. */
  gaps: { column: number; from: number; to: number }[];
}

/** The units of a column in one file. */
export interface ColumnUnits extends UnitsOfFile {
  column: number;
}

/**
 * Divides the entries of columns into tasks. The columns of a group are decoded for the same entries in each task,
 * because programs combine their values. Each group is divided by the units of its own columns.
 */
export class EntryTasks {
  /** The tasks, group by group. */
  readonly tasks: readonly EntryTask[];
  /** The units of all columns, by column and then by file. */
  readonly sources: readonly ColumnUnits[];
  /** For each list of `sources`, the number of its first unit. */
  readonly starts: readonly number[];
  readonly readers: readonly ByteReader[];
  readonly packed: Float64Array;
  /** The decode plans of the columns. */
  readonly plans: PackedPlans;
  /** Indices of the lists of each column. */
  readonly #lists: readonly number[][];
  readonly #firstBytes: number;
  /** Units with impossible ranges. They are not in any task. */
  readonly bad: { list: number; index: number }[] = [];

  constructor(
    readonly tree: DataModel,
    readonly columns: readonly PassColumn[],
    /** The columns of each group. */
    readonly groups: readonly (readonly number[])[],
    readonly choice: EntryChoice,
  ) {
    this.sources = columns.flatMap(({ parts }, column) => parts.map((part) => ({ ...part, column })));
    this.#lists = columns.map(() => []);
    for (const [list, { column }] of this.sources.entries()) this.#lists[column]?.push(list);
    let before = 0;
    this.starts = this.sources.map(({ scan }) => {
      before += scan.units.length;
      return before - scan.units.length;
    });
    this.readers = [...new Set(this.sources.map(({ tree: own }) => own.reader))];
    this.packed = this.#pack(this.sources);
    this.plans = new PackedPlans(columns.map(({ plan }) => plan.plan));
    this.#firstBytes = Math.max(0, ...this.readers.map(firstBytesOf));
    this.tasks = groups.flatMap((_, group) => this.#plan(group));
  }

  /** Returns the list of a unit and its index in that list. */
  placeOf(number: number): { list: number; index: number } {
    const list = lastAtMost(this.starts, this.starts.length, number);
    return { list, index: number - (this.starts[list] ?? 0) };
  }

  #pack(sources: readonly ColumnUnits[]): Float64Array {
    return packUnits(
      sources.map(({ tree, scan, shift, column }) => ({
        ...{ numbers: scan.units.numbers, shift, column },
        file: this.readers.indexOf(tree.reader),
      })),
    );
  }

  /** Returns the indices of the lists of columns, ascending. */
  #listsOf(columns: readonly number[]): number[] {
    return columns.flatMap((column) => this.#lists[column] ?? []).sort((a, b) => a - b);
  }

  /** Divides the entries by the units of those columns of a group that are not looked up. */
  #plan(group: number): EntryTask[] {
    const { choice, sources } = this;
    const all = this.groups[group] ?? [];
    const lookedUp = all.filter((column) => this.columns[column]?.rows !== undefined);
    const own = this.#listsOf(all.filter((column) => !lookedUp.includes(column)));
    const units = own.map((list) => sources[list] as ColumnUnits);
    const packed = own.length < sources.length ? this.#pack(units) : this.packed;
    const grouped = this.#listsOf(all).map((list) => sources[list] as ColumnUnits);
    const part = partInMemory(grouped, TASK_BYTES);
    const lists = makeTaskLists(this.tree.core, packed, {
      ...{ how: 'entries', gap: 0, from: choice.from, to: choice.to },
      ...{ minBytes: part * TASK_BYTES, maxBytes: part * maxBytesOf(grouped), maxEntries: TASK_ENTRIES },
      firstBytes: this.#firstBytes,
    });
    const plan = new TaskPlan(lists, units);
    const tasks: EntryTask[] = [];
    let before = 0;
    for (let number = 0; number < plan.length; number++) {
      const [from, to] = plan.entries(number);
      const chosen = choice.bounds(from, to)?.rows ?? 0;
      const gaps = this.#gapsOf(lists, number);
      const made: EntryTask = { group, number, from, to, chosen, before, units: [], gaps };
      for (const { list, index } of plan.places(number))
        made.units.push((this.starts[own[list] ?? 0] ?? 0) + index);
      for (const column of lookedUp) {
        const rows = this.columns[column]?.rows?.subarray(before, before + chosen);
        if (rows) this.#addLookedUp(made, column, rows);
      }
      made.units.sort((a, b) => a - b);
      before += chosen;
      tasks.push(made);
    }
    for (const { list, index } of plan.bad) this.bad.push({ list: own[list] ?? 0, index });
    for (const list of this.#listsOf(lookedUp)) {
      const { scan } = sources[list] as ColumnUnits;
      for (let index = 0; index < scan.units.length; index++)
        if (!isSound(scan.units, index)) this.bad.push({ list, index });
    }
    return tasks;
  }

  #gapsOf({ lost, lostEnds }: TaskPlan['lists'], task: number): EntryTask['gaps'] {
    const gaps: EntryTask['gaps'] = [];
    for (let i = 3 * (lostEnds[task - 1] ?? 0); i < 3 * (lostEnds[task] ?? 0); i += 3) {
      const gap = { column: lost[i] ?? 0, from: lost[i + 1] ?? 0, to: lost[i + 2] ?? 0 };
      if (this.choice.bounds(gap.from, gap.to)) gaps.push(gap);
    }
    return gaps;
  }

  /** Adds to a task the units of a friend's column that contain the matching entries. */
  #addLookedUp(task: EntryTask, column: number, rows: Float64Array): void {
    const lists = this.#listsOf([column]).map((list): [number, ColumnUnits] => [
      list,
      this.sources[list] as ColumnUnits,
    ]);
    const { units, missing } = unitsWithRows(lists, rows);
    for (const { list, index } of units) task.units.push((this.starts[list] ?? 0) + index);
    const spans = this.choice.spans(task.from, task.to);
    for (const [from, to] of missing)
      for (const [first, end] of entriesWithRows(spans, rows, from, to))
        task.gaps.push({ column, from: first, to: end });
  }
}

function maxBytesOf(sources: readonly UnitsOfFile[]): number {
  const layer = sources.reduce((sum, { scan }) => {
    const { size, first } = scan.units.numbers;
    return sum + (first.length > 0 ? size.reduce((all, one) => all + one, 0) / first.length : 0);
  }, 0);
  return Math.min(MAX_WIDE_BYTES, Math.max(MAX_BYTES, LAYERS * layer));
}
