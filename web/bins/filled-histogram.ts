import type { Histogram, ProfileErrors } from '../api/api';
import { type Axis, type Fill, type FillStats, MOMENTS } from '../core/fill';
import { emptySums, roundedSum } from '../core/sums/exact-sums';
import { profileCells } from './profile';
import { scaledHistogram } from './scale';

/** Returns the number of cells of a histogram, including under- and overflow. */
export function cellsOf(axes: readonly Axis[]): number {
  return axes.reduce((product, axis) => product * (axis.bins + 2), 1);
}

/** Returns a fill without values. */
export function emptyFill(axes: readonly Axis[], dims: number, profile: boolean, exact: boolean): Fill {
  const cells = cellsOf(axes);
  const squares = profile ? 3 * cells : cells;
  return {
    sums: new Float64Array(exact ? 0 : cells),
    squares: new Float64Array(exact ? 0 : squares),
    ...(exact && { exact: emptySums(cells + squares + MOMENTS) }),
    stats: emptyStats(dims),
  };
}

/** Returns statistics without values, for a number of coordinates. */
export function emptyStats(dims: number): FillStats {
  const axis = { mean: 0, first: 0, deviation: 0, finite: 0, min: 0, max: 0 };
  const axes = Array.from({ length: dims }, () => ({ ...axis }));
  return { fills: 0, nans: 0, weight: 0, weight2: 0, size: 0, axes, codeviation: 0, entries: 0 };
}

/** A histogram before anything is filled into it. */
export interface HistogramShape {
  title: string;
  name: string;
  /** Number of expressions: the number of axes, plus one for a profile. */
  dims: number;
  /** Kind of errors of a profile; undefined for a histogram. */
  profile: ProfileErrors | undefined;
  /** Whether the contents are divided by their sum. */
  norm: boolean;
  axes: (Axis & {
    title: string;
    unit?: string | undefined;
    labels?: string[] | undefined;
    edges?: Float64Array | undefined;
  })[];
  valueTitle: string | undefined;
}

/** Returns a histogram with a shape and the filled values. */
export function histogramOf(
  shape: HistogramShape,
  fill: Fill,
  { entries, integer, partial }: Pick<Histogram, 'entries' | 'integer' | 'partial'>,
): Histogram {
  const { title, name, axes, profile, norm, valueTitle } = shape;
  const isProfile = profile !== undefined;
  const filled: Histogram = {
    kind: 'histogram',
    title,
    name,
    profile: isProfile,
    axes: axes.map((axis) => ({ ...axis })),
    valueTitle,
    ...finish(roundedFill(fill, axes, isProfile), profile),
    entries,
    integer: [...integer],
    partial,
  };
  const { weight } = filled;
  const shown = norm && !isProfile && weight !== 0 ? scaledHistogram(filled, 1 / weight) : filled;
  return { ...shown, ...(fill.exact && { exact: fill.exact }) };
}

type Numbers = Omit<
  Histogram,
  'kind' | 'title' | 'name' | 'profile' | 'axes' | 'valueTitle' | 'entries' | 'integer' | 'partial' | 'exact'
>;

/** Returns the contents and statistics of a histogram. */
export function finish({ sums, squares, stats }: Fill, profile: ProfileErrors | undefined): Numbers {
  const cells = sums.length;
  const { weight, weight2 } = stats;
  const [x = 0, y = 0] = stats.axes.map(({ first }) => first);
  return {
    sums: sums.slice(),
    squares: squares.slice(0, cells),
    ...(profile !== undefined && profileOf(sums, squares, profile)),
    fills: stats.fills,
    nan: stats.nans,
    weight,
    effective: weight2 === 0 ? 0 : (weight * weight) / weight2,
    // As TH1::GetMean and TH1::GetStdDev: both are 0 if the sum of weights is 0. With weights of both signs the
    // variance may be negative; it then counts as 0.
    mean: stats.axes.map(({ mean, first }) => (weight === 0 ? 0 : mean + first / weight)),
    stdDev: stats.axes.map(({ first, deviation }) => {
      const variance = weight === 0 ? 0 : (deviation - (first / weight) * first) / weight;
      return variance > 0 ? Math.sqrt(variance) : 0;
    }),
    min: stats.axes.map(({ finite, min }) => (finite > 0 ? min : Number.NaN)),
    max: stats.axes.map(({ finite, max }) => (finite > 0 ? max : Number.NaN)),
    covariance: weight === 0 ? 0 : (stats.codeviation - (x / weight) * y) / weight,
    stats: addedUp(stats, profile !== undefined),
  };
}

/** Returns the sums of `Histogram.stats`, converted from sums relative to the means. */
function addedUp({ weight, weight2, axes, codeviation }: FillStats, profile: boolean): number[] {
  const pairs = axes.map(({ mean, first, deviation }) => [
    weight * mean + first,
    deviation + mean * (2 * first + weight * mean),
  ]);
  const [x, y] = axes;
  const product = x && y ? codeviation + x.mean * y.first + y.mean * x.first + weight * x.mean * y.mean : 0;
  const own = profile ? pairs.slice(0, -1) : pairs;
  return [
    ...[weight, weight2],
    ...own.slice(0, 2).flat(),
    ...(own.length > 1 ? [product] : []),
    ...own.slice(2).flat(),
    // Not accumulated while filling.
    ...(own.length > 2 ? [Number.NaN, Number.NaN] : []),
    ...(profile ? (pairs.at(-1) ?? []) : []),
  ];
}

type ProfileParts = 'weights' | 'weights2' | 'errorOption' | 'means' | 'errors';

function profileOf(
  sums: Float64Array,
  squares: Float64Array,
  errorOption: ProfileErrors,
): Pick<Histogram, ProfileParts> {
  const cells = sums.length;
  const weights = squares.slice(cells, 2 * cells);
  const weights2 = squares.slice(2 * cells);
  return {
    weights,
    weights2,
    errorOption,
    ...profileCells({ sums, squares, weights, weights2 }, errorOption),
  };
}

/**
 * Returns a fill with exact sums rounded to doubles, and moments computed from them. A fill without exact sums is
 * returned unchanged.
 */
function roundedFill(fill: Fill, axes: readonly Axis[], profile: boolean): Fill {
  const { exact, stats } = fill;
  if (!exact) return fill;
  const cells = cellsOf(axes);
  const all = cells * (profile ? 4 : 2);
  const sums = Float64Array.from({ length: all }, (_, i) => roundedSum(exact, i));
  const moment = (i: number): number => roundedSum(exact, all + i);
  const weight = moment(0);
  return {
    sums: sums.slice(0, cells),
    squares: sums.slice(cells),
    exact,
    stats: {
      ...stats,
      weight,
      weight2: moment(1),
      axes: stats.axes.map((axis, i) => ({
        ...axis,
        mean: middleOf(axes[i]),
        first: moment(2 + 2 * i),
        deviation: moment(3 + 2 * i),
      })),
      codeviation: moment(8),
    },
  };
}

/**
 * Returns the point to which the core's moments of a coordinate are relative; 0 for the averaged value of a profile.
 */
function middleOf(axis: Axis | undefined): number {
  return axis ? axis.low / 2 + axis.high / 2 : 0;
}
