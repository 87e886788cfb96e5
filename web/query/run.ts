import type { ErrorRecord } from '../base/errors';
import type { CallOptions, EntrySelection } from '../file/api';
import type { DataModel, WantedPiece } from '../file/data-model';
import { chooseEntries, type EntryChoice } from '../file/entry-choice';
import { countsFrom } from '../file/entry-counts';
import type { QueryBasket, QueryGoal, QueryResult, QueryTask } from '../file/query-task';
import {
  AHEAD_BYTES,
  type BranchScan,
  badPiece,
  isReadable,
  placed,
  planBranch,
  readCounts,
  type ScanProgress,
  type TaskRunner,
} from '../file/scan';
import type { Range } from '../io/source';
import type { Compiled } from './compile';
import { planTasks, type TaskPlan, taskBytes } from './tasks';

/** A compiled query over a tree, divided into tasks. */
export interface QueryJob {
  tree: DataModel;
  runner: TaskRunner;
  compiled: Compiled;
  /** The cut alone, to find what is worth reading; undefined where there is none. */
  select: Compiled | undefined;
  scans: BranchScan[];
  tasks: TaskPlan[];
  choice: EntryChoice;
}

/** Where the other branches have more bytes than this, those of the cut are read before. */
const STAGE_BYTES = 1024 * 1024;

export async function planJob(
  tree: DataModel,
  runner: TaskRunner,
  compiled: Compiled,
  select: Compiled | undefined,
  entries: EntrySelection | undefined,
  { signal }: CallOptions,
): Promise<QueryJob> {
  const branches = compiled.columns.map(({ branch }) => branch);
  await tree.prepare(entries, { signal }, branches);
  const choice = chooseEntries(entries, tree.info.entries);
  const scans = branches.map(({ index }) => planBranch(tree, index, entries));
  return { tree, runner, compiled, select, scans, tasks: planTasks(scans, choice), choice };
}

export interface RunOptions extends CallOptions {
  /** What is made of each task; asked for when it is about to run. */
  goal: () => QueryGoal;
  onResult: (task: number, result: QueryResult) => void;
  onBytes?: (progress: ScanProgress) => void;
  /** Baskets that could not be had. */
  onFailures: (errors: ErrorRecord[]) => void;
}

/**
 * Runs tasks of a job, by their index. Where a cut reads less than the rest, its branches are read
 * first, and the others only for tasks in which something passes.
 */
export async function runJob(job: QueryJob, which: number[], options: RunOptions): Promise<void> {
  const { compiled, select } = job;
  const all = job.scans.map((_, i) => i);
  const cut = all.slice(0, compiled.cutColumns);
  const rest = all.slice(compiled.cutColumns);
  const whole: Stage = { program: compiled.program, columns: all };
  const restBytes = which.reduce((sum, task) => sum + taskBytes(job.tasks[task] as TaskPlan, rest), 0);
  if (!select || rest.length === 0 || restBytes < STAGE_BYTES) {
    await runStage(job, whole, which, options);
    return;
  }
  const passing: number[] = [];
  await runStage(job, { program: select.program, columns: cut }, which, {
    ...options,
    goal: () => ({ kind: 'rows', outputs: [] }),
    onResult: (task, result) => {
      if ((result.entries?.length ?? 0) > 0) passing.push(task);
      else options.onResult(task, { rows: result.rows, failures: [] });
    },
  });
  passing.sort((a, b) => a - b);
  // What failed has been told by the first stage; here it is told of the other columns only.
  await runStage(job, whole, passing, { ...options, quiet: cut.length });
}

interface Stage {
  program: Uint8Array;
  /** Of the job's columns. */
  columns: number[];
}

/** What has come of a piece, head first, or why it cannot be had. */
type PieceParts = (Uint8Array | undefined)[] | ErrorRecord;

/** One task on its way: what has come of its pieces. */
interface OpenTask {
  index: number;
  plan: TaskPlan;
  /** By column of the stage, then by piece. */
  parts: PieceParts[][];
  open: number;
}

async function runStage(
  job: QueryJob,
  stage: Stage,
  which: number[],
  options: RunOptions & { quiet?: number },
): Promise<void> {
  const { tree, runner, scans } = job;
  const { signal } = options;
  const quiet = options.quiet ?? 0;
  for (const column of stage.columns) {
    const scan = scans[column] as BranchScan;
    if (scan.plan.counter >= 0 && !scan.counts && scan.pieces.length > 0) {
      scan.counts = await readCounts(tree, runner, scan, options);
    }
  }
  const ranges: Range[] = [];
  const targets: { task: OpenTask; column: number; piece: number; part: number }[] = [];
  const ready: OpenTask[] = [];
  const progress: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  for (const index of which) {
    const plan = job.tasks[index] as TaskPlan;
    const task: OpenTask = { index, plan, parts: [], open: 0 };
    progress.entriesTotal += plan.chosen;
    stage.columns.forEach((column, c) => {
      const scan = scans[column] as BranchScan;
      const parts: PieceParts[] = [];
      task.parts.push(parts);
      (plan.columns[column] ?? []).forEach((piece, p) => {
        const bad = piece.ranges.find((range) => !isReadable(range));
        if (bad) {
          parts.push(badPiece(scan.branch, piece, bad));
          return;
        }
        const own: (Uint8Array | undefined)[] = piece.head ? [piece.head()] : [];
        parts.push(own);
        for (const range of piece.ranges) {
          progress.bytesTotal += range.length;
          targets.push({ task, column: c, piece: p, part: own.length });
          own.push(undefined);
          ranges.push(range);
          task.open += 1;
        }
      });
    });
    if (task.open === 0) ready.push(task);
  }

  async function evaluate(task: OpenTask): Promise<void> {
    const failures: ErrorRecord[] = [];
    const built = buildTask(job, stage, task, options.goal(), failures, quiet);
    task.parts = [];
    const result = await runner.query(built.task, signal);
    for (const { column, basket, error } of result.failures) {
      const scan = scans[stage.columns[column] ?? 0] as BranchScan;
      const piece = built.pieces[column]?.[basket];
      if (column >= quiet) failures.push(placed(error, tree, scan.branch, piece));
    }
    progress.entriesDone += result.rows;
    if (failures.length > 0) options.onFailures(failures);
    options.onResult(task.index, result);
    options.onBytes?.(progress);
  }

  job.runner.expect?.(progress.bytesTotal);
  for (const task of ready) await evaluate(task);
  if (ranges.length === 0) return;
  const settle = (index: number, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
    const target = targets[index];
    const parts = target?.task.parts[target.column];
    if (!target || !parts) return undefined;
    const own = parts[target.piece];
    if (!(bytes instanceof Uint8Array)) parts[target.piece] = bytes;
    else if (Array.isArray(own)) own[target.part] = bytes;
    target.task.open -= 1;
    return target.task.open === 0 ? evaluate(target.task) : undefined;
  };
  const lost: Promise<void>[] = [];
  await tree.reader.stream(ranges, {
    signal,
    purpose: purposeOf(job, stage),
    aheadBytes: AHEAD_BYTES,
    onBytes: (bytes) => {
      progress.bytesDone += bytes;
      options.onBytes?.(progress);
    },
    onRange: (index, bytes) => settle(index, bytes),
    onError: (index, error) => {
      const evaluating = settle(index, error.toRecord());
      if (evaluating) lost.push(evaluating);
    },
  });
  await Promise.all(lost);
}

/** What goes to a worker; pieces that could not be read are left out, and their entries lost. */
function buildTask(
  job: QueryJob,
  stage: Stage,
  { plan, parts }: OpenTask,
  goal: QueryGoal,
  failures: ErrorRecord[],
  quiet: number,
): { task: QueryTask; pieces: WantedPiece[][] } {
  const lost: [number, number][] = [...plan.lost];
  const pieces: WantedPiece[][] = [];
  const input = new Uint8Array(parts.flat().reduce((sum, part) => sum + lengthOf(part), 0));
  let at = 0;
  const columns = stage.columns.map((column, c) => {
    const scan = job.scans[column] as BranchScan;
    const kept: WantedPiece[] = [];
    const baskets: QueryBasket[] = [];
    for (const [p, piece] of (plan.columns[column] ?? []).entries()) {
      const part = parts[c]?.[p] ?? [];
      if (!Array.isArray(part)) {
        lost.push([piece.first + piece.from, piece.first + piece.to]);
        if (c >= quiet) failures.push(part);
        continue;
      }
      const start = at;
      for (const bytes of part) {
        if (!bytes) continue;
        input.set(bytes, at);
        at += bytes.length;
      }
      const { first, from, to } = piece;
      const counts = scan.counts && countsFrom(scan.counts, first, first + to);
      baskets.push({ start, bytes: at - start, first, from, to, counts });
      kept.push(piece);
    }
    pieces.push(kept);
    return { plan: scan.plan.plan, baskets };
  });
  const { first, rows, chosen } = plan;
  const spans = chosen < rows ? job.choice.spans(first, first + rows) : undefined;
  const task = { program: stage.program, input, first, rows, spans, columns, goal, lost };
  return { task, pieces };
}

function lengthOf(part: PieceParts): number {
  return Array.isArray(part) ? part.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) : 0;
}

function purposeOf(job: QueryJob, stage: Stage): string {
  const only = stage.columns.length === 1 ? job.scans[stage.columns[0] ?? 0] : undefined;
  return only ? only.branch.path : `${stage.columns.length} branches`;
}
