/** ms of each frame in which plots are painted: more would make scrolling stutter. */
const BUDGET = 8;

const waiting = new Map<object, () => void>();
let isPlanned = false;

/** Calls `paint` in one of the next frames, unless `drop` is called with its key before. */
export function paintSoon(key: object, paint: () => void): void {
  waiting.set(key, paint);
  plan();
}

export function dropPaint(key: object): void {
  waiting.delete(key);
}

function plan(): void {
  if (isPlanned || waiting.size === 0) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    const end = performance.now() + BUDGET;
    for (const [key, paint] of waiting) {
      waiting.delete(key);
      paint();
      if (performance.now() >= end) break;
    }
    plan();
  });
}
