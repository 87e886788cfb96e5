import { throwIfAborted } from '../base/abort';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import { SUMMARY_DOUBLES, type Summary, toSummary } from '../core/summary';
import type { Survey } from '../core/survey';
import type { DecodePlan } from '../core/tree-core';
import { pastTheEnd } from '../io/ranges';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';
import type { BranchInfo, CallOptions, EntryRange, EntrySelection } from './api';
import { type DataModel, pieceBytes, type WantedPiece } from './data-model';
import type { DecodeResult, DecodeTask, TaskGoal } from './decode-task';
import { type DirectReads, directReads, READ_ERRORS, traceReads } from './direct';
import { chooseEntries } from './entry-choice';
import { type EntryCounts, entryCounts } from './entry-counts';
import type { PieceList } from './piece-list';
import type { QueryResult, QueryTask } from './query-task';
import { cutIntoTasks, type TaskCut, type TaskRead } from './task-cut';

/** Does decode tasks: in this thread, or in a pool of workers. */
export interface TaskRunner {
  /** Takes the task's bytes over. */
  run(task: DecodeTask, signal: AbortSignal | undefined): Promise<DecodeResult>;
  /** Evaluates expressions over several branches; takes the task's bytes over. */
  query(task: QueryTask, signal: AbortSignal | undefined): Promise<QueryResult>;
  /** Tasks that may usefully be under way at once. */
  readonly lanes: number;
  /** Whether it reads what `ByteSource.direct` names. */
  readonly readsFiles: boolean;
  /** Told before the first task of a scan how many bytes there are in all. */
  expect?(bytes: number): void;
}

/** A branch to be read: what decodes it and which pieces. */
export interface BranchScan {
  branch: BranchInfo;
  plan: DecodePlan;
  pieces: PieceList;
  /** Counts of the arrays, where another branch holds them. */
  counts?: EntryCounts | undefined;
}

export interface ScanProgress {
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
}

/** What came of some pieces of a scan that follow each other. */
export interface PartResult {
  /** Number of the first piece: parts of one scan come in any order. */
  number: number;
  /** How many pieces. */
  count: number;
  rows: number;
  column?: Column | undefined;
  summary?: Summary | undefined;
  /** Summary of the values within the range of a fill, and its counts (underflow, bins, overflow, NaN). */
  inside?: Summary | undefined;
  counts?: Float64Array | undefined;
  survey?: Survey | undefined;
  /** Of a `verify`: entries of each piece. */
  pieceRows?: Float64Array | undefined;
  /** Pieces that failed, counted from the first. */
  failures: { piece: number; error: ErrorRecord }[];
}

export interface ScanOptions extends CallOptions {
  goal: TaskGoal;
  onResult: (scan: number, part: PartResult) => void;
  onBytes?: (progress: ScanProgress) => void;
}

/** Compressed bytes that may be ahead of decoding. */
export const AHEAD_BYTES = 64 * 1024 * 1024;
const COUNTED_AHEAD_BYTES = 16 * 1024 * 1024;

/** Plans the reading of a branch. Throws what keeps it from being decoded. */
export function planBranch(
  tree: DataModel,
  which: number | string,
  entries?: EntrySelection,
  raw = false,
): BranchScan {
  const branch = tree.branch(which);
  const choice = chooseEntries(entries, branch.entries);
  const plan = raw ? tree.rawPlan(branch) : tree.plan(branch);
  return { branch, plan, pieces: tree.pieces(branch, choice) };
}

/**
 * Reads and decodes the pieces of several branches: what lies close is fetched together, and decoded
 * as one task as soon as it is there. Pieces that cannot be read or decoded are reported in the
 * results; the call itself throws ABORTED, and nothing else unless `onResult` throws.
 */
export async function scanBranches(
  tree: DataModel,
  runner: TaskRunner,
  scans: BranchScan[],
  options: ScanOptions,
): Promise<void> {
  const uncounted = scans.filter((scan) => scan.plan.counter >= 0 && !scan.counts);
  if (uncounted.length > 0) {
    const counting = async (): Promise<void> => {
      for (const scan of uncounted) scan.counts = await readCounts(tree, runner, scan, options);
    };
    await Promise.all([readAhead(tree, scans, options.signal), counting()]);
  }
  await new Scan(tree, runner, scans, options).run();
}

class Scan {
  readonly #progress: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };

  constructor(
    readonly tree: DataModel,
    readonly runner: TaskRunner,
    readonly scans: BranchScan[],
    readonly options: ScanOptions,
  ) {}

  async run(): Promise<void> {
    const { runner, scans, tree } = this;
    for (const { pieces } of scans)
      for (const rows of pieces.numbers.rows) this.#progress.entriesTotal += rows;
    const direct = runner.readsFiles ? directReads(tree.reader) : undefined;
    const gapBytes = direct?.gapBytes ?? 0;
    const cut = this.#cut(gapBytes);
    for (const { scan, index } of cut.bad) {
      const { branch, pieces } = scans[scan] as BranchScan;
      const piece = pieces.at(index);
      const range = piece.ranges.find((one) => !isReadable(one)) ?? { offset: 0, length: 0 };
      this.#fail(scan, index, badPiece(branch, piece, range));
    }
    for (const bytes of cut.lists.bytes) this.#progress.bytesTotal += bytes;
    runner.expect?.(this.#progress.bytesTotal);
    const left = direct ? await this.#readThere(cut, direct) : undefined;
    if (!left || (left.length === cut.length && gapBytes === 0)) {
      await this.#stream(cut);
      return;
    }
    if (left.length === 0) return;
    const pieces = left.flatMap((task) => [...cut.places(task)]);
    await this.#stream(this.#cut(0, cut.numbersOf(pieces)));
  }

  #cut(gapBytes: number, chosen?: Float64Array, alone = false): TaskCut {
    const { runner, scans, tree } = this;
    return cutIntoTasks(tree.core, scans, { lanes: runner.lanes, gapBytes, chosen, alone });
  }

  /** Lets the workers read the file; gives back the tasks that they could not read, to be read here. */
  async #readThere(cut: TaskCut, direct: DirectReads): Promise<number[]> {
    const { has, size } = direct;
    const left: number[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let task = next++; task < cut.length; task = next++) {
        throwIfAborted(this.options.signal);
        const within = (cut.lists.fileEnds[task] ?? 0) <= size;
        if (!within || (has && !has(cut.reads(task)))) {
          left.push(task);
          continue;
        }
        try {
          const work = cut.fileTask(task, this.options.goal, direct.file);
          const result = await this.runner.run(work, this.options.signal);
          this.#progress.bytesDone += cut.bytes(task);
          this.#take(cut, task, result, direct.origin);
        } catch (thrown) {
          if (!READ_ERRORS.has(toXylemError(thrown).code)) throw thrown;
          left.push(task);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.runner.lanes, cut.length) }, lane));
    return left;
  }

  /** Reads of the workers stand in the trace as those of this thread do, and so does decoding. */
  #trace(cut: TaskCut, task: number, { reads, decoded }: DecodeResult, origin: ReadOrigin): void {
    const purpose = this.#purpose;
    const wanted = cut.bytes(task);
    if (reads) traceReads(this.tree.reader, origin, reads, wanted, purpose);
    const { timeOrigin } = performance;
    const { places, firstEntries, lastEntries } = cut.lists;
    const entries: [number, number] = [firstEntries[task] ?? 0, lastEntries[task] ?? 0];
    const [queued, done] = [decoded[0] - timeOrigin, decoded[1] - timeOrigin];
    const record = { offset: places[task] ?? 0, wanted, asked: 0, got: wanted, purpose, entries };
    const times = { queued, started: queued, answered: queued, done };
    this.tree.reader.trace.add({ ...record, origin: 'decode', ...times });
  }

  /** Reads tasks here. What fails of one of several pieces is tried again, each piece alone. */
  async #stream(cut: TaskCut, alone = false): Promise<void> {
    const ranges: TaskRead[] = [];
    const runs: TaskRun[] = [];
    const owners: TaskRun[] = [];
    for (let task = 0; task < cut.length; task++) {
      const reads = cut.reads(task);
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
    const again: { scan: number; index: number }[] = [];
    const settle = (index: number, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
      const run = owners[index];
      if (!run) return undefined;
      const slot = index - run.first;
      const { offset, length } = run.reads[slot] as TaskRead;
      if (!(bytes instanceof Uint8Array)) run.failed.set(slot, bytes);
      else if (bytes.length < length) run.failed.set(slot, this.#cutOff(offset, length));
      else run.parts[slot] = bytes;
      run.open -= 1;
      if (run.open > 0) return undefined;
      if (run.failed.size === 0) return this.#decode(cut, run);
      again.push(...this.#sortOut(cut, run, alone));
      run.parts = [];
      return undefined;
    };
    for (const run of runs) if (run.open === 0) await this.#decode(cut, run);
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
    if (again.length > 0) await this.#stream(this.#cut(0, cut.numbersOf(again), true), true);
  }

  /**
   * Of a task that could not be read whole: fails the pieces that have no hope, and gives those that
   * are to be tried alone. A range that ends behind the file fails only for the pieces that do.
   */
  #sortOut(
    cut: TaskCut,
    { task, reads, failed }: TaskRun,
    alone: boolean,
  ): { scan: number; index: number }[] {
    const again: { scan: number; index: number }[] = [];
    for (const { scan, index, start, end } of cut.places(task)) {
      let why: ErrorRecord | undefined;
      for (const [slot, error] of failed) {
        const { at, length } = reads[slot] as TaskRead;
        if (at < end && at + length > start) why ??= error;
      }
      if (why && (alone || why.code !== 'TRUNCATED')) this.#fail(scan, index, why);
      else again.push({ scan, index });
    }
    return again;
  }

  #cutOff(offset: number, length: number): ErrorRecord {
    const { source } = this.tree.reader;
    return pastTheEnd(source.name, offset, length, source.info().size).toRecord();
  }

  async #decode(cut: TaskCut, run: TaskRun): Promise<void> {
    const task = cut.bytesTask(run.task, this.options.goal, run.parts);
    run.parts = [];
    this.#take(cut, run.task, await this.runner.run(task, this.options.signal));
  }

  /** Hands the results of a task's parts on. */
  #take(cut: TaskCut, task: number, result: DecodeResult, origin: ReadOrigin = 'disk'): void {
    throwIfAborted(this.options.signal);
    this.#trace(cut, task, result, origin);
    const failures = new Map(result.failures.map(({ piece, error }) => [piece, error]));
    const bins = this.options.goal.kind === 'fill' ? this.options.goal.bins + 3 : 0;
    let before = 0;
    for (const [i, { scan: number, first, count }] of cut.parts(task).entries()) {
      const scan = this.scans[number] as BranchScan;
      const rows = result.rows[i] ?? 0;
      const part: PartResult = { number: first, count, rows, failures: [] };
      for (let k = 0; failures.size > 0 && k < count; k++) {
        const error = failures.get(before + k);
        if (!error) continue;
        part.failures.push({
          piece: k,
          error: placed(error, this.tree, scan.branch, scan.pieces.at(first + k)),
        });
      }
      part.pieceRows = result.pieceRows?.subarray(before, before + count);
      if (result.buffers) part.column = buildColumn(scan.plan.schema, rows, result.buffers[i] ?? []);
      if (result.summaries) part.summary = toSummary(result.summaries, SUMMARY_DOUBLES * i);
      part.survey = result.surveys?.[i];
      if (result.inside) part.inside = toSummary(result.inside, SUMMARY_DOUBLES * i);
      if (result.bins) part.counts = result.bins.subarray(bins * i, bins * (i + 1));
      this.#progress.entriesDone += rows;
      this.options.onResult(number, part);
      before += count;
    }
    this.options.onBytes?.(this.#progress);
  }

  #fail(scan: number, index: number, error: ErrorRecord): void {
    this.options.onResult(scan, { number: index, count: 1, rows: 0, failures: [{ piece: 0, error }] });
  }

  get #purpose(): string {
    return purposeOf(this.scans);
  }
}

/** A task whose bytes are coming. */
interface TaskRun {
  task: number;
  reads: TaskRead[];
  /** Index of the first of them among all. */
  first: number;
  /** What has come, by read. */
  parts: Uint8Array[];
  failed: Map<number, ErrorRecord>;
  open: number;
}

function purposeOf(scans: BranchScan[]): string {
  return scans.length === 1 ? (scans[0]?.branch.path ?? '') : `${scans.length} branches`;
}

/** The counts are read with the first of what they count, not a round trip before. */
async function readAhead(
  tree: DataModel,
  scans: BranchScan[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const ranges: Range[] = [];
  let bytes = 0;
  for (const { pieces } of scans) {
    for (let i = 0; i < pieces.length && bytes <= COUNTED_AHEAD_BYTES; i++) {
      for (const range of pieces.ranges(i).filter(isReadable)) {
        bytes += range.length;
        ranges.push(range);
      }
    }
  }
  await tree.reader.stream(ranges, {
    signal,
    purpose: purposeOf(scans),
    onRange: () => {},
    // It is asked for again where its bytes are used, and fails or succeeds there.
    onError: () => {},
  });
}

/** The numbers of the branch that counts the arrays of another, of its pieces from the first entry on. */
export async function readCounts(
  tree: DataModel,
  runner: TaskRunner,
  scan: BranchScan,
  options: CallOptions,
): Promise<EntryCounts> {
  const ranges: EntryRange[] = Array.from(scan.pieces, ({ first, to }) => [first, first + to]);
  const parts: PartResult[] = [];
  let failure: ErrorRecord | undefined;
  await scanBranches(tree, runner, [planBranch(tree, scan.plan.counter, ranges)], {
    signal: options.signal,
    goal: { kind: 'columns' },
    onResult: (_scan, part) => {
      failure ??= part.failures[0]?.error;
      parts.push(part);
    },
  });
  if (failure) throw new XylemError({ ...failure, cause: undefined });
  return entryCounts(columnsInOrder(parts), ranges);
}

/** The columns of a scan's parts in entry order. */
export function columnsInOrder(parts: PartResult[]): Column[] {
  return parts.sort((a, b) => a.number - b.number).flatMap(({ column }) => (column ? [column] : []));
}

export function isReadable({ offset, length }: Range): boolean {
  return offset >= 0 && length > 0 && Number.isSafeInteger(offset + length);
}

export function badPiece(branch: BranchInfo, piece: WantedPiece, range: Range): ErrorRecord {
  return new XylemError({
    code: 'CORRUPT',
    message: `${piece.name} of ${branch.path} claims ${range.length} bytes at byte ${range.offset}.`,
    where: { path: branch.path, offset: range.offset },
    fix: 'The tree may not have been closed properly.',
  }).toRecord();
}

/** The core counts offsets from the piece's origin. */
export function placed(
  error: ErrorRecord,
  tree: DataModel,
  branch: BranchInfo,
  piece: WantedPiece | undefined,
): ErrorRecord {
  const offset = (error.where?.offset ?? 0) + (piece?.origin ?? 0);
  return {
    ...error,
    where: { path: `${tree.info.path}/${branch.path}`, offset, length: piece ? pieceBytes(piece) : 0 },
    message: `${piece?.name} of ${branch.path}: ${error.message}`,
  };
}
