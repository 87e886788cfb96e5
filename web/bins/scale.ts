import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';
import { MOMENTS } from '../core/fill';
import { scaledSums } from '../core/sums/exact-sums';
import type { HistogramSum } from './histogram-sum';

/** Place of the sum of squared weights among the sums of `Histogram.stats` and among the moments of a fill. */
const SQUARED = 1;

/** Statistics of weights that add up to 0. */
const nothing = (dimensions: number): Pick<Histogram, 'effective' | 'mean' | 'stdDev' | 'covariance'> => {
  const zeros = new Array<number>(dimensions).fill(0);
  return { effective: 0, mean: zeros, stdDev: [...zeros], covariance: 0 };
};

/**
 * Returns a histogram times a number, as TH1::Scale has it: errors and sums are scaled, the number of fills and the mean are
 * the same (times 0 the mean is 0), and squared weights are kept from then on. Exact sums are left out. Throws UNSUPPORTED for
 * a profile, whose means are no sums.
 */
export function scaledHistogram(histogram: Histogram, factor: number): Histogram {
  if (histogram.profile) throw unsupported(`"${histogram.name}" is a profile, which is not scaled.`);
  const { sums, squares, weight, stats, stored } = histogram;
  const squared = factor * factor;
  return {
    ...histogram,
    sums: sums.map((value) => value * factor),
    squares: squares.map((value) => value * squared),
    weight: weight * factor,
    ...(factor === 0 && nothing(histogram.axes.length)),
    stats: stats?.map((sum, i) => sum * (i === SQUARED ? squared : factor)),
    stored: stored && { ...stored, weighted: true },
    exact: undefined,
  };
}

/** Returns the sums of a histogram or profile whose weights are all multiplied by a number, without rounding. */
export function scaledSum<S extends HistogramSum>(sum: S, profile: boolean, factor: number): S {
  const parts = profile ? 4 : 2;
  const cells = (sum.exact.high.length - MOMENTS) / parts;
  // The last run of cells has squared weights, as has one of the moments: see MOMENTS.
  const isSquared = (i: number): boolean =>
    (i >= (parts - 1) * cells && i < parts * cells) || i === parts * cells + SQUARED;
  return { ...sum, exact: scaledSums(sum.exact, (i) => (isSquared(i) ? factor * factor : factor)) };
}
