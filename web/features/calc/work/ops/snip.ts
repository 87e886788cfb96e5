import { unsupported } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { emptied } from './arithmetic';
import { type Held, plainSquares } from './held';
import { takenBins } from './shapes';

/** Options of TSpectrum::Background. */
export interface SnipOptions {
  /** Largest half-width of the clipping window, in bins. Default: 20. */
  iterations?: number;
  /** Whether the window grows from 1. Default: it shrinks to 1. */
  increasing?: boolean;
  /** Order of the clipping filter. Default: 2. */
  order?: number;
  /** Width of the window of smoothing; 0 does not smooth. Default: 3. */
  smoothing?: number;
  /** Whether Compton edges belong to the background. */
  compton?: boolean;
}

/** Coefficients of the filters, from the bin farthest away to the nearest, and their sum on one side. */
const FILTERS: readonly { coefficients: readonly number[]; sum: number }[] = [
  { coefficients: [-1, 4], sum: 6 },
  { coefficients: [1, -6, 15], sum: 20 },
  { coefficients: [-1, 8, -28, 56], sum: 70 },
];

/**
 * Returns the background of a spectrum of one axis by clipping peaks (SNIP: C. G. Ryan et al., NIM B34 (1988) 396;
 * M. Morhac et al., NIM A401 (1997) 113), as TSpectrum::Background. Bins outside what the axis shows are empty. Throws
 * ARGUMENT for a window that does not fit, and UNSUPPORTED for several axes and profiles.
 */
export function background(a: Held, options: SnipOptions = {}): Held {
  const { iterations = 20, increasing = false, order = 2, smoothing = 3, compton = false } = options;
  const [axis] = a.axes;
  if (a.profile || a.axes.length !== 1 || axis === undefined)
    throw unsupported(`"${a.name}" has no background of this kind: it is for histograms of one axis.`);
  const [first, last] = takenBins(axis);
  const size = last - first + 1;
  if (!Number.isInteger(iterations) || iterations < 1 || size < 2 * iterations + 1)
    throw argumentError(
      `The clipping window of ${iterations} bins does not fit "${a.name}", which has ${size} bins.`,
      `Take a whole number from 1 to ${Math.floor((size - 1) / 2)}.`,
    );
  if (![2, 4, 6, 8].includes(order))
    throw argumentError(`The order of the filter is 2, 4, 6 or 8, not ${order}.`);
  if (![0, 3, 5, 7, 9, 11, 13, 15].includes(smoothing))
    throw argumentError(
      `The window of smoothing has 3, 5, 7, 9, 11, 13 or 15 bins, or 0 for none, not ${smoothing}.`,
    );
  const source = a.sums.slice(first, last + 1);
  const { clipped, last: lastPass } = clip(source, { iterations, increasing, order, smoothing });
  if (compton) addEdges(source, lastPass, clipped);
  const result = emptied(a);
  result.sums.set(clipped, first);
  if (!a.weighted) result.squares = plainSquares(result.sums);
  result.entries = size;
  return result;
}

/** Clips a spectrum with windows of all widths. `last`: the values as the last window made them. */
function clip(
  source: Float64Array,
  { iterations, increasing, order, smoothing }: Required<Omit<SnipOptions, 'compton'>>,
): { clipped: Float64Array; last: Float64Array } {
  const size = source.length;
  const now = source.slice();
  const next = source.slice();
  const reach = smoothing === 0 ? 0 : (smoothing - 1) / 2;
  const value = (at: number): number => {
    if (reach === 0) return now[at] ?? 0;
    let [sum, count] = [0, 0];
    for (let w = Math.max(0, at - reach); w <= Math.min(size - 1, at + reach); w++) {
      sum += now[w] ?? 0;
      count++;
    }
    return sum / count;
  };
  for (let pass = 0; pass < iterations; pass++) {
    const width = increasing ? pass + 1 : iterations - pass;
    for (let j = width; j < size - width; j++) {
      const own = now[j] ?? 0;
      let other = (value(j - width) + value(j + width)) / 2;
      for (const [k, filter] of FILTERS.slice(0, order / 2 - 1).entries())
        other = Math.max(other, filtered(value, j, Math.floor(width / (k + 2)), filter, reach > 0));
      // Without smoothing the value itself stays where it is not clipped.
      next[j] = other < own ? other : reach > 0 ? value(j) : own;
    }
    for (let j = width; j < size - width; j++) now[j] = next[j] ?? 0;
  }
  return { clipped: now, last: next };
}

/** Adds in the order of ROOT, because a value that is a little larger or smaller is clipped or not. */
function filtered(
  value: (at: number) => number,
  j: number,
  step: number,
  { coefficients, sum }: (typeof FILTERS)[number],
  isSmoothed: boolean,
): number {
  const count = coefficients.length;
  let total = 0;
  const add = (coefficient: number, at: number): void => {
    total += isSmoothed ? coefficient * value(at) : (coefficient * value(at)) / sum;
  };
  coefficients.forEach((coefficient, k) => {
    add(coefficient, j - (count - k) * step);
  });
  for (let k = count - 1; k >= 0; k--) {
    const coefficient = coefficients[k] ?? 0;
    // With smoothing, ROOT subtracts the nearest bin to the right in its filter of order 8.
    add(isSmoothed && count === 4 && k === 3 ? -coefficient : coefficient, j + (count - k) * step);
  }
  return isSmoothed ? total / sum : total;
}

/** Raises the background below peaks from one side to the other in proportion to the counts, as Compton edges do. */
function addEdges(source: Float64Array, clipped: Float64Array, result: Float64Array): void {
  const size = source.length;
  const at = (list: Float64Array, i: number): number => list[i] ?? 0;
  for (let i = 0; i < size; i++) {
    if (Math.abs(at(clipped, i) - at(source, i)) < 1) continue;
    const from = Math.max(0, i - 1);
    let to = from + 1;
    for (let isEnd = false; !isEnd && to < size; to++) isEnd = Math.abs(at(clipped, to) - at(source, to)) < 1;
    if (to === size) to--;
    const [left, right] = [at(clipped, from), at(clipped, to)];
    const isRising = left <= right;
    const base = isRising ? left : right;
    const bins = Array.from({ length: to - from + 1 }, (_, k) => (isRising ? from + k : to - k));
    const area = bins.reduce((sum, bin) => sum + at(source, bin) - base, 0);
    if (area > 1) {
      const slope = Math.abs(right - left) / area;
      let sum = 0;
      for (const bin of bins) {
        sum += at(source, bin) - base;
        result[bin] = slope * sum + base;
      }
    }
    i = to;
  }
}
