import type { Frequencies, Histogram } from '../api/api';

/** One bin of a histogram, or one text of a list of frequencies. */
export interface Bin {
  /** Lower and upper end along x. The bins of texts are 1 wide, from 0 on. */
  low: number;
  high: number;
  /** Number of values in the bin; the sum of weights where a cut weighs. In a profile: the number of values averaged. */
  count: number;
  /** Statistical error of `count`, or of `mean` in a profile. Missing for texts. */
  error?: number;
  /** Mean of y in a profile; NaN in an empty bin. Missing for other histograms. */
  mean?: number;
  /** The text that was counted. */
  label?: string;
  /** Ends along the second and the third axis, when the drawing has them. */
  y?: [low: number, high: number];
  z?: [low: number, high: number];
}

/** Bins of a drawing, for iteration. */
export interface Bins extends Iterable<Bin> {
  /** The `count` of each bin, without underflow and overflow, x running fastest. */
  readonly counts: Float64Array;
  /** The ends of the bins along x: one more than there are bins. */
  readonly edges: Float64Array;
}

/** The result of `draw`: a histogram of one to three axes or a profile, or the frequencies of texts. Its bins iterate. */
export type Drawn = (Histogram | Frequencies) & Bins;

/** Makes the bins of a result iterable. */
export function drawn(result: Histogram | Frequencies): Drawn {
  const bins = result.kind === 'histogram' ? filledBins : textBins;
  return Object.defineProperties(
    { ...result },
    {
      [Symbol.iterator]: { value: () => bins(result as never) },
      counts: { get: () => Float64Array.from(bins(result as never), ({ count }) => count) },
      edges: { get: () => edgesOf(result) },
    },
  ) as Drawn;
}

function edgesOf(result: Histogram | Frequencies): Float64Array {
  const axis =
    result.kind === 'histogram'
      ? result.axes[0]
      : { low: 0, high: result.top.length, bins: result.top.length };
  if (axis === undefined) return new Float64Array();
  return Float64Array.from({ length: axis.bins + 1 }, (_, i) => edge(axis, i));
}

/** The lower end of a bin, counted from 0; the last edge is exactly the end of the axis. */
function edge({ low, high, bins }: { low: number; high: number; bins: number }, bin: number): number {
  return bin === bins ? high : low + ((high - low) * bin) / bins;
}

function* textBins({ top }: Frequencies): Generator<Bin, void, undefined> {
  for (const [i, { value, count }] of top.entries()) yield { low: i, high: i + 1, count, label: value };
}

function* filledBins(histogram: Histogram): Generator<Bin, void, undefined> {
  const [x, y, z] = histogram.axes;
  if (x === undefined) return;
  const rowCells = x.bins + 2;
  const planeCells = rowCells * ((y?.bins ?? -1) + 2);
  for (let k = 0; k < (z?.bins ?? 1); k++) {
    for (let j = 0; j < (y?.bins ?? 1); j++) {
      for (let i = 0; i < x.bins; i++) {
        // Cell 0 of each axis is its underflow.
        const cell = (z ? (k + 1) * planeCells : 0) + (y ? (j + 1) * rowCells : 0) + i + 1;
        yield {
          low: edge(x, i),
          high: edge(x, i + 1),
          ...contentOf(histogram, cell),
          ...(y && { y: [edge(y, j), edge(y, j + 1)] }),
          ...(z && { z: [edge(z, k), edge(z, k + 1)] }),
        };
      }
    }
  }
}

function contentOf({ profile, sums, squares, weights, weights2 }: Histogram, cell: number) {
  const sum = sums[cell] ?? 0;
  const square = squares[cell] ?? 0;
  if (!profile) return { count: sum, error: Math.sqrt(square) };
  const weight = weights?.[cell] ?? 0;
  const mean = sum / weight;
  // As TProfile: the spread of y divided by the root of the number of effective entries.
  const variance = Math.max(0, square / weight - mean * mean);
  const effective = weight ** 2 / (weights2?.[cell] ?? weight);
  return { count: weight, mean, error: Math.sqrt(variance / effective) };
}
