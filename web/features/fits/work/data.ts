import type { Histogram } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { type BinAxis, edgeOf } from '../../../bins/bin-axes';
import type { Graph } from '../../../bins/stored-graph';
import { type FitData, METHOD } from './fit-core';
import type { FitChoice } from './types';

/** The points of a fit, and how ROOT would treat them. */
export interface FitPoints {
  data: FitData;
  method: number;
  count: number;
  /** Whether the errors are unknown, so that those of the parameters are scaled by chi-square over ndf. */
  scaled: boolean;
  /** Whether a polynomial may be solved without iterations. */
  linear: boolean;
  range: [low: number, high: number][];
}

export type Ranges = readonly (readonly [low: number, high: number])[];

/** Returns the points of a histogram or profile as TH1::Fit takes them. Throws ARGUMENT if none is left. */
export function histogramPoints(
  histogram: Histogram,
  choice: FitChoice,
  ranges: Ranges,
  dims: number,
): FitPoints {
  const { axes } = histogram;
  if (axes.length > 2) throw unsupported('Histograms of one and two axes are fitted.', 'Project it first.');
  if (dims !== axes.length) {
    throw argumentError(
      `The function has ${dims === 1 ? 'one coordinate' : `${dims} coordinates`}, the histogram ${axes.length === 1 ? 'one axis' : `${axes.length} axes`}.`,
      axes.length === 2 ? 'Use x and y, as in xygaus.' : 'Use x only.',
    );
  }
  const bins = axes.map((axis, k) => chosenBins(axis, ranges[k]));
  const isLikelihood = choice.method === 'likelihood' || choice.method === 'weighted';
  const withEmpty = isLikelihood || choice.method === 'pearson' || choice.ones === 'all';
  const [inX = none, inY] = axes.map((axis, k) => placesOf(axis, bins[k] ?? [1, 0]));
  const rows = inY?.middle.length ?? 1;
  const most = inX.middle.length * rows;
  const [x, y, halfX, halfY] = [0, 0, 0, 0].map(() => new Float64Array(most)) as [List, List, List, List];
  const [content, error] = [new Float64Array(most), new Float64Array(most)];
  const contents = histogram.means ?? histogram.sums;
  const stride = (axes[0]?.bins ?? 0) + 2;
  let count = 0;
  for (let i = 0; i < inX.middle.length; i++) {
    for (let j = 0; j < rows; j++) {
      const cell = inX.first + i + (inY ? (inY.first + j) * stride : 0);
      const value = contents[cell] ?? 0;
      const own = histogram.errors?.[cell] ?? Math.sqrt(histogram.squares[cell] ?? 0);
      const used = usedError(own, value, choice.ones, withEmpty);
      if (used === undefined || !Number.isFinite(value)) continue;
      x[count] = inX.middle[i] ?? 0;
      halfX[count] = inX.half[i] ?? 0;
      y[count] = inY?.middle[j] ?? 0;
      halfY[count] = inY?.half[j] ?? 0;
      content[count] = value;
      error[count] = used;
      count += 1;
    }
  }
  const list = (all: List) => (count === most ? all : all.slice(0, count));
  return {
    data: {
      x: (inY ? [x, y] : [x]).map(list),
      half: (inY ? [halfX, halfY] : [halfX]).map(list),
      y: list(content),
      error: list(error),
    },
    method: isLikelihood ? METHOD.poisson : choice.method === 'pearson' ? METHOD.pearson : METHOD.chi2,
    count,
    // ROOT takes the errors that a function expects for none.
    scaled: choice.ones !== 'none' || choice.method === 'pearson',
    linear: choice.method === 'chi2' && !choice.integral && !choice.minos && !choice.minuit,
    range: bins.map(([from, to], k) => {
      const axis = axes[k] as BinAxis;
      return [edgeOf(axis, from - 1), edgeOf(axis, Math.max(from - 1, to))];
    }),
  };
}

type List = Float64Array;

/** Bins of an axis: the number of the first one, their middles and half their widths. */
interface Places {
  first: number;
  middle: List;
  half: List;
}

const none: Places = { first: 1, middle: new Float64Array(0), half: new Float64Array(0) };

function placesOf(axis: BinAxis, [first, last]: readonly [number, number]): Places {
  const bins = new Float64Array(Math.max(0, last - first + 1)).map((_, i) => first + i);
  const half = bins.map((bin) => (edgeOf(axis, bin) - edgeOf(axis, bin - 1)) / 2);
  return { first, middle: bins.map((bin) => middleOf(axis, bin)), half };
}

/** The error that counts in a fit; undefined if the bin is left out. */
function usedError(
  error: number,
  content: number,
  ones: FitChoice['ones'],
  withEmpty: boolean,
): number | undefined {
  if (error > 0) return ones === 'none' ? error : 1;
  return withEmpty || (ones !== 'none' && Math.abs(content) > 0) ? 1 : undefined;
}

/** TAxis::GetBinCenter, with its rounding. */
function middleOf(axis: BinAxis, bin: number): number {
  if (axis.edges) return edgeOf(axis, bin - 1) + 0.5 * (edgeOf(axis, bin) - edgeOf(axis, bin - 1));
  return axis.low + (bin - 0.5) * ((axis.high - axis.low) / axis.bins);
}

/** Returns the first and the last bin within a range, counted from 1, as ROOT's ExamineRange. */
export function chosenBins(axis: BinAxis, range: Ranges[number] | undefined): [first: number, last: number] {
  let [first, last] = axis.shown ?? [1, axis.bins];
  first = Math.max(1, first);
  last = Math.min(axis.bins, last);
  if (!range) return [first, last];
  const [low, high] = range;
  first = Math.min(Math.max(binOf(axis, low), first), last + 1);
  last = Math.max(Math.min(binOf(axis, high), last), first - 1);
  if (first < last) {
    if (middleOf(axis, first) < low) first += 1;
    if (middleOf(axis, last) > high) last -= 1;
  }
  return [first, last];
}

/** TAxis::FindFixBin. */
function binOf(axis: BinAxis, x: number): number {
  if (x < axis.low) return 0;
  if (!(x < axis.high)) return axis.bins + 1;
  if (!axis.edges) return 1 + Math.trunc((axis.bins * (x - axis.low)) / (axis.high - axis.low));
  let bin = 1;
  while (bin < axis.bins && edgeOf(axis, bin) <= x) bin += 1;
  return bin;
}

type Sides = 'left' | 'right' | 'down' | 'up';

/** Returns the points of a graph as TGraph::Fit takes them. `constant`: the function does not depend on x. */
export function graphPoints(
  graph: Pick<Graph, 'x' | 'y'> & {
    className?: string | undefined;
    errors?: Readonly<Record<Sides, ArrayLike<number>>> | undefined;
  },
  choice: FitChoice,
  ranges: Ranges,
  constant: boolean,
): FitPoints {
  if (choice.method !== 'chi2')
    throw unsupported('Points are fitted by chi-square only.', 'Leave out L and P.');
  if (choice.integral) throw unsupported('Points have no bins to integrate over.', 'Leave out I.');
  const { x, y, errors } = graph;
  const isAsymmetric = isOneSided(graph);
  const side = (name: Sides, i: number): number => errors?.[name][i] ?? 0;
  const some = (...names: Sides[]): boolean => x.some((_, i) => names.some((name) => side(name, i) > 0));
  const withX = !constant && !choice.withoutX && choice.ones === 'none' && some('left', 'right');
  const unknown =
    choice.ones !== 'none' ||
    errors === undefined ||
    (!withX && !some('down', 'up') && !(isAsymmetric && some('left', 'right')));
  const effective = !unknown && (isAsymmetric || withX);
  const [low, high] = ranges[0] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const chosen: { x: number; y: number; half: number; down: number; up: number }[] = [];
  x.forEach((at, i) => {
    if (at < low || at > high || !Number.isFinite(at)) return;
    const content = y[i] ?? Number.NaN;
    if (!Number.isFinite(content)) return;
    if (unknown) {
      chosen.push({ x: at, y: content, half: 0, down: 1, up: 1 });
      return;
    }
    const [down, up] = [side('down', i), side('up', i)];
    const half = withX ? Math.max(0, 0.5 * (side('left', i) + side('right', i))) : 0;
    const size = isAsymmetric ? Math.sqrt(0.5 * (down * down + up * up)) : down;
    if (effective ? size <= 0 && half <= 0 : size <= 0) return;
    chosen.push({ x: at, y: content, half, down, up });
  });
  const list = (value: (row: (typeof chosen)[number]) => number) => Float64Array.from(chosen, value);
  const all = list((row) => row.x);
  return {
    data: {
      x: [all],
      half: [withX ? list(({ half }) => half) : undefined],
      y: list((row) => row.y),
      error: list(({ down }) => down),
      above: isAsymmetric && !unknown ? list(({ up }) => up) : undefined,
    },
    method: effective ? METHOD.effective : METHOD.chi2,
    count: chosen.length,
    scaled: unknown,
    linear: !effective && !choice.minos && !choice.minuit,
    range: [[Math.max(low, Math.min(...all)), Math.min(high, Math.max(...all))]],
  };
}

function isOneSided({ className, errors, x }: Parameters<typeof graphPoints>[0]): boolean {
  if (className !== undefined) return /Asymm|Bent|Multi/.test(className);
  return (
    errors !== undefined &&
    x.some((_, i) => errors.down[i] !== errors.up[i] || errors.left[i] !== errors.right[i])
  );
}
