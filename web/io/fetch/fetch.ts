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
