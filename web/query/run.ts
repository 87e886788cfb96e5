import type { ErrorRecord } from '../base/errors';
import type { CallOptions, EntrySelection } from '../file/api';
import type { DataModel } from '../file/data-model';
import { chooseEntries, type EntryChoice } from '../file/entry-choice';
import { countsFrom } from '../file/entry-counts';
import {
  entriesOfRows,
  type QueryBasket,
  type QueryGoal,
  type QueryResult,
  type QueryTask,
} from '../file/query-task';
import {
  AHEAD_BYTES,
  badPiece,
  isReadable,
  placed,
  planBranch,
  readCounts,
  type ScanProgress,
  type TaskRunner,
} from '../file/scan';
import type { Reader } from '../io/reader';
import type { Range } from '../io/source';
import type { Compiled } from './compile';
import { addRows, friendColumn, type JobColumn, type MemberFriend, partOf } from './friend-column';
import { type JobPiece, planTasks, type TaskPlan, taskBytes } from './tasks';

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

/** Where the other branches have more bytes than this, those of the cut are read before. */
const STAGE_BYTES = 1024 * 1024;

export async function planJob(
  tree: DataModel,
  friends: readonly MemberFriend[],
  runner: TaskRunner,
  compiled: Compiled,
  select: Compiled | undefined,
  entries: EntrySelection | undefined,
  { signal }: CallOptions,
): Promise<QueryJob> {
  const branches = compiled.columns.filter(({ friend }) => friend < 0).map(({ branch }) => branch);
  await tree.prepare(entries, { signal }, branches);
  const choice = chooseEntries(entries, tree.info.entries);
  const columns: JobColumn[] = [];
  for (const { branch, friend, plan } of compiled.columns) {
    const from = friends[friend];
    if (from) columns.push(await friendColumn(from, branch, plan, choice, signal));
    else {
      const scan = planBranch(tree, branch.index, entries);
      columns.push({ branch, plan: scan.plan, parts: [{ tree, scan, shift: 0 }], pieces: [...scan.pieces] });
    }
  }
  const tasks = planTasks(
    columns.filter(({ rows }) => !rows),
    choice,
  );
  if (columns.some(({ rows }) => rows)) addRows(tasks, columns, choice);
  return { tree, runner, compiled, select, columns, tasks, choice };
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
  const all = job.columns.map((_, i) => i);
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

/** A range that is under way: of which task, column, piece and part of it. */
interface Target {
  task: OpenTask;
  column: number;
  piece: number;
  part: number;
}

/** What is read of one file. */
interface Stream {
  ranges: Range[];
  targets: Target[];
}

async function runStage(
  job: QueryJob,
  stage: Stage,
  which: number[],
  options: RunOptions & { quiet?: number },
): Promise<void> {
  const { runner } = job;
  const { signal } = options;
  const quiet = options.quiet ?? 0;
  for (const column of stage.columns) {
    for (const { tree, scan } of (job.columns[column] as JobColumn).parts) {
      if (scan.plan.counter < 0 || scan.counts || scan.pieces.length === 0) continue;
      scan.counts = await readCounts(tree, runner, scan, options);
    }
  }
  const streams = new Map<Reader, Stream>();
  const ready: OpenTask[] = [];
  const progress: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  for (const index of which) {
    const plan = job.tasks[index] as TaskPlan;
    const task: OpenTask = { index, plan, parts: [], open: 0 };
    progress.entriesTotal += plan.chosen;
    stage.columns.forEach((column, c) => {
      const own = job.columns[column] as JobColumn;
      const parts: PieceParts[] = [];
      task.parts.push(parts);
      (plan.columns[column] ?? []).forEach((piece, p) => {
        const bad = piece.ranges.find((range) => !isReadable(range));
        if (bad) {
          parts.push(badPiece(own.branch, piece, bad));
          return;
        }
        const bytes: (Uint8Array | undefined)[] = piece.head ? [piece.head()] : [];
        parts.push(bytes);
        const { reader } = partOf(own, piece).tree;
        const { ranges, targets } = streams.get(reader) ?? { ranges: [], targets: [] };
        streams.set(reader, { ranges, targets });
        for (const range of piece.ranges) {
          progress.bytesTotal += range.length;
          targets.push({ task, column: c, piece: p, part: bytes.length });
          bytes.push(undefined);
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
      const own = job.columns[stage.columns[column] ?? 0] as JobColumn;
      const piece = built.pieces[column]?.[basket];
      if (column >= quiet) failures.push(placed(error, partOf(own, piece).tree, own.branch, piece));
    }
    progress.entriesDone += result.rows;
    if (failures.length > 0) options.onFailures(failures);
    options.onResult(task.index, result);
    options.onBytes?.(progress);
  }

  job.runner.expect?.(progress.bytesTotal);
  for (const task of ready) await evaluate(task);
  const settle = (target: Target | undefined, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
    const parts = target?.task.parts[target.column];
    if (!target || !parts) return undefined;
    const own = parts[target.piece];
    if (!(bytes instanceof Uint8Array)) parts[target.piece] = bytes;
    else if (Array.isArray(own)) own[target.part] = bytes;
    target.task.open -= 1;
    return target.task.open === 0 ? evaluate(target.task) : undefined;
  };
  const lost: Promise<void>[] = [];
  const purpose = purposeOf(job, stage);
  const running = [...streams].map(([reader, { ranges, targets }]) =>
    reader.stream(ranges, {
      signal,
      purpose,
      aheadBytes: AHEAD_BYTES,
      onBytes: (bytes) => {
        progress.bytesDone += bytes;
        options.onBytes?.(progress);
      },
      onRange: (index, bytes) => settle(targets[index], bytes),
      onError: (index, error) => {
        const evaluating = settle(targets[index], error.toRecord());
        if (evaluating) lost.push(evaluating);
      },
    }),
  );
  await Promise.all(running);
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
): { task: QueryTask; pieces: JobPiece[][] } {
  const lost: [number, number][] = [...plan.lost];
  const behind = plan.first + plan.rows;
  const spans = plan.chosen < plan.rows ? job.choice.spans(plan.first, behind) : undefined;
  const pieces: JobPiece[][] = [];
  const input = new Uint8Array(parts.flat().reduce((sum, part) => sum + lengthOf(part), 0));
  let at = 0;
  const columns = stage.columns.map((column, c) => {
    const own = job.columns[column] as JobColumn;
    const rows = plan.partners?.[column];
    const kept: JobPiece[] = [];
    const baskets: QueryBasket[] = [];
    for (const [p, piece] of (plan.columns[column] ?? []).entries()) {
      const part = parts[c]?.[p] ?? [];
      if (!Array.isArray(part)) {
        const gone: [number, number] = [piece.first + piece.from, piece.first + piece.to];
        if (rows) lost.push(...entriesOfRows(spans, plan.first, rows, gone));
        else lost.push(gone);
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
      const { scan, shift } = partOf(own, piece);
      const counts = scan.counts && countsFrom(scan.counts, first - shift, first - shift + to);
      baskets.push({ start, bytes: at - start, first, from, to, counts });
      kept.push(piece);
    }
    pieces.push(kept);
    return { plan: own.plan.plan, baskets, ...(rows && { rows }) };
  });
  const { first, rows } = plan;
  const task = { program: stage.program, input, first, rows, spans, columns, goal, lost };
  return { task, pieces };
}

function lengthOf(part: PieceParts): number {
  return Array.isArray(part) ? part.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) : 0;
}

function purposeOf(job: QueryJob, stage: Stage): string {
  const only = stage.columns.length === 1 ? job.columns[stage.columns[0] ?? 0] : undefined;
  return only ? only.branch.path : `${stage.columns.length} branches`;
}
