import type { XylemError } from '../../base/errors';
import type { Extent } from '../extents';
import type { Range } from '../source';

/**
 * One request to the source, for which several reads may wait. Its states: planned (others can join it), queued,
 * running, settled. If its last waiter leaves before it is settled, it is cancelled.
 */
export interface Fetch extends Range {
  readonly wanted: number;
  readonly purpose: string;
  priority: number;
  /** Whether it reads an extent of the persistent cache. If that is missing, it becomes a request. */
  stored: boolean;
  waiters: Set<Waiter>;
  state: 'planned' | 'queued' | 'running' | 'settled';
  readonly planned: number;
  readonly controller: AbortController;
}

/** Called once per fetch, in the turn of the event loop in which the bytes arrived. Must not throw. */
export interface Waiter {
  arrived(fetch: Fetch, extent: Extent): void;
  failed(fetch: Fetch, error: XylemError): void;
}

/** Fetches that wait for one of a limited number of places. */
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
