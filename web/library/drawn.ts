import type { Frequencies, Histogram, PlainObject } from '../api/api';
import { edgeOf, edgesOf, innerCells } from '../bins/bin-axes';
import { eachBin } from '../bins/each-bin';
import { histogramOfObject } from '../bins/stored-histogram';

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
  /** The text that was counted, or the name of the bin. */
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

/** The members of one kind of result, as the other kind has them. */
type Without<Other, Own> = { readonly [K in Exclude<keyof Other, keyof Own>]?: undefined };

/** A histogram of one to three axes, or a profile. Its bins iterate. */
export type DrawnHistogram = Histogram & Bins & Without<Frequencies, Histogram>;

/** How often texts occur, the most frequent first. They iterate as bins. */
export type DrawnTexts = Frequencies & Bins & Without<Histogram, Frequencies>;

/** The result of `draw`; `kind` tells which. */
export type Drawn = DrawnHistogram | DrawnTexts;

/** Makes the bins of a result iterable. */
export function drawn(result: Histogram): DrawnHistogram;
export function drawn(result: Histogram | Frequencies): Drawn;
export function drawn(result: Histogram | Frequencies): Drawn {
  const bins = result.kind === 'histogram' ? () => filledBins(result) : () => textBins(result);
  return Object.defineProperties(
    { ...result },
    {
      [Symbol.iterator]: { value: bins },
      counts: { get: () => countsOf(result) },
      edges: { get: () => axisEdges(result) },
    },
  ) as Drawn;
}

/**
 * A stored TH1, TH2, TH3 or TProfile as `object` gives it, in the form of what `draw` gives. Throws UNSUPPORTED for an
 * object of another class, and CORRUPT where its members do not fit together.
 */
export function storedHistogram(object: PlainObject): DrawnHistogram {
  return drawn(histogramOfObject(object));
}

function countsOf(result: Histogram | Frequencies): Float64Array {
  if (result.kind === 'frequencies') return Float64Array.from(result.top, ({ count }) => count);
  const { axes, profile, weights, sums } = result;
  return innerCells(axes, (profile && weights) || sums);
}

function axisEdges(result: Histogram | Frequencies): Float64Array {
  if (result.kind === 'frequencies') return Float64Array.from({ length: result.top.length + 1 }, (_, i) => i);
  const [x] = result.axes;
  return x ? edgesOf(x) : new Float64Array();
}

function* textBins({ top }: Frequencies): Generator<Bin, void, undefined> {
  for (const [i, { value, count }] of top.entries()) yield { low: i, high: i + 1, count, label: value };
}

function* filledBins(histogram: Histogram): Generator<Bin, void, undefined> {
  const [x, y, z] = histogram.axes;
  if (x === undefined) return;
  for (const [cell, [i = 0, j = 0, k = 0]] of eachBin(histogram.axes))
    yield {
      low: edgeOf(x, i),
      high: edgeOf(x, i + 1),
      ...contentOf(histogram, cell),
      ...(x.labels?.[i] && { label: x.labels[i] }),
      ...(y && { y: [edgeOf(y, j), edgeOf(y, j + 1)] }),
      ...(z && { z: [edgeOf(z, k), edgeOf(z, k + 1)] }),
    };
}

function contentOf({ profile, sums, squares, weights, means, errors }: Histogram, cell: number) {
  if (!profile) return { count: sums[cell] ?? 0, error: Math.sqrt(squares[cell] ?? 0) };
  const weight = weights?.[cell] ?? 0;
  return {
    count: weight,
    mean: weight === 0 ? Number.NaN : (means?.[cell] ?? 0),
    error: errors?.[cell] ?? 0,
  };
}
