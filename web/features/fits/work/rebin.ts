import type { Histogram } from '../../../api/api';
import { edgeOf } from '../../../bins/bin-axes';

/**
 * Returns a histogram of one axis in which `factor` neighbouring bins are joined, as they are drawn: the last one may have
 * fewer. Profiles, and axes with labels, are returned unchanged.
 */
export function joinedBins(histogram: Histogram, factor: number): Histogram {
  const [axis, ...others] = histogram.axes;
  const isPlain = !histogram.profile && histogram.means === undefined && axis?.labels === undefined;
  if (axis === undefined || others.length > 0 || factor <= 1 || !isPlain) return histogram;
  const bins = Math.ceil(axis.bins / factor);
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) =>
    edgeOf(axis, Math.min(i * factor, axis.bins)),
  );
  const joined = (cells: Float64Array): Float64Array => {
    const sums = new Float64Array(bins + 2);
    cells.forEach((value, cell) => {
      const bin = cell === 0 ? 0 : cell > axis.bins ? bins + 1 : 1 + Math.floor((cell - 1) / factor);
      sums[bin] = (sums[bin] ?? 0) + value;
    });
    return sums;
  };
  const { errors } = histogram;
  return {
    ...histogram,
    axes: [
      { ...axis, bins, edges: axis.edges || axis.bins % factor > 0 ? edges : undefined, shown: undefined },
    ],
    sums: joined(histogram.sums),
    squares: joined(histogram.squares),
    errors: errors && joined(errors.map((error) => error * error)).map(Math.sqrt),
  };
}
