import { abortError, toXylemError, type XylemError } from '../base/errors';
import { createExtentBudget, type Extent, type ExtentBudget, type ExtentCache, ExtentIndex } from './extents';
import { createFetchQueue } from './fetches';
import { estimateLink } from './link';
import type { PlanOptions } from './planner';
import { createProof } from './proof';
import { subtract } from './ranges';
import { ReadRun } from './read-run';
import type { ByteSource, Range } from './source';
import type { StoredExtents } from './stored';
import { createTrace, type Trace } from './trace';

export interface ReaderOptions {
  /** Requests under way at once; default is what the source says. */
  maxInFlight?: number | undefined;
  /** Gaps of at most so many bytes are read over. Default: by what the link is like. */
  gapBytes?: number | undefined;
  /** Longest single request in bytes. Default 8 MB. */
  maxRangeBytes?: number | undefined;
  /** Bound in bytes of what is kept in memory, where readers share one. Default: 256 MB of its own. */
  budget?: ExtentBudget | undefined;
  trace?: Trace | undefined;
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** Shown in the trace: "head", "keys", a branch's name. */
  purpose?: string | undefined;
  /** Requests of higher priority go first. Default 0. */
  priority?: number | undefined;
  /** Told of wanted bytes that have come (or were here); the sum is the length of all results. */
  onBytes?: ((bytes: number) => void) | undefined;
}

export interface StreamOptions extends ReadOptions {
  /**
   * Gets each wanted range as soon as its bytes are there. While a promise that it gave is open,
   * its bytes count as not yet used up: see `aheadBytes`.
   */
  onRange: (index: number, bytes: Uint8Array) => void | Promise<void>;
  /** Gets ranges that cannot be read, and the others go on; without it the first failure rejects. */
  onError?: ((index: number, error: XylemError) => void) | undefined;
  /** Bytes that may be requested or handed over and not used up. Default: no limit. */
  aheadBytes?: number | undefined;
}

/**
 * Reads ranges of one source with few requests: what is cached is not asked for, what lies close
 * is asked for together, what is under way already is waited for. The arrays that it gives are
 * views of shared buffers: copy them before transferring or changing them.
 */
export interface Reader {
  readonly source: ByteSource;
  readonly trace: Trace;
  /**
   * The bytes of each range, in the order asked. A range that reaches past the end of the file
   * comes out shorter; one that starts there throws TRUNCATED. Throws what the source throws.
   */
  read(ranges: readonly Range[], options?: ReadOptions): Promise<Uint8Array[]>;
  /** Like `read`, but hands each range over as it comes; resolves when all were used up. */
  stream(ranges: readonly Range[], options: StreamOptions): Promise<void>;
  /**
   * The last `length` bytes, where the source gives them without knowing where they are; undefined when
   * it does not, or fails. They count for others only once they were given to `keep`.
   */
  readEnd(length: number, options?: ReadOptions): Promise<Extent | undefined>;
  /** Keeps bytes of the file as if they had been read by their place. */
  keep(extent: Extent): void;
  /** Whether all of a range is in memory. */
  holds(range: Range): boolean;
  /** Whether the first answer to anything has begun to come. */
  readonly answered: boolean;
  /** From now on, what was fetched is kept there too, and what is there is not fetched. */
  keepIn(stored: StoredExtents): void;
  /**
   * Resolves when all that came is known to be of one content. Throws FILE_CHANGED when it is not,
   * or when any read has seen that, and what reading throws.
   */
  prove(signal?: AbortSignal): Promise<void>;
  /** What was given to `keepIn`. */
  readonly stored: StoredExtents | undefined;
  /** Ends what is under way with ABORTED, forgets the cached bytes and closes the source. */
  close(): Promise<void>;
}

export const DEFAULT_MAX_RANGE_BYTES = 8 * 1024 * 1024;

export function createReader(source: ByteSource, options: ReaderOptions = {}): Reader {
  const trace = options.trace ?? createTrace();
  const maxInFlight = Math.max(1, options.maxInFlight ?? source.concurrency);
  const cache: ExtentCache = new ExtentIndex(options.budget ?? createExtentBudget());
  let stored: StoredExtents | undefined;
  let answered = false;
  const proof = createProof(source, trace, () => stored);
  const queue = createFetchQueue({
    source,
    trace,
    maxInFlight,
    keep: (extent, holds) => cache.add(extent, holds),
    keepBeyond: (offset, bytes) => proof.keep(offset, bytes),
    failed: (error) => proof.noteFailure(error),
    answered: () => {
      answered = true;
    },
    stored: () => stored,
  });
  const plan = (): PlanOptions => ({
    gapBytes: options.gapBytes,
    maxRangeBytes: options.maxRangeBytes ?? DEFAULT_MAX_RANGE_BYTES,
    concurrency: maxInFlight,
    link: estimateLink(trace.records()),
    manyParts: source.maxParts ?? 0,
  });
  const runs = new Set<ReadRun>();
  let closed = false;

  async function stream(ranges: readonly Range[], request: StreamOptions): Promise<void> {
    if (closed || request.signal?.aborted) throw abortError();
    proof.throwIfChanged();
    const context = { source, trace, cache, queue, stored, plan: plan(), maxInFlight };
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

  return {
    source,
    trace,
    stream,
    prove: (signal) => proof.prove(signal),
    get stored() {
      return stored;
    },
    holds: (range) => subtract([range], cache.find(range)).length === 0,
    get answered() {
      return answered;
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
      proof.keep(extent.offset, extent.bytes);
    },
    keepIn: (extents) => {
      stored = extents;
    },
    async read(ranges, request = {}) {
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
