import type { CallOptions } from '../api/api';
import { throwIfAborted } from '../base/abort';
import { type ErrorRecord, toXylemError } from '../base/errors';
import type { ByteReader } from '../io/fetch/reader';
import { pastTheEnd } from '../io/ranges';
import type { Range } from '../io/source';
import type { DecodePhases } from '../io/trace';
import { DirectReads, READ_ERRORS } from './direct';
import type { TaskPlan, TaskRead } from './plan';
import { distrustUnits, type FailedUnit, soundResult } from './sound-units';
import type { Task, TaskResult } from './task';
import { makeTask, type TaskContent, TaskResults } from './task-message';
import type { PassProgress, TaskRunner } from './types';

/** Maximum number of compressed bytes that were read and have not been decoded. */
export const AHEAD_BYTES = 64 * 1024 * 1024;

/**
 * Divides a pass into tasks: `BranchWork` by offset in the file, `EntryWork` by entries. Everything else about running
 * tasks is in `TaskReader`.
 */
export interface TaskWork {
  readonly plan: TaskPlan;
  /** Whether each unit is read separately, so that a failed read affects only this unit. */
  readonly alone: boolean;
  /** Returns the content of a task without its units and bytes. */
  content(task: number): TaskContent;
  /** Gives the results of a task to the goals. */
  take(task: number, results: TaskResults, release: () => void): void;
  /** Reports units of a task that cannot be read, by their index in the task. The task was not run. */
  lose(task: number, failed: ReadonlyMap<number, ErrorRecord>): void;
  /** Returns a work with only these tasks, with reads for this thread. */
  some(tasks: readonly number[]): TaskWork;
  /**
   * Called when all tasks are done. Returns tasks with the remaining units of tasks that failed; undefined if none
   * failed.
   */
  rest(): TaskWork | undefined;
}

export interface ReadTasksOptions extends CallOptions {
  purpose: string;
  onBytes?: ((progress: PassProgress) => void) | undefined;
}

/**
 * Runs the tasks of all passes. It fetches units that are close to each other together, and runs a task as soon as its
 * bytes have arrived. Only this class knows whether workers read the files themselves. It retries failed units, keeps
 * memory for the next task, and reports to the trace and the progress. The work determines which units a task has.
 */
export class TaskReader {
  readonly progress: PassProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  readonly #spares: ArrayBuffer[] = [];

  constructor(
    readonly runner: TaskRunner,
    /** The files. The reads of tasks contain their indices. */
    readonly readers: readonly ByteReader[],
    readonly options: ReadTasksOptions,
  ) {}

  /** Files that workers read themselves; undefined if they do not. */
  get direct(): DirectReads | undefined {
    return this.runner.readsFiles ? DirectReads.of(this.readers) : undefined;
  }

  /** Gaps of up to this many bytes are read over within a task. */
  get gapBytes(): number {
    return (this.runner.record ?? this.direct)?.gapBytes ?? 0;
  }

  /** Runs all tasks. Throws ABORTED and the errors of the work. */
  async run(work: TaskWork): Promise<void> {
    const { record } = this.runner;
    if (record) return record.take(work.plan);
    const bytes = this.#expect(work);
    this.runner.expect?.(bytes);
    const { direct } = this;
    if (!direct) return await this.#streamAll(work);
    const left = await this.#readThere(work, direct);
    const some = left.length > 0 ? work.some(left) : undefined;
    if (some) await this.#streamAll(some);
    if (some !== work) await this.#tryAgain(work);
  }

  /** Adds the bytes of tasks to the total of the progress. Returns the number of bytes. */
  #expect({ plan }: TaskWork): number {
    let bytes = 0;
    for (let task = 0; task < plan.length; task++) bytes += plan.bytes(task);
    this.progress.bytesTotal += bytes;
    return bytes;
  }

  /** Reads tasks in this thread, and then again those with units that failed. */
  async #streamAll(work: TaskWork): Promise<void> {
    await this.#stream(work);
    await this.#tryAgain(work);
  }

  async #tryAgain(work: TaskWork): Promise<void> {
    const rest = work.rest();
    if (!rest) return;
    this.#expect(rest);
    await this.#streamAll(rest);
  }

  /** Lets workers read the files. Returns the tasks that they could not read, for this thread to read. */
  async #readThere(work: TaskWork, direct: DirectReads): Promise<number[]> {
    const { plan } = work;
    const { files } = direct;
    const left: number[] = [];
    let next = 0;
    const runTasks = async (): Promise<void> => {
      for (let task = next++; task < plan.length; task = next++) {
        throwIfAborted(this.options.signal);
        if (!direct.has(plan.reads(task))) {
          left.push(task);
          continue;
        }
        try {
          const built = makeTask(plan, task, work.content(task), plan.directInput(task, files));
          const result = await this.#run(built);
          if (result.failures.length > 0 && distrustUnits(this.#failedOf(plan, task, result))) {
            left.push(task);
            continue;
          }
          this.progress.bytesDone += plan.bytes(task);
          if (result.reads) direct.trace(result.reads, plan.bytes(task), this.options.purpose);
          this.#take(work, task, built, result);
        } catch (thrown) {
          if (!READ_ERRORS.has(toXylemError(thrown).code)) throw thrown;
          left.push(task);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.runner.concurrency, plan.length) }, runTasks));
    return left;
  }

  /** Reads the bytes of tasks in this thread. */
  async #stream(work: TaskWork): Promise<void> {
    const { plan } = work;
    const { readers, progress } = this;
    const { signal, purpose, onBytes } = this.options;
    const streams = readers.map((): Stream => ({ ranges: [], targets: [] }));
    const running: Promise<void>[] = [];
    for (let task = 0; task < plan.length; task++) {
      const reads = plan.reads(task);
      const open: OpenTask = { task, reads, bytes: [], failed: new Map(), left: reads.length };
      for (const [slot, read] of reads.entries()) {
        streams[read.file]?.ranges.push(read);
        streams[read.file]?.targets.push({ open, slot });
      }
      if (reads.length === 0) await this.#finish(work, open);
    }
    const settle = (
      file: number,
      index: number,
      bytes: Uint8Array | ErrorRecord,
    ): Promise<void> | undefined => {
      const target = streams[file]?.targets[index];
      const read = target?.open.reads[target.slot];
      if (!target || !read) return undefined;
      const { open, slot } = target;
      if (!(bytes instanceof Uint8Array)) open.failed.set(slot, bytes);
      else if (bytes.length < read.length) open.failed.set(slot, cutOff(readers[file] as ByteReader, read));
      else open.bytes[slot] = bytes;
      open.left -= 1;
      return open.left === 0 ? this.#finish(work, open) : undefined;
    };
    await Promise.all(
      streams.map(({ ranges }, file) =>
        readers[file]?.stream(ranges, {
          signal,
          purpose,
          aheadBytes: AHEAD_BYTES,
          onBytes: (count) => {
            progress.bytesDone += count;
            onBytes?.(progress);
          },
          onRange: (index, bytes) => settle(file, index, bytes),
          onError: (index, error) => {
            const done = settle(file, index, error.toRecord());
            if (done) running.push(done);
          },
        }),
      ),
    );
    await Promise.all(running);
  }

  /** Runs a task whose bytes have arrived, or reports the units whose bytes cannot be read. */
  async #finish(work: TaskWork, open: OpenTask): Promise<void> {
    const { plan } = work;
    const { task, reads, failed } = open;
    if (failed.size > 0) {
      open.bytes = [];
      work.lose(task, unreadUnits(work, open));
      return;
    }
    const run = async (bytes: readonly Uint8Array[]) => {
      const built = makeTask(plan, task, work.content(task), plan.bytesInput(task, bytes));
      return { built, result: await this.#run(built) };
    };
    const { bytes } = open;
    open.bytes = [];
    const { built, result } = await soundResult(
      await run(bytes),
      (found) => this.#failedOf(plan, task, found.result),
      async () => run(await this.#readAgain(reads)),
    );
    this.#take(work, task, built, result);
  }

  /** Reads the bytes of a task again: distrusted bytes come from the source, all others from memory. */
  async #readAgain(reads: readonly TaskRead[]): Promise<Uint8Array[]> {
    const { signal, purpose } = this.options;
    const bytes: Uint8Array[] = [];
    for (const [file, reader] of this.readers.entries()) {
      const own = reads.filter((read) => read.file === file);
      const read = await reader.read(own, { signal, purpose });
      for (const [i, one] of own.entries()) bytes[reads.indexOf(one)] = read[i] ?? new Uint8Array(0);
    }
    return bytes;
  }

  /** Returns the units of a task that could not be decoded. */
  #failedOf(plan: TaskPlan, task: number, { failures }: TaskResult): FailedUnit[] {
    if (failures.length === 0) return [];
    const places = [...plan.places(task)];
    return failures.flatMap((failure) => {
      const { list = 0, index = 0 } = places[failure.unit] ?? {};
      const source = plan.sources[list];
      return source ? [{ reader: source.tree.reader, failure, ranges: source.scan.units.ranges(index) }] : [];
    });
  }

  #run(task: Task): Promise<TaskResult> {
    const spare = this.#spares.pop();
    return this.runner.run(spare ? { ...task, spare } : task, this.options.signal);
  }

  #take(work: TaskWork, task: number, built: Task, result: TaskResult): void {
    const { signal, onBytes } = this.options;
    throwIfAborted(signal);
    this.#trace(work.plan, task, built, result);
    work.take(task, new TaskResults(built.goals, result), this.#releaseOf(result.buffers?.bytes));
    onBytes?.(this.progress);
  }

  /** Adds the decoding of a task to the trace of the first file. */
  #trace(plan: TaskPlan, task: number, built: Task, { decoded, opened, phases }: TaskResult): void {
    const { timeOrigin } = performance;
    const { purpose } = this.options;
    const wanted = plan.bytes(task);
    const entries = plan.entries(task);
    const [queued, done] = [decoded[0] - timeOrigin, decoded[1] - timeOrigin];
    const record = { offset: plan.lists.places[task] ?? 0, wanted, asked: 0, got: wanted, purpose };
    const times = { queued, started: queued, answered: queued, done };
    const work = phasesOf(plan, task, built, phases);
    this.readers[0]?.trace.add({
      ...record,
      ...{ entries, opened, phases: work, origin: 'decode' },
      ...times,
    });
  }

  /** Returns a function that keeps released memory for the next task. */
  #releaseOf(bytes: ArrayBuffer | undefined): () => void {
    return () => {
      if (bytes && this.#spares.length < this.runner.concurrency) this.#spares.push(bytes);
    };
  }
}

/** Maximum number of columns of a task with their own record in the trace. All faster columns share one record. */
const MAX_PHASES = 32;

/** Returns the decoding times of a task by branch: see `TaskResult.phases`. */
function phasesOf(plan: TaskPlan, task: number, { parts }: Task, phases: Float64Array): DecodePhases[] {
  // A task may have thousands of columns. Only those with their own record get an object.
  const lists = plan.columnLists(task, parts);
  const totals = new Float64Array(lists.length);
  const at = (i: number): number => phases[i] ?? 0;
  for (let i = 0; i < totals.length; i++) totals[i] = at(3 * i) + at(3 * i + 1) + at(3 * i + 2);
  const least = totals.length > MAX_PHASES ? totals.slice().sort()[totals.length - MAX_PHASES] : 0;
  const found: DecodePhases[] = [];
  const rest = { branch: '', decompress: 0, decode: 0, fill: at(3 * totals.length) };
  for (let i = 0; i < totals.length; i++) {
    const isAlone = (totals[i] ?? 0) >= (least ?? 0) && found.length < MAX_PHASES;
    let one = rest;
    if (isAlone) {
      const branch = plan.sources[lists[i] ?? 0]?.scan.branch.path ?? '';
      one = { branch, decompress: 0, decode: 0, fill: 0 };
      found.push(one);
    }
    one.decompress += at(3 * i);
    one.decode += at(3 * i + 1);
    one.fill += at(3 * i + 2);
  }
  if (rest.decompress + rest.decode + rest.fill > 0) found.push(rest);
  return found;
}

/** A task whose bytes are being read. */
interface OpenTask {
  task: number;
  reads: TaskRead[];
  /** The bytes that have arrived, by index of the read. */
  bytes: Uint8Array[];
  failed: Map<number, ErrorRecord>;
  /** Number of reads that have not arrived. */
  left: number;
}

/** The reads from one file, with the task of each. */
interface Stream {
  ranges: TaskRead[];
  targets: { open: OpenTask; slot: number }[];
}

/**
 * Returns the units of a task that cannot be read, with their errors. A range that extends past the end of the file
 * concerns only some of its units. Reading each unit separately shows which.
 */
function unreadUnits({ plan, alone }: TaskWork, { task, reads, failed }: OpenTask): Map<number, ErrorRecord> {
  const lost = new Map<number, ErrorRecord>();
  let k = 0;
  for (const { start, end } of plan.places(task)) {
    let why: ErrorRecord | undefined;
    for (const [slot, error] of failed) {
      const { at, length } = reads[slot] as TaskRead;
      if (at < end && at + length > start) why ??= error;
    }
    if (why && (alone || why.code !== 'TRUNCATED')) lost.set(k, why);
    k += 1;
  }
  return lost;
}

/** Returns the error of a range with too few bytes, because the file ends within it. */
function cutOff({ source }: ByteReader, { offset, length }: Range): ErrorRecord {
  return pastTheEnd(source.name, offset, length, source.info().size).toRecord();
}
