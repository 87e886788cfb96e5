import { type DecodeUnit, unitBytes } from '../model/data-model';
import type { EntryChoice } from '../model/entry-choice';

/** A unit of a column, and the index of its part of the column if there are several. */
export interface QueryUnit extends DecodeUnit {
  part?: number | undefined;
}

/** Entries that are evaluated together, and the units of each column that hold them. */
export interface QueryTaskPlan {
  first: number;
  rows: number;
  /** Number of chosen entries among them. */
  chosen: number;
  columns: QueryUnit[][];
  /** For columns whose entries are looked up, the friend's entry for each chosen entry: see QueryColumn. */
  partners?: (Float64Array | undefined)[] | undefined;
  /** Ranges of entries that no unit of some column holds. */
  lost: [number, number][];
}

/** Target number of compressed bytes in a task, so that its work is worth a message to a worker. */
const TASK_BYTES = 512 * 1024;
/**
 * Maximum number of bytes of a task. If the baskets of branches end at different entries, a task grows up
 * to this size and is then divided anywhere.
 */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Divides entries into tasks, if possible at entries where a basket starts in all columns. A basket that
 * two tasks share is decoded twice.
 */
export function planQueryTasks(scans: { units: QueryUnit[] }[], choice: EntryChoice): QueryTaskPlan[] {
  const { from, to } = choice;
  const columns = scans.map(({ units }) =>
    units.map((unit) => ({ unit, start: unit.first + unit.from, end: unit.first + unit.to })),
  );
  const ends = new Set<number>([to]);
  for (const column of columns) for (const { end } of column) if (end > from && end < to) ends.add(end);
  const borders = [...ends].sort((a, b) => a - b);
  const at = columns.map(() => 0);
  const tasks: QueryTaskPlan[] = [];
  let start = from;
  let open = columns.map(() => 0);
  let bytes = 0;
  for (const border of borders) {
    if (border <= start) continue;
    let aligned = true;
    columns.forEach((column, c) => {
      let next = Math.max(open[c] ?? 0, at[c] ?? 0);
      for (let one = column[next]; one && one.start < border; one = column[++next])
        bytes += unitBytes(one.unit);
      open[c] = next;
      const last = column[next - 1];
      if (last && last.start < border && last.end > border) aligned = false;
    });
    const full = bytes >= (aligned ? TASK_BYTES : MAX_BYTES);
    if (!full && border !== to) continue;
    const chosen = choice.bounds(start, border)?.rows ?? 0;
    const task: QueryTaskPlan = { first: start, rows: border - start, chosen, columns: [], lost: [] };
    const lose = (begin: number, end: number): void => {
      if (choice.bounds(begin, end)) task.lost.push([begin, end]);
    };
    columns.forEach((column, c) => {
      const wanted: QueryUnit[] = [];
      let covered = start;
      let next = at[c] ?? 0;
      for (let one = column[next]; one && one.start < border; one = column[next]) {
        if (one.end > start) {
          if (one.start > covered) lose(covered, one.start);
          covered = Math.max(covered, one.end);
          wanted.push(one.unit);
        }
        if (one.end > border) break;
        next += 1;
      }
      if (covered < border) lose(covered, border);
      at[c] = next;
      task.columns.push(wanted);
    });
    tasks.push(task);
    start = border;
    open = columns.map(() => 0);
    bytes = 0;
  }
  return tasks;
}

export function taskBytes(task: QueryTaskPlan, columns: readonly number[]): number {
  let bytes = 0;
  for (const column of columns) for (const unit of task.columns[column] ?? []) bytes += unitBytes(unit);
  return bytes;
}
