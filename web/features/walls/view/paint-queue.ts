import { paintOf } from '../../../plot/chart/page-plot';
import type { CanvasPaint } from '../../../plot/drawing/drawing-canvas';

/** Time in ms per frame for painting plots. More would make scrolling stutter. */
const BUDGET = 8;

const waiting = new Map<HTMLElement, { dark: boolean; paint(look: CanvasPaint): void }>();
let isPlanned = false;

/** Calls `paint` in one of the next frames with the colours of the page, unless `dropPaint` is called before. */
export function paintSoon(host: HTMLElement, dark: boolean, paint: (look: CanvasPaint) => void): void {
  waiting.set(host, { dark, paint });
  plan();
}

export function dropPaint(host: HTMLElement): void {
  waiting.delete(host);
}

function plan(): void {
  if (isPlanned || waiting.size === 0) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    const end = performance.now() + BUDGET;
    // Shared within a frame, because reading styles takes as long as painting.
    let look: CanvasPaint | undefined;
    let isDark = false;
    for (const [host, { dark, paint }] of waiting) {
      waiting.delete(host);
      if (look === undefined || dark !== isDark) look = paintOf(host, dark);
      isDark = dark;
      paint(look);
      if (performance.now() >= end) break;
    }
    plan();
  });
}
