import type { Histogram } from '../api/api';
import { type Fill, MOMENTS } from '../core/fill';
import { addSums, type ExactSums, emptySums } from '../core/sums/exact-sums';
import { cellsOf, emptyStats, type HistogramShape, histogramOf } from './filled-histogram';

/**
 * The part of a histogram that can be added to others of the same shape; the result has the same bits in any order. A
 * Histogram with exact sums is also a HistogramSum.
 */
export interface HistogramSum {
  fills: number;
  nan: number;
  /** Number of requested tree entries. */
  entries: number;
  /** Minimum and maximum of the finite values of each coordinate; NaN if there are none. */
  min: number[];
  max: number[];
  integer: boolean[];
  exact: ExactSums;
}

/** Returns the number of exact sums of a shape: see Fill. */
export function sumsCount({ axes, profile }: HistogramShape): number {
  return cellsOf(axes) * (profile === undefined ? 2 : 4) + MOMENTS;
}

export function emptySum(shape: HistogramShape): HistogramSum {
  const each = <T>(value: T): T[] => Array.from({ length: shape.dims }, () => value);
  return {
    fills: 0,
    nan: 0,
    entries: 0,
    min: each(Number.NaN),
    max: each(Number.NaN),
    integer: each(true),
    exact: emptySums(sumsCount(shape)),
  };
}

/** Adds a histogram of the same shape. Changes `sum`. */
export function addHistogram(sum: HistogramSum, more: HistogramSum): void {
  sum.fills += more.fills;
  sum.nan += more.nan;
  sum.entries += more.entries;
  sum.min = sum.min.map((value, i) => endOf(Math.min, value, more.min[i]));
  sum.max = sum.max.map((value, i) => endOf(Math.max, value, more.max[i]));
  sum.integer = sum.integer.map((whole, i) => whole && more.integer[i] === true);
  addSums(sum.exact, more.exact);
}

/** Adding 0 turns -0 into 0, so that the sign does not depend on the order. */
function endOf(choose: (a: number, b: number) => number, a: number, b = Number.NaN): number {
  if (Number.isNaN(a)) return b + 0;
  return Number.isNaN(b) ? a : choose(a, b) + 0;
}

/** Returns the histogram of a sum, without its exact sums. */
export function histogramOfSum(shape: HistogramShape, sum: HistogramSum): Histogram {
  const { fills, nan, min, max, exact, entries, integer } = sum;
  const stats = { ...emptyStats(min.length), fills, nans: nan };
  for (const [i, axis] of stats.axes.entries())
    Object.assign(axis, { finite: Number.isNaN(min[i]) ? 0 : 1, min: min[i], max: max[i] });
  const fill: Fill = { sums: new Float64Array(), squares: new Float64Array(), stats, exact };
  return { ...histogramOf(shape, fill, { entries, integer, partial: undefined }), exact: undefined };
}
