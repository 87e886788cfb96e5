import type { Frequencies, Histogram } from '../api/api';
import { argumentError, type XylemError } from '../base/errors';
import { listOf, TEXT } from '../base/shape';
import { type BinAxis, edgeOf, outerCells } from './bin-axes';
import { momentsOfSums, sumsOfBins } from './statistics';

/** Contents of bins, as given by a program. */
export interface BinContents {
  /**
   * Contents of the bins, x varying fastest. With `bins + 2` numbers along each axis they include under- and overflow,
   * as in `Histogram.sums`.
   */
  counts: ArrayLike<number>;
  /** Ascending edges of the bins, one more than the number of bins. For several axes, a list of them, x first. */
  edges: ArrayLike<number> | readonly ArrayLike<number>[];
  /** Errors of the contents, in the same order. Default: the square root of each. */
  errors?: ArrayLike<number> | undefined;
  title?: string | undefined;
  /** Titles of the axes, x first, then that of the contents. */
  axisTitles?: readonly string[] | undefined;
  /** Number of fills (TH1::GetEntries). Default: the sum of the contents. */
  entries?: number | undefined;
}

/**
 * Returns a histogram that can be written, from a result of `draw`, a stored histogram, or contents and edges. Throws
 * ARGUMENT for anything else, and if the lengths of the lists do not match.
 */
export function givenHistogram(given: Histogram | Frequencies | BinContents): Histogram {
  if ('kind' in Object(given) && (given as Histogram).kind === 'histogram')
    return checked(given as Histogram);
  if ('kind' in Object(given) && (given as Frequencies).kind === 'frequencies')
    return ofTexts(given as Frequencies);
  const { counts, edges, errors, title = '', axisTitles = [], entries } = Object(given) as BinContents;
  if (!isNumbers(counts)) throw wrong('it has no counts');
  if (!TEXT.is(title) || !listOf(TEXT).is(axisTitles)) throw wrong('its titles are not texts');
  const lists = Array.isArray(edges) && isNumbers(edges[0]) ? (edges as ArrayLike<number>[]) : [edges];
  const axes = lists.map((list, i) => axisOf(list as ArrayLike<number>, axisTitles[i] ?? ''));
  if (axes.length > 3) throw wrong('it has more than three axes');
  const sums = cellsOf('counts', counts, axes);
  const squares =
    errors === undefined ? sums.map(Math.abs) : cellsOf('errors', errors, axes).map((e) => e * e);
  const stats = sumsOfBins(axes, { contents: sums, squares });
  return {
    ...emptyOf(title, axes),
    valueTitle: axisTitles[axes.length],
    sums,
    squares,
    ...counted(entries ?? sums.reduce((sum, value) => sum + value, 0)),
    ...momentsOfSums(stats, axes.length, false),
    stats,
  };
}

const emptyOf = (title: string, axes: BinAxis[]) =>
  ({ kind: 'histogram', name: 'histogram', title, profile: false, axes }) as const;

const counted = (fills: number) => ({ fills, entries: fills, nan: 0 });

/** Returns a histogram of strings, as TTree::Draw makes it. */
function ofTexts({ title, top, distinct, values }: Frequencies): Histogram {
  if (!Array.isArray(top)) throw wrong('it has no texts');
  if (distinct > top.length) throw wrong(`it has the ${top.length} most frequent of ${distinct} texts`);
  const counts = top.map(({ count }) => count);
  const edges = Float64Array.from({ length: top.length + 1 }, (_, i) => i);
  const made = givenHistogram({ counts, edges, title, entries: values });
  return { ...made, axes: made.axes.map((axis) => ({ ...axis, labels: top.map(({ value }) => value) })) };
}

/** Checks a histogram at run time. Throws ARGUMENT if lists are missing or have wrong lengths. */
function checked(histogram: Histogram): Histogram {
  const { axes, sums, squares, mean, stdDev } = histogram;
  const good =
    Array.isArray(axes) && [sums, squares, mean, stdDev].every((list) => isNumbers(list)) && axes.length > 0;
  if (!good) throw wrong('it lacks axes, sums, squares, mean or stdDev');
  const cells = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  if (sums.length === cells && squares.length === cells) return histogram;
  throw wrong(`it has ${sums.length} sums and ${squares.length} squares, and ${cells} cells`);
}

function axisOf(edges: ArrayLike<number>, title: string): BinAxis {
  if (!isNumbers(edges) || edges.length < 2) throw wrong('an axis has no edges');
  const all = Float64Array.from(edges);
  if (all.some((edge, i) => !Number.isFinite(edge) || (i > 0 && !(edge > (all[i - 1] ?? edge)))))
    throw wrong('edges are not ascending numbers');
  const bins = all.length - 1;
  const axis = { title, bins, low: all[0] ?? 0, high: all[bins] ?? 0 };
  const even = all.every((edge, i) => edge === edgeOf(axis, i));
  return even ? axis : { ...axis, edges: all };
}

/** Returns one number for each cell, including under- and overflow, from numbers for bins or for cells. */
function cellsOf(what: string, given: ArrayLike<number>, axes: readonly BinAxis[]): Float64Array {
  const bins = axes.reduce((product, axis) => product * axis.bins, 1);
  const cells = axes.reduce((product, axis) => product * (axis.bins + 2), 1);
  if (!isNumbers(given)) throw wrong(`its ${what} are not numbers`);
  if (given.length === cells) return Float64Array.from(given);
  if (given.length !== bins) throw wrong(`it has ${given.length} ${what}, and ${bins} bins`);
  return outerCells(axes, Float64Array.from(given));
}

/** Whether a value is an array of numbers or a typed array. */
export function isNumbers(value: unknown): value is ArrayLike<number> {
  if (!Array.isArray(value)) return ArrayBuffer.isView(value) && !(value instanceof DataView);
  return value.every((one) => typeof one === 'number');
}

function wrong(why: string): XylemError {
  return argumentError(
    `This histogram cannot be written: ${why}.`,
    'Give { counts, edges, errors }, or what draw or file.histogram gave.',
  );
}
