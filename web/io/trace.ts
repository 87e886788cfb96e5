import type { ErrorCode } from '../base/errors';
import { busyTime, estimateLink, type LinkEstimate, type LocalCosts } from './link';
import type { ByteSource, Range } from './source';

/**
 * Origin of bytes: a network; a disk of this machine (a file, a Blob); or, without a request, memory or the
 * persistent cache. `decode` is not a read but the decoding of bytes.
 */
export type ReadOrigin = 'network' | 'disk' | 'memory' | 'store' | 'decode';

/** Times of decoding a branch, in ms of CPU time. Several tasks may run at once. */
export interface DecodePhases {
  /** Its path; '' for values of expressions, copying columns, and many small branches together. */
  branch: string;
  decompress: number;
  decode: number;
  /** Time for filling values into histograms and other results. */
  fill: number;
}

/** One read of the source, as it happened. Times are ms of a monotonic clock. */
export interface ReadRecord {
  offset: number;
  /** Number of bytes that a caller wanted, that were requested, and that were received. */
  wanted: number;
  asked: number;
  got: number;
  /** Number of ranges, and the ranges, of a request with more than one. */
  parts?: number | undefined;
  ranges?: readonly Range[] | undefined;
  origin: ReadOrigin;
  /** Purpose of the read: "head", "keys", "Muon_pt". */
  purpose: string;
  queued: number;
  started: number;
  /** Time of the first byte of the answer; equal to `started` if unknown. */
  answered: number;
  done: number;
  /** For `decode`: first entry, and the entry after the last. */
  entries?: [first: number, end: number] | undefined;
  /** For `decode`: number of baskets and pages that were decompressed. */
  opened?: number | undefined;
  /** For `decode`: its times by branch. */
  phases?: readonly DecodePhases[] | undefined;
  /** Reason why nothing was received, if the read failed or was cancelled. */
  failed?: ErrorCode | undefined;
  /** Set for a record that replaces older ones in a long trace: their sums. */
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
  /** Length of the longest chain of reads that waited for each other. */
  roundTrips: number;
  /** Time in ms during which at least one request was running. */
  busyTime: number;
}

/** Sums of reads that a trace no longer lists. */
export interface DroppedReads extends TraceSummary {
  records: number;
  /** Bytes read over between wanted ranges. */
  extraBytes: number;
  /** Number of decoding tasks that are listed without times by branch. */
  tasksWithoutPhases: number;
}

/** Collects the reads. One trace may serve several readers. */
export interface Trace {
  /** Returns ms of a clock that never returns the same value twice, so that the order of events is always known. */
  now(): number;
  add(record: ReadRecord): void;
  records(): readonly ReadRecord[];
  summary(): TraceSummary;
}

/** Records bytes that were in memory, so that they were not requested. */
export function traceCached(trace: Trace, offset: number, bytes: number, purpose: string): void {
  const now = trace.now();
  const times = { queued: now, started: now, answered: now, done: now };
  trace.add({ offset, wanted: bytes, asked: 0, got: bytes, origin: 'memory', purpose, ...times });
}

/** Maximum number of records in a trace, and of their decoding phases: about 100 MB. */
export const MAX_LISTED = { records: 100_000, phases: 500_000 };
/** Fraction of the records that is dropped at once, because dropping takes time in proportion to all. */
const DROPPED_AT_ONCE = 0.1;

/**
 * Creates a trace. Above `most` the oldest records are replaced by their sums in the first one, and the oldest tasks
 * lose their phases.
 */
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

/** Replaces the first records by one with their sums. It also counts tasks that lost their phases. */
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

/** Returns the sums of the reads that the traces of a list of files no longer list; undefined if they list all. */
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
 * Summarises reads in any order. Bytes without a request only count as cached bytes. Reads that are no longer listed
 * count as if they had ended before the others began.
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

/** Returns the maximum number of successive requests, each queued after the previous one had ended. */
function longestChain(requests: readonly ReadRecord[]): number {
  const byQueued = requests
    .map((record) => ({ record, depth: 0 }))
    .sort((a, b) => a.record.queued - b.record.queued);
  // A request that ended before another was queued was itself queued earlier, so its depth is already known.
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

/** Returns the counters of TTreePerfStats for reads in any order. Bytes without a request are not counted. */
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

/** Whether the source received a request. */
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
