import type { ErrorRecord } from '../../base/errors';
import type { TaskRunner } from '../../decode/decode-branches';
import { countsFrom } from '../../decode/entry-counts';
import { entriesOfRows, type QueryBasket, type QueryGoal, type QueryTask } from '../../decode/query-task';
import type { TapeColumns } from '../../decode/tape-columns';
import type { DataModel } from '../../model/data-model';
import type { EntryChoice } from '../../model/entry-choice';
import type { Compiled } from '../compile/compile';
import { type JobColumn, partOf } from './friend-column';
import type { QueryTaskPlan, QueryUnit } from './tasks';

/** A compiled query over a tree, divided into tasks. */
export interface QueryJob {
  tree: DataModel;
  runner: TaskRunner;
  compiled: Compiled;
  /** The module with the functions that the programs call. */
  math: WebAssembly.Module | undefined;
  /** The program of the cut alone, which finds what is worth reading; undefined if there is none. */
  select: Compiled | undefined;
  columns: JobColumn[];
  tasks: QueryTaskPlan[];
  choice: EntryChoice;
}

/** The columns of a job that are read and evaluated together. */
export interface Stage {
  program: Uint8Array;
  /** Indices among the columns of the job. */
  columns: number[];
  /** For each column of the stage, what its program takes from tapes. */
  tapes: (TapeColumns | undefined)[];
}

/** The bytes of a piece that have been read, head first, or the error. */
export type PieceParts = (Uint8Array | undefined)[] | ErrorRecord;

/** For each piece, the position of its bytes in a task's input, or the error. */
export type Places = ReadonlyMap<QueryUnit, { start: number; bytes: number } | ErrorRecord>;

/** Copies the bytes of a task's pieces into one buffer, by column of the stage and piece. */
export function joinParts(
  plan: QueryTaskPlan,
  parts: PieceParts[][],
  stage: Stage,
): { input: Uint8Array; places: Places } {
  const input = new Uint8Array(parts.flat().reduce((sum, part) => sum + lengthOf(part), 0));
  const places = new Map<QueryUnit, { start: number; bytes: number } | ErrorRecord>();
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
  /** For each column of the stage, its pieces. */
  pieces: QueryUnit[][];
}

/** Makes the task for a worker. Pieces that could not be read are left out, and their entries are lost. */
export function buildTask(
  job: QueryJob,
  stage: Stage,
  plan: QueryTaskPlan,
  input: QueryTask['input'],
  places: Places,
  goal: QueryGoal,
  failures: ErrorRecord[],
  quiet = 0,
): BuiltTask {
  const lost: [number, number][] = [...plan.lost];
  const { first, rows } = plan;
  const spans = plan.chosen < rows ? job.choice.spans(first, first + rows) : undefined;
  const pieces: QueryUnit[][] = [];
  const columns = stage.columns.map((column, c) => {
    const own = job.columns[column] as JobColumn;
    const partners = plan.partners?.[column];
    const kept: QueryUnit[] = [];
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
    const tapes = stage.tapes[c];
    return { plan: own.plan.plan, baskets, ...(partners && { rows: partners }), ...(tapes && { tapes }) };
  });
  const task = { program: stage.program, math: job.math, input, first, rows, spans, columns, goal, lost };
  return { task, pieces };
}

function lengthOf(part: PieceParts): number {
  return Array.isArray(part) ? part.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) : 0;
}
