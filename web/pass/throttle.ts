import type { Progress } from '../api/api';

/** Reports progress at most every INTERVAL_MS. The final state is not reported; the caller returns it. */
const INTERVAL_MS = 100;

/** Passes at most one progress report on in 100 ms; others are not made. */
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
