import type { Progress } from './api';

/** Progress goes to people: at most one report in so many ms, and the last one is not owed. */
const INTERVAL_MS = 100;

/** Passes at most one progress report every 100 ms on; it is only made when it is passed. */
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
