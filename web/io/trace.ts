import type { ErrorCode } from '../base/errors';
import { busyTime } from './link';
import type { Range } from './source';

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

export function createTrace(): Trace {
  const records: ReadRecord[] = [];
  let last = 0;
  return {
    now: () => {
      last = Math.max(performance.now(), last + 1e-6);
      return last;
    },
    add: (record) => {
      records.push(record);
    },
    records: () => records,
    summary: () => summarize(records),
  };
}

/** Summarises reads in any order. Bytes that came without a request only count as cached bytes. */
export function summarize(records: readonly ReadRecord[]): TraceSummary {
  const requests = records.filter(isRequest);
  const sum = (list: readonly ReadRecord[]) => list.reduce((total, record) => total + record.got, 0);
  return {
    requests: requests.length,
    bytes: sum(requests),
    cachedBytes: sum(records.filter((record) => record.origin === 'memory')),
    storedBytes: sum(records.filter((record) => record.origin === 'store')),
    roundTrips: longestChain(requests),
    busyTime: busyTime(requests.map(({ started, done }) => ({ from: started, until: done }))),
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
  const requests = records.filter(isRequest);
  const from = records.reduce((first, record) => Math.min(first, record.queued), Number.POSITIVE_INFINITY);
  const until = records.reduce((last, record) => Math.max(last, record.done), Number.NEGATIVE_INFINITY);
  const { bytes, busyTime } = summarize(records);
  return {
    ReadCalls: requests.length,
    BytesRead: bytes,
    BytesReadExtra: requests.reduce((sum, { got, wanted }) => sum + Math.max(0, got - wanted), 0),
    RealTime: records.length > 0 ? (until - from) / 1000 : 0,
    DiskTime: busyTime / 1000,
  };
}

/** Whether the source was asked. */
export function isRequest({ origin }: ReadRecord): boolean {
  return origin === 'network' || origin === 'disk';
}
