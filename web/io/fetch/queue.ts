import type { Range } from '../source';
import { createBatches } from './batches';
import type { Fetch, Waiter } from './fetch';
import { createRequests, type RequestOptions } from './requests';

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

export interface FetchQueueOptions extends RequestOptions {
  maxInFlight: number;
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

export function createFetchQueue(options: FetchQueueOptions): FetchQueue {
  const { source, trace } = options;
  const open = new Set<Fetch>();
  const requests = new FetchLimit(options.maxInFlight);
  const loads = new FetchLimit(MAX_STORED_READS);
  const batches = createBatches(source, requests, trace);
  const running = createRequests(options, open);
  let soon = false;
  const limitOf = (fetch: Fetch): FetchLimit => (fetch.stored ? loads : requests);

  function pump(limit: FetchLimit): void {
    while (limit.running < limit.places && limit.queued.length > 0) {
      const batch = limit === requests ? batches.take() : limit.queued.splice(0, 1);
      if (batch.length === 0) return;
      limit.running++;
      for (const one of batch) one.state = 'running';
      const work = limit === loads ? load(batch[0] as Fetch) : send(batch);
      void work.finally(() => {
        limit.running--;
        pump(limit);
      });
    }
  }

  /** Waits until everything that starts now is queued, so that it can be combined in one request. */
  function pumpSoon(): void {
    if ((source.maxParts ?? 0) < 2) {
      pump(requests);
      return;
    }
    if (soon) return;
    soon = true;
    queueMicrotask(() => {
      soon = false;
      batches.consider();
      pump(requests);
    });
  }

  async function send(batch: Fetch[]): Promise<void> {
    if (batch.length === 1) return running.run(batch[0] as Fetch);
    const complete = await running.runMany(batch);
    if (!complete) batches.putBack(batch.filter((fetch) => fetch.state !== 'settled'));
  }

  /** Reads from the persistent cache. If the bytes are missing, sends a request. */
  async function load(fetch: Fetch): Promise<void> {
    if (await running.load(fetch)) return;
    fetch.stored = false;
    fetch.state = 'queued';
    requests.add(fetch);
    pump(requests);
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
