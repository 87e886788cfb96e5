import type { Progress } from '../api/api';

/** Minimum time in ms between progress reports. */
const INTERVAL_MS = 100;

/**
 * Returns a function that reports progress at most every 100 ms. Reports in between are dropped, also the last one; the
 * caller returns the final state.
 */
export function throttle(
  onProgress: ((progress: Progress) => void) | undefined,
): (make: () => Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (make) => {
    if (!onProgress) return;
    const now = performance.now();
    if (now - last < INTERVAL_MS) return;
    last = now;
    onProgress(make());
  };
}
