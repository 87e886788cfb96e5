import type { BranchInfo, CallOptions, EntryRange, EntrySelection } from '../api/api';
import { throwIfAborted } from '../base/abort';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import { BufferTaker, type PackedBuffers } from '../core/packed-buffers';
import { SUMMARY_DOUBLES, toSummary } from '../core/summary';
import { pastTheEnd } from '../io/ranges';
import type { ByteReader } from '../io/reader';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';
import { type DataModel, type DecodeUnit, unitBytes } from '../model/data-model';
import { chooseEntries } from '../model/entry-choice';
import { type DirectReads, directReads, READ_ERRORS, traceReads } from './direct';
import { type EntryCounts, entryCounts } from './entry-counts';
import { type ChosenUnits, packUnits, planTasks, type TaskPart, type TaskPlan, type TaskRead } from './plan';
import { distrustUnits, type FailedUnit, soundResult } from './sound-units';
import type { DecodeResult, DecodeTask, TaskGoal } from './task';
import type { BranchPlan, DecodeProgress, PartResult, TaskRunner } from './types';

export interface DecodeOptions extends CallOptions {
  goal: TaskGoal;
  /** The units to decode; all when it is missing. */
  units?: { packed: Float64Array; chosen: ChosenUnits } | undefined;
  /** Makes a part of each unit, so that the parts do not depend on the number of workers. */
  alone?: boolean | undefined;
  onResult: (plan: number, part: PartResult) => void;
  onBytes?: (progress: DecodeProgress) => void;
}

/** Limit on compressed bytes that were read and are not decoded. */
export const AHEAD_BYTES = 64 * 1024 * 1024;
const COUNTED_AHEAD_BYTES = 16 * 1024 * 1024;

/** Plans the reading of a branch. Throws when it cannot be decoded. */
export function planBranch(
  tree: DataModel,
  which: number | string,
  entries?: EntrySelection,
  raw = false,
): BranchPlan {
  const branch = tree.branch(which);
  const choice = chooseEntries(entries, branch.entries);
  const plan = raw ? tree.rawPlan(branch) : tree.plan(branch);
  return { branch, plan, units: tree.units(branch, choice) };
}

/**
 * Reads and decodes the units of several branches: units that lie close are fetched together, and decoded as
 * one task as soon as they arrive. Units that cannot be read or decoded are reported in the results; the call
 * itself throws ABORTED, and nothing else unless `onResult` throws.
 */
export async function decodeBranches(
  tree: DataModel,
  runner: TaskRunner,
  plans: BranchPlan[],
  options: DecodeOptions,
): Promise<void> {
  if (plans.some(isUncounted)) {
    const indices = indicesOf(plans, options.units?.chosen);
    const counting = async (): Promise<void> => {
      for (const [i, plan] of plans.entries())
        if (isUncounted(plan)) plan.counts = await readCounts(tree, runner, plan, options, indices[i]);
    };
    await Promise.all([readAhead(tree, plans, indices, options.signal), counting()]);
  }
  await new DecodePass(tree, runner, plans, options).run();
}

function isUncounted({ plan, counts }: BranchPlan): boolean {
  return plan.counter >= 0 && !counts;
}

/** For each branch, the indices of its units that are chosen; all when `chosen` is missing. */
function indicesOf(plans: BranchPlan[], chosen: ChosenUnits | undefined): number[][] {
  if (!chosen) return plans.map(({ units }) => [...units.numbers.first.keys()]);
  let before = 0;
  let at = 0;
  return plans.map(({ units }) => {
    const indices: number[] = [];
    const end = before + units.length;
    for (; (chosen[at] ?? end) < end; at++) indices.push((chosen[at] ?? 0) - before);
    before = end;
    return indices;
  });
}

class DecodePass {
  readonly #packed: Float64Array;
  readonly #spares: ArrayBuffer[] = [];
  readonly #progress: DecodeProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };

  constructor(
    readonly tree: DataModel,
    readonly runner: TaskRunner,
    readonly plans: BranchPlan[],
    readonly options: DecodeOptions,
  ) {
    this.#packed = options.units?.packed ?? packUnits(plans.map(({ units }) => units.numbers));
  }

  async run(): Promise<void> {
    const { runner, plans, tree } = this;
    const direct = runner.readsFiles ? directReads(tree.reader) : undefined;
    const gapBytes = direct?.gapBytes ?? 0;
    const tasks = this.#planTasks(gapBytes, this.options.units?.chosen);
    for (const { plan, index } of tasks.bad) {
      const { branch, units } = plans[plan] as BranchPlan;
      const unit = units.at(index);
      const range = unit.ranges.find((one) => !isReadable(one)) ?? { offset: 0, length: 0 };
      this.#fail(plan, index, badUnit(branch, unit, range));
    }
    for (const bytes of tasks.lists.bytes) this.#progress.bytesTotal += bytes;
    this.#progress.entriesTotal = tasks.entries;
    runner.expect?.(this.#progress.bytesTotal);
    const left = direct ? await this.#readThere(tasks, direct) : undefined;
    if (!left || (left.length === tasks.length && gapBytes === 0)) {
      await this.#stream(tasks);
      return;
    }
    if (left.length === 0) return;
    const units = left.flatMap((task) => [...tasks.places(task)]);
    await this.#stream(this.#planTasks(0, tasks.numbersOf(units)));
  }

  #planTasks(gapBytes: number, chosen?: ChosenUnits, alone = this.options.alone): TaskPlan {
    const { concurrency } = this.runner;
    const packed = this.#packed;
    return planTasks(this.tree.core, this.plans, { concurrency, gapBytes, packed, chosen, alone });
  }

  /** Lets the workers read the file; returns the tasks that they could not read, which this thread reads. */
  async #readThere(tasks: TaskPlan, direct: DirectReads): Promise<number[]> {
    const { has, size } = direct;
    const left: number[] = [];
    let next = 0;
    const runTasks = async (): Promise<void> => {
      for (let task = next++; task < tasks.length; task = next++) {
        throwIfAborted(this.options.signal);
        const within = (tasks.lists.fileEnds[task] ?? 0) <= size;
        if (!within || (has && !has(tasks.reads(task)))) {
          left.push(task);
          continue;
        }
        try {
          const work = tasks.fileTask(task, this.options.goal, direct.file);
          const result = await this.#run(work);
          if (distrustUnits(this.#failedOf(tasks, task, result))) {
            left.push(task);
            continue;
          }
          this.#progress.bytesDone += tasks.bytes(task);
          this.#take(tasks, task, result, direct.origin);
        } catch (thrown) {
          if (!READ_ERRORS.has(toXylemError(thrown).code)) throw thrown;
          left.push(task);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.runner.concurrency, tasks.length) }, runTasks));
    return left;
  }

  /** Reads of the workers stand in the trace as those of this thread do, and so does decoding. */
  #trace(tasks: TaskPlan, task: number, { reads, decoded, opened }: DecodeResult, origin: ReadOrigin): void {
    const purpose = this.#purpose;
    const wanted = tasks.bytes(task);
    if (reads) traceReads(this.tree.reader, origin, reads, wanted, purpose);
    const { timeOrigin } = performance;
    const { places, firstEntries, lastEntries } = tasks.lists;
    const entries: [number, number] = [firstEntries[task] ?? 0, lastEntries[task] ?? 0];
    const [queued, done] = [decoded[0] - timeOrigin, decoded[1] - timeOrigin];
    const record = { offset: places[task] ?? 0, wanted, asked: 0, got: wanted, purpose, entries, opened };
    const times = { queued, started: queued, answered: queued, done };
    this.tree.reader.trace.add({ ...record, origin: 'decode', ...times });
  }

  /**
   * Reads tasks in this thread. When a task of several units fails, each of its units is tried again alone.
   */
  async #stream(tasks: TaskPlan, alone = false): Promise<void> {
    const ranges: TaskRead[] = [];
    const runs: TaskRun[] = [];
    const owners: TaskRun[] = [];
    for (let task = 0; task < tasks.length; task++) {
      const reads = tasks.reads(task);
      const run: TaskRun = {
        task,
        reads,
        first: ranges.length,
        parts: [],
        failed: new Map(),
        open: reads.length,
      };
      runs.push(run);
      for (const read of reads) {
        owners.push(run);
        ranges.push(read);
      }
    }
    const again: { plan: number; index: number }[] = [];
    const settle = (index: number, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
      const run = owners[index];
      if (!run) return undefined;
      const slot = index - run.first;
      const read = run.reads[slot] as TaskRead;
      if (!(bytes instanceof Uint8Array)) run.failed.set(slot, bytes);
      else if (bytes.length < read.length) run.failed.set(slot, cutOff(this.tree.reader, read));
      else run.parts[slot] = bytes;
      run.open -= 1;
      if (run.open > 0) return undefined;
      if (run.failed.size === 0) return this.#decode(tasks, run);
      again.push(...this.#sortOut(tasks, run, alone));
      run.parts = [];
      return undefined;
    };
    for (const run of runs) if (run.open === 0) await this.#decode(tasks, run);
    if (ranges.length > 0) {
      await this.tree.reader.stream(ranges, {
        signal: this.options.signal,
        purpose: this.#purpose,
        aheadBytes: AHEAD_BYTES,
        onBytes: (bytes) => {
          this.#progress.bytesDone += bytes;
          this.options.onBytes?.(this.#progress);
        },
        onRange: settle,
        onError: (index, error) => void settle(index, error.toRecord()),
      });
    }
    if (again.length > 0) await this.#stream(this.#planTasks(0, tasks.numbersOf(again), true), true);
  }

  /**
   * Handles a task that could not be read whole: reports the units that cannot be read, and returns those to
   * be tried alone. A range that ends after the end of the file fails only for the units that do.
   */
  #sortOut(
    tasks: TaskPlan,
    { task, reads, failed }: TaskRun,
    alone: boolean,
  ): { plan: number; index: number }[] {
    const again: { plan: number; index: number }[] = [];
    for (const { plan, index, start, end } of tasks.places(task)) {
      let why: ErrorRecord | undefined;
      for (const [slot, error] of failed) {
        const { at, length } = reads[slot] as TaskRead;
        if (at < end && at + length > start) why ??= error;
      }
      if (why && (alone || why.code !== 'TRUNCATED')) this.#fail(plan, index, why);
      else again.push({ plan, index });
    }
    return again;
  }

  async #decode(tasks: TaskPlan, run: TaskRun): Promise<void> {
    const task = tasks.bytesTask(run.task, this.options.goal, run.parts);
    run.parts = [];
    const result = await soundResult(
      await this.#run(task),
      (found) => this.#failedOf(tasks, run.task, found),
      async () => {
        const options = { signal: this.options.signal, purpose: this.#purpose };
        const parts = await this.tree.reader.read(run.reads, options);
        return this.#run(tasks.bytesTask(run.task, this.options.goal, parts));
      },
    );
    this.#take(tasks, run.task, result);
  }

  /** The units of a task that could not be decoded. */
  #failedOf(tasks: TaskPlan, task: number, { failures }: DecodeResult): FailedUnit[] {
    if (failures.length === 0) return [];
    const { reader } = this.tree;
    const places = [...tasks.places(task)];
    return failures.map((failure) => {
      const { plan = 0, index = 0 } = places[failure.unit] ?? {};
      return { reader, failure, ranges: this.plans[plan]?.units.ranges(index) ?? [] };
    });
  }

  #run(task: DecodeTask): Promise<DecodeResult> {
    const spare = this.#spares.pop();
    return this.runner.run(spare ? { ...task, spare } : task, this.options.signal);
  }

  /** Passes the results of a task's parts on. */
  #take(tasks: TaskPlan, task: number, result: DecodeResult, origin: ReadOrigin = 'disk'): void {
    throwIfAborted(this.options.signal);
    this.#trace(tasks, task, result, origin);
    const failures = new Map(result.failures.map(({ unit, error }) => [unit, error]));
    const bins = this.options.goal.kind === 'fill' ? this.options.goal.bins + 3 : 0;
    const parts = tasks.parts(task);
    const columns = result.buffers && columnsOf(this.plans, parts, result.rows, result.buffers);
    const release = result.buffers && this.#releaseOf(result.buffers.bytes, parts.length);
    let before = 0;
    for (const [i, { plan: number, first, count }] of parts.entries()) {
      const rows = result.rows[i] ?? 0;
      const part: PartResult = { number: first, count, rows, failures: [] };
      for (let k = 0; failures.size > 0 && k < count; k++) {
        const error = failures.get(before + k);
        const plan = this.plans[number];
        if (!error || !plan) continue;
        part.failures.push({
          unit: k,
          error: placed(error, this.tree, plan.branch, plan.units.at(first + k)),
        });
      }
      part.unitRows = result.unitRows?.subarray(2 * before, 2 * (before + count));
      part.column = columns?.[i];
      part.release = release;
      if (result.summaries) part.summary = toSummary(result.summaries, SUMMARY_DOUBLES * i);
      part.sketch = result.sketches?.[i];
      if (result.inside) part.inside = toSummary(result.inside, SUMMARY_DOUBLES * i);
      if (result.bins) part.counts = result.bins.subarray(bins * i, bins * (i + 1));
      this.#progress.entriesDone += rows;
      this.options.onResult(number, part);
      before += count;
    }
    this.options.onBytes?.(this.#progress);
  }

  /** Takes memory back as spare once all users have released it. */
  #releaseOf(bytes: ArrayBuffer, users: number): () => void {
    let open = users;
    return () => {
      open -= 1;
      if (open === 0 && this.#spares.length < this.runner.concurrency) this.#spares.push(bytes);
    };
  }

  #fail(plan: number, index: number, error: ErrorRecord): void {
    this.options.onResult(plan, { number: index, count: 1, rows: 0, failures: [{ unit: 0, error }] });
  }

  get #purpose(): string {
    return purposeOf(this.plans);
  }
}

/** The column of each part of a task. Throws INTERNAL. */
function columnsOf(
  plans: readonly BranchPlan[],
  parts: readonly TaskPart[],
  rows: Float64Array,
  packed: PackedBuffers,
): Column[] {
  const buffers = new BufferTaker(packed);
  const columns: Column[] = [];
  for (let i = 0; i < parts.length; i++) {
    const { plan } = plans[(parts[i] as TaskPart).plan] as BranchPlan;
    columns.push(buildColumn(plan.schema, rows[i] ?? 0, buffers));
  }
  buffers.end();
  return columns;
}

/** A task whose bytes are being read. */
interface TaskRun {
  task: number;
  reads: TaskRead[];
  /** Index of its first read among all. */
  first: number;
  /** The bytes that have arrived, by read. */
  parts: Uint8Array[];
  failed: Map<number, ErrorRecord>;
  open: number;
}

function purposeOf(plans: BranchPlan[]): string {
  return plans.length === 1 ? (plans[0]?.branch.path ?? '') : `${plans.length} branches`;
}

/** The lengths of arrays are read together with the first of the arrays, not a round trip before. */
async function readAhead(
  tree: DataModel,
  plans: BranchPlan[],
  indices: number[][],
  signal: AbortSignal | undefined,
): Promise<void> {
  const ranges: Range[] = [];
  let bytes = 0;
  for (const [plan, { units }] of plans.entries()) {
    for (const i of indices[plan] ?? []) {
      if (bytes > COUNTED_AHEAD_BYTES) break;
      for (const range of units.ranges(i).filter(isReadable)) {
        bytes += range.length;
        ranges.push(range);
      }
    }
  }
  await tree.reader.stream(ranges, {
    signal,
    purpose: purposeOf(plans),
    onRange: () => {},
    // A failed range is read again when its bytes are used, and fails or succeeds there.
    onError: () => {},
  });
}

/**
 * Reads the branch that holds the array lengths of another, from the first entry of each of its units on; `indices` are
 * the units that need it.
 */
export async function readCounts(
  tree: DataModel,
  runner: TaskRunner,
  plan: BranchPlan,
  options: CallOptions,
  indices: Iterable<number> = plan.units.numbers.first.keys(),
): Promise<EntryCounts> {
  const { first, to } = plan.units.numbers;
  const ranges = Array.from(indices, (i): EntryRange => [first[i] ?? 0, (first[i] ?? 0) + (to[i] ?? 0)]);
  const parts: PartResult[] = [];
  let failure: ErrorRecord | undefined;
  await decodeBranches(tree, runner, [planBranch(tree, plan.plan.counter, ranges)], {
    signal: options.signal,
    goal: { kind: 'columns' },
    onResult: (_plan, part) => {
      failure ??= part.failures[0]?.error;
      parts.push(part);
    },
  });
  if (failure) throw new XylemError({ ...failure, cause: undefined });
  return entryCounts(columnsInOrder(parts), ranges);
}

/** Joins the columns of a branch's parts in entry order. */
export function columnsInOrder(parts: PartResult[]): Column[] {
  if (parts.length > 1) parts.sort((a, b) => a.number - b.number);
  const columns: Column[] = [];
  for (const { column } of parts) if (column) columns.push(column);
  return columns;
}

/** The error of a range of which fewer bytes came, because the file ends within it. */
export function cutOff({ source }: ByteReader, { offset, length }: Range): ErrorRecord {
  return pastTheEnd(source.name, offset, length, source.info().size).toRecord();
}

export function isReadable({ offset, length }: Range): boolean {
  return offset >= 0 && length > 0 && Number.isSafeInteger(offset + length);
}

export function badUnit(branch: BranchInfo, unit: DecodeUnit, range: Range): ErrorRecord {
  return new XylemError({
    code: 'CORRUPT',
    message: `${unit.name} of ${branch.path} claims ${range.length} bytes at byte ${range.offset}.`,
    where: { path: branch.path, offset: range.offset },
    fix: 'The tree may not have been closed properly.',
  }).toRecord();
}

/** Converts offsets of the core, which count from the unit's origin. */
export function placed(
  error: ErrorRecord,
  tree: DataModel,
  branch: BranchInfo,
  unit: DecodeUnit | undefined,
): ErrorRecord {
  const offset = (error.where?.offset ?? 0) + (unit?.origin ?? 0);
  return {
    ...error,
    where: { path: `${tree.info.path}/${branch.path}`, offset, length: unit ? unitBytes(unit) : 0 },
    message: `${unit?.name} of ${branch.path}: ${error.message}`,
  };
}
