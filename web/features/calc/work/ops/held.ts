import type { Histogram, ProfileErrors } from '../../../../api/api';
import { argumentError, type XylemError } from '../../../../base/errors';
import type { BinAxis } from '../../../../bins/bin-axes';
import { otherBins } from '../../../../bins/compared-bins';
import { profileCells } from '../../../../bins/profile';
import { momentsOfSums, sumNames, sumsOf, sumsOfBins } from '../../../../bins/statistics';

/**
 * A histogram as an object of ROOT holds it: contents, errors, and the sums that were accumulated while filling. All
 * operations compute with this form, because ROOT's rules are about these members.
 */
export interface Held {
  name: string;
  title: string;
  axes: BinAxis[];
  valueTitle: string | undefined;
  profile: boolean;
  errorOption: ProfileErrors;
  /** Contents of all cells, x varying fastest; in a profile sums of weight times value. */
  sums: Float64Array;
  /** Squared errors: of `weighted` histograms fSumw2, of others the absolute contents. */
  squares: Float64Array;
  /** Whether squared errors are kept (TH1::Sumw2). */
  weighted: boolean;
  /** Only of a profile: sums of weights and of squared weights. */
  weights?: Float64Array | undefined;
  weights2?: Float64Array | undefined;
  /** The stored sums, in the order of `sumNames`. They are not valid if the first is 0 and there are entries. */
  stats: number[];
  entries: number;
  average: boolean;
  overflows: boolean;
}

/** Returns a histogram in the form that operations compute with. The arrays are those of the histogram: see `copied`. */
export function heldOf(histogram: Histogram): Held {
  const { name, title, axes, valueTitle, profile, sums, squares, weights, weights2, stored } = histogram;
  const weighted = profile || (stored?.weighted ?? sums.some((sum, i) => Math.abs(sum) !== squares[i]));
  return {
    ...{ name, title, valueTitle, profile, sums, squares, weighted },
    axes: axes.map((axis) => ({ ...axis })),
    errorOption: histogram.errorOption ?? '',
    ...(profile && { weights, weights2: weights2 ?? weights }),
    stats: storedSums(histogram),
    entries: histogram.fills,
    average: stored?.average ?? false,
    overflows: stored?.overflows ?? false,
  };
}

/** Returns the stored sums. Sums that a drawing does not accumulate are computed from the bins. */
function storedSums({ axes, profile, sums, squares, weights, weights2, stats }: Histogram): number[] {
  const names = sumNames(axes.length, profile);
  if (stats?.length === names.length && !stats.some(Number.isNaN)) return [...stats];
  const ofBins = sumsOfBins(axes, { contents: sums, squares, weights, weights2 });
  return names.map((_, i) => {
    const own = stats?.[i];
    return own === undefined || Number.isNaN(own) ? (ofBins[i] ?? 0) : own;
  });
}

/** Returns a copy whose arrays can be changed. */
export function copied(held: Held): Held {
  return {
    ...held,
    axes: held.axes.map((axis) => ({ ...axis })),
    sums: held.sums.slice(),
    squares: held.squares.slice(),
    ...(held.weights && { weights: held.weights.slice() }),
    ...(held.weights2 && { weights2: held.weights2.slice() }),
    stats: [...held.stats],
  };
}

/** Returns the sums of TH1::GetStats: over the bins if an axis shows a range, or if there are no stored sums. */
export function statsOf(held: Held): number[] {
  const { stats, axes, profile, entries, overflows, sums, squares, weights, weights2 } = held;
  return sumsOf({
    ...{ sums: stats, axes, profile, entries, overflows },
    cells: { contents: sums, squares, weights, weights2 },
  });
}

/**
 * Computes the stored sums and the number of entries from the bins, as TH1::ResetStats does. The entries are the effective
 * ones of all cells, or without squared errors the sum of all contents. A profile keeps its entries: ROOT's number is made of
 * its means there.
 */
export function resetStats(held: Held): void {
  held.stats[0] = 0;
  const { entries } = held;
  held.entries = 1;
  held.stats = statsOf(held);
  held.entries = held.profile ? entries : entriesOf(held);
}

function entriesOf({ sums, squares, weighted, overflows, axes, stats }: Held): number {
  if (overflows && !axes[0]?.shown) return Math.abs(stats[0] ?? 0);
  const sum = sums.reduce((total, value) => total + value, 0);
  const square = weighted ? squares.reduce((total, value) => total + value, 0) : 0;
  return square > 0 ? (sum * sum) / square : sum;
}

/** Returns stored sums of 0, as after TH1::Reset. */
export function noStats({ stats }: Held): number[] {
  return stats.map(() => 0);
}

/** Returns the squared errors of a histogram without `weighted`: its absolute contents. */
export function plainSquares(sums: Float64Array): Float64Array {
  return sums.map(Math.abs);
}

const CLASSES = ['TH1D', 'TH2D', 'TH3D'];
const PROFILES = ['TProfile', 'TProfile2D', 'TProfile3D'];

/** The class of ROOT that has such a result. */
export function classOf({ axes, profile }: Pick<Held, 'axes' | 'profile'>): string {
  return (profile ? PROFILES : CLASSES)[axes.length - 1] ?? 'TH1D';
}

/** Returns the histogram of a result, with its statistics as TH1::GetStats has them. */
export function histogramOfHeld(held: Held): Histogram {
  const { name, title, axes, valueTitle, profile, sums, weights, weights2, errorOption, entries } = held;
  const squares = held.weighted ? held.squares : plainSquares(sums);
  const { weighted, average, overflows } = held;
  return {
    kind: 'histogram',
    ...{ name, title, axes, valueTitle, profile, sums, squares },
    ...(weights &&
      weights2 && {
        ...{ weights, weights2, errorOption },
        ...profileCells({ sums, squares, weights, weights2 }, errorOption),
      }),
    ...{ fills: entries, entries, nan: 0 },
    ...momentsOfSums(statsOf({ ...held, squares }), axes.length, profile),
    stats: [...held.stats],
    stored: { className: classOf(held), weighted, average, overflows },
  };
}

/** Throws ARGUMENT if two histograms have different bins. */
export function checkSameBins(doing: string, a: Held, b: Held): void {
  const why = a.profile !== b.profile ? 'one is a profile' : otherBins(a.axes, b.axes, 'the other');
  if (why !== undefined) throw differentBins(doing, a, b, why);
}

function differentBins(doing: string, a: Held, b: Held, why: string): XylemError {
  return argumentError(
    `"${a.name}" and "${b.name}" cannot be ${doing} bin by bin: ${why}.`,
    'Bring them to the same bins first: rebin, project, or draw them with the same axes.',
  );
}
