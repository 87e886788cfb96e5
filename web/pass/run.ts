import type { CallOptions, EntrySelection } from '../api/api';
import { throwIfAborted } from '../base/abort';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import { endOf } from '../io/ranges';
import type { ByteReader, ReadOptions } from '../io/reader';
import type { Range } from '../io/source';
import type { DataModel } from '../model/data-model';
import { chooseEntries } from '../model/entry-choice';
import { type BuiltTask, buildTask, type Place, type QueryJob, type Stage } from './build-task';
import { type DirectReads, directReads, READ_ERRORS, traceReads } from './direct';
import { addRows, friendColumn, type JobColumn, type MemberFriend, partOf } from './friend-column';
import { AHEAD_BYTES, badUnit, cutOff, isReadable, placed, planBranch, readCounts } from './pass';
import type { QueryGoal, QueryResult } from './query-task';
import { distrustUnits, type FailedUnit, soundResult } from './sound-units';
import { layOut, UNJOINED } from './task-layout';
import { planQueryTasks, type QueryTaskPlan, type QueryUnit, taskBytes } from './tasks';
import type { DecodeProgress, Program, TaskRunner } from './types';

/** If the other branches have more bytes than this, the branches of the cut are read first. */
const STAGE_BYTES = 1024 * 1024;

export async function planJob<P extends Program>(
  tree: DataModel,
  friends: readonly MemberFriend[],
  runner: TaskRunner,
  compiled: P,
  select: Program | undefined,
  entries: EntrySelection | undefined,
  { signal }: CallOptions,
): Promise<QueryJob<P>> {
  const branches = compiled.columns.filter(({ friend }) => friend < 0).map(({ branch }) => branch);
  await tree.prepare(entries, { signal }, branches);
  const choice = chooseEntries(entries, tree.info.entries);
  const columns: JobColumn[] = [];
  for (const { branch, friend, plan } of compiled.columns) {
    const from = friends[friend];
    if (from) columns.push(await friendColumn(from, branch, plan, choice, signal));
    else {
      const scan = planBranch(tree, branch.index, entries);
      columns.push({ branch, plan: scan.plan, parts: [{ tree, scan, shift: 0 }], units: [...scan.units] });
    }
  }
  const tasks = planQueryTasks(
    columns.filter(({ rows }) => !rows),
    choice,
  );
  if (columns.some(({ rows }) => rows)) addRows(tasks, columns, choice);
  const math = compiled.math ? await mathOf(runner) : undefined;
  return { tree, runner, math, compiled, select, columns, tasks, choice };
}

function mathOf({ math }: TaskRunner): Promise<WebAssembly.Module> {
  if (math) return math();
  throw new XylemError({
    code: 'UNSUPPORTED',
    message: 'This reader was made without the mathematical functions that the expression calls.',
  });
}

export interface RunOptions extends CallOptions {
  /** Returns the result to compute from each task. Called just before a task runs. */
  goal: () => QueryGoal;
  onResult: (task: number, result: QueryResult) => void;
  onBytes?: (progress: DecodeProgress) => void;
  /** Called with the errors of baskets that could not be read. */
  onFailures: (errors: ErrorRecord[]) => void;
}

/**
 * Runs tasks of a job by their index. If a cut reads less than the rest, its branches are read first, and
 * the other branches only for tasks in which something passes.
 */
export async function runJob(job: QueryJob, which: number[], options: RunOptions): Promise<void> {
  const { compiled, select } = job;
  const all = job.columns.map((_, i) => i);
  const cut = all.slice(0, compiled.cutColumns);
  const rest = all.slice(compiled.cutColumns);
  const whole: Stage = { program: compiled.program, columns: all, tapes: tapesOf(compiled) };
  const restBytes = which.reduce((sum, task) => sum + taskBytes(job.tasks[task] as QueryTaskPlan, rest), 0);
  if (!select || rest.length === 0 || restBytes < STAGE_BYTES) {
    await runStage(job, whole, which, options);
    return;
  }
  const passing: number[] = [];
  const first: Stage = { program: select.program, columns: cut, tapes: tapesOf(select) };
  await runStage(job, first, which, {
    ...options,
    goal: () => ({ kind: 'rows', outputs: [] }),
    onResult: (task, result) => {
      if ((result.entries?.length ?? 0) > 0) passing.push(task);
      else options.onResult(task, { rows: result.rows, failures: [] });
    },
  });
  passing.sort((a, b) => a - b);
  // The first stage has reported its failures; the second reports only those of the other columns.
  await runStage(job, whole, passing, { ...options, quiet: cut.length });
}

function tapesOf({ columns }: Program): Stage['tapes'] {
  return columns.map(({ tapes }) => tapes);
}

interface StageOptions extends RunOptions {
  /** Number of columns, at the start, whose failures have already been reported. */
  quiet?: number;
}

/** A task that is being read. */
interface OpenTask {
  index: number;
  plan: QueryTaskPlan;
  /** Bytes of its input. */
  size: number;
  places: Map<QueryUnit, Place | ErrorRecord>;
  /** The bytes that have come. */
  parts: { target: Target; bytes: Uint8Array }[];
  /** Number of reads under way. */
  open: number;
  /** Bytes that do not lie in the files. */
  heads: { at: number; bytes: Uint8Array }[];
}

/** A read, and where its bytes lie in the input of its task. */
interface Target {
  task: OpenTask;
  reader: ByteReader;
  range: Range;
  at: number;
}

/** The reads from one file. */
interface Stream {
  ranges: Range[];
  targets: Target[];
}

async function runStage(job: QueryJob, stage: Stage, which: number[], options: StageOptions): Promise<void> {
  const { runner } = job;
  for (const column of stage.columns) {
    for (const { tree, scan } of (job.columns[column] as JobColumn).parts) {
      if (scan.plan.counter < 0 || scan.counts || scan.units.length === 0) continue;
      scan.counts = await readCounts(tree, runner, scan, options);
    }
  }
  const progress: DecodeProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  for (const index of which) {
    const plan = job.tasks[index] as QueryTaskPlan;
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

/** Returns the file of all columns of a stage; undefined if there are several. */
function onlyReader(job: QueryJob, stage: Stage): ByteReader | undefined {
  const readers = new Set(
    stage.columns.flatMap((column) => job.columns[column]?.parts.map(({ tree }) => tree.reader) ?? []),
  );
  return readers.size === 1 ? [...readers][0] : undefined;
}

/** Lets the workers read the file. Returns the tasks that they could not read; the caller reads them. */
async function readThere(
  job: QueryJob,
  stage: Stage,
  which: number[],
  options: StageOptions,
  { reader, direct }: { reader: ByteReader; direct: DirectReads },
  progress: DecodeProgress,
): Promise<number[]> {
  const { size, has } = direct;
  const left: number[] = [];
  const queue = which.values();
  const runTasks = async (): Promise<void> => {
    for (const index of queue) {
      throwIfAborted(options.signal);
      const plan = job.tasks[index] as QueryTaskPlan;
      const units = stage.columns.flatMap((column) => plan.columns[column] ?? []);
      const there = units.every(({ ranges }) =>
        ranges.every((range) => isReadable(range) && endOf(range) <= size),
      );
      if (!there || (has && !has(units.flatMap(({ ranges }) => ranges)))) {
        left.push(index);
        continue;
      }
      try {
        const { places, ...layout } = layOut(job.tree.core, units, direct.gapBytes);
        const input = { ...layout, file: direct.file };
        const built = buildTask(job, stage, plan, input, places, options.goal(), []);
        const result = await job.runner.query(built.task, options.signal);
        throwIfAborted(options.signal);
        if (distrustUnits(failedOf(job, stage, built, result))) {
          left.push(index);
          continue;
        }
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
  await Promise.all(Array.from({ length: Math.min(job.runner.concurrency, which.length) }, runTasks));
  return left;
}

async function streamStage(
  job: QueryJob,
  stage: Stage,
  which: number[],
  options: StageOptions,
  progress: DecodeProgress,
): Promise<void> {
  const { signal } = options;
  const streams = new Map<ByteReader, Stream>();
  const ready: OpenTask[] = [];
  for (const index of which) {
    const task = openTask(job, stage, index, streams);
    if (task.open === 0) ready.push(task);
  }

  async function evaluate(task: OpenTask): Promise<void> {
    const { index, plan, size, places, heads } = task;
    const run = async (parts: OpenTask['parts']) => {
      const input = new Uint8Array(size);
      for (const { at, bytes } of heads) input.set(bytes, at);
      for (const { target, bytes } of parts.splice(0)) input.set(bytes, target.at);
      const failures: ErrorRecord[] = [];
      const built = buildTask(job, stage, plan, input, places, options.goal(), failures, options.quiet);
      return { built, failures, result: await job.runner.query(built.task, signal) };
    };
    const targets = task.parts.map(({ target }) => target);
    const { built, failures, result } = await soundResult(
      await run(task.parts),
      (found) => failedOf(job, stage, found.built, found.result),
      async () => run(await readAgain(targets, { signal, purpose: purposeOf(job, stage) })),
    );
    takeResult(job, stage, index, built, result, options, progress, failures);
  }

  for (const task of ready) await evaluate(task);
  const settle = (target: Target | undefined, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
    if (!target) return undefined;
    const { task, at, range, reader } = target;
    if (!(bytes instanceof Uint8Array)) loseUnit(task, at, bytes);
    else if (bytes.length < range.length) loseUnit(task, at, cutOff(reader, range));
    else task.parts.push({ target, bytes });
    task.open -= 1;
    return task.open === 0 ? evaluate(task) : undefined;
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

/** Lays out a task, and adds its reads to those of the files. */
function openTask(job: QueryJob, stage: Stage, index: number, streams: Map<ByteReader, Stream>): OpenTask {
  const plan = job.tasks[index] as QueryTaskPlan;
  const task: OpenTask = {
    ...{ index, plan, size: 0, open: 0 },
    ...{ places: new Map(), parts: [], heads: [] },
  };
  const byReader = new Map<ByteReader, QueryUnit[]>();
  for (const column of stage.columns) {
    const own = job.columns[column] as JobColumn;
    for (const unit of plan.columns[column] ?? []) {
      const { reader } = partOf(own, unit).tree;
      const bad = unit.ranges.find((range) => !isReadable(range));
      // A size that the file gives, but does not have, takes no memory.
      const end = reader.source.info().size ?? Number.POSITIVE_INFINITY;
      const past = unit.ranges.find((range) => endOf(range) > end);
      if (bad || past) {
        task.places.set(unit, bad ? badUnit(own.branch, unit, bad) : cutOff(reader, past as Range));
        continue;
      }
      const units = byReader.get(reader);
      if (units) units.push(unit);
      else byReader.set(reader, [unit]);
    }
  }
  for (const [reader, units] of byReader) {
    const { size, reads, heads, places } = layOut(job.tree.core, units, UNJOINED);
    const { ranges, targets } = streams.get(reader) ?? { ranges: [], targets: [] };
    streams.set(reader, { ranges, targets });
    for (const [unit, { start, bytes }] of places) task.places.set(unit, { start: task.size + start, bytes });
    for (const [at, bytes] of heads) task.heads.push({ at: task.size + at, bytes });
    for (let i = 0; i < reads.length; i += 3) {
      const range = { offset: reads[i] ?? 0, length: reads[i + 1] ?? 0 };
      ranges.push(range);
      targets.push({ task, reader, range, at: task.size + (reads[i + 2] ?? 0) });
      task.open += 1;
    }
    task.size += size;
  }
  return task;
}

/** Reads the bytes of a task again: those that were distrusted from the source, the others from memory. */
async function readAgain(targets: readonly Target[], options: ReadOptions): Promise<OpenTask['parts']> {
  const readers = new Set(targets.map(({ reader }) => reader));
  const reading = [...readers].map(async (reader) => {
    const own = targets.filter((target) => target.reader === reader);
    const ranges = own.map(({ range }) => range);
    const read = await reader.read(ranges, options);
    return own.map((target, i) => ({ target, bytes: read[i] ?? new Uint8Array(0) }));
  });
  return (await Promise.all(reading)).flat();
}

/** The units of a task that could not be decoded. */
function failedOf(job: QueryJob, stage: Stage, built: BuiltTask, { failures }: QueryResult): FailedUnit[] {
  return failures.flatMap((failure) => {
    const own = job.columns[stage.columns[failure.column] ?? 0] as JobColumn;
    const unit = built.units[failure.column]?.[failure.basket];
    return unit ? [{ reader: partOf(own, unit).tree.reader, ranges: unit.ranges, failure }] : [];
  });
}

/** Records why the unit could not be read whose bytes lie at a place. */
function loseUnit({ places }: OpenTask, at: number, error: ErrorRecord): void {
  for (const [unit, place] of places)
    if ('start' in place && place.start <= at && at < place.start + place.bytes) places.set(unit, error);
}

/** Passes on a worker's result for a task and the errors of its units. */
function takeResult(
  job: QueryJob,
  stage: Stage,
  index: number,
  built: BuiltTask,
  result: QueryResult,
  options: StageOptions,
  progress: DecodeProgress,
  failures: ErrorRecord[] = [],
): void {
  for (const { column, basket, error } of result.failures) {
    const own = job.columns[stage.columns[column] ?? 0] as JobColumn;
    const unit = built.units[column]?.[basket];
    if (column >= (options.quiet ?? 0))
      failures.push(placed(error, partOf(own, unit).tree, own.branch, unit));
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
