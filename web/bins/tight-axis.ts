import type { Axis } from '../core/fill';
import type { Summary } from '../core/sums/summary';

/**
 * Returns an axis that contains all finite values. Integers get bins that are centred on them and have an integer
 * width, as many as fit; other values get round edges.
 */
export function tightAxis(summary: Summary, bins: number): Axis {
  if (summary.values === 0) return { bins, low: 0, high: 1 };
  const { min, max } = summary;
  if (summary.integers && Math.abs(min) < 2 ** 52 && Math.abs(max) < 2 ** 52) {
    const width = Math.max(1, Math.ceil((max - min + 1) / bins));
    const count = Math.ceil((max - min + 1) / width);
    return { bins: count, low: min - 0.5, high: min - 0.5 + count * width };
  }
  if (min === max) {
    const half = Math.abs(min) > 1e-300 ? Math.abs(min) * 0.1 : 0.5;
    return bounded(bins, min - half, max + half);
  }
  const unit = 10 ** Math.floor(Math.log10((max - min) / 20));
  const low = round(Math.floor(min / unit) * unit);
  const end = Math.ceil(max / unit) * unit;
  const high = round(end <= max ? end + unit : end);
  const exact = Number.isFinite(high - low) && low <= min && high > max;
  if (exact) return { bins, low, high };
  return bounded(bins, min, above(max, min));
}

/** Limits an axis to half the range of doubles; values beyond it are underflow and overflow. */
function bounded(bins: number, low: number, high: number): Axis {
  const far = Number.MAX_VALUE / 2;
  const inside = (value: number) => Math.min(far, Math.max(-far, value));
  // If all values are beyond one end, there is still a range to draw below it.
  return { bins, low: Math.min(inside(low), far / 2), high: Math.max(inside(high), -far / 2) };
}

/** Removes the rounding noise in the last digits that multiplying by a power of ten leaves. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Returns a number slightly larger than `max`, so that the half-open axis contains `max`. */
function above(max: number, min: number): number {
  return max + Math.max((max - min) * 1e-6, Math.abs(max) * 1e-12, 5e-324);
}
