import { toXylemError, XylemError } from '../base/errors';
import type { Extent } from './extents';
import { endOf } from './ranges';
import type { ByteSource, Range } from './source';
import type { StoredExtents } from './stored';
import type { ReadOrigin, Trace } from './trace';

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
  /** Gets what came, with the number of its waiters; `fetched` when over the network. */
  keep: (extent: Extent, holds: number, fetched: boolean) => void;
  /** The persistent cache, once the file is known. */
  stored: () => StoredExtents | undefined;
}

export function createFetchQueue(options: FetchQueueOptions): FetchQueue {
  const { source, trace, keep } = options;
  const open = new Set<Fetch>();
  const requests = new Lane(options.maxInFlight);
  const loads = new Lane(STORED_AT_ONCE);
  const laneOf = (fetch: Fetch): Lane => (fetch.stored ? loads : requests);

  function pump(lane: Lane): void {
    while (lane.running < lane.places) {
      const fetch = lane.queued.shift();
      if (!fetch) return;
      lane.running++;
      fetch.state = 'running';
      // Neither rejects: they tell the waiters.
      void (lane === loads ? load(fetch) : run(fetch)).finally(() => {
        lane.running--;
        pump(lane);
      });
    }
  }

  /** Reads from the persistent cache; what is not there any more becomes a request. */
  async function load(fetch: Fetch): Promise<void> {
    const started = trace.now();
    const bytes = await options.stored()?.load(fetch);
    if (fetch.state === 'settled') return;
    if (bytes) {
      note(fetch, 'store', bytes.length, started, started);
      arrive(fetch, bytes, false);
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
      });
      if (bytes.length === 0 || bytes.length > length) throw wrongAnswer(source, fetch, bytes.length);
    } catch (thrown) {
      const error = toXylemError(thrown);
      note(fetch, origin, 0, started, answered, error.code);
      settle(fetch, (waiter) => waiter.failed(fetch, error));
      return;
    }
    note(fetch, origin, bytes.length, started, answered);
    arrive(fetch, bytes, origin === 'network');
  }

  function note(
    { offset, length, wanted, purpose, planned }: Fetch,
    origin: ReadOrigin,
    got: number,
    started: number,
    answered: number,
    failed?: XylemError['code'],
  ): void {
    const times = { queued: planned, started, answered, done: trace.now() };
    trace.add({ offset, wanted, asked: length, got, origin, purpose, ...times, ...(failed && { failed }) });
  }

  function arrive(fetch: Fetch, bytes: Uint8Array, fetched: boolean): void {
    const extent = { offset: fetch.offset, length: bytes.length, bytes };
    keep(extent, fetch.waiters.size, fetched);
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
        pump(lane);
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

/** Calls `visit` for each range (ascending by offset) and each fetch that have bytes in common. */
export function eachOverlap<T extends Range>(
  ranges: readonly T[],
  fetches: Iterable<Fetch>,
  visit: (range: T, fetch: Fetch) => void,
): void {
  const sorted = [...fetches].sort((a, b) => a.offset - b.offset);
  let next = 0;
  let near: Fetch[] = [];
  for (const range of ranges) {
    for (let fetch = sorted[next]; fetch && fetch.offset < endOf(range); fetch = sorted[++next]) {
      near.push(fetch);
    }
    near = near.filter((fetch) => endOf(fetch) > range.offset);
    for (const fetch of near) if (fetch.offset < endOf(range)) visit(range, fetch);
  }
}
