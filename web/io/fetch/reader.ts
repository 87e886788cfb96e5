import { abortError, toXylemError, type XylemError } from '../../base/errors';
import { type Doubt, sumOf } from '../doubt';
import {
  createExtentBudget,
  type Extent,
  type ExtentBudget,
  type ExtentCache,
  ExtentIndex,
} from '../extents';
import { planOf } from '../planner';
import { endOf, pastTheEnd, subtract, totalLength, union } from '../ranges';
import { ReadRun } from '../read-run';
import { scatter } from '../scatter';
import type { ByteSource, Range } from '../source';
import type { StoredExtents } from '../stored';
import { createTrace, type Trace, traceCached } from '../trace';
import { createContentCheck } from '../unchanged';
import type { Fetch } from './fetch';
import { createFetchQueue } from './queue';
import { createRequests, type RequestOptions } from './requests';

export interface ReaderOptions {
  /** Maximum number of simultaneous requests. Default: the source's `concurrency`. */
  maxInFlight?: number | undefined;
  /** Maximum gap that is read over, in bytes. Default: depends on latency and bandwidth of the link. */
  gapBytes?: number | undefined;
  /** Maximum length of a request in bytes. Default: 8 MB. */
  maxRangeBytes?: number | undefined;
  /** Limit of the bytes kept in memory, which several readers can share. Default: 256 MB for this reader. */
  budget?: ExtentBudget | undefined;
  trace?: Trace | undefined;
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** Shown in the trace: "head", "keys", a branch's name. */
  purpose?: string | undefined;
  /** Requests of higher priority go first. Default 0. */
  priority?: number | undefined;
  /** Number of requests among which a long range is divided. Default: the maximum number of simultaneous requests. */
  shares?: number | undefined;
  /**
   * Called with the number of wanted bytes that have arrived or were cached. The sum of all calls is the length of
   * all results.
   */
  onBytes?: ((bytes: number) => void) | undefined;
}

export interface StreamOptions extends ReadOptions {
  /**
   * Called with each wanted range as soon as its bytes have arrived. Until the returned promise settles, the bytes
   * count as not used yet: see `aheadBytes`.
   */
  onRange: (index: number, bytes: Uint8Array) => void | Promise<void>;
  /** Called for ranges that cannot be read; the others continue. Without it the first failure rejects. */
  onError?: ((index: number, error: XylemError) => void) | undefined;
  /** Maximum number of bytes that may be requested or passed on without having been used. Default: no limit. */
  aheadBytes?: number | undefined;
}

/**
 * Reads ranges of one source with few requests: cached bytes are not requested, ranges close to each other are
 * requested together, and running requests are shared. The returned arrays are views of shared buffers, so copy them
 * before transferring or changing them.
 */
export interface ByteReader {
  readonly source: ByteSource;
  readonly trace: Trace;
  /**
   * Returns the bytes of each range, in the given order. A range that extends past the end of the file is shortened;
   * one that starts there throws TRUNCATED. Throws the errors of the source.
   */
  read(ranges: readonly Range[], options?: ReadOptions): Promise<Uint8Array[]>;
  /**
   * Reads ranges into one array, one after another. If the source can fill arrays itself, nothing is cached. Throws
   * as `read`, and TRUNCATED if a range extends past the end.
   */
  fill(ranges: readonly Range[], into: Uint8Array, options?: ReadOptions): Promise<void>;
  /** As `read`, but passes on each range as it arrives. Resolves when all were used. */
  stream(ranges: readonly Range[], options: StreamOptions): Promise<void>;
  /**
   * Returns the last `length` bytes if the source can read them without knowing the size; undefined if it cannot, or
   * fails. Other reads find them in the cache only after `keep`.
   */
  readEnd(length: number, options?: ReadOptions): Promise<Extent | undefined>;
  /** Caches bytes of the file as if they had been read. */
  keep(extent: Extent): void;
  /** Whether all of a range is in memory. */
  holds(range: Range): boolean;
  /**
   * Marks bytes as wrong because they could not be decoded. They are removed from memory and the store, so that the
   * next read requests them. See `readSound` for reading and decoding with a retry.
   */
  distrust(ranges: readonly Range[]): Doubt;
  /** Whether the first byte of any answer has arrived. */
  readonly answered: boolean;
  /** Number of requests that are planned or running. */
  readonly requestsLeft: number;
  readonly closed: boolean;
  /** Sets the store. From now on, fetched bytes are also kept there, and bytes in it are not fetched. */
  keepIn(stored: StoredExtents): void;
  /**
   * Resolves when all bytes that arrived are known to belong to one content. Throws FILE_CHANGED if they do not, or
   * if any read has seen a change, and the errors of reading.
   */
  verifyUnchanged(signal?: AbortSignal): Promise<void>;
  /** The store that was given to `keepIn`. */
  readonly stored: StoredExtents | undefined;
  /** Aborts running reads with ABORTED, drops the cached bytes and closes the source. */
  close(): Promise<void>;
}

export function createByteReader(source: ByteSource, options: ReaderOptions = {}): ByteReader {
  const trace = options.trace ?? createTrace();
  const maxInFlight = Math.max(1, options.maxInFlight ?? source.concurrency);
  const cache: ExtentCache = new ExtentIndex(options.budget ?? createExtentBudget());
  let stored: StoredExtents | undefined;
  let answered = false;
  const check = createContentCheck(source, trace, () => stored);
  const open = new Set<Fetch>();
  const sending: RequestOptions = {
    source,
    trace,
    keep: (extent, holds) => cache.add(extent, holds),
    keepBeyond: (offset, bytes) => check.keep(offset, bytes),
    failed: (error) => check.noteFailure(error),
    answered: () => {
      answered = true;
    },
    stored: () => stored,
  };
  const requests = createRequests(sending, open);
  const queue = createFetchQueue({ source, trace, maxInFlight, open, requests });
  const runs = new Set<ReadRun>();
  let closed = false;

  async function stream(ranges: readonly Range[], request: StreamOptions): Promise<void> {
    if (closed || request.signal?.aborted) throw abortError(request.signal?.reason);
    check.throwIfChanged();
    const { shares = maxInFlight } = request;
    const plan = planOf(source, trace, { ...options, concurrency: shares });
    const context = { source, trace, cache, queue, stored, plan, maxInFlight };
    const run = new ReadRun(context, ranges, {
      ...request,
      purpose: request.purpose ?? 'data',
      priority: request.priority ?? 0,
      aheadBytes: request.aheadBytes ?? Number.POSITIVE_INFINITY,
    });
    runs.add(run);
    try {
      await run.start();
    } finally {
      runs.delete(run);
    }
  }

  async function readInto(
    ranges: readonly Range[],
    into: Uint8Array,
    { purpose = 'data', signal, onBytes }: ReadOptions,
  ): Promise<void> {
    if (closed || signal?.aborted) throw abortError(signal?.reason);
    check.throwIfChanged();
    const reads = scatter(ranges, into);
    const started = trace.now();
    let failed: XylemError | undefined;
    try {
      await source.readInto?.(reads, signal);
    } catch (thrown) {
      failed = toXylemError(thrown);
      check.noteFailure(failed);
      throw failed;
    } finally {
      const times = { queued: started, started, answered: started, done: trace.now() };
      const more = {
        origin: source.origin ?? 'network',
        purpose,
        ...times,
        ...(failed && { failed: failed.code }),
      };
      for (const { offset, length, wanted } of reads)
        trace.add({ offset, wanted, asked: length, got: failed ? 0 : length, ...more });
    }
    onBytes?.(into.length);
  }

  const holds = (range: Range): boolean => subtract([range], cache.find(range)).length === 0;

  /** Returns the bytes of ranges in memory, each in one piece; undefined if any is not. */
  function held(ranges: readonly Range[], { signal, purpose = 'data', onBytes }: ReadOptions) {
    if (closed || signal?.aborted || ranges.length === 0) return undefined;
    const found: Uint8Array[] = [];
    const extents: Extent[] = [];
    for (const range of ranges) {
      const [extent] = range.length > 0 ? cache.find(range) : [];
      if (!extent || extent.offset > range.offset || endOf(extent) < endOf(range)) return undefined;
      const at = range.offset - extent.offset;
      found.push(extent.bytes.subarray(at, at + range.length));
      extents.push(extent);
    }
    check.throwIfChanged();
    // Marks them as recently used.
    for (const extent of extents) {
      cache.hold(extent);
      cache.release(extent);
    }
    const all = ranges.length === 1 ? ranges : union(ranges);
    traceCached(trace, all[0]?.offset ?? 0, totalLength(all), purpose);
    for (const { length } of found) onBytes?.(length);
    return found;
  }

  return {
    source,
    trace,
    stream,
    async fill(ranges, into, request = {}) {
      if (source.readInto && !ranges.every(holds)) return await readInto(ranges, into, request);
      // Bytes in memory belong to the content that was opened.
      await source.checkUnchanged?.();
      const own = held(ranges, request);
      if (own) {
        let at = 0;
        for (const bytes of own) {
          into.set(bytes, at);
          at += bytes.length;
        }
        return;
      }
      let end = 0;
      const starts = ranges.map(({ length }) => {
        end += length;
        return end - length;
      });
      await stream(ranges, {
        ...request,
        onRange: (i, bytes) => {
          const { offset, length } = ranges[i] as Range;
          if (bytes.length < length) throw pastTheEnd(source.name, offset, length);
          into.set(bytes, starts[i]);
        },
      });
    },
    verifyUnchanged: (signal) => check.verifyUnchanged(signal),
    get stored() {
      return stored;
    },
    holds,
    distrust(ranges) {
      const all = union(ranges);
      const sum = sumOf(all, cache);
      for (const range of all) cache.drop(range);
      check.drop(all);
      stored?.drop(all);
      source.forget?.(all);
      return { again: (source.origin ?? 'network') === 'network', sum };
    },
    get answered() {
      return answered;
    },
    get requestsLeft() {
      return open.size;
    },
    get closed() {
      return closed;
    },
    async readEnd(length, { signal, purpose = 'end' } = {}) {
      if (!source.readEnd) return undefined;
      const started = trace.now();
      let first = started;
      const note = (extent: Pick<Extent, 'offset' | 'length'>, failed?: XylemError['code']) => {
        const { offset, length: got } = extent;
        const times = { queued: started, started, answered: first, done: trace.now() };
        const sizes = { offset, wanted: got, asked: failed ? length : got, got };
        const origin = source.origin ?? 'network';
        trace.add({ ...sizes, origin, purpose, ...times, ...(failed && { failed }) });
      };
      try {
        const end = await source.readEnd(length, signal, () => {
          first = trace.now();
        });
        if (!end) return undefined;
        const extent = { ...end, length: end.bytes.length };
        note(extent);
        return extent;
      } catch (thrown) {
        note({ offset: 0, length: 0 }, toXylemError(thrown).code);
        return undefined;
      }
    },
    keep: (extent) => {
      cache.add(extent);
      check.keep(extent.offset, extent.bytes);
    },
    keepIn: (extents) => {
      stored = extents;
    },
    async read(ranges, request = {}) {
      const own = held(ranges, request);
      if (own) return own;
      const result: Uint8Array[] = new Array(ranges.length);
      await stream(ranges, {
        ...request,
        onRange: (index, bytes) => {
          result[index] = bytes;
        },
      });
      return result;
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const run of runs) run.stop(abortError());
      cache.clear();
      await stored?.flush();
      await source.close?.();
    },
  };
}
