import { pieceBytes, type WantedPiece } from '../file/data-model';
import type { EntryChoice } from '../file/entry-choice';

/** A piece of a column; of which of its parts, where it has several. */
export interface JobPiece extends WantedPiece {
  part?: number | undefined;
}

/** Entries that are evaluated together, and the pieces of each column that hold them. */
export interface TaskPlan {
  first: number;
  rows: number;
  /** How many of them are wanted. */
  chosen: number;
  columns: JobPiece[][];
  /** Of columns whose entries are looked up, what belongs to each wanted entry: see QueryColumn. */
  partners?: (Float64Array | undefined)[] | undefined;
  /** Entries that no piece of some column holds. */
  lost: [number, number][];
}

/** A task has about so many compressed bytes: enough work to be worth a message. */
const TASK_BYTES = 512 * 1024;
/** Where branches' baskets end at different entries, a task may grow until it is cut all the same. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Divides entries into tasks, preferably where all columns have the border of a basket: what
 * straddles a border is decoded for both sides.
 */
export function planTasks(scans: { pieces: JobPiece[] }[], choice: EntryChoice): TaskPlan[] {
  const { from, to } = choice;
  const columns = scans.map(({ pieces }) =>
    pieces.map((piece) => ({ piece, start: piece.first + piece.from, end: piece.first + piece.to })),
  );
  const ends = new Set<number>([to]);
  for (const column of columns) for (const { end } of column) if (end > from && end < to) ends.add(end);
  const borders = [...ends].sort((a, b) => a - b);
  const at = columns.map(() => 0);
  const tasks: TaskPlan[] = [];
  let start = from;
  let open = columns.map(() => 0);
  let bytes = 0;
  for (const border of borders) {
    if (border <= start) continue;
    let aligned = true;
    columns.forEach((column, c) => {
      let next = Math.max(open[c] ?? 0, at[c] ?? 0);
      for (let one = column[next]; one && one.start < border; one = column[++next])
        bytes += pieceBytes(one.piece);
      open[c] = next;
      const last = column[next - 1];
      if (last && last.start < border && last.end > border) aligned = false;
    });
    const full = bytes >= (aligned ? TASK_BYTES : MOST_BYTES);
    if (!full && border !== to) continue;
    const chosen = choice.hull(start, border)?.rows ?? 0;
    const task: TaskPlan = { first: start, rows: border - start, chosen, columns: [], lost: [] };
    const lose = (begin: number, end: number): void => {
      if (choice.hull(begin, end)) task.lost.push([begin, end]);
    };
    columns.forEach((column, c) => {
      const wanted: JobPiece[] = [];
      let covered = start;
      let next = at[c] ?? 0;
      for (let one = column[next]; one && one.start < border; one = column[next]) {
        if (one.end > start) {
          if (one.start > covered) lose(covered, one.start);
          covered = Math.max(covered, one.end);
          wanted.push(one.piece);
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

export function taskBytes(task: TaskPlan, columns: readonly number[]): number {
  let bytes = 0;
  for (const column of columns) for (const piece of task.columns[column] ?? []) bytes += pieceBytes(piece);
  return bytes;
}
