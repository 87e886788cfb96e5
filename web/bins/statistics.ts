import type { Histogram } from '../api/api';
import type { BinAxis } from './bin-axes';
import { arrayOf, type Members, numberOf, unaddable } from './object-values';
import { axesOf, binCentre, storedAxis } from './stored-axes';

export type Moments = Pick<
  Histogram,
  'weight' | 'effective' | 'mean' | 'stdDev' | 'min' | 'max' | 'integer' | 'covariance'
>;

/** TH1::EStatOverflows: under- and overflow count in statistics. */
export const CONSIDER_OVERFLOWS = 1;

/** Names of the members with sums over the filled values, by number of dimensions. */
const SUMS = [
  [],
  ['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2'],
  ['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2', 'fTsumwy', 'fTsumwy2', 'fTsumwxy'],
  [
    ...['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2', 'fTsumwy', 'fTsumwy2', 'fTsumwxy'],
    ...['fTsumwz', 'fTsumwz2', 'fTsumwxz', 'fTsumwyz'],
  ],
];
/** Names of the sums over the averaged value of a profile. */
const AVERAGED = [[], ['fTsumwy', 'fTsumwy2'], ['fTsumwz', 'fTsumwz2'], ['fTsumwt', 'fTsumwt2']];

/** Returns the names of the members with sums of a histogram or profile. */
export function sumNames(dimensions: number, profile: boolean): string[] {
  return [...(SUMS[dimensions] ?? []), ...(profile ? (AVERAGED[dimensions] ?? []) : [])];
}

/** Contents of all cells, and for a profile the sums of weights. */
export interface SummedCells {
  contents: ArrayLike<number | bigint>;
  /** Sums of squared weights. If empty, each equals the content. In a profile, sums of weight times squared value. */
  squares: ArrayLike<number | bigint>;
  weights?: ArrayLike<number | bigint> | undefined;
  weights2?: ArrayLike<number | bigint> | undefined;
}

/** The bins of an axis to be summed, and the centres of all its bins including the underflow first. */
interface SummedAxis {
  centres: Float64Array;
  first: number;
  last: number;
}

/** The parts of a histogram that TH1::GetStats uses. */
export interface Counted {
  /** The stored sums, in the order of `sumNames`. */
  sums: readonly number[];
  axes: readonly BinAxis[];
  profile: boolean;
  entries: number;
  /** Whether under- and overflow count in statistics (TH1::fStatOverflows). */
  overflows: boolean;
  cells: SummedCells;
}

/**
 * Returns the sums of TH1::GetStats. These are the stored sums, or sums over the bins if an axis shows a range, or if
 * the stored sum of weights is 0 because contents were set and not filled. `known`: a stored sum of 0 is correct.
 */
export function sumsOf(one: Counted, known = false): number[] {
  const { sums, axes, profile, entries, overflows, cells } = one;
  const ranged = axes.some(({ shown }) => shown !== undefined);
  const unfilled = !(sums[0] !== 0) && (profile || entries > 0);
  if (!ranged && (known || !unfilled)) return [...sums];
  return sumsOverBins(
    axes.map((axis) => summedAxis(axis, overflows)),
    cells,
  );
}

/** As `sumsOf`, for a stored histogram with consistent members. */
export function statisticsOf(
  histogram: Members,
  dimensions: number,
  profile: boolean,
  known = false,
): number[] {
  const members = axesOf(histogram, dimensions);
  const of = (member: string) => arrayOf(histogram, member);
  return sumsOf(
    {
      sums: sumNames(dimensions, profile).map((name) => numberOf(histogram, name)),
      axes: members.map((axis) => storedAxis(axis) ?? noBins()),
      profile,
      entries: numberOf(histogram, 'fEntries'),
      overflows: numberOf(histogram, 'fStatOverflows') === CONSIDER_OVERFLOWS,
      cells: {
        ...{ contents: of('fArray'), squares: of('fSumw2') },
        ...(profile && { weights: of('fBinEntries'), weights2: of('fBinSumw2') }),
      },
    },
    known,
  );
}

function noBins(): never {
  throw unaddable('An axis has no bins.');
}

function summedAxis(axis: BinAxis, overflows = false): SummedAxis {
  const { bins, labels, grows, shown = overflows ? [0, bins + 1] : [1, bins] } = axis;
  const centres = new Float64Array(bins + 2);
  // On an axis that accepts new labels, the position of a label has no meaning.
  if (!(labels && grows)) for (let bin = 0; bin < centres.length; bin++) centres[bin] = binCentre(axis, bin);
  return { centres, first: shown[0] ?? 1, last: shown[1] ?? bins };
}

const ONE_BIN: SummedAxis = { centres: new Float64Array(1), first: 0, last: 0 };

/** Returns sums over bins in the order of `sumNames`, as if all values were at the centres of the bins. */
function sumsOverBins(axes: readonly SummedAxis[], cells: SummedCells): number[] {
  const [ax = ONE_BIN, ay = ONE_BIN, az = ONE_BIN] = axes;
  const { contents, squares, weights, weights2 } = cells;
  const [own, own2] = weights ? [weights, weights2 ?? []] : [contents, squares];
  const hasSquares = own2.length > 0;
  let [w0, w2, wx, wxx, wt, wtt] = [0, 0, 0, 0, 0, 0];
  let [wy, wyy, wxy, wz, wzz, wxz, wyz] = [0, 0, 0, 0, 0, 0, 0];
  const row = ax.centres.length;
  const plane = row * ay.centres.length;
  for (let k = az.first; k <= az.last; k++) {
    const z = az.centres[k] ?? 0;
    for (let j = ay.first; j <= ay.last; j++) {
      const y = ay.centres[j] ?? 0;
      for (let i = ax.first; i <= ax.last; i++) {
        const cell = k * plane + j * row + i;
        const x = ax.centres[i] ?? 0;
        const w = Number(own[cell] ?? 0);
        w0 += w;
        w2 += hasSquares ? Number(own2[cell] ?? 0) : Math.abs(w);
        wx += w * x;
        wxx += w * x * x;
        wy += w * y;
        wyy += w * y * y;
        wxy += w * x * y;
        wz += w * z;
        wzz += w * z * z;
        wxz += w * x * z;
        wyz += w * y * z;
        if (weights) {
          wt += Number(contents[cell] ?? 0);
          wtt += Number(squares[cell] ?? 0);
        }
      }
    }
  }
  return [
    ...[w0, w2, wx, wxx],
    ...(axes.length > 1 ? [wy, wyy, wxy] : []),
    ...(axes.length > 2 ? [wz, wzz, wxz, wyz] : []),
    ...(weights ? [wt, wtt] : []),
  ];
}

/** Indices in `sumNames` of the sum over each coordinate. The sum over its squares is the next one. */
const FIRSTS = [2, 4, 7];

/**
 * Returns weight, means and standard deviations from sums in the order of `sumNames`, as TH1::GetMean and GetStdDev do.
 */
export function momentsOfSums(sums: readonly number[], dimensions: number, profile: boolean): Moments {
  const [weight = 0, weight2 = 0] = sums;
  const places = [...FIRSTS.slice(0, dimensions), ...(profile ? [sums.length - 2] : [])];
  // Both are 0 if the sum of weights is 0. With weights of both signs the variance may be negative; it then counts as
  // 0.
  const divided = (sum = 0): number => (weight === 0 ? 0 : sum / weight);
  const mean = places.map((at) => divided(sums[at]));
  const none = mean.map(() => Number.NaN);
  return {
    weight,
    effective: weight2 === 0 ? Math.abs(weight) : weight ** 2 / weight2,
    mean,
    stdDev: places.map((at, i) => Math.sqrt(Math.max(0, divided(sums[at + 1]) - (mean[i] ?? 0) ** 2))),
    min: none,
    max: none,
    integer: mean.map(() => false),
    covariance: dimensions > 1 ? divided(sums[6]) - (mean[0] ?? 0) * (mean[1] ?? 0) : 0,
  };
}

/** Returns sums over all inner bins, in the order of `sumNames`. */
export function sumsOfBins(axes: readonly BinAxis[], cells: SummedCells): number[] {
  return sumsOverBins(
    axes.map((axis) => summedAxis({ ...axis, shown: undefined })),
    cells,
  );
}
