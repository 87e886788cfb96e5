import { throwIfAborted } from '../base/abort';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import { SUMMARY_DOUBLES, type Summary, toSummary } from '../core/summary';
import type { Survey } from '../core/survey';
import type { DecodePlan } from '../core/tree-core';
import type { Range } from '../io/source';
import type { BranchInfo, CallOptions, EntryRange, EntrySelection } from './api';
import { type DataModel, pieceBytes, type WantedPiece } from './data-model';
import type { DecodeResult, DecodeTask, TaskGoal } from './decode-task';
import { chooseEntries } from './entry-choice';
import { type EntryCounts, entryCounts } from './entry-counts';
import type { QueryResult, QueryTask } from './query-task';
import { cutIntoTasks, draftOf, type PieceRef, type TaskDraft, taskOfBytes, taskOfFile } from './task-cut';

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
  pieces: WantedPiece[];
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
  rows: number;
  column?: Column | undefined;
  summary?: Summary | undefined;
  /** Summary of the values within the range of a fill, and its counts (underflow, bins, overflow, NaN). */
  inside?: Summary | undefined;
  counts?: Float64Array | undefined;
  survey?: Survey | undefined;
  pieces: readonly WantedPiece[];
  /** Of a `verify`: entries of each piece. */
  pieceRows?: Float64Array | undefined;
  /** Pieces that failed, by their index in `pieces`. */
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
    const { runner, tree } = this;
    const refs: PieceRef[] = [];
    for (const [scan, { branch, pieces }] of this.scans.entries()) {
      for (const [index, piece] of pieces.entries()) {
        this.#progress.entriesTotal += piece.rows;
        const bad = piece.ranges.find((range) => !isReadable(range));
        if (bad) this.#fail(scan, index, badPiece(branch, piece, bad));
        else {
          const bytes = pieceBytes(piece);
          this.#progress.bytesTotal += bytes;
          refs.push({ scan, index, piece, place: piece.ranges[0]?.offset ?? 0, bytes });
        }
      }
    }
    runner.expect?.(this.#progress.bytesTotal);
    const drafts = cutIntoTasks(refs, runner.lanes);
    const { direct } = tree.reader.source;
    const left = runner.readsFiles && direct !== undefined ? await this.#readThere(drafts, direct) : drafts;
    if (left.length > 0) await this.#stream(left);
  }

  /** Lets the workers read the file; gives back what they could not read, to be read here. */
  async #readThere(drafts: TaskDraft[], direct: unknown): Promise<TaskDraft[]> {
    const size = this.tree.reader.source.info().size ?? 0;
    const left: TaskDraft[] = [];
    const queue = drafts.values();
    const lane = async (): Promise<void> => {
      for (const draft of queue) {
        throwIfAborted(this.options.signal);
        const within = draft.refs.every(({ piece }) =>
          piece.ranges.every(({ offset, length }) => offset + length <= size),
        );
        if (!within) {
          left.push(draft);
          continue;
        }
        try {
          const task = taskOfFile(draft, this.scans, this.options.goal, direct);
          const result = await this.runner.run(task, this.options.signal);
          this.#progress.bytesDone += draft.bytes;
          this.#take(draft, result);
        } catch (thrown) {
          if (!READ_ERRORS.has(toXylemError(thrown).code)) throw thrown;
          left.push(draft);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.runner.lanes, drafts.length) }, lane));
    return left;
  }

  /** Reads of the workers stand in the trace as those of this thread do, and so does decoding. */
  #trace({ refs, bytes }: TaskDraft, { reads, decoded }: DecodeResult): void {
    const { trace, source } = this.tree.reader;
    const purpose = this.#purpose;
    const times = (from: number, until: number) => {
      const started = from - performance.timeOrigin;
      return { queued: started, started, answered: started, done: until - performance.timeOrigin };
    };
    const origin = source.origin ?? 'disk';
    let total = 0;
    for (let i = 1; reads && i < reads.length; i += 4) total += reads[i] ?? 0;
    for (let i = 0, left = bytes; reads && i < reads.length; i += 4) {
      const got = reads[i + 1] ?? 0;
      const wanted = i + 4 < reads.length ? Math.round((bytes * got) / total) : left;
      left -= wanted;
      const started = (reads[i + 2] ?? 0) - performance.timeOrigin;
      const done = (reads[i + 3] ?? 0) - performance.timeOrigin;
      const [offset, asked, queued, answered] = [reads[i] ?? 0, got, started, started];
      trace.add({ offset, wanted, asked, got, origin, purpose, queued, started, answered, done });
    }
    if (refs.length === 0) return;
    let offset = Number.POSITIVE_INFINITY;
    const entries: [number, number] = [Number.POSITIVE_INFINITY, 0];
    for (const { piece, place } of refs) {
      offset = Math.min(offset, place);
      entries[0] = Math.min(entries[0], piece.first + piece.from);
      entries[1] = Math.max(entries[1], piece.first + piece.to);
    }
    const record = { offset, wanted: bytes, asked: 0, got: bytes, purpose, entries };
    trace.add({ ...record, origin: 'decode', ...times(...decoded) });
  }

  async #stream(drafts: TaskDraft[]): Promise<void> {
    const ranges: Range[] = [];
    const runs: StreamRun[] = [];
    const targets: { run: StreamRun; slot: number; part: number }[] = [];
    for (const draft of drafts) {
      const run: StreamRun = { draft, parts: [], failed: new Map(), open: 0 };
      runs.push(run);
      for (const [slot, { piece }] of draft.refs.entries()) {
        const parts: Uint8Array[] = piece.head ? [piece.head()] : [];
        run.parts.push(parts);
        run.open += piece.ranges.length;
        for (const range of piece.ranges) {
          targets.push({ run, slot, part: parts.length });
          parts.push(NOTHING);
          ranges.push(range);
        }
      }
    }
    const settle = (index: number, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
      const target = targets[index];
      if (!target) return undefined;
      const { run, slot, part } = target;
      const parts = run.parts[slot];
      if (!(bytes instanceof Uint8Array)) run.failed.set(slot, bytes);
      else if (parts) parts[part] = bytes;
      run.open -= 1;
      return run.open === 0 ? this.#decode(run) : undefined;
    };
    for (const run of runs) if (run.open === 0) await this.#decode(run);
    if (ranges.length === 0) return;
    const lost: Promise<void>[] = [];
    await this.tree.reader.stream(ranges, {
      signal: this.options.signal,
      purpose: this.#purpose,
      aheadBytes: AHEAD_BYTES,
      onBytes: (bytes) => {
        this.#progress.bytesDone += bytes;
        this.options.onBytes?.(this.#progress);
      },
      onRange: (index, bytes) => settle(index, bytes),
      onError: (index, error) => {
        const decoding = settle(index, error.toRecord());
        if (decoding) lost.push(decoding);
      },
    });
    await Promise.all(lost);
  }

  async #decode({ draft, parts, failed }: StreamRun): Promise<void> {
    let readable = draft;
    let bytes = parts;
    if (failed.size > 0) {
      for (const [slot, error] of failed) {
        const ref = draft.refs[slot];
        if (ref) this.#fail(ref.scan, ref.index, error);
      }
      readable = withoutSlots(draft, failed);
      bytes = parts.filter((_, slot) => !failed.has(slot));
    }
    const task = taskOfBytes(readable, this.scans, this.options.goal, bytes);
    parts.length = 0;
    this.#take(readable, await this.runner.run(task, this.options.signal));
  }

  /** Hands the results of a task's parts on. */
  #take(draft: TaskDraft, result: DecodeResult): void {
    throwIfAborted(this.options.signal);
    this.#trace(draft, result);
    const failures = new Map(result.failures.map(({ piece, error }) => [piece, error]));
    const bins = this.options.goal.kind === 'fill' ? this.options.goal.bins + 3 : 0;
    let first = 0;
    draft.parts.forEach((count, i) => {
      const ref = draft.refs[first];
      const scan = ref && this.scans[ref.scan];
      if (!ref || !scan) return;
      const rows = result.rows[i] ?? 0;
      const pieces = scan.pieces.slice(ref.index, ref.index + count);
      const part: PartResult = { number: ref.index, rows, pieces, failures: [] };
      for (let k = 0; failures.size > 0 && k < count; k++) {
        const error = failures.get(first + k);
        if (!error) continue;
        part.failures.push({ piece: k, error: placed(error, this.tree, scan.branch, pieces[k]) });
      }
      part.pieceRows = result.pieceRows?.subarray(first, first + count);
      if (result.buffers) part.column = buildColumn(scan.plan.schema, rows, result.buffers[i] ?? []);
      if (result.summaries) part.summary = toSummary(result.summaries, SUMMARY_DOUBLES * i);
      part.survey = result.surveys?.[i];
      if (result.inside) part.inside = toSummary(result.inside, SUMMARY_DOUBLES * i);
      if (result.bins) part.counts = result.bins.subarray(bins * i, bins * (i + 1));
      this.#progress.entriesDone += rows;
      this.options.onResult(ref.scan, part);
      first += count;
    });
    this.options.onBytes?.(this.#progress);
  }

  #fail(scan: number, index: number, error: ErrorRecord): void {
    const pieces = this.scans[scan]?.pieces.slice(index, index + 1) ?? [];
    this.options.onResult(scan, { number: index, rows: 0, pieces, failures: [{ piece: 0, error }] });
  }

  get #purpose(): string {
    return purposeOf(this.scans);
  }
}

const NOTHING = new Uint8Array(0);
/** What a worker's reading of a file may fail with; this thread then tries itself and says which piece. */
const READ_ERRORS = new Set(['FILE_CHANGED', 'IO', 'TRUNCATED', 'NOT_FOUND', 'UNSUPPORTED']);

/** A task whose bytes are coming. */
interface StreamRun {
  draft: TaskDraft;
  /** What has come of each piece, head first. */
  parts: Uint8Array[][];
  failed: Map<number, ErrorRecord>;
  open: number;
}

function withoutSlots({ refs, bytes }: TaskDraft, failed: Map<number, ErrorRecord>): TaskDraft {
  return draftOf(
    refs.filter((_, slot) => !failed.has(slot)),
    bytes,
  );
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
    for (const range of pieces.flatMap((piece) => piece.ranges).filter(isReadable)) {
      if (bytes > COUNTED_AHEAD_BYTES) break;
      bytes += range.length;
      ranges.push(range);
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
  const ranges: EntryRange[] = scan.pieces.map(({ first, to }) => [first, first + to]);
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
