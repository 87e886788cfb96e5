import { toXylemError, XylemError } from '../base/errors';
import type { Extent } from './extents';
import { endOf } from './ranges';
import type { ByteSource, Range } from './source';
import type { Trace } from './trace';

/**
 * One request of the source, which several reads may wait for. It is planned (others can join it),
 * then queued, then under way, then settled. When its last waiter leaves before that, it is
 * cancelled.
 */
export interface Fetch extends Range {
  readonly wanted: number;
  readonly purpose: string;
  priority: number;
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
  plan(range: Range, wanted: number, purpose: string, priority: number): Fetch;
  join(fetch: Fetch, waiter: Waiter): void;
  /** Queues a planned fetch, or raises the priority of a queued one. */
  start(fetch: Fetch, priority: number): void;
  leave(fetch: Fetch, waiter: Waiter): void;
}

export function createFetchQueue(
  source: ByteSource,
  trace: Trace,
  maxInFlight: number,
  keep: (extent: Extent, holds: number) => void,
): FetchQueue {
  const open = new Set<Fetch>();
  const queued: Fetch[] = []; // highest priority first, then oldest first
  let running = 0;

  function enqueue(fetch: Fetch): void {
    const at = queued.findLastIndex((other) => other.priority >= fetch.priority);
    queued.splice(at + 1, 0, fetch);
  }

  function pump(): void {
    while (running < maxInFlight) {
      const fetch = queued.shift();
      if (!fetch) return;
      running++;
      fetch.state = 'running';
      // run() rejects never: it tells the waiters.
      void run(fetch).finally(() => {
        running--;
        pump();
      });
    }
  }

  async function run(fetch: Fetch): Promise<void> {
    const { offset, length, wanted, purpose, planned } = fetch;
    const origin = source.origin ?? 'network';
    const started = trace.now();
    const note = (got: number, failed?: XylemError['code']) =>
      trace.add({
        offset,
        wanted,
        asked: length,
        got,
        origin,
        purpose,
        queued: planned,
        started,
        done: trace.now(),
        ...(failed && { failed }),
      });
    let bytes: Uint8Array;
    try {
      bytes = await source.read(offset, length, fetch.controller.signal);
      if (bytes.length === 0 || bytes.length > length) throw wrongAnswer(source, fetch, bytes.length);
    } catch (thrown) {
      const error = toXylemError(thrown);
      note(0, error.code);
      settle(fetch, (waiter) => waiter.failed(fetch, error));
      return;
    }
    note(bytes.length);
    const extent = { offset, length: bytes.length, bytes };
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
    plan: (range, wanted, purpose, priority) => {
      const fetch: Fetch = {
        offset: range.offset,
        length: range.length,
        wanted,
        purpose,
        priority,
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
      if (fetch.state === 'planned') {
        fetch.state = 'queued';
        fetch.priority = priority;
        enqueue(fetch);
        pump();
      } else if (fetch.state === 'queued' && priority > fetch.priority) {
        queued.splice(queued.indexOf(fetch), 1);
        fetch.priority = priority;
        enqueue(fetch);
      }
    },
    leave: (fetch, waiter) => {
      if (!fetch.waiters.delete(waiter) || fetch.waiters.size > 0 || fetch.state === 'settled') return;
      open.delete(fetch);
      if (fetch.state === 'queued') queued.splice(queued.indexOf(fetch), 1);
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
