import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';
import { MOMENTS } from '../core/fill';
import { scaledSums } from '../core/sums/exact-sums';
import type { HistogramSum } from './histogram-sum';

/** Index of the sum of squared weights, both in `Histogram.stats` and in the moments of a fill. */
const SQUARED = 1;

/** Returns the statistics if the sum of weights is 0. */
const nothing = (dimensions: number): Pick<Histogram, 'effective' | 'mean' | 'stdDev' | 'covariance'> => {
  const zeros = new Array<number>(dimensions).fill(0);
  return { effective: 0, mean: zeros, stdDev: [...zeros], covariance: 0 };
};

/**
 * Returns a histogram multiplied by a number, as TH1::Scale does. Errors and sums are scaled; the number of fills and
 * the mean stay the same (with a factor of 0, the mean is 0). The result has squared weights and no exact sums. Throws
 * UNSUPPORTED for a profile, because means cannot be scaled in this way.
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

/**
 * Returns the sums of a histogram or profile with all weights multiplied by a number. Each sum and its product are
 * rounded; the bits do not depend on how the sums were computed.
 */
export function scaledSum<S extends HistogramSum>(sum: S, profile: boolean, factor: number): S {
  const parts = profile ? 4 : 2;
  const cells = (sum.exact.high.length - MOMENTS) / parts;
  // The last part of the cells has squared weights, and so does one of the moments: see MOMENTS.
  const isSquared = (i: number): boolean =>
    (i >= (parts - 1) * cells && i < parts * cells) || i === parts * cells + SQUARED;
  return { ...sum, exact: scaledSums(sum.exact, (i) => (isSquared(i) ? factor * factor : factor)) };
}
