import type { ErrorRecord } from '../base/errors';
import type { DataModel } from '../model/data-model';
import type { EntryChoice } from '../model/entry-choice';
import type { TapeColumns } from './columns/tape-columns';
import { countsFrom } from './entry-counts';
import { type JobColumn, partOf } from './friend-column';
import { entriesOfRows, type QueryBasket, type QueryGoal, type QueryTask } from './query-task';
import type { QueryTaskPlan, QueryUnit } from './tasks';
import type { Program, TaskRunner } from './types';

/** A compiled query over a tree, divided into tasks. */
export interface QueryJob<P extends Program = Program> {
  tree: DataModel;
  runner: TaskRunner;
  compiled: P;
  /** The module with the functions that the programs call. */
  math: WebAssembly.Module | undefined;
  /** The program of the cut alone, which finds what is worth reading; undefined if there is none. */
  select: Program | undefined;
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

/** A unit's bytes in a task's input. */
export interface Place {
  start: number;
  bytes: number;
}

/** For each unit its place, or the error. */
export type Places = ReadonlyMap<QueryUnit, Place | ErrorRecord>;

export interface BuiltTask {
  task: QueryTask;
  /** For each column of the stage, its units. */
  units: QueryUnit[][];
}

/** Makes the task for a worker. Units that could not be read are left out, and their entries are lost. */
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
  const units: QueryUnit[][] = [];
  const columns = stage.columns.map((column, c) => {
    const own = job.columns[column] as JobColumn;
    const partners = plan.partners?.[column];
    const kept: QueryUnit[] = [];
    const baskets: QueryBasket[] = [];
    for (const unit of plan.columns[column] ?? []) {
      const place = places.get(unit);
      if (!place) continue;
      if ('code' in place) {
        const gone: [number, number] = [unit.first + unit.from, unit.first + unit.to];
        if (partners) lost.push(...entriesOfRows(spans, first, partners, gone));
        else lost.push(gone);
        if (c >= quiet) failures.push(place);
        continue;
      }
      const { scan, shift } = partOf(own, unit);
      const counts = scan.counts && countsFrom(scan.counts, unit.first - shift, unit.first - shift + unit.to);
      baskets.push({ ...place, first: unit.first, from: unit.from, to: unit.to, counts });
      kept.push(unit);
    }
    units.push(kept);
    const tapes = stage.tapes[c];
    return { plan: own.plan.plan, baskets, ...(partners && { rows: partners }), ...(tapes && { tapes }) };
  });
  const task = { program: stage.program, math: job.math, input, first, rows, spans, columns, goal, lost };
  return { task, units };
}
