import type { XylemError } from '../../base/errors';
import type { Extent } from '../extents';
import { endOf } from '../ranges';
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

/** Ends a fetch, and tells those that wait for it. */
export function settle(fetch: Fetch, open: Set<Fetch>, tell: (waiter: Waiter) => void): void {
  fetch.state = 'settled';
  open.delete(fetch);
  for (const waiter of [...fetch.waiters]) tell(waiter);
  fetch.waiters.clear();
}

/** Returns the range from the first fetch to the end of the last. */
export function spanOf(batch: readonly Fetch[]): Range {
  const { offset } = batch[0] as Fetch;
  return { offset, length: endOf(batch.at(-1) as Fetch) - offset };
}
