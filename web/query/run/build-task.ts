import type { ErrorRecord } from '../base/errors';
import type { DataModel } from '../file/data-model';
import type { EntryChoice } from '../file/entry-choice';
import { countsFrom } from '../file/entry-counts';
import { entriesOfRows, type QueryBasket, type QueryGoal, type QueryTask } from '../file/query-task';
import type { TaskRunner } from '../file/scan';
import type { Compiled } from './compile';
import { type JobColumn, partOf } from './friend-column';
import type { JobPiece, TaskPlan } from './tasks';

/** A compiled query over a tree, divided into tasks. */
export interface QueryJob {
  tree: DataModel;
  runner: TaskRunner;
  compiled: Compiled;
  /** The cut alone, to find what is worth reading; undefined where there is none. */
  select: Compiled | undefined;
  columns: JobColumn[];
  tasks: TaskPlan[];
  choice: EntryChoice;
}

/** What of a job is read and evaluated together. */
export interface Stage {
  program: Uint8Array;
  /** Of the job's columns. */
  columns: number[];
}

/** What has come of a piece, head first, or why it cannot be had. */
export type PieceParts = (Uint8Array | undefined)[] | ErrorRecord;

/** Where a piece's bytes lie in a task's input, or why they do not. */
export type Places = ReadonlyMap<JobPiece, { start: number; bytes: number } | ErrorRecord>;

/** What has come of a task's pieces, by column of the stage and piece, in one buffer. */
export function joinParts(
  plan: TaskPlan,
  parts: PieceParts[][],
  stage: Stage,
): { input: Uint8Array; places: Places } {
  const input = new Uint8Array(parts.flat().reduce((sum, part) => sum + lengthOf(part), 0));
  const places = new Map<JobPiece, { start: number; bytes: number } | ErrorRecord>();
  let at = 0;
  for (const [c, column] of stage.columns.entries()) {
    for (const [p, piece] of (plan.columns[column] ?? []).entries()) {
      const part = parts[c]?.[p] ?? [];
      if (!Array.isArray(part)) {
        places.set(piece, part);
        continue;
      }
      const start = at;
      for (const bytes of part) {
        if (!bytes) continue;
        input.set(bytes, at);
        at += bytes.length;
      }
      places.set(piece, { start, bytes: at - start });
    }
  }
  return { input, places };
}

export interface BuiltTask {
  task: QueryTask;
  /** By column of the stage, those that are in it. */
  pieces: JobPiece[][];
}

/** What goes to a worker; pieces that could not be read are left out, and their entries lost. */
export function buildTask(
  job: QueryJob,
  stage: Stage,
  plan: TaskPlan,
  input: QueryTask['input'],
  places: Places,
  goal: QueryGoal,
  failures: ErrorRecord[],
  quiet = 0,
): BuiltTask {
  const lost: [number, number][] = [...plan.lost];
  const { first, rows } = plan;
  const spans = plan.chosen < rows ? job.choice.spans(first, first + rows) : undefined;
  const pieces: JobPiece[][] = [];
  const columns = stage.columns.map((column, c) => {
    const own = job.columns[column] as JobColumn;
    const partners = plan.partners?.[column];
    const kept: JobPiece[] = [];
    const baskets: QueryBasket[] = [];
    for (const piece of plan.columns[column] ?? []) {
      const place = places.get(piece);
      if (!place) continue;
      if ('code' in place) {
        const gone: [number, number] = [piece.first + piece.from, piece.first + piece.to];
        if (partners) lost.push(...entriesOfRows(spans, first, partners, gone));
        else lost.push(gone);
        if (c >= quiet) failures.push(place);
        continue;
      }
      const { scan, shift } = partOf(own, piece);
      const counts =
        scan.counts && countsFrom(scan.counts, piece.first - shift, piece.first - shift + piece.to);
      baskets.push({ ...place, first: piece.first, from: piece.from, to: piece.to, counts });
      kept.push(piece);
    }
    pieces.push(kept);
    return { plan: own.plan.plan, baskets, ...(partners && { rows: partners }) };
  });
  const task = { program: stage.program, input, first, rows, spans, columns, goal, lost };
  return { task, pieces };
}

function lengthOf(part: PieceParts): number {
  return Array.isArray(part) ? part.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) : 0;
}
