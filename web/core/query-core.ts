import type { Core } from './core';
import type { Decoder } from './decoder';
import { addSums, type ExactSums, sumsOfCore } from './exact-sums';
import { SUMMARY_DOUBLES, type Summary, toSummary } from './summary';

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
  axes: AxisStats[];
  codeviation: number;
  /** Entries of the tree of which at least one value passed. */
  entries: number;
}

/** Statistics of one coordinate. */
export interface AxisStats {
  /** Weighted mean, and weighted sum of squared deviations from it, of the values in the range. */
  mean: number;
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
   * range, as wasm/src/compute/expr_sink.h says. `sums` and `squares` are empty then, and `stats` has no moments.
   */
  exact?: ExactSums | undefined;
}

/** Number of exact sums after those of the cells: XY_H_MOMENTS. */
export const MOMENTS = 9;

/** Doubles of xy_fill_stats: see wasm/src/compute/expr_sink.h. */
export const STATS_DOUBLES = 21;
const AXIS_DOUBLES = 5;

/** An expression program at work in the core. */
export class CoreQuery {
  readonly #pointer: number;

  constructor(
    readonly core: Core,
    program: Uint8Array,
  ) {
    const input = core.input(program);
    this.#pointer = core.make((x, ctx) => x.xy_query_create(ctx, input, program.length));
  }

  /**
   * Takes the decoders' rows, which are the entries of spans: pairs from, to, none empty. `rows` has, for
   * each column of another tree, the row of each entry, or -1 for none.
   */
  start(decoders: Decoder[], spans: Float64Array, rows: (Float64Array | undefined)[] = []): void {
    for (const [column, { pointer }] of decoders.entries()) {
      const own = rows[column];
      if (!own) this.core.call((x, ctx) => x.xy_query_bind(ctx, this.#pointer, column, pointer));
      else {
        this.core.withDoubles(own, (list) =>
          this.core.call((x, ctx) =>
            x.xy_query_bind_rows(ctx, this.#pointer, column, pointer, list, own.length),
          ),
        );
      }
    }
    this.core.withDoubles(spans, (list) =>
      this.core.call((x, ctx) => x.xy_query_start(ctx, this.#pointer, list, spans.length / 2)),
    );
  }

  fill(axes: Axis[], dims: number, profile: boolean, exact = false): Fill {
    const cells = axes.reduce((product, axis) => product * (axis.bins + 2), 1);
    const squares = profile ? 3 * cells : cells;
    const count = cells + squares;
    // Exact sums have two doubles each.
    const doubles = exact ? 2 * (count + MOMENTS) : count;
    const total = 3 * axes.length + doubles + STATS_DOUBLES;
    return this.core.withZeroes(total, (at) => {
      const given = new Float64Array(this.core.exports.memory.buffer, at, 3 * axes.length);
      axes.forEach(({ bins, low, high }, i) => {
        given.set([bins, low, high], 3 * i);
      });
      const sums = at + 24 * axes.length;
      const second = sums + 8 * (exact ? count + MOMENTS : cells);
      const stats = sums + 8 * doubles;
      const rest = this.core.call((x, ctx) => {
        const fill = exact ? x.xy_query_fill_exact : x.xy_query_fill;
        return fill(ctx, this.#pointer, dims, profile ? 1 : 0, at, sums, second, stats);
      });
      if (exact) {
        const [high, low] = [sums, second].map((from) => this.core.doubles(from, count + MOMENTS));
        return {
          ...{ sums: new Float64Array(0), squares: new Float64Array(0) },
          stats: toStats(this.core.doubles(stats, STATS_DOUBLES), dims),
          exact: sumsOfCore(
            high as Float64Array,
            low as Float64Array,
            new Float64Array(rest.buffer as ArrayBuffer),
          ),
        };
      }
      return {
        sums: this.core.doubles(sums, cells),
        squares: this.core.doubles(second, squares),
        stats: toStats(this.core.doubles(stats, STATS_DOUBLES), dims),
      };
    });
  }

  /** Summarises the values that pass, for each output, and counts the entries that they come from. */
  summarize(outputs: number): { summaries: Summary[]; entries: number } {
    return this.core.withZeroes(outputs * SUMMARY_DOUBLES + 1, (at) => {
      const entries = at + 8 * outputs * SUMMARY_DOUBLES;
      this.core.call((x, ctx) => x.xy_query_summarize(ctx, this.#pointer, at, entries));
      const summaries = Array.from({ length: outputs }, (_, i) =>
        toSummary(this.core.doubles(at + 8 * i * SUMMARY_DOUBLES, SUMMARY_DOUBLES)),
      );
      return { summaries, entries: this.core.doubles(entries, 1)[0] ?? 0 };
    });
  }

  /** Appends the values that pass to buffers; returns the number of entries that they come from. */
  values(): number {
    return this.core.withZeroes(1, (at) => {
      this.core.call((x, ctx) => x.xy_query_values(ctx, this.#pointer, at));
      return this.core.doubles(at, 1)[0] ?? 0;
    });
  }

  /** Appends the entries of which a value passes to buffers. */
  rows(): void {
    this.core.call((x, ctx) => x.xy_query_rows(ctx, this.#pointer));
  }

  /** A copy of a buffer. */
  buffer(index: number): ArrayBuffer {
    const pointer = this.core.exports.xy_query_buffer(this.#pointer, index);
    const size = this.core.exports.xy_query_buffer_size(this.#pointer, index);
    return this.core.copy(pointer, size).buffer as ArrayBuffer;
  }

  close(): void {
    this.core.free((x) => x.xy_query_destroy(this.#pointer));
  }
}

/** Reads an xy_fill_stats with this many coordinates. */
export function toStats(d: Float64Array, dims: number): FillStats {
  const axes = Array.from({ length: dims }, (_, k): AxisStats => {
    const [mean = 0, deviation = 0, finite = 0, min = 0, max = 0] = d.subarray(4 + AXIS_DOUBLES * k);
    return { mean, deviation, finite, min, max };
  });
  const [fills = 0, nans = 0, weight = 0, weight2 = 0] = d;
  return {
    fills,
    nans,
    weight,
    weight2,
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

function mergeStats(a: FillStats, b: FillStats): FillStats {
  const weight = a.weight + b.weight;
  const share = weight === 0 ? 0 : b.weight / weight;
  const both = a.weight * share;
  const deltas = a.axes.map((axis, k) => (b.weight === 0 ? 0 : (b.axes[k]?.mean ?? 0) - axis.mean));
  return {
    fills: a.fills + b.fills,
    nans: a.nans + b.nans,
    weight,
    weight2: a.weight2 + b.weight2,
    axes: a.axes.map((axis, k) => ({
      ...endsOf(axis, b.axes[k]),
      mean: axis.mean + (deltas[k] ?? 0) * share,
      deviation: axis.deviation + (b.axes[k]?.deviation ?? 0) + (deltas[k] ?? 0) ** 2 * both,
    })),
    codeviation: a.codeviation + b.codeviation + (deltas[0] ?? 0) * (deltas[1] ?? 0) * both,
    entries: a.entries + b.entries,
  };
}

function endsOf(a: AxisStats, b: AxisStats | undefined): Pick<AxisStats, 'finite' | 'min' | 'max'> {
  if (!b || b.finite === 0) return a;
  if (a.finite === 0) return b;
  return { finite: a.finite + b.finite, min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
