import { argumentError } from '../../../../base/errors';
import { sizeOf } from './arithmetic';
import { copied, type Held, histogramOfHeld, resetStats, statsOf } from './held';
import { binsOf, type Ranges } from './project';
import { takenBins } from './shapes';

/** A number with its error. */
export interface Measured {
  value: number;
  error: number;
}

/**
 * Returns the sum of the contents and its error, over the bins that the axes show or over ranges, as
 * TH1::IntegralAndError. `isWidth`: contents times the width (area, volume) of their bins.
 */
export function integral(a: Held, ranges: Ranges, isWidth = false): Measured {
  if (a.profile)
    throw argumentError(`"${a.name}" is a profile, whose means are not added up.`, 'Take means(…) of it.');
  const taken = a.axes.map((axis, i) => {
    const range = ranges.get(i);
    return range ? binsOf(a, i, range) : takenBins(axis);
  });
  const sizes = a.axes.map(({ bins }) => bins + 2);
  let [value, square] = [0, 0];
  const walk = (axis: number, cell: number, stride: number): void => {
    const [first = 0, last = 0] = taken[axis] ?? [];
    for (let bin = first; bin <= last; bin++) {
      const at = cell + bin * stride;
      if (axis + 1 < taken.length) walk(axis + 1, at, stride * (sizes[axis] ?? 1));
      else {
        const size = isWidth ? sizeOf(a, at) : 1;
        value += (a.sums[at] ?? 0) * size;
        square += (a.squares[at] ?? 0) * size * size;
      }
    }
  };
  walk(0, 0, 1);
  return { value, error: Math.sqrt(square) };
}

/** Statistics as TH1 has them; means and standard deviations by axis, for a profile also of the averaged value. */
export interface Statistics {
  entries: number;
  /** TH1::GetEffectiveEntries. */
  effective: number;
  /** Sum of the contents over the bins that are shown; undefined for a profile. */
  integral: Measured | undefined;
  mean: Measured[];
  stdDev: Measured[];
  /** The sums of TH1::GetStats. */
  sums: number[];
}

/** Returns the statistics of a histogram over what its axes show, with the errors of TH1::GetMeanError and GetStdDevError. */
export function statistics(a: Held): Statistics {
  const histogram = histogramOfHeld(a);
  const sums = statsOf(a);
  const [weight = 0, weight2 = 0] = sums;
  const effective = weight2 === 0 ? Math.abs(weight) : weight ** 2 / weight2;
  const spread = histogram.stdDev;
  return {
    entries: a.entries,
    effective,
    integral: a.profile ? undefined : integral(a, new Map()),
    mean: histogram.mean.map((value, i) => ({
      value,
      error: effective > 0 ? (spread[i] ?? 0) / Math.sqrt(effective) : 0,
    })),
    stdDev: spread.map((value) => ({
      value,
      error: effective > 0 ? Math.sqrt((value * value) / (2 * effective)) : 0,
    })),
    sums,
  };
}

/** Returns a histogram whose statistics are those of its bins, as after TH1::ResetStats. */
export function recounted(a: Held): Held {
  const result = copied(a);
  resetStats(result);
  return result;
}

/** Returns the factor that scales an integral to a number. Throws ARGUMENT if the integral is 0. */
export function factorTo(a: Held, area: number, ranges: Ranges): number {
  const { value } = integral(a, ranges);
  if (value !== 0 && Number.isFinite(value)) return area / value;
  throw argumentError(`"${a.name}" cannot be scaled to an area: its own is ${value}.`);
}
