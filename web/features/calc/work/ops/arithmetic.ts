import { unsupported } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { edgeOf } from '../../../../bins/bin-axes';
import { eachBin } from '../../../../bins/each-bin';
import { checkSameBins, copied, type Held, noStats, plainSquares, resetStats, statsOf } from './held';

/**
 * Returns a + factor * b, as TH1::Add does with contents, errors, entries and stored sums; of averages (TH1::kIsAverage)
 * the mean, weighted with the errors. After a subtraction the statistics are those of the bins. Throws ARGUMENT for
 * different bins.
 */
export function added(a: Held, b: Held, factor: 1 | -1 = 1): Held {
  checkSameBins(factor > 0 ? 'added' : 'subtracted', a, b);
  const result = copied(a);
  if (a.profile) return addedProfile(result, b, factor);
  const [first, second] = [statsOf(a), statsOf(b)];
  result.entries = Math.abs(a.entries + factor * b.entries);
  // A difference has no Poisson errors, so that it keeps squared errors in any case.
  const isWeighted = a.weighted || b.weighted || factor < 0;
  const average = a.average && b.average;
  const { sums, squares } = result;
  for (let i = 0; i < sums.length; i++) {
    const [own = 0, other = 0] = [a.sums[i], b.sums[i]];
    if (average) {
      const weight = averageWeight(a, i, isWeighted, first);
      const weightOther = averageWeight(b, i, b.weighted, second);
      sums[i] = (weightOther * other + weight * own) / (weightOther + weight);
      const error = 1 / (weightOther + weight);
      squares[i] = error < 1e-200 ? 0 : error;
    } else {
      sums[i] = own + factor * other;
      squares[i] = (a.squares[i] ?? 0) + (b.squares[i] ?? 0);
    }
  }
  result.weighted = isWeighted;
  if (!isWeighted) result.squares = plainSquares(sums);
  if (factor < 0) resetStats(result);
  else result.stats = first.map((sum, i) => sum + (second[i] ?? 0));
  return result;
}

/** The weight of a bin in an average: one over its squared error, and a guess of ROOT's where it has none. */
function averageWeight(of: Held, cell: number, isWeighted: boolean, stats: readonly number[]): number {
  const square = of.squares[cell] ?? 0;
  if (square) return 1 / square;
  if (!isWeighted) return 1;
  if (of.sums[cell] !== 0) return 1e200;
  const [weight = 0, weight2 = 0] = stats;
  const scale = weight !== 0 ? weight2 / weight : 1;
  return 1 / (scale * scale);
}

function addedProfile(result: Held, b: Held, factor: number): Held {
  const other = statsOf(b);
  result.stats = statsOf(result).map((sum, i) => sum + (other[i] ?? 0));
  result.entries += b.entries;
  const put = (to: Float64Array | undefined, from: Float64Array | undefined, times = 1) =>
    to?.forEach((value, i) => {
      to[i] = value + times * (from?.[i] ?? 0);
    });
  put(result.sums, b.sums, factor);
  put(result.squares, b.squares);
  put(result.weights, b.weights);
  put(result.weights2, b.weights2);
  return result;
}

/**
 * Returns a histogram with a number added to each bin, without under- and overflow, as TH1::Add with a constant
 * function. A number has no error, so the errors stay. The statistics are those of the bins.
 */
export function raised(a: Held, by: number): Held {
  refuseProfile(a, 'added to a number');
  const result = copied(a);
  for (const [cell] of eachBin(a.axes)) result.sums[cell] = (a.sums[cell] ?? 0) + by;
  result.weighted = true;
  // The number of entries stays, and statistics are read from the bins.
  result.stats[0] = 0;
  return result;
}

/** Returns a * b bin by bin, with the errors of TH1::Multiply. Throws ARGUMENT for different bins, UNSUPPORTED for profiles. */
export function multiplied(a: Held, b: Held): Held {
  refuseProfile(a, 'multiplied');
  refuseProfile(b, 'multiplied');
  checkSameBins('multiplied', a, b);
  const result = copied(a);
  result.weighted = a.weighted || b.weighted;
  for (let i = 0; i < a.sums.length; i++) {
    const [own = 0, other = 0] = [a.sums[i], b.sums[i]];
    result.sums[i] = own * other;
    result.squares[i] = (a.squares[i] ?? 0) * other * other + (b.squares[i] ?? 0) * own * own;
  }
  if (!result.weighted) result.squares = plainSquares(result.sums);
  resetStats(result);
  return result;
}

/**
 * Returns a / b bin by bin, as TH1::Divide does: a bin in which b is 0 becomes 0 with the error 0. `binomial` (option
 * "B"): the errors of a part of b. Throws ARGUMENT for different bins, and UNSUPPORTED for profiles.
 */
export function divided(a: Held, b: Held, binomial = false): Held {
  refuseProfile(a, 'divided');
  refuseProfile(b, 'divided');
  checkSameBins('divided', a, b);
  const result = copied(a);
  result.weighted = a.weighted || b.weighted || binomial;
  for (let i = 0; i < a.sums.length; i++) {
    const [own = 0, all = 0] = [a.sums[i], b.sums[i]];
    const [square = 0, squareAll = 0] = [a.squares[i], b.squares[i]];
    const all2 = all * all;
    result.sums[i] = all ? own / all : 0;
    if (all === 0) result.squares[i] = 0;
    else if (!binomial) result.squares[i] = (square * all2 + squareAll * own * own) / (all2 * all2);
    else if (own === all) result.squares[i] = 0;
    else
      result.squares[i] = Math.abs(((1 - (2 * own) / all) * square + (own * own * squareAll) / all2) / all2);
  }
  if (!result.weighted) result.squares = plainSquares(result.sums);
  resetStats(result);
  if (binomial) result.entries = b.entries;
  return result;
}

function refuseProfile({ profile, name }: Held, doing: string): void {
  if (!profile) return;
  throw unsupported(
    `"${name}" is a profile, which is not ${doing}: ROOT has no errors for that.`,
    `Write means(…) around it: that is the histogram of its means with their errors.`,
  );
}

/** Returns a histogram times a number, as TH1::Scale. The number of entries stays. Throws ARGUMENT for NaN or infinity. */
export function scaled(a: Held, factor: number): Held {
  if (!Number.isFinite(factor))
    throw argumentError(`"${a.name}" cannot be scaled by ${factor}.`, 'Take a finite number.');
  const result = copied(a);
  result.weighted = true;
  result.sums = a.sums.map((sum) => factor * sum);
  result.squares = a.squares.map((square) => square * (factor * factor));
  // TProfile::Scale leaves the statistics. TH1::Scale reads them after the contents, so that sums over bins are scaled twice.
  if (!a.profile)
    result.stats = statsOf(result).map((sum, i) => (i === 1 ? factor * factor * sum : factor * sum));
  return result;
}

/** Returns a histogram divided by the width (area, volume) of its bins, as TH1::Scale(1, "width"). */
export function perWidth(a: Held): Held {
  refuseProfile(a, 'divided by the width of bins');
  const result = copied(a);
  result.weighted = true;
  for (let cell = 0; cell < a.sums.length; cell++) {
    const size = sizeOf(a, cell);
    result.sums[cell] = (a.sums[cell] ?? 0) / size;
    result.squares[cell] = (Math.sqrt(a.squares[cell] ?? 0) / size) ** 2;
  }
  resetStats(result);
  return result;
}

/** The width, area or volume of a cell. Under- and overflow have the mean width. */
export function sizeOf({ axes }: Held, cell: number): number {
  let [rest, size] = [cell, 1];
  for (const axis of axes) {
    const bin = rest % (axis.bins + 2);
    rest = Math.floor(rest / (axis.bins + 2));
    size *= widthAt(axis, bin);
  }
  return size;
}

/** The width of a bin, as TAxis::GetBinWidth. */
export function widthAt(axis: Held['axes'][number], bin: number): number {
  if (!axis.edges || bin < 1 || bin > axis.bins) return (axis.high - axis.low) / axis.bins;
  return edgeOf(axis, bin) - edgeOf(axis, bin - 1);
}

/** Returns empty sums of the same shape: see TH1::Reset. */
export function emptied(a: Held): Held {
  return {
    ...copied(a),
    sums: new Float64Array(a.sums.length),
    squares: new Float64Array(a.sums.length),
    stats: noStats(a),
    entries: 0,
  };
}
