import type { ErrorCode } from '../base/errors';
import { busyTime, estimateLink, type LinkEstimate, type LocalCosts } from './link';
import type { ByteSource, Range } from './source';

/**
 * Origin of bytes: over a network, from this machine's disk (a file, a Blob), or without a request from
 * memory or from the persistent cache. `decode` is not a read: it is the decoding of bytes.
 */
export type ReadOrigin = 'network' | 'disk' | 'memory' | 'store' | 'decode';

/** The work of decoding a branch, in ms of processor time: several tasks may run at once. */
export interface DecodePhases {
  /** Its path; '' for values of expressions, copying columns, and many small branches together. */
  branch: string;
  decompress: number;
  decode: number;
  /** Putting values into histograms and other results. */
  fill: number;
}

/** One read of the source, as it happened. Times are ms of a monotonic clock. */
export interface ReadRecord {
  offset: number;
  /** Bytes that a caller wanted, requested from the source, and received. */
  wanted: number;
  asked: number;
  got: number;
  /** Number of ranges in one request when there is more than one, and the ranges. */
  parts?: number | undefined;
  ranges?: readonly Range[] | undefined;
  origin: ReadOrigin;
  /** Purpose of the read: "head", "keys", "Muon_pt". */
  purpose: string;
  queued: number;
  started: number;
  /** Time of the first byte of the answer; equal to `started` when it is not known. */
  answered: number;
  done: number;
  /** For `decode`: first entry, and the entry after the last. */
  entries?: [first: number, end: number] | undefined;
  /** For `decode`: number of baskets and pages that were decompressed. */
  opened?: number | undefined;
  /** For `decode`: its work by branch. */
  phases?: readonly DecodePhases[] | undefined;
  /** The reason why nothing was received, when the read failed or was cancelled. */
  failed?: ErrorCode | undefined;
  /** For a record that stands for older ones, which a trace of many reads no longer lists: their sums. */
  dropped?: DroppedReads | undefined;
}

export interface TraceSummary {
  requests: number;
  /** Bytes received from the source. */
  bytes: number;
  /** Bytes served from memory without a request. */
  cachedBytes: number;
  /** Bytes served from the persistent cache without a request. */
  storedBytes: number;
  /** Longest chain of reads of which each waited for the one before. */
  roundTrips: number;
  /** ms during which at least one request was under way. */
  busyTime: number;
}

/** Sums of reads that a trace no longer lists. */
export interface DroppedReads extends TraceSummary {
  records: number;
  /** Bytes read over between wanted ranges. */
  extraBytes: number;
  /** Tasks of decoding that are listed, but without their work by branch. */
  tasksWithoutPhases: number;
}

/** Collects the reads. One trace may serve several readers. */
export interface Trace {
  /** ms of a clock that never returns the same value twice, so that "after" is always decided. */
  now(): number;
  add(record: ReadRecord): void;
  records(): readonly ReadRecord[];
  summary(): TraceSummary;
}

/** Records bytes that were in memory, and so not requested. */
export function traceCached(trace: Trace, offset: number, bytes: number, purpose: string): void {
  const now = trace.now();
  const times = { queued: now, started: now, answered: now, done: now };
  trace.add({ offset, wanted: bytes, asked: 0, got: bytes, origin: 'memory', purpose, ...times });
}

/** The records that a trace lists, and their phases of decoding: at most about 100 MB. */
export const MAX_LISTED = { records: 100_000, phases: 500_000 };
/** Records are dropped together, because each time takes time in proportion to all. */
const DROPPED_AT_ONCE = 0.1;

/** A trace. Above `most` the oldest records become sums in the first one, and the oldest tasks lose their phases. */
export function createTrace(most = MAX_LISTED): Trace {
  const records: ReadRecord[] = [];
  let last = 0;
  let phases = 0;
  /** Records before this one have no phases. */
  let withoutPhases = 0;
  const drop = (count: number, tasks: number): void => {
    const before = records.length;
    condense(records, count, tasks);
    withoutPhases = Math.max(0, withoutPhases + records.length - before);
  };
  const dropPhases = (): void => {
    const until = most.phases * (1 - DROPPED_AT_ONCE);
    let tasks = 0;
    for (; phases > until && withoutPhases < records.length; withoutPhases++) {
      const record = records[withoutPhases];
      if (record?.phases === undefined) continue;
      phases -= record.phases.length;
      records[withoutPhases] = { ...record, phases: undefined };
      tasks++;
    }
    drop(0, tasks);
  };
  return {
    now: () => {
      last = Math.max(performance.now(), last + 1e-6);
      return last;
    },
    add: (record) => {
      records.push(record);
      phases += record.phases?.length ?? 0;
      if (phases > most.phases) dropPhases();
      if (records.length <= most.records) return;
      const count = 1 + Math.ceil(most.records * DROPPED_AT_ONCE);
      for (const { phases: own = [] } of records.slice(0, count)) phases -= own.length;
      drop(count, 0);
    },
    records: () => records,
    summary: () => summarize(records),
  };
}

/** Replaces the first records by one with their sums, which also counts tasks that lost their phases. */
function condense(records: ReadRecord[], count: number, tasks: number): void {
  const known = records[0]?.dropped;
  const old = records.splice(0, Math.max(count, known ? 1 : 0));
  const sums = old.flatMap(({ dropped }) => dropped ?? []);
  const [from, until] = spanOf(old.length > 0 ? old : records.slice(0, 1));
  records.unshift({
    ...{
      offset: 0,
      wanted: 0,
      asked: 0,
      got: 0,
      origin: 'memory',
      purpose: 'reads that are no longer listed',
    },
    ...{ queued: from, started: from, answered: from, done: until },
    dropped: {
      ...summarize(old),
      records: sums.reduce((sum, one) => sum + one.records - 1, old.length),
      extraBytes: extraBytes(old),
      tasksWithoutPhases: sums.reduce((sum, one) => sum + one.tasksWithoutPhases, tasks),
    },
  });
}

/** The sums of what the traces of the files of a list no longer list; undefined where they list all. */
export function droppedOf(records: readonly ReadRecord[]): DroppedReads | undefined {
  const all = records.filter(({ dropped }) => dropped !== undefined);
  if (all.length === 0) return undefined;
  const sum = (of: (dropped: DroppedReads) => number): number =>
    all.reduce((total, { dropped }) => total + (dropped ? of(dropped) : 0), 0);
  return {
    ...summarize(all),
    records: sum((one) => one.records),
    extraBytes: sum((one) => one.extraBytes),
    tasksWithoutPhases: sum((one) => one.tasksWithoutPhases),
  };
}

/**
 * Summarises reads in any order. Bytes that came without a request only count as cached bytes. Those that a trace no
 * longer lists count as if they had been done before the others began.
 */
export function summarize(records: readonly ReadRecord[]): TraceSummary {
  const requests = records.filter(isRequest);
  const got = (list: readonly ReadRecord[]) => list.reduce((total, record) => total + record.got, 0);
  const old = (of: keyof TraceSummary) =>
    records.reduce((total, { dropped }) => total + (dropped?.[of] ?? 0), 0);
  const busy = busyTime(requests.map(({ started, done }) => ({ from: started, until: done })));
  return {
    requests: requests.length + old('requests'),
    bytes: got(requests) + old('bytes'),
    cachedBytes: got(records.filter((record) => record.origin === 'memory')) + old('cachedBytes'),
    storedBytes: got(records.filter((record) => record.origin === 'store')) + old('storedBytes'),
    roundTrips: longestChain(requests) + old('roundTrips'),
    busyTime: busy + old('busyTime'),
  };
}

/** Maximum number of requests in a row of which each was queued after the one before was done. */
function longestChain(requests: readonly ReadRecord[]): number {
  const byQueued = requests
    .map((record) => ({ record, depth: 0 }))
    .sort((a, b) => a.record.queued - b.record.queued);
  // A request that was done before another was queued was itself queued earlier, so its depth is
  // known by then.
  const byDone = [...byQueued].sort((a, b) => a.record.done - b.record.done);
  let deepest = 0;
  let next = 0;
  for (const item of byQueued) {
    for (let other = byDone[next]; other && other.record.done <= item.record.queued; other = byDone[++next]) {
      deepest = Math.max(deepest, other.depth);
    }
    item.depth = deepest + 1;
  }
  return byQueued.reduce((longest, item) => Math.max(longest, item.depth), 0);
}

/** Counters as TTreePerfStats names them. Sizes in bytes, times in seconds. */
export interface PerfStats {
  ReadCalls: number;
  BytesRead: number;
  /** Bytes read over between wanted ranges. */
  BytesReadExtra: number;
  /** From the start of the first read to the end of the last one. */
  RealTime: number;
  /** While at least one request was under way. */
  DiskTime: number;
}

/**
 * The counters of TTreePerfStats for reads in any order; bytes that came without a request are not counted.
 */
export function perfStats(records: readonly ReadRecord[]): PerfStats {
  const [from, until] = spanOf(records);
  const { requests, bytes, busyTime } = summarize(records);
  return {
    ReadCalls: requests,
    BytesRead: bytes,
    BytesReadExtra: extraBytes(records),
    RealTime: records.length > 0 ? (until - from) / 1000 : 0,
    DiskTime: busyTime / 1000,
  };
}

/** From the first request to the end of the last. */
function spanOf(records: readonly ReadRecord[]): [from: number, until: number] {
  return records.reduce<[number, number]>(
    ([from, until], { queued, done }) => [Math.min(from, queued), Math.max(until, done)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** Bytes read over between wanted ranges. */
function extraBytes(records: readonly ReadRecord[]): number {
  return records.reduce((sum, record) => {
    const own = isRequest(record) ? Math.max(0, record.got - record.wanted) : 0;
    return sum + own + (record.dropped?.extraBytes ?? 0);
  }, 0);
}

/** Whether the source was asked. */
export function isRequest({ origin }: ReadRecord): boolean {
  return origin === 'network' || origin === 'disk';
}

/** Latency and bandwidth of a source; undefined before its first answer over a network. */
export function linkOf(
  { costs, origin = 'network' }: Pick<ByteSource, 'costs' | 'origin'>,
  trace: Trace,
): LinkEstimate | LocalCosts | undefined {
  return costs ?? (origin === 'network' ? estimateLink(trace.records()) : undefined);
}
