import { toXylemError, XylemError } from '../base/errors';
import type { Extent } from './extents';
import { chooseGap } from './gap';
import { estimateLink } from './link';
import { endOf, totalLength, union } from './ranges';
import type { ByteSource, Range } from './source';
import type { StoredExtents } from './stored';
import type { ReadOrigin, ReadRecord, Trace } from './trace';

/**
 * One request of the source, which several reads may wait for. It is planned (others can join it),
 * then queued, then under way, then settled. When its last waiter leaves before that, it is
 * cancelled.
 */
export interface Fetch extends Range {
  readonly wanted: number;
  readonly purpose: string;
  priority: number;
  /** Is an extent of the persistent cache; becomes a request when it is not there after all. */
  stored: boolean;
  waiters: Set<Waiter>;
  state: 'planned' | 'queued' | 'running' | 'settled';
  readonly planned: number;
  readonly controller: AbortController;
}

/** Told once per fetch, in the same turn in which the bytes came; must not throw. */
export interface Waiter {
  arrived(fetch: Fetch, extent: Extent): void;
  failed(fetch: Fetch, error: XylemError): void;
}

/** Runs the requests of one source, a bounded number at a time, by priority and then by age. */
export interface FetchQueue {
  /** Requests that are planned, queued or under way. */
  readonly open: ReadonlySet<Fetch>;
  plan(range: Range, wanted: number, purpose: string, priority: number, stored?: boolean): Fetch;
  join(fetch: Fetch, waiter: Waiter): void;
  /** Queues a planned fetch, or raises the priority of a queued one. */
  start(fetch: Fetch, priority: number): void;
  leave(fetch: Fetch, waiter: Waiter): void;
}

/** What the trace says of a request. */
type Noted = Pick<Fetch, 'offset' | 'length' | 'wanted' | 'purpose' | 'planned'> &
  Pick<ReadRecord, 'parts' | 'ranges'>;

/** A request that brings several fetches is not longer than this, so that decoding can begin. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** The same where that many bytes take no longer than a round trip. */
const MOST_BATCH_BYTES = 16 * 1024 * 1024;
/** Reads of the persistent cache at once; they keep no request waiting. */
const STORED_AT_ONCE = 32;

/** Fetches that wait for one of a bounded number of places. */
class Lane {
  /** Highest priority first, then oldest first. */
  readonly queued: Fetch[] = [];
  running = 0;

  constructor(readonly places: number) {}

  add(fetch: Fetch): void {
    const at = this.queued.findLastIndex((other) => other.priority >= fetch.priority);
    this.queued.splice(at + 1, 0, fetch);
  }

  remove(fetch: Fetch): void {
    const at = this.queued.indexOf(fetch);
    if (at >= 0) this.queued.splice(at, 1);
  }
}

export interface FetchQueueOptions {
  source: ByteSource;
  trace: Trace;
  maxInFlight: number;
  /** Gets what came, with the number of its waiters. */
  keep: (extent: Extent, holds: number) => void;
  /** Gets what came over the network, all that one request brought in one turn. */
  keepBeyond: (offset: number, bytes: Uint8Array) => void;
  /** Told of each request that failed. */
  failed: (error: XylemError) => void;
  /** Told when the first of an answer comes. */
  answered: () => void;
  /** The persistent cache, once the file is known. */
  stored: () => StoredExtents | undefined;
}

export function createFetchQueue(options: FetchQueueOptions): FetchQueue {
  const { source, trace, keep } = options;
  const open = new Set<Fetch>();
  const requests = new Lane(options.maxInFlight);
  const loads = new Lane(STORED_AT_ONCE);
  /** How many small requests that wait are put together. */
  let mode: 'single' | 'parts' | 'spans' = 'single';
  let spanGap = 0;
  let soon = false;
  const laneOf = (fetch: Fetch): Lane => (fetch.stored ? loads : requests);

  function pump(lane: Lane): void {
    while (lane.running < lane.places && lane.queued.length > 0) {
      const batch = lane === requests ? nextBatch() : lane.queued.splice(0, 1);
      const [fetch] = batch;
      if (!fetch) return;
      lane.running++;
      for (const one of batch) one.state = 'running';
      // None rejects: they tell the waiters.
      const work = lane === loads ? load(fetch) : batch.length > 1 ? runMany(batch) : run(fetch);
      void work.finally(() => {
        lane.running--;
        pump(lane);
      });
    }
  }

  /** The next fetch, and those that one request brings along. */
  function nextBatch(): Fetch[] {
    const { queued, running, places } = requests;
    const priority = queued[0]?.priority;
    const other = queued.findIndex((fetch) => fetch.priority !== priority);
    const alike = other < 0 ? queued.length : other;
    let taken = 1;
    if (mode === 'parts') {
      const bytes = totalLength(queued.slice(0, alike));
      const link = estimateLink(trace.records());
      // Connections share the work, but one that does not save a round trip is not worth opening.
      const worth = link ? link.latencyMs * link.bytesPerMs : 0;
      const share = Math.max(
        Math.min(worth, MOST_BATCH_BYTES),
        Math.min(MAX_BATCH_BYTES, bytes / (places - running)),
      );
      const most = Math.min(alike, source.maxParts ?? 0);
      for (let size = queued[0]?.length ?? 0; taken < most && size < share; taken++) {
        size += queued[taken]?.length ?? 0;
      }
    } else if (mode === 'spans') {
      const start = queued[0]?.offset ?? 0;
      for (let last = queued[0]; last && taken < alike; last = queued[taken++]) {
        const next = queued[taken];
        const gap = next ? next.offset - endOf(last) : -1;
        if (!next || gap < 0 || gap > spanGap || endOf(next) - start > MAX_BATCH_BYTES) break;
      }
    }
    const batch = queued.splice(0, taken);
    if (queued.length === 0) mode = 'single';
    return batch;
  }

  /** Waits until all that is started now is queued, so that it can be asked for together. */
  function pumpSoon(): void {
    if ((source.maxParts ?? 0) < 2) {
      pump(requests);
      return;
    }
    if (soon) return;
    soon = true;
    queueMicrotask(() => {
      soon = false;
      if (mode === 'single' && requests.queued.length > 2 * requests.places) mode = 'parts';
      pump(requests);
    });
  }

  /** Reads from the persistent cache; what is not there any more becomes a request. */
  async function load(fetch: Fetch): Promise<void> {
    const started = trace.now();
    const bytes = await options.stored()?.load(fetch);
    if (fetch.state === 'settled') return;
    if (bytes) {
      note(fetch, 'store', bytes.length, started, started);
      arrive(fetch, bytes);
      return;
    }
    fetch.stored = false;
    fetch.state = 'queued';
    requests.add(fetch);
    pump(requests);
  }

  async function run(fetch: Fetch): Promise<void> {
    const { offset, length } = fetch;
    const started = trace.now();
    let answered = started;
    const origin = source.origin ?? 'network';
    let bytes: Uint8Array;
    try {
      bytes = await source.read(offset, length, fetch.controller.signal, () => {
        answered = trace.now();
        options.answered();
      });
      if (bytes.length === 0 || bytes.length > length) throw wrongAnswer(source, fetch, bytes.length);
    } catch (thrown) {
      const error = toXylemError(thrown);
      note(fetch, origin, 0, started, answered, error.code);
      options.failed(error);
      settle(fetch, (waiter) => waiter.failed(fetch, error));
      return;
    }
    note(fetch, origin, bytes.length, started, answered);
    if (origin === 'network') options.keepBeyond(offset, bytes);
    arrive(fetch, bytes);
  }

  /** One request for several fetches; it is given up when all of them are. */
  async function runMany(batch: Fetch[]): Promise<void> {
    const controller = new AbortController();
    const given = ({ state, controller: { signal } }: Fetch) => state === 'settled' || signal.aborted;
    for (const fetch of batch) {
      fetch.controller.signal.addEventListener('abort', () => {
        if (batch.every(given)) controller.abort();
      });
    }
    const asParts = (source.maxParts ?? 0) > 1;
    const first = batch[0] as Fetch;
    const span = { offset: first.offset, length: endOf(batch.at(-1) as Fetch) - first.offset };
    const started = trace.now();
    let answered = started;
    let got = 0;
    const came: [Fetch, Uint8Array][] = [];
    const left = new Set(batch);
    const onAnswer = () => {
      answered = trace.now();
    };
    const onPart = (index: number, bytes: Uint8Array) => {
      const fetch = batch[index] as Fetch;
      got += bytes.length;
      came.push([fetch, bytes]);
      left.delete(fetch);
      // The last one waits for the trace, so that who has all of it finds the request there.
      if (left.size > 0 && fetch.state !== 'settled') arrive(fetch, bytes);
    };
    const open = () => batch.filter((fetch) => fetch.state !== 'settled');
    // What is kept, is kept as one.
    const handOver = () => {
      for (const [fetch, bytes] of came) {
        if (fetch.state !== 'settled') arrive(fetch, bytes);
        if (source.origin === 'network') options.keepBeyond(fetch.offset, bytes);
      }
    };
    const record = (failed?: XylemError['code']) => {
      const wanted = batch.reduce((sum, fetch) => sum + fetch.wanted, 0);
      const asked = asParts ? totalLength(batch) : span.length;
      const ranges = batch.map(({ offset, length }) => ({ offset, length }));
      const parts = asParts ? { parts: batch.length, ranges } : {};
      const all = { ...first, ...span, wanted, ...parts };
      note(all, source.origin ?? 'network', got, started, answered, failed, asked);
    };
    try {
      if (asParts) {
        const done = await source.readParts?.(batch, onPart, controller.signal, onAnswer);
        record();
        handOver();
        if (!done) putBack(open());
        return;
      }
      const bytes = await source.read(span.offset, span.length, controller.signal, onAnswer);
      if (bytes.length !== span.length) throw wrongAnswer(source, span, bytes.length);
      batch.forEach((fetch, index) => {
        const at = fetch.offset - span.offset;
        onPart(index, bytes.subarray(at, at + fetch.length));
      });
      got = bytes.length;
      record();
      handOver();
    } catch (thrown) {
      const error = toXylemError(thrown);
      record(error.code);
      options.failed(error);
      handOver();
      for (const fetch of open()) settle(fetch, (waiter) => waiter.failed(fetch, error));
    }
  }

  /** The source does not take so many ranges after all: what waits is put together in long ones, if in none. */
  function putBack(fetches: Fetch[]): void {
    for (const fetch of fetches) {
      fetch.state = 'queued';
      requests.queued.push(fetch);
    }
    requests.queued.sort((a, b) => b.priority - a.priority || a.offset - b.offset);
    if ((source.maxParts ?? 0) > 1) {
      mode = 'parts';
      return;
    }
    const link = estimateLink(trace.records());
    spanGap = chooseGap(union(requests.queued), { link, concurrency: requests.places, manyParts: 0 });
    mode = 'spans';
  }

  function note(
    { offset, length, wanted, purpose, planned, parts, ranges }: Noted,
    origin: ReadOrigin,
    got: number,
    started: number,
    answered: number,
    failed?: XylemError['code'],
    asked = length,
  ): void {
    const times = { queued: planned, started, answered, done: trace.now() };
    const more = { ...(parts && { parts, ranges }), ...(failed && { failed }) };
    trace.add({ offset, wanted, asked, got, origin, purpose, ...times, ...more });
  }

  function arrive(fetch: Fetch, bytes: Uint8Array): void {
    const extent = { offset: fetch.offset, length: bytes.length, bytes };
    keep(extent, fetch.waiters.size);
    settle(fetch, (waiter) => waiter.arrived(fetch, extent));
  }

  function settle(fetch: Fetch, tell: (waiter: Waiter) => void): void {
    fetch.state = 'settled';
    open.delete(fetch);
    for (const waiter of [...fetch.waiters]) tell(waiter);
    fetch.waiters.clear();
  }

  return {
    open,
    plan: (range, wanted, purpose, priority, stored = false) => {
      const fetch: Fetch = {
        offset: range.offset,
        length: range.length,
        wanted,
        purpose,
        priority,
        stored,
        waiters: new Set(),
        state: 'planned',
        planned: trace.now(),
        controller: new AbortController(),
      };
      open.add(fetch);
      return fetch;
    },
    join: (fetch, waiter) => {
      fetch.waiters.add(waiter);
    },
    start: (fetch, priority) => {
      const lane = laneOf(fetch);
      if (fetch.state === 'planned') {
        fetch.state = 'queued';
        fetch.priority = priority;
        lane.add(fetch);
        if (lane === requests) pumpSoon();
        else pump(lane);
      } else if (fetch.state === 'queued' && priority > fetch.priority) {
        lane.remove(fetch);
        fetch.priority = priority;
        lane.add(fetch);
      }
    },
    leave: (fetch, waiter) => {
      if (!fetch.waiters.delete(waiter) || fetch.waiters.size > 0 || fetch.state === 'settled') return;
      open.delete(fetch);
      if (fetch.state === 'queued') laneOf(fetch).remove(fetch);
      if (fetch.state === 'running') fetch.controller.abort();
      fetch.state = 'settled';
    },
  };
}

function wrongAnswer(source: ByteSource, { offset, length }: Range, got: number): XylemError {
  return new XylemError({
    code: 'IO',
    message: `${source.name}: the source gave ${got} bytes at offset ${offset} where ${length} were asked for.`,
    where: { offset, length },
  });
}

/** Calls `visit` for each range (ascending by offset) and each of the others that have bytes in common. */
export function eachOverlap<T extends Range, U extends Range>(
  ranges: readonly T[],
  others: Iterable<U>,
  visit: (range: T, other: U) => void,
): void {
  const sorted = [...others].sort((a, b) => a.offset - b.offset);
  if (sorted.length === 0) return;
  let next = 0;
  let near: U[] = [];
  for (const range of ranges) {
    for (let other = sorted[next]; other && other.offset < endOf(range); other = sorted[++next]) {
      near.push(other);
    }
    near = near.filter((other) => endOf(other) > range.offset);
    for (const other of near) if (other.offset < endOf(range)) visit(range, other);
  }
}
