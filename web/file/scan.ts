import { type ErrorRecord, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { DecodePlan } from '../core/tree-core';
import type { Range } from '../io/source';
import type { BranchInfo, CallOptions, EntryRange, EntrySelection } from './api';
import { type DataModel, pieceBytes, type WantedPiece } from './data-model';
import type { DecodeResult, DecodeTask, TaskBasket, TaskGoal } from './decode-task';
import { chooseEntries } from './entry-choice';
import { countsFrom, type EntryCounts, entryCounts } from './entry-counts';

/** Does decode tasks: in this thread, or in a pool of workers. */
export interface TaskRunner {
  /** May take the baskets' bytes over: they are copies when `ownsBytes`. */
  run(task: DecodeTask, signal: AbortSignal | undefined): Promise<DecodeResult>;
  /** Whether bytes are moved to another thread, so that they must not be shared. */
  readonly ownsBytes: boolean;
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

export interface ScanOptions extends CallOptions {
  goal: TaskGoal;
  /**
   * Gets the result of each run of baskets; runs of one branch are numbered in entry order. `pieces`
   * are those of the run, as the result counts its baskets.
   */
  onResult: (scan: number, run: number, result: DecodeResult, pieces: readonly WantedPiece[]) => void;
  onBytes?: (progress: ScanProgress) => void;
}

/** A task has about so many compressed bytes: enough work to be worth a message. */
const TASK_BYTES = 256 * 1024;
const TASK_PIECES = 64;
/** Compressed bytes that may be ahead of decoding. */
const AHEAD_BYTES = 64 * 1024 * 1024;
const COUNTED_AHEAD_BYTES = 16 * 1024 * 1024;

/** Pieces of one branch that are decoded together. */
interface Run {
  scan: number;
  number: number;
  pieces: WantedPiece[];
  /** What has come of each piece, head first, or why it cannot be had. */
  parts: Parts[];
  open: number;
}

type Parts = (Uint8Array | undefined)[] | ErrorRecord;

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
 * Reads and decodes the pieces of several branches: what lies close is fetched together, each run
 * of pieces is decoded as soon as it is there. Pieces that cannot be read or decoded are reported
 * in the results; the call itself throws ABORTED, and nothing else unless `onResult` throws.
 */
export async function scanBranches(
  tree: DataModel,
  runner: TaskRunner,
  scans: BranchScan[],
  options: ScanOptions,
): Promise<void> {
  const { signal } = options;
  const uncounted = scans.filter((scan) => scan.plan.counter >= 0 && !scan.counts);
  if (uncounted.length > 0) {
    const counting = async (): Promise<void> => {
      for (const scan of uncounted) scan.counts = await readCounts(tree, runner, scan, options);
    };
    await Promise.all([readAhead(tree, scans, signal), counting()]);
  }
  const ranges: Range[] = [];
  const targets: { run: Run; slot: number; part: number }[] = [];
  const ready: Run[] = [];
  const progress: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  for (const [index, scan] of scans.entries()) {
    for (const run of cutIntoRuns(scan.pieces, index)) {
      run.pieces.forEach((piece, slot) => {
        progress.entriesTotal += piece.rows;
        const bad = piece.ranges.find((range) => !isReadable(range));
        if (bad) {
          run.parts[slot] = badPiece(scan.branch, piece, bad);
          return;
        }
        const parts: (Uint8Array | undefined)[] = piece.head ? [piece.head()] : [];
        run.parts[slot] = parts;
        run.open += piece.ranges.length;
        for (const range of piece.ranges) {
          progress.bytesTotal += range.length;
          targets.push({ run, slot, part: parts.length });
          parts.push(undefined);
          ranges.push(range);
        }
      });
      if (run.open === 0) ready.push(run);
    }
  }

  async function decode(run: Run): Promise<void> {
    const scan = scans[run.scan] as BranchScan;
    const task: TaskBasket[] = [];
    const slots: number[] = [];
    const unread: { basket: number; error: ErrorRecord }[] = [];
    const whole = runner.ownsBytes ? pack(run.parts) : run.parts.map(join);
    run.pieces.forEach(({ first, from, to, spans }, slot) => {
      const bytes = whole[slot];
      if (bytes instanceof Uint8Array) {
        const counts = scan.counts && countsFrom(scan.counts, first, first + to);
        task.push({ bytes, from, to, spans: spans?.(), counts });
        slots.push(slot);
      } else if (bytes) unread.push({ basket: slot, error: bytes });
    });
    run.parts = [];
    const { plan, schema } = scan.plan;
    const since = tree.reader.trace.now();
    const result = await runner.run({ plan, schema, baskets: task, goal: options.goal }, signal);
    traceDecode(tree, scan, run, since);
    result.failures = [
      ...unread,
      ...result.failures.map(({ basket, error }) => {
        const slot = slots[basket] ?? 0;
        return { basket: slot, error: placed(error, tree, scan.branch, run.pieces[slot]) };
      }),
    ];
    if (result.baskets) {
      const rows: (number | undefined)[] = [];
      for (const [basket, count] of result.baskets.entries()) rows[slots[basket] ?? 0] = count;
      result.baskets = rows;
    }
    progress.entriesDone += result.rows;
    options.onResult(run.scan, run.number, result, run.pieces);
    options.onBytes?.(progress);
  }

  for (const run of ready) await decode(run);
  const settle = (index: number, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
    const target = targets[index];
    if (!target) return undefined;
    const parts = target.run.parts[target.slot];
    if (!(bytes instanceof Uint8Array)) target.run.parts[target.slot] = bytes;
    else if (Array.isArray(parts)) parts[target.part] = bytes;
    target.run.open -= 1;
    return target.run.open === 0 ? decode(target.run) : undefined;
  };
  if (ranges.length === 0) return;
  const lost: Promise<void>[] = [];
  await tree.reader.stream(ranges, {
    signal,
    purpose: scans.length === 1 ? (scans[0]?.branch.path ?? '') : `${scans.length} branches`,
    aheadBytes: AHEAD_BYTES,
    onBytes: (bytes) => {
      progress.bytesDone += bytes;
      options.onBytes?.(progress);
    },
    onRange: (index, bytes) => settle(index, bytes),
    onError: (index, error) => {
      const decoding = settle(index, error.toRecord());
      if (decoding) lost.push(decoding);
    },
  });
  await Promise.all(lost);
}

function traceDecode(tree: DataModel, scan: BranchScan, { pieces }: Run, since: number): void {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last) return;
  const { trace } = tree.reader;
  const bytes = pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
  trace.add({
    offset: first.ranges[0]?.offset ?? 0,
    wanted: bytes,
    asked: 0,
    got: bytes,
    origin: 'decode',
    purpose: scan.branch.path,
    queued: since,
    started: since,
    answered: since,
    done: trace.now(),
    entries: [first.first + first.from, last.first + last.to],
  });
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
    purpose: scans.length === 1 ? (scans[0]?.branch.path ?? '') : `${scans.length} branches`,
    onRange: () => {},
    // It is asked for again where its bytes are used, and fails or succeeds there.
    onError: () => {},
  });
}

/** The numbers of the branch that counts the arrays of another, of its pieces from the first entry on. */
async function readCounts(
  tree: DataModel,
  runner: TaskRunner,
  scan: BranchScan,
  options: CallOptions,
): Promise<EntryCounts> {
  const ranges: EntryRange[] = scan.pieces.map(({ first, to }) => [first, first + to]);
  const parts: Column[] = [];
  let failure: ErrorRecord | undefined;
  await scanBranches(tree, runner, [planBranch(tree, scan.plan.counter, ranges)], {
    signal: options.signal,
    goal: { kind: 'columns' },
    onResult: (_scan, run, result) => {
      failure ??= result.failures[0]?.error;
      if (result.column) parts[run] = result.column;
    },
  });
  if (failure) throw new XylemError({ ...failure, cause: undefined });
  return entryCounts(parts, ranges);
}

function cutIntoRuns(pieces: WantedPiece[], scan: number): Run[] {
  const runs: Run[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    let run = runs[runs.length - 1];
    if (!run || bytes >= TASK_BYTES || run.pieces.length >= TASK_PIECES) {
      run = { scan, number: runs.length, pieces: [], parts: [], open: 0 };
      runs.push(run);
      bytes = 0;
    }
    run.pieces.push(piece);
    bytes += pieceBytes(piece);
  }
  return runs;
}

/** Copies of all pieces in one buffer, which can be moved to another thread. */
function pack(list: Parts[]): (Uint8Array | ErrorRecord)[] {
  const total = list.reduce((sum, parts) => sum + (Array.isArray(parts) ? lengthOf(parts) : 0), 0);
  const buffer = new ArrayBuffer(total);
  let at = 0;
  return list.map((parts) => {
    if (!Array.isArray(parts)) return parts;
    const copy = put(parts, new Uint8Array(buffer, at, lengthOf(parts)));
    at += copy.length;
    return copy;
  });
}

/** The parts of a piece behind one another; a single one is not copied. */
function join(parts: Parts): Uint8Array | ErrorRecord {
  if (!Array.isArray(parts)) return parts;
  const [only] = parts;
  return parts.length === 1 && only ? only : put(parts, new Uint8Array(lengthOf(parts)));
}

function put(parts: (Uint8Array | undefined)[], target: Uint8Array): Uint8Array {
  let at = 0;
  for (const part of parts) {
    if (!part) continue;
    target.set(part, at);
    at += part.length;
  }
  return target;
}

function lengthOf(parts: (Uint8Array | undefined)[]): number {
  return parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
}

function isReadable({ offset, length }: Range): boolean {
  return offset >= 0 && length > 0 && Number.isSafeInteger(offset + length);
}

function badPiece(branch: BranchInfo, piece: WantedPiece, range: Range): ErrorRecord {
  return new XylemError({
    code: 'CORRUPT',
    message: `${piece.name} of ${branch.path} claims ${range.length} bytes at byte ${range.offset}.`,
    where: { path: branch.path, offset: range.offset },
    fix: 'The tree may not have been closed properly.',
  }).toRecord();
}

/** The core counts offsets from the piece's origin. */
function placed(
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
