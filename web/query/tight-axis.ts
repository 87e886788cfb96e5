import type { Summary } from '../core/summary';

export interface Axis {
  bins: number;
  low: number;
  high: number;
}

/**
 * An axis that holds all finite values. Whole numbers get bins that are centred on them and as
 * wide as a whole number, as many as fit; other values get edges on round numbers.
 */
export function automaticAxis(summary: Summary, bins: number): Axis {
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

/** An axis is no longer than half the range of doubles: what lies beyond is under- and overflow. */
function bounded(bins: number, low: number, high: number): Axis {
  const far = Number.MAX_VALUE / 2;
  const inside = (value: number) => Math.min(far, Math.max(-far, value));
  // Where all values lie beyond one end, there is still something to draw below it.
  return { bins, low: Math.min(inside(low), far / 2), high: Math.max(inside(high), -far / 2) };
}

/** Removes the noise of the last digits that multiplying by a power of ten leaves. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** A little more than `max`, so that the half-open axis holds it. */
function above(max: number, min: number): number {
  return max + Math.max((max - min) * 1e-6, Math.abs(max) * 1e-12, 5e-324);
}
