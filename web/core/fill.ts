import { addSums, type ExactSums } from './sums/exact-sums';

/** An axis of equal bins over [low, high). */
export interface Axis {
  bins: number;
  low: number;
  high: number;
}

/** Statistics of filling for values in the range of all axes, as TH1 has them. */
export interface FillStats {
  /**
   * Number of values with a weight that is not 0, in range or not; `nans` counts those with a NaN coordinate.
   */
  fills: number;
  nans: number;
  weight: number;
  weight2: number;
  /** Sum of the amounts of weights. */
  size: number;
  axes: AxisStats[];
  /** Sum of weights times the distances from the means of the first two coordinates. */
  codeviation: number;
  /** Entries of the tree of which at least one value passed. */
  entries: number;
}

/** Statistics of one coordinate. */
export interface AxisStats {
  /**
   * Mean by amounts of weights, and the sums of weights times the distances from it, and their squares, of the values
   * in the range. The first sum is 0, but for rounding, where weights have one sign.
   */
  mean: number;
  first: number;
  deviation: number;
  /** Number of finite values among all fills, also outside the range, and their ends: 0 without any. */
  finite: number;
  min: number;
  max: number;
}

/** Cells with under- and overflow, the first axis running fastest. */
export interface Fill {
  sums: Float64Array;
  /** Squared weights. In a profile: squared values, then weights, then their squares. */
  squares: Float64Array;
  stats: FillStats;
  /**
   * For exact sums: those of the cells, one run of cells after the other, and then MOMENTS sums over the values in
   * range, as wasm/src/compute/histogram.h says. `sums` and `squares` are empty then, and `stats` has no moments.
   */
  exact?: ExactSums | undefined;
}

/** Number of exact sums after those of the cells: XY_H_MOMENTS. */
export const MOMENTS = 9;

/** Doubles of xy_fill_stats: see wasm/src/compute/histogram.h. */
export const STATS_DOUBLES = 25;
/** Doubles of one coordinate in it. */
const COORDINATE_DOUBLES = 6;

/** Reads an xy_fill_stats with this many coordinates. */
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

/** Adds `more` to `sum`, as if both had been filled into one. Changes `sum`. */
export function addFill(sum: Fill, more: Fill): void {
  for (let i = 0; i < sum.sums.length; i++) sum.sums[i] = (sum.sums[i] ?? 0) + (more.sums[i] ?? 0);
  for (let i = 0; i < sum.squares.length; i++)
    sum.squares[i] = (sum.squares[i] ?? 0) + (more.squares[i] ?? 0);
  sum.stats = mergeStats(sum.stats, more.stats);
  if (sum.exact && more.exact) addSums(sum.exact, more.exact);
}

/**
 * Doubles an axis of a fill upwards or downwards: pairs of bins become one, as in TH1::ExtendAxis. `axes` are those
 * before. Changes `fill`.
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

/** Returns statistics whose moments are those around other means. */
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
