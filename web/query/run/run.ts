import { throwIfAborted } from '../base/abort';
import { type ErrorRecord, toXylemError } from '../base/errors';
import type { CallOptions, EntrySelection } from '../file/api';
import type { DataModel } from '../file/data-model';
import { type DirectReads, directReads, READ_ERRORS, traceReads } from '../file/direct';
import { chooseEntries } from '../file/entry-choice';
import type { QueryGoal, QueryResult } from '../file/query-task';
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
import { endOf } from '../io/ranges';
import type { Reader } from '../io/reader';
import type { Range } from '../io/source';
import {
  type BuiltTask,
  buildTask,
  joinParts,
  type PieceParts,
  type QueryJob,
  type Stage,
} from './build-task';
import type { Compiled } from './compile';
import { directInput } from './direct-input';
import { addRows, friendColumn, type JobColumn, type MemberFriend, partOf } from './friend-column';
import { planTasks, type TaskPlan, taskBytes } from './tasks';

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

interface StageOptions extends RunOptions {
  /** Of so many columns it was told before what could not be had. */
  quiet?: number;
}

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

async function runStage(job: QueryJob, stage: Stage, which: number[], options: StageOptions): Promise<void> {
  const { runner } = job;
  for (const column of stage.columns) {
    for (const { tree, scan } of (job.columns[column] as JobColumn).parts) {
      if (scan.plan.counter < 0 || scan.counts || scan.pieces.length === 0) continue;
      scan.counts = await readCounts(tree, runner, scan, options);
    }
  }
  const progress: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  for (const index of which) {
    const plan = job.tasks[index] as TaskPlan;
    progress.entriesTotal += plan.chosen;
    progress.bytesTotal += taskBytes(plan, stage.columns);
  }
  runner.expect?.(progress.bytesTotal);
  const reader = runner.readsFiles ? onlyReader(job, stage) : undefined;
  const direct = reader && directReads(reader);
  const left =
    reader && direct ? await readThere(job, stage, which, options, { reader, direct }, progress) : which;
  if (left.length > 0) await streamStage(job, stage, left, options, progress);
}

/** The file of all columns of a stage; undefined where there are several. */
function onlyReader(job: QueryJob, stage: Stage): Reader | undefined {
  const readers = new Set(
    stage.columns.flatMap((column) => job.columns[column]?.parts.map(({ tree }) => tree.reader) ?? []),
  );
  return readers.size === 1 ? [...readers][0] : undefined;
}

/** Lets the workers read the file; gives back the tasks that they could not read, to be read here. */
async function readThere(
  job: QueryJob,
  stage: Stage,
  which: number[],
  options: StageOptions,
  { reader, direct }: { reader: Reader; direct: DirectReads },
  progress: ScanProgress,
): Promise<number[]> {
  const { size, has } = direct;
  const left: number[] = [];
  const queue = which.values();
  const lane = async (): Promise<void> => {
    for (const index of queue) {
      throwIfAborted(options.signal);
      const plan = job.tasks[index] as TaskPlan;
      const pieces = stage.columns.flatMap((column) => plan.columns[column] ?? []);
      const there = pieces.every(({ ranges }) =>
        ranges.every((range) => isReadable(range) && endOf(range) <= size),
      );
      if (!there || (has && !has(pieces.flatMap(({ ranges }) => ranges)))) {
        left.push(index);
        continue;
      }
      try {
        const { input, starts, bytes } = directInput(job.tree.core, pieces, direct);
        const places = new Map(
          pieces.map((piece, i) => [piece, { start: starts[i] ?? 0, bytes: bytes[i] ?? 0 }]),
        );
        const built = buildTask(job, stage, plan, input, places, options.goal(), []);
        const result = await job.runner.query(built.task, options.signal);
        throwIfAborted(options.signal);
        const wanted = taskBytes(plan, stage.columns);
        if (result.reads) traceReads(reader, direct.origin, result.reads, wanted, purposeOf(job, stage));
        progress.bytesDone += wanted;
        takeResult(job, stage, index, built, result, options, progress);
      } catch (thrown) {
        if (!READ_ERRORS.has(toXylemError(thrown).code)) throw thrown;
        left.push(index);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(job.runner.lanes, which.length) }, lane));
  return left;
}

async function streamStage(
  job: QueryJob,
  stage: Stage,
  which: number[],
  options: StageOptions,
  progress: ScanProgress,
): Promise<void> {
  const { signal } = options;
  const streams = new Map<Reader, Stream>();
  const ready: OpenTask[] = [];
  for (const index of which) {
    const plan = job.tasks[index] as TaskPlan;
    const task: OpenTask = { index, plan, parts: [], open: 0 };
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
    const { input, places } = joinParts(task.plan, task.parts, stage);
    task.parts = [];
    const failures: ErrorRecord[] = [];
    const built = buildTask(job, stage, task.plan, input, places, options.goal(), failures, options.quiet);
    const result = await job.runner.query(built.task, signal);
    takeResult(job, stage, task.index, built, result, options, progress, failures);
  }

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

/** What a worker made of a task is handed on, and what could not be had. */
function takeResult(
  job: QueryJob,
  stage: Stage,
  index: number,
  built: BuiltTask,
  result: QueryResult,
  options: StageOptions,
  progress: ScanProgress,
  failures: ErrorRecord[] = [],
): void {
  for (const { column, basket, error } of result.failures) {
    const own = job.columns[stage.columns[column] ?? 0] as JobColumn;
    const piece = built.pieces[column]?.[basket];
    if (column >= (options.quiet ?? 0))
      failures.push(placed(error, partOf(own, piece).tree, own.branch, piece));
  }
  progress.entriesDone += result.rows;
  if (failures.length > 0) options.onFailures(failures);
  options.onResult(index, result);
  options.onBytes?.(progress);
}

function purposeOf(job: QueryJob, stage: Stage): string {
  const only = stage.columns.length === 1 ? job.columns[stage.columns[0] ?? 0] : undefined;
  return only ? only.branch.path : `${stage.columns.length} branches`;
}
