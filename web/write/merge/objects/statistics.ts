import { arrayOf, type Members, numberOf } from '../object-values';
import { axesOf, binsOf, centreOf, growsByLabels, labelsOf, rangeOf } from './axes';

/** TH1::EStatOverflows: bins below and above the axis count in statistics. */
export const CONSIDER_OVERFLOWS = 1;

/** Members with sums over the filled values, by the number of dimensions. */
const SUMS = [
  [],
  ['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2'],
  ['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2', 'fTsumwy', 'fTsumwy2', 'fTsumwxy'],
  [
    ...['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2', 'fTsumwy', 'fTsumwy2', 'fTsumwxy'],
    ...['fTsumwz', 'fTsumwz2', 'fTsumwxz', 'fTsumwyz'],
  ],
];
/** The sums over the averaged value of a profile. */
const AVERAGED = [[], ['fTsumwy', 'fTsumwy2'], ['fTsumwz', 'fTsumwz2'], ['fTsumwt', 'fTsumwt2']];

/** Names of the sums that a histogram or profile has. */
export function sumNames(dimensions: number, profile: boolean): string[] {
  return [...(SUMS[dimensions] ?? []), ...(profile ? (AVERAGED[dimensions] ?? []) : [])];
}

/**
 * The sums as TH1::GetStats gives them: those that were filled, and those over the bins where bins were set instead
 * or a range of bins is chosen. Sums of weights that are 0 are those of bins that were set, unless they are `known`.
 */
export function statisticsOf(
  histogram: Members,
  dimensions: number,
  profile: boolean,
  known = false,
): number[] {
  const axes = axesOf(histogram, dimensions);
  const ranged = axes.some((axis) => rangeOf(axis) !== undefined);
  const unfilled = numberOf(histogram, 'fTsumw') === 0 && (profile || numberOf(histogram, 'fEntries') > 0);
  if (ranged || (unfilled && !known)) return overBins(histogram, axes, profile);
  return sumNames(dimensions, profile).map((name) => numberOf(histogram, name));
}

function overBins(histogram: Members, axes: Members[], profile: boolean): number[] {
  const cells = arrayOf(histogram, 'fArray');
  const squares = arrayOf(histogram, 'fSumw2');
  const weights = profile ? arrayOf(histogram, 'fBinEntries') : cells;
  const weightSquares = profile ? arrayOf(histogram, 'fBinSumw2') : squares;
  const overflows = numberOf(histogram, 'fStatOverflows') === CONSIDER_OVERFLOWS;
  const all = (axis: Members) => (overflows ? [0, binsOf(axis) + 1] : [1, binsOf(axis)]) as [number, number];
  const ranges = axes.map((axis) => rangeOf(axis) ?? all(axis));
  // The place of a name on an axis means nothing.
  const unnamed = axes.map((axis) => (labelsOf(axis) && growsByLabels(axis) ? 0 : 1));
  const sums = new Array<number>(sumNames(axes.length, profile).length).fill(0);
  const at = axes.map(() => 0);
  const add = (values: readonly number[]): void => {
    for (const [i, value] of values.entries()) sums[i] = (sums[i] ?? 0) + value;
  };
  const visit = (axis: number, cell: number, stride: number): void => {
    const own = axes[axis];
    if (own !== undefined) {
      const [from, to] = ranges[axis] ?? [0, -1];
      for (let bin = from; bin <= to; bin++) {
        at[axis] = centreOf(own, bin) * (unnamed[axis] ?? 1);
        visit(axis + 1, cell + bin * stride, stride * (binsOf(own) + 2));
      }
      return;
    }
    const w = Number(weights[cell] ?? 0);
    const square = Number(weightSquares[cell] ?? Math.abs(w));
    const [x = 0, y = 0, z = 0] = at;
    add([
      ...[w, square, w * x, w * x * x],
      ...(axes.length > 1 ? [w * y, w * y * y, w * x * y] : []),
      ...(axes.length > 2 ? [w * z, w * z * z, w * x * z, w * y * z] : []),
      ...(profile ? [Number(cells[cell] ?? 0), Number(squares[cell] ?? 0)] : []),
    ]);
  };
  visit(0, 0, 1);
  return sums;
}
