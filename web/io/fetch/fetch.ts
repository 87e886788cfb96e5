import type { XylemError } from '../../base/errors';
import type { Extent } from '../extents';
import type { Range } from '../source';

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
