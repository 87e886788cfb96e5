import { addSums, type ExactSums } from './sums/exact-sums';

/** An axis of equal bins over [low, high). */
export interface Axis {
  bins: number;
  low: number;
  high: number;
}

/** Statistics of the values within the range of all axes, as in TH1. */
export interface FillStats {
  /**
   * Number of values with a weight that is not 0, in range or not; `nans` counts those with a NaN coordinate.
   */
  fills: number;
  nans: number;
  weight: number;
  weight2: number;
  /** Sum of the absolute values of the weights. */
  size: number;
  axes: AxisStats[];
  /**
   * Sum over the values of weight × distance from the mean of the first coordinate × distance from the mean of the
   * second one.
   */
  codeviation: number;
  /** Number of entries of the tree in which at least one value passed. */
  entries: number;
}

/** Statistics of one coordinate. */
export interface AxisStats {
  /**
   * For the values in range: the mean weighted by the absolute values of the weights; the sum of weight × distance from
   * it; and the sum of weight × squared distance. If all weights have the same sign, the first sum is 0 except for
   * rounding.
   */
  mean: number;
  first: number;
  deviation: number;
  /**
   * For all fills, also outside the range: number of finite values, and their minimum and maximum (0 if there are none).
   */
  finite: number;
  min: number;
  max: number;
}

/** Cells including under- and overflow. The first axis runs fastest. */
export interface Fill {
  sums: Float64Array;
  /** Squared weights. In a profile: squared values, then weights, then their squares. */
  squares: Float64Array;
  stats: FillStats;
  /**
   * Exact sums: those of the cells, array by array, followed by MOMENTS sums over the values in range, as defined in
   * wasm/src/compute/histogram.h. If set, `sums` and `squares` are empty and `stats` has no moments.
   */
  exact?: ExactSums | undefined;
}

/** Number of exact sums after those of the cells (XY_H_MOMENTS). */
export const MOMENTS = 9;

/** Number of doubles of xy_fill_stats: see wasm/src/compute/histogram.h. */
export const STATS_DOUBLES = 25;
/** Number of doubles for each coordinate in xy_fill_stats. */
const COORDINATE_DOUBLES = 6;

/** Converts an xy_fill_stats with this many coordinates. */
export function toStats(d: Float64Array, dims: number): FillStats {
  const axes = Array.from({ length: dims }, (_, k): AxisStats => {
    const [mean = 0, first = 0, deviation = 0, finite = 0, min = 0, max = 0] = d.subarray(
      5 + COORDINATE_DOUBLES * k,
    );
    return { mean, first, deviation, finite, min, max };
  });
  const [fills = 0, nans = 0, weight = 0, weight2 = 0, size = 0] = d;
  return {
    fills,
    nans,
    weight,
    weight2,
    size,
    axes,
    codeviation: d[STATS_DOUBLES - 2] ?? 0,
    entries: d[STATS_DOUBLES - 1] ?? 0,
  };
}

/** Adds `more` to `sum`, as if all values had been filled into one histogram. Changes `sum`. */
export function addFill(sum: Fill, more: Fill): void {
  for (let i = 0; i < sum.sums.length; i++) sum.sums[i] = (sum.sums[i] ?? 0) + (more.sums[i] ?? 0);
  for (let i = 0; i < sum.squares.length; i++)
    sum.squares[i] = (sum.squares[i] ?? 0) + (more.squares[i] ?? 0);
  sum.stats = mergeStats(sum.stats, more.stats);
  if (sum.exact && more.exact) addSums(sum.exact, more.exact);
}

/**
 * Doubles the range of an axis, upwards or downwards: pairs of bins are merged, as in TH1::ExtendAxis. `axes` are the
 * axes before. Changes `fill`.
 */
export function doubleAxis(fill: Fill, axes: readonly Axis[], which: number, downwards: boolean): void {
  const bins = axes[which]?.bins ?? 0;
  const stride = axes.slice(0, which).reduce((product, axis) => product * (axis.bins + 2), 1);
  const cells = stride * (bins + 2);
  for (const list of new Set([fill.sums, fill.squares])) {
    const before = list.slice();
    list.fill(0);
    for (let cell = 0; cell < before.length; cell++) {
      const bin = Math.floor((cell % cells) / stride);
      const inside = bin > 0 && bin <= bins;
      const moved = inside ? 1 + Math.floor((bin - 1 + (downwards ? bins : 0)) / 2) : bin;
      const to = cell + (moved - bin) * stride;
      list[to] = (list[to] ?? 0) + (before[cell] ?? 0);
    }
  }
}

function mergeStats(a: FillStats, b: FillStats): FillStats {
  const size = a.size + b.size;
  const means = a.axes.map((axis, k) => {
    const other = b.axes[k]?.mean ?? 0;
    if (a.size === 0) return other;
    return b.size === 0 ? axis.mean : axis.mean + (other - axis.mean) * (b.size / size);
  });
  const one = around(a, means);
  const other = around(b, means);
  return {
    fills: a.fills + b.fills,
    nans: a.nans + b.nans,
    weight: a.weight + b.weight,
    weight2: a.weight2 + b.weight2,
    size,
    axes: one.axes.map((axis, k) => ({
      ...endsOf(axis, b.axes[k]),
      mean: means[k] ?? 0,
      first: axis.first + (other.axes[k]?.first ?? 0),
      deviation: axis.deviation + (other.axes[k]?.deviation ?? 0),
    })),
    codeviation: one.codeviation + other.codeviation,
    entries: a.entries + b.entries,
  };
}

/** Returns the statistics with moments relative to other means. */
function around(stats: FillStats, means: readonly number[]): Pick<FillStats, 'axes' | 'codeviation'> {
  const { weight, axes, codeviation, size } = stats;
  if (size === 0) return stats;
  const [d0 = 0, d1 = 0] = axes.map(({ mean }, k) => (means[k] ?? 0) - mean);
  const moved = d0 * (axes[1]?.first ?? 0) + d1 * (axes[0]?.first ?? 0);
  return {
    axes: axes.map((axis, k) => {
      const d = (means[k] ?? 0) - axis.mean;
      return {
        ...axis,
        first: axis.first - weight * d,
        deviation: axis.deviation + d * (weight * d - 2 * axis.first),
      };
    }),
    codeviation: codeviation + weight * d0 * d1 - moved,
  };
}

function endsOf(a: AxisStats, b: AxisStats | undefined): Pick<AxisStats, 'finite' | 'min' | 'max'> {
  if (!b || b.finite === 0) return a;
  if (a.finite === 0) return b;
  return { finite: a.finite + b.finite, min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
