import type { CallOptions, DrawnTogether, Histogram } from '../../../api/api';
import { fromRecord } from '../../../base/errors';
import type { HistogramShape } from '../../../bins/filled-histogram';
import { type HistogramSum, histogramOfSum } from '../../../bins/histogram-sum';
import { scaledHistogram } from '../../../bins/scale';
import type { Axis } from '../../../core/fill';
import { givenShape } from '../../../measure/histogram-shape';
import type { OpenInput } from '../../../measure/partial-kind';
import { passes } from './passes';
import { type CutVariable, variableOf } from './variable';

/** The plot of the variable of a cut, of the entries that pass all other cuts: how it is filled. */
export interface AskedPlot extends CutVariable {
  /** Index of the cut. */
  cut: number;
  axis: Axis;
}

/** The plots of cuts that have a variable, and the reasons why others have none, by their indices. */
export interface AskedPlots {
  asked: readonly AskedPlot[];
  whys: ReadonlyMap<number, string>;
}

/** The variable of a cut, of the entries that pass all other cuts (N-1). */
export interface CutPlot extends Partial<CutVariable> {
  cut: string;
  /** A sentence on why there is no plot; undefined if there is one. */
  why?: string | undefined;
  /** The histogram of each sample. */
  layers: { sample?: string | undefined; isData?: boolean | undefined; histogram: Histogram }[];
}

const BINS = 50;

/**
 * Finds the variables of cuts, and their axes by the values in an input: all of them, and the ends of the cut. Throws the errors
 * of reading.
 */
export async function plotsOf(
  cuts: readonly string[],
  { reader, info, tree, entries }: OpenInput,
  options: CallOptions,
): Promise<AskedPlots> {
  const whys = new Map<number, string>();
  const variables = cuts.flatMap((cut, i): (CutVariable & { cut: number })[] => {
    const found = variableOf(cut);
    if (!('why' in found)) return [{ ...found, cut: i }];
    whys.set(i, `No plot of "${cut}", because ${found.why}.`);
    return [];
  });
  const draws = variables.map(
    ({ expr }): DrawnTogether => ({ expr: drawn(expr), axes: [{ bins: BINS, rule: 'tight' }] }),
  );
  const outcomes = draws.length > 0 ? await reader.drawAll(info.id, { tree, entries, draws }, options) : [];
  const asked = variables.flatMap((variable, i): AskedPlot[] => {
    const outcome = outcomes[i];
    if (outcome?.kind === 'error') throw fromRecord(outcome.error);
    const [axis] = outcome?.kind === 'histogram' ? outcome.axes : [];
    if (axis !== undefined && axis.labels === undefined)
      return [{ ...variable, axis: withEdges(axis, variable.edges) }];
    whys.set(variable.cut, `No plot of "${cuts[variable.cut]}", because its variable has no numbers.`);
    return [];
  });
  return { asked, whys };
}

/** Makes an axis longer, by whole bins, so that it has the ends of a cut if they are not far away. */
function withEdges({ bins, low, high }: Axis, edges: readonly number[]): Axis {
  const width = (high - low) / bins;
  const missing = (beyond: number): number => {
    const more = Math.ceil(beyond / width);
    return more > 0 && more <= bins ? more : 0;
  };
  const below = Math.max(0, ...edges.map((edge) => missing(low - edge)));
  // An end of the axis is not in it.
  const above = Math.max(0, ...edges.map((edge) => (edge >= high ? missing(edge - high + width / 2) : 0)));
  return below + above === 0
    ? { bins, low, high }
    : { bins: bins + below + above, low: low - below * width, high: high + above * width };
}

/** In a drawing ">>" begins the name of a histogram. */
const drawn = (expr: string): string => (/>>|\?/.test(expr) ? `(${expr})` : expr);

/** Returns the drawing of a plot of entries that have a weight; empty for none. */
export function plotDraw(
  cuts: readonly string[],
  weight: string,
  { cut, expr, axis }: AskedPlot,
): DrawnTogether {
  const { bins, low, high } = axis;
  const others = cuts.filter((_, i) => i !== cut).map(passes);
  const selection = [...(weight === '' ? [] : [`(${weight})`]), ...others].join('*');
  return { expr: drawn(expr), cut: selection, axes: [{ bins, range: [low, high] }], exact: true };
}

const shapeOf = (asked: AskedPlot): HistogramShape => ({
  ...givenShape({ tree: '', ...plotDraw([], '', asked) }),
  title: asked.expr,
});

/** Returns the histogram of a plot of one sample, scaled. */
export function plotHistogram(asked: AskedPlot, sum: HistogramSum, scale: number): Histogram {
  const histogram = histogramOfSum(shapeOf(asked), sum);
  return scale === 1 ? histogram : scaledHistogram(histogram, scale);
}
