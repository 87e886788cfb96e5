import type { Range, SourceFacts } from '../source';
import type { Trace } from '../trace';
import { createBatches } from './batches';
import type { Fetch, Waiter } from './fetch';

/** Runs the requests of one source, a limited number at a time, by priority and then by age. */
export interface FetchQueue {
  /** Requests that are planned, queued or running. */
  readonly open: ReadonlySet<Fetch>;
  plan(range: Range, wanted: number, purpose: string, priority: number, stored?: boolean): Fetch;
  join(fetch: Fetch, waiter: Waiter): void;
  /** Queues a planned fetch, or raises the priority of a queued one. */
  start(fetch: Fetch, priority: number): void;
  leave(fetch: Fetch, waiter: Waiter): void;
}

/** Sends requests, and passes the bytes to the waiters. */
export interface Requests {
  /** Sends one request for fetches. Calls `done` at its end, with the fetches that the source did not answer. */
  send(batch: readonly Fetch[], done: (left: readonly Fetch[]) => void): void;
  /** Reads from the persistent cache. Calls `done` at its end, with whether the bytes were there. */
  load(fetch: Fetch, done: (found: boolean) => void): void;
  /** Calls `run` when everything that starts now is queued. */
  soon(run: () => void): void;
}

export interface FetchQueueOptions {
  source: SourceFacts;
  trace: Trace;
  maxInFlight: number;
  /** Fetches that are planned, queued or running. */
  open: Set<Fetch>;
  requests: Requests;
}

/** Fetches that wait for one of a bounded number of places. */
export class FetchLimit {
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

/** Reads of the persistent cache at once; they keep no request waiting. */
const MAX_STORED_READS = 32;

export function createFetchQueue({
  source,
  trace,
  maxInFlight,
  open,
  requests: sender,
}: FetchQueueOptions): FetchQueue {
  const requests = new FetchLimit(maxInFlight);
  const loads = new FetchLimit(MAX_STORED_READS);
  const batches = createBatches(source, requests, trace);
  let soon = false;
  const limitOf = (fetch: Fetch): FetchLimit => (fetch.stored ? loads : requests);

  function pump(limit: FetchLimit): void {
    while (limit.running < limit.places && limit.queued.length > 0) {
      const batch = limit === requests ? batches.take() : limit.queued.splice(0, 1);
      const [first] = batch;
      if (!first) return;
      limit.running++;
      for (const one of batch) one.state = 'running';
      const end = (): void => {
        limit.running--;
        pump(limit);
      };
      if (limit === loads) {
        sender.load(first, (found) => {
          if (!found) request(first);
          end();
        });
      } else {
        sender.send(batch, (left) => {
          if (left.length > 0) batches.putBack(left);
          end();
        });
      }
    }
  }

  /** Requests bytes that are not in the persistent cache. */
  function request(fetch: Fetch): void {
    fetch.stored = false;
    fetch.state = 'queued';
    requests.add(fetch);
    pump(requests);
  }

  /** Waits until everything that starts now is queued, so that it can be combined in one request. */
  function pumpSoon(): void {
    if ((source.maxParts ?? 0) < 2) {
      pump(requests);
      return;
    }
    if (soon) return;
    soon = true;
    sender.soon(() => {
      soon = false;
      batches.consider();
      pump(requests);
    });
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
      const limit = limitOf(fetch);
      if (fetch.state === 'planned') {
        fetch.state = 'queued';
        fetch.priority = priority;
        limit.add(fetch);
        if (limit === requests) pumpSoon();
        else pump(limit);
      } else if (fetch.state === 'queued' && priority > fetch.priority) {
        limit.remove(fetch);
        fetch.priority = priority;
        limit.add(fetch);
      }
    },
    leave: (fetch, waiter) => {
      if (!fetch.waiters.delete(waiter) || fetch.waiters.size > 0 || fetch.state === 'settled') return;
      open.delete(fetch);
      if (fetch.state === 'queued') limitOf(fetch).remove(fetch);
      if (fetch.state === 'running') fetch.controller.abort();
      fetch.state = 'settled';
    },
  };
}
