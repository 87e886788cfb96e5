import { lastAtMost } from '../base/search';
import type { ByteReader } from '../io/fetch/reader';
import type { DataModel } from '../model/data-model';
import type { EntryChoice } from '../model/entry-choice';
import { entriesWithRows, isSound, unitsWithRows } from './friend-column';
import { firstBytesOf, makeTaskLists, packUnits, partInMemory, TaskPlan } from './plan';
import type { PassColumn, UnitsOfFile } from './types';

/** Target number of compressed bytes in a task, so that its work is worth a message to a worker. */
const TASK_BYTES = 512 * 1024;
/** Number of entries that are a task in any case, because columns are decoded whole. */
const TASK_ENTRIES = 2 ** 18;
/**
 * Maximum number of bytes of a task: where units of branches end at different entries, a task grows up to this size and is
 * then divided anywhere. With many branches it is larger, because what is divided is decoded twice.
 */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_WIDE_BYTES = 32 * 1024 * 1024;
/** A task has at least this many times the bytes of one unit of each branch. */
const LAYERS = 8;

/** Entries that are evaluated together, and the numbers of the units that hold them, counted over all lists. */
export interface EntryTask {
  from: number;
  to: number;
  /** Number of chosen entries among them, and before them. */
  chosen: number;
  before: number;
  /** Ascending. */
  units: number[];
  /** Entries for which a column has no unit. */
  gaps: { column: number; from: number; to: number }[];
}

/** The units of a column in one file. */
export interface ColumnUnits extends UnitsOfFile {
  column: number;
}

/** The entries of columns that are combined, divided into tasks. */
export class EntryTasks {
  readonly tasks: readonly EntryTask[];
  /** The units of all columns, by column and file. */
  readonly sources: readonly ColumnUnits[];
  /** Number of the first unit of each of these lists. */
  readonly starts: readonly number[];
  readonly readers: readonly ByteReader[];
  readonly packed: Float64Array;
  /** Units whose ranges are impossible. They are in no task. */
  readonly bad: readonly { list: number; index: number }[];

  constructor(
    readonly tree: DataModel,
    readonly columns: readonly PassColumn[],
    readonly choice: EntryChoice,
  ) {
    this.sources = columns.flatMap(({ parts }, column) => parts.map((part) => ({ ...part, column })));
    let before = 0;
    this.starts = this.sources.map(({ scan }) => {
      before += scan.units.length;
      return before - scan.units.length;
    });
    this.readers = [...new Set(this.sources.map(({ tree: own }) => own.reader))];
    this.packed = this.#pack(() => true);
    const { tasks, bad } = this.#plan();
    this.tasks = tasks;
    this.bad = bad;
  }

  /** The list of a unit, and its index there. */
  placeOf(number: number): { list: number; index: number } {
    const list = lastAtMost(this.starts, this.starts.length, number);
    return { list, index: number - (this.starts[list] ?? 0) };
  }

  #pack(which: (column: number) => boolean): Float64Array {
    const files = new Map(this.readers.map((reader, i) => [reader, i]));
    return packUnits(
      this.sources
        .filter(({ column }) => which(column))
        .map(({ tree, scan, shift, column }) => ({
          ...{ numbers: scan.units.numbers, shift, column },
          file: files.get(tree.reader) ?? 0,
        })),
    );
  }

  /** Divides the entries by the units of the columns that are not looked up. */
  #plan(): { tasks: EntryTask[]; bad: { list: number; index: number }[] } {
    const { columns, choice, sources } = this;
    const isLookedUp = columns.map(({ rows }) => rows !== undefined);
    const own = sources.flatMap(({ column }, list) => (isLookedUp[column] ? [] : [list]));
    const packed = isLookedUp.some(Boolean) ? this.#pack((column) => !isLookedUp[column]) : this.packed;
    const part = partInMemory(sources, TASK_BYTES);
    const lists = makeTaskLists(this.tree.core, packed, {
      ...{ how: 'entries', gap: 0, from: choice.from, to: choice.to },
      ...{ minBytes: part * TASK_BYTES, maxBytes: part * this.#maxBytes(), maxEntries: TASK_ENTRIES },
      firstBytes: Math.max(0, ...this.readers.map(firstBytesOf)),
    });
    const plan = new TaskPlan(
      lists,
      own.map((list) => sources[list] as UnitsOfFile),
    );
    const tasks: EntryTask[] = [];
    let before = 0;
    for (let task = 0; task < plan.length; task++) {
      const [from, to] = plan.entries(task);
      const chosen = choice.bounds(from, to)?.rows ?? 0;
      const made: EntryTask = { from, to, chosen, before, units: [], gaps: this.#gapsOf(lists, task) };
      for (const { list, index } of plan.places(task))
        made.units.push((this.starts[own[list] ?? 0] ?? 0) + index);
      for (const [column, { rows: all }] of columns.entries())
        if (all) this.#addLookedUp(made, column, all.subarray(before, before + chosen));
      made.units.sort((a, b) => a - b);
      before += chosen;
      tasks.push(made);
    }
    const bad = plan.bad.map(({ list, index }) => ({ list: own[list] ?? 0, index }));
    for (const [list, { column, scan }] of sources.entries()) {
      if (!isLookedUp[column]) continue;
      for (let index = 0; index < scan.units.length; index++)
        if (!isSound(scan.units, index)) bad.push({ list, index });
    }
    return { tasks, bad };
  }

  #maxBytes(): number {
    const layer = this.sources.reduce((sum, { scan }) => {
      const { size, first } = scan.units.numbers;
      return sum + (first.length > 0 ? size.reduce((all, one) => all + one, 0) / first.length : 0);
    }, 0);
    return Math.min(MAX_WIDE_BYTES, Math.max(MAX_BYTES, LAYERS * layer));
  }

  #gapsOf({ lost, lostEnds }: TaskPlan['lists'], task: number): EntryTask['gaps'] {
    const gaps: EntryTask['gaps'] = [];
    for (let i = 3 * (lostEnds[task - 1] ?? 0); i < 3 * (lostEnds[task] ?? 0); i += 3) {
      const gap = { column: lost[i] ?? 0, from: lost[i + 1] ?? 0, to: lost[i + 2] ?? 0 };
      if (this.choice.bounds(gap.from, gap.to)) gaps.push(gap);
    }
    return gaps;
  }

  /** Adds the units of a friend's column that the entries of a task refer to. */
  #addLookedUp(task: EntryTask, column: number, rows: Float64Array): void {
    const lists = [...this.sources.entries()].filter(([, one]) => one.column === column);
    const { units, missing } = unitsWithRows(lists, rows);
    for (const { list, index } of units) task.units.push((this.starts[list] ?? 0) + index);
    const spans = this.choice.spans(task.from, task.to);
    for (const [from, to] of missing)
      for (const [first, end] of entriesWithRows(spans, rows, from, to))
        task.gaps.push({ column, from: first, to: end });
  }
}
