import { unsupported } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { emptied } from './arithmetic';
import { copied, type Held, plainSquares } from './held';

/** Bins of an axis that operations take: those that it shows, or all inner bins. */
export function takenBins({ bins, shown }: Held['axes'][number]): [first: number, last: number] {
  return shown ?? [1, bins];
}

/** Returns the sums of all bins up to each one, or from each one on, as TH1::GetCumulative. Throws UNSUPPORTED for profiles. */
export function cumulative(a: Held, isForward = true): Held {
  if (a.profile)
    throw unsupported(`"${a.name}" is a profile, whose means are not added up.`, 'Take means(…) of it.');
  const result = emptied(a);
  const ranges = [0, 1, 2].map((i) => (a.axes[i] ? takenBins(a.axes[i]) : ([0, 0] as const)));
  const [x = [0, 0], y = [0, 0], z = [0, 0]] = ranges;
  const row = (a.axes[0]?.bins ?? 0) + 2;
  const plane = row * ((a.axes[1]?.bins ?? -1) + 2);
  const order = ([first, last]: readonly [number, number] | readonly number[]): number[] => {
    const all = Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, i) => (first ?? 0) + i);
    return isForward ? all : all.reverse();
  };
  let [sum, square] = [0, 0];
  for (const k of order(z))
    for (const j of order(y))
      for (const i of order(x)) {
        const cell = k * plane + j * row + i;
        sum += a.sums[cell] ?? 0;
        square += a.squares[cell] ?? 0;
        result.sums[cell] = sum;
        result.squares[cell] = square;
      }
  if (!a.weighted) result.squares = plainSquares(result.sums);
  return result;
}

/**
 * Returns a histogram smoothed with running medians of 3, 5 and 3 bins, a parabola over flat places and a running mean
 * (J. Friedman's 353QH, applied twice), as TH1::Smooth. Errors that are kept and statistics do not change. `onlyShown`
 * (option "R"): only the bins that the axis shows.
 */
export function smoothed(a: Held, times = 1, onlyShown = false): Held {
  const [axis] = a.axes;
  if (a.profile || a.axes.length !== 1 || axis === undefined)
    throw unsupported(`"${a.name}" is not smoothed: this is for histograms of one axis.`);
  const [first, last] = onlyShown ? takenBins(axis) : [1, axis.bins];
  if (last - first + 1 < 3)
    throw argumentError(`"${a.name}" has fewer than 3 bins, which cannot be smoothed.`);
  if (!Number.isInteger(times) || times < 1 || times > 10_000)
    throw argumentError(`A histogram is smoothed 1 to 10000 times, not ${times} times.`);
  const result = copied(a);
  let values: Float64Array = a.sums.slice(first, last + 1);
  for (let i = 0; i < times; i++) values = smoothedOnce(values);
  result.sums.set(values, first);
  if (!a.weighted) result.squares = plainSquares(result.sums);
  return result;
}

/** Smooths values and what is left of them, and adds both. A spectrum without negative values stays so. */
function smoothedOnce(values: Float64Array): Float64Array {
  const smooth = pass353(values);
  const rest = pass353(values.map((value, i) => value - (smooth[i] ?? 0)));
  const isPositive = !(Math.min(...chunks(values)) < 0);
  return smooth.map((value, i) => {
    const sum = value + (rest[i] ?? 0);
    return isPositive ? Math.max(sum, 0) : sum;
  });
}

/** The smallest values of pieces, because a call takes a limited number of arguments. */
function chunks(values: Float64Array): number[] {
  const found: number[] = [];
  for (let i = 0; i < values.length; i += 10_000) found.push(Math.min(...values.subarray(i, i + 10_000)));
  return found;
}

function pass353(given: Float64Array): Float64Array {
  const n = given.length;
  const at = (list: Float64Array, i: number): number => list[i] ?? 0;
  let now = medians(given, 1);
  now[0] = median([at(now, 1), at(now, 0), 3 * at(now, 1) - 2 * at(now, 2)]);
  now[n - 1] = median([at(now, n - 2), at(now, n - 1), 3 * at(now, n - 2) - 2 * at(now, n - 3)]);
  const before = now;
  now = medians(before, 2);
  now[1] = median([...before.subarray(0, 3)]);
  now[n - 2] = median([...before.subarray(n - 3)]);
  now = medians(now, 1);
  const curved = now.slice();
  for (let i = 2; i < n - 2; i++) {
    if (now[i - 1] !== now[i] || now[i] !== now[i + 1]) continue;
    const [left, right] = [at(now, i - 2) - at(now, i), at(now, i + 2) - at(now, i)];
    if (left * right <= 0) continue;
    // The parabola goes through the side that is nearer to the flat place.
    const side = Math.abs(right) > Math.abs(left) ? -1 : 1;
    curved[i] = -0.5 * at(now, i - 2 * side) + at(now, i) / 0.75 + at(now, i + 2 * side) / 6;
    curved[i + side] = 0.5 * (at(now, i + 2 * side) - at(now, i - 2 * side)) + at(now, i);
  }
  return curved.map((value, i) =>
    i === 0 || i === n - 1 ? value : 0.25 * at(curved, i - 1) + 0.5 * value + 0.25 * at(curved, i + 1),
  );
}

/** Returns running medians of 2 * reach + 1 values; values at the ends stay. */
function medians(values: Float64Array, reach: number): Float64Array {
  const result = values.slice();
  for (let i = reach; i < values.length - reach; i++)
    result[i] = median([...values.subarray(i - reach, i + reach + 1)]);
  return result;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
}
