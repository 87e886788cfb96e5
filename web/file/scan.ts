import { type ErrorRecord, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { DecodePlan } from '../core/tree-core';
import type { Range } from '../io/source';
import type { BranchInfo, CallOptions, EntryRange } from './api';
import type { DecodeResult, DecodeTask, TaskBasket, TaskGoal } from './decode-task';
import { countsFrom, type EntryCounts, entryCounts } from './entry-counts';
import type { TreeModel, WantedBasket } from './tree-model';

/** Does decode tasks: in this thread, or in a pool of workers. */
export interface TaskRunner {
  /** May take the baskets' bytes over: they are copies when `ownsBytes`. */
  run(task: DecodeTask, signal: AbortSignal | undefined): Promise<DecodeResult>;
  /** Whether bytes are moved to another thread, so that they must not be shared. */
  readonly ownsBytes: boolean;
}

/** A branch to be read: what decodes it and which baskets. */
export interface BranchScan {
  branch: BranchInfo;
  plan: DecodePlan;
  baskets: WantedBasket[];
  entries: EntryRange;
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
  /** Gets the result of each run of baskets; runs of one branch are numbered in entry order. */
  onResult: (scan: number, run: number, result: DecodeResult) => void;
  onBytes?: (progress: ScanProgress) => void;
}

/** A task has about so many compressed bytes: enough work to be worth a message. */
const TASK_BYTES = 256 * 1024;
const TASK_BASKETS = 64;
/** Compressed bytes that may be ahead of decoding. */
const AHEAD_BYTES = 64 * 1024 * 1024;

/** Baskets of one branch that are decoded together. */
interface Run {
  scan: number;
  number: number;
  baskets: WantedBasket[];
  bytes: (Uint8Array | ErrorRecord | undefined)[];
  open: number;
}

/** Plans the reading of a branch. Throws what keeps it from being decoded. */
export function planBranch(tree: TreeModel, which: number | string, range?: EntryRange): BranchScan {
  const branch = tree.branch(which);
  const entries = tree.entryRange(branch, range);
  const plan = tree.plan(branch);
  return { branch, plan, entries, baskets: tree.baskets(branch, entries) };
}

/**
 * Reads and decodes the baskets of several branches: what lies close is fetched together, each run
 * of baskets is decoded as soon as it is there. Baskets that cannot be read or decoded are reported
 * in the results; the call itself throws ABORTED, and nothing else unless `onResult` throws.
 */
export async function scanBranches(
  tree: TreeModel,
  runner: TaskRunner,
  scans: BranchScan[],
  options: ScanOptions,
): Promise<void> {
  const { signal } = options;
  for (const scan of scans) {
    if (scan.plan.counter >= 0 && !scan.counts) scan.counts = await readCounts(tree, runner, scan, options);
  }
  const ranges: Range[] = [];
  const targets: { run: Run; slot: number }[] = [];
  const ready: Run[] = [];
  const progress: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  for (const [index, scan] of scans.entries()) {
    for (const run of cutIntoRuns(scan.baskets, index)) {
      run.baskets.forEach((basket, slot) => {
        progress.entriesTotal += basket.to - basket.from;
        if (basket.offset === 0) {
          run.bytes[slot] = tree.embedded(scan.branch, basket);
        } else if (basket.length > 0) {
          run.open += 1;
          progress.bytesTotal += basket.length;
          ranges.push({ offset: basket.offset, length: basket.length });
          targets.push({ run, slot });
        } else {
          run.bytes[slot] = badBasket(scan.branch, basket);
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
    const owned = runner.ownsBytes ? pack(run.bytes) : run.bytes;
    run.baskets.forEach((basket, slot) => {
      const bytes = owned[slot];
      if (bytes instanceof Uint8Array) {
        const counts = scan.counts && countsFrom(scan.counts, basket.first, basket.first + basket.to);
        task.push({ bytes, from: basket.from, to: basket.to, counts });
        slots.push(slot);
      } else if (bytes) unread.push({ basket: slot, error: bytes });
    });
    run.bytes = [];
    const { plan, schema } = scan.plan;
    const result = await runner.run({ plan, schema, baskets: task, goal: options.goal }, signal);
    result.failures = [
      ...unread,
      ...result.failures.map(({ basket, error }) => {
        const slot = slots[basket] ?? 0;
        return { basket: slot, error: placed(error, tree, scan.branch, run.baskets[slot]) };
      }),
    ];
    progress.entriesDone += result.rows;
    options.onResult(run.scan, run.number, result);
    options.onBytes?.(progress);
  }

  for (const run of ready) await decode(run);
  const settle = (index: number, bytes: Uint8Array | ErrorRecord): Promise<void> | undefined => {
    const target = targets[index];
    if (!target) return undefined;
    target.run.bytes[target.slot] = bytes;
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

/** The numbers of the branch that counts the arrays of another, from its baskets' first entry on. */
async function readCounts(
  tree: TreeModel,
  runner: TaskRunner,
  scan: BranchScan,
  options: CallOptions,
): Promise<EntryCounts> {
  const first = scan.baskets[0]?.first ?? 0;
  const last = scan.baskets[scan.baskets.length - 1];
  const range: EntryRange = [first, Math.max(first, last ? last.first + last.to : first)];
  const parts: Column[] = [];
  let failure: ErrorRecord | undefined;
  await scanBranches(tree, runner, [planBranch(tree, scan.plan.counter, range)], {
    signal: options.signal,
    goal: { kind: 'columns' },
    onResult: (_scan, run, result) => {
      failure ??= result.failures[0]?.error;
      if (result.column) parts[run] = result.column;
    },
  });
  if (failure) throw new XylemError({ ...failure, cause: undefined });
  return entryCounts(parts, first);
}

function cutIntoRuns(baskets: WantedBasket[], scan: number): Run[] {
  const runs: Run[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const basket of baskets) {
    let run = runs[runs.length - 1];
    if (!run || bytes >= TASK_BYTES || run.baskets.length >= TASK_BASKETS) {
      run = { scan, number: runs.length, baskets: [], bytes: [], open: 0 };
      runs.push(run);
      bytes = 0;
    }
    run.baskets.push(basket);
    bytes += basket.length;
  }
  return runs;
}

/** Copies of all arrays in one buffer, which can be moved to another thread. */
function pack(list: Run['bytes']): Run['bytes'] {
  const total = list.reduce((sum, item) => sum + (item instanceof Uint8Array ? item.length : 0), 0);
  const buffer = new ArrayBuffer(total);
  let at = 0;
  return list.map((item) => {
    if (!(item instanceof Uint8Array)) return item;
    const copy = new Uint8Array(buffer, at, item.length);
    copy.set(item);
    at += item.length;
    return copy;
  });
}

function badBasket(branch: BranchInfo, basket: WantedBasket): ErrorRecord {
  return new XylemError({
    code: 'CORRUPT',
    message: `Basket ${basket.index} of ${branch.path} claims ${basket.length} bytes.`,
    where: { path: branch.path, offset: basket.offset },
    fix: 'The tree may not have been closed properly.',
  }).toRecord();
}

/** The core counts offsets from the basket's start. */
function placed(
  error: ErrorRecord,
  tree: TreeModel,
  branch: BranchInfo,
  basket: WantedBasket | undefined,
): ErrorRecord {
  const offset = (error.where?.offset ?? 0) + (basket?.offset ?? 0);
  return {
    ...error,
    where: { path: `${tree.info.path}/${branch.path}`, offset, length: basket?.length ?? 0 },
    message: `Basket ${basket?.index} of ${branch.path}: ${error.message}`,
  };
}
