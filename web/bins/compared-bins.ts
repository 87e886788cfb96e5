import type { Histogram } from '../api/api';
import { edgesOf, innerCells, sameEdges } from './bin-axes';
import type { Bins } from './compare-histograms';

type Axis = Histogram['axes'][number];

/** Returns the bins of a histogram for the comparison tests. For a profile these are the means. */
export function comparedBins(histogram: Histogram): Bins {
  const { axes, profile, sums, squares, means, errors } = histogram;
  const all = means ?? sums;
  const allVariances = errors ? errors.map((error) => error * error) : squares;
  const counts = innerCells(axes, all);
  const variances = innerCells(axes, allVariances);
  const weighted = profile || counts.some((count, i) => Math.abs(count) !== variances[i]);
  const bins = axes.map((axis) => axis.bins);
  const otherErrors = profile && (histogram.errorOption ?? '') !== '';
  const cells = shownCells(
    bins,
    axes.map(({ shown }, i) => shown ?? [1, bins[i] ?? 0]),
  );
  return {
    ...{ counts, variances, weighted, otherErrors, bins, shown: cells },
    withFlow: { counts: all, variances: allVariances },
  };
}

/** The bins that an axis shows, counted from 1. 0 and the number of bins + 1 are under- and overflow. */
type ShownBins = readonly [first: number, last: number];

/** Returns the indices of the cells that the axes show; undefined if these are all inner cells. */
function shownCells(bins: readonly number[], shown: readonly ShownBins[]): Uint32Array | undefined {
  if (shown.every(([first, last], i) => first === 1 && last === bins[i])) return undefined;
  let cells = [0];
  for (const [i, n] of [...bins.entries()].reverse()) {
    const [first, last] = shown[i] ?? [1, n];
    const along = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    cells = cells.flatMap((cell) => along.map((bin) => cell * (n + 2) + bin));
  }
  return Uint32Array.from(cells);
}

/** Returns why the bins of two histograms cannot be compared one by one; undefined if they can. */
export function otherBins(
  a: readonly Axis[],
  b: readonly Axis[],
  second = 'the reference',
): string | undefined {
  if (a.length !== b.length) return `one has ${a.length} axes, the other ${b.length}`;
  for (const [i, one] of a.entries()) {
    const other = b[i];
    if (other === undefined) continue;
    const name = ['x', 'y', 'z'][i];
    if (one.bins !== other.bins) return `${one.bins} bins along ${name}, and ${other.bins} in ${second}`;
    if (!sameEdges(edgesOf(one), edgesOf(other))) return `the bins along ${name} have other ends`;
    const texts = ({ labels = [] }: Axis): string => JSON.stringify(labels);
    if (texts(one) !== texts(other)) return `the bins along ${name} have other names`;
  }
  return undefined;
}
