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
    const half = Math.abs(min) > 0 ? Math.abs(min) * 0.1 : 0.5;
    return { bins, low: min - half, high: max + half };
  }
  const unit = 10 ** Math.floor(Math.log10((max - min) / 20));
  const low = Math.floor(min / unit) * unit;
  let high = Math.ceil(max / unit) * unit;
  if (high <= max) high += unit;
  const exact = Number.isFinite(low) && Number.isFinite(high) && low <= min && high > max;
  return exact ? { bins, low: round(low), high: round(high) } : { bins, low: min, high: above(max, min) };
}

/** Removes the noise of the last digits that multiplying by a power of ten leaves. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** A little more than `max`, so that the half-open axis holds it. */
function above(max: number, min: number): number {
  return max + Math.max((max - min) * 1e-6, Math.abs(max) * 1e-12);
}
