import { formatCount, formatNumber } from '../base/format';
import { lastAtMost } from '../base/search';
import { edgesOf } from '../bins/bin-axes';
import type { Colour, Ink, Shape } from './drawing/drawing';
import type { PlotFrame } from './drawing/frame';
import type { BinNames } from './drawing/ticks';
import type { TimeAxis } from './drawing/time-axis';
import type { panelsWith } from './layers/below-panels';
import type { PlotLook } from './look/look';
import type { RightPanel } from './panels';
import type { cellNumbers } from './stored/cell-numbers';

export type Range = [low: number, high: number];

/** One line of the statistics box. */
export interface StatLine {
  label: string;
  value: string;
  /** The number that the value shows, if it is one. */
  number?: number | undefined;
}

/** A line over a plot: a function stored with it, for example a fit. */
export interface Curve {
  title: string;
  /** x ascends. NaN for places without a value. */
  x: Float64Array;
  y: Float64Array;
}

/** Description of a stored function: quality of a fit, parameters. */
export interface FunctionNote {
  title: string;
  lines: StatLine[];
  /** Reason why it is not drawn; undefined if it is. */
  why?: string | undefined;
}

/** Common members of all plots. Titles and labels are TLatex, as in ROOT: see latex.ts. */
interface PlotBase {
  title: string;
  /** Name of a stored histogram. */
  name?: string | undefined;
  /** Name in a legend with other layers. Default: the title. */
  label?: string | undefined;
  /** Whether other layers are compared with this one, or scaled to it. */
  isReference?: boolean | undefined;
  xTitle: string;
  yTitle: string;
  stats: StatLine[];
  curves?: Curve[] | undefined;
  /** Functions with curves come first. */
  functions?: FunctionNote[] | undefined;
  /** The part of x that the object itself specifies; undefined for all of it. */
  xRange?: Range | undefined;
  /** The same for y; for a map the range of its colours. */
  limits?: { low?: number | undefined; high?: number | undefined } | undefined;
  xTime?: TimeAxis | undefined;
  yTime?: TimeAxis | undefined;
  /** Whether contents are also written as numbers. */
  text?: boolean | undefined;
}

/**
 * Data of a one-dimensional plot. `edges` has one element more than `values`; `errors` are half-lengths of the
 * vertical bars in units of the y axis.
 */
export interface PlotModel extends PlotBase {
  kind: 'bins';
  edges: Float64Array;
  values: Float64Array;
  errors?: Float64Array | undefined;
  /** See `Overlay.hidesErrors`. */
  hidesErrors?: boolean | undefined;
  /** `steps` for counts, `points` for profiles. */
  mark: 'steps' | 'points';
  /** Names of the bins (ROOT's axis labels), one for each bin; empty for a bin without a name. */
  xLabels?: string[] | undefined;
  /** Contents drawn over these, in other colours. */
  overlays?: Overlay[] | undefined;
  /** Points and lines of graphs, drawn over the bins. */
  points?: Series[] | undefined;
  below?: Below | undefined;
  /** Its colour. Default: the first line colour. */
  ink?: Colour | undefined;
  /** See `Overlay.paint`. Other layers over them make them plain. */
  paint?: BinPainter | undefined;
  dash?: string | undefined;
  /** See `Overlay.scale`. */
  scale?: number | undefined;
}

/** Draws bins of a model in a style of their own. */
export type BinPainter = (model: PlotModel, frame: PlotFrame, log: boolean) => Shape[];

/** Ratios or differences in a panel below with the same x axis, and the function that lays out both panels. */
export interface Below {
  kind: 'ratio' | 'difference';
  model: PlotModel;
  panels: ReturnType<typeof panelsWith>;
}

/** The sum of the histograms of a stack, and the function that draws layers over the stack. */
export interface StackSum {
  sum: PlotModel;
  /** Its histograms by themselves, the lowest first. */
  parts: Overlay[];
  /** The sum with the layers over the stack, if there are any. */
  over?: PlotModel | undefined;
  /** Returns the stack with layers over its sum: bins as points, and the panel below. */
  with(layers: PlotModel): GraphModel;
}

/** Contents that are drawn over a plot. */
export interface Overlay {
  title: string;
  stats?: StatLine[] | undefined;
  values: Float64Array;
  errors?: Float64Array | undefined;
  /** Whether error bars exist but are not drawn: ROOT's option HIST. */
  hidesErrors?: boolean | undefined;
  /** Default: the edges of the plot below. */
  edges?: Float64Array | undefined;
  /** Its colour. Default: the next line colour. */
  ink?: Colour | undefined;
  dash?: string | undefined;
  /** Factor between counts and `values`. Default: 1. */
  scale?: number | undefined;
  /** Draws its bins in a style of their own. */
  paint?: BinPainter | undefined;
}

/** A two-dimensional histogram: `values[y * nx + x]`. */
export interface MapModel extends PlotBase {
  kind: 'map';
  /** Title of the colour scale. */
  zTitle: string;
  xEdges: Float64Array;
  yEdges: Float64Array;
  values: Float64Array;
  xLabels?: string[] | undefined;
  yLabels?: string[] | undefined;
  yRange?: Range | undefined;
  /** Whether a content of 0 is a value, as in a ratio, instead of an empty bin. */
  zeros?: boolean | undefined;
  /** Writes the contents into the cells. */
  numbers?: typeof cellNumbers | undefined;
  /** Others, drawn over the cells. */
  overlays?: MapOverlay[] | undefined;
}

/** A map drawn over the cells of another map. */
export interface MapOverlay {
  title: string;
  stats?: StatLine[] | undefined;
  ink: Ink;
  dash?: string | undefined;
  shapes(frame: PlotFrame): Shape[];
  /** Returns its content at a position of the axes; NaN outside its own axes. */
  at(x: number, y: number): number;
}

/** Lengths of error bars on each side of the points. */
export interface PointErrors {
  left: Float64Array;
  right: Float64Array;
  down: Float64Array;
  up: Float64Array;
}

/** Points in the order in which a line joins them. */
export interface Series {
  title: string;
  stats?: StatLine[] | undefined;
  x: Float64Array;
  y: Float64Array;
  errors?: PointErrors | undefined;
  /** Shifts of the ends of the error bars along the other axis, for a TGraphBentErrors. */
  bends?: PointErrors | undefined;
  /** Further error bars in y, the shortest first: for a TGraphMultiErrors. */
  more?: Pick<PointErrors, 'down' | 'up'>[] | undefined;
  /** Whether a line joins the points. Default true. */
  joined?: boolean | undefined;
  /** Whether points are drawn; false for a function, which is only a line. Default: true. */
  dots?: boolean | undefined;
  /** Its colour. Default: the next line colour. */
  ink?: Colour | undefined;
  /** Draws other shapes than points: bars from x to the right ends of their errors. */
  shapes?: ((series: Series, ink: Colour, frame: PlotFrame) => Shape[]) | undefined;
  /** Whether points are circles instead of dots. */
  open?: boolean | undefined;
  dash?: string | undefined;
  /** Whether it uses the axis on the right, which begins at 0. */
  onRight?: boolean | undefined;
  /** Returns a text about a point, which replaces its coordinates. */
  note?: ((index: number) => string) | undefined;
}

export interface GraphModel extends PlotBase, Omit<Series, 'stats'> {
  kind: 'graph';
  /** Other points drawn over these, in other colours. */
  overlays?: Series[] | undefined;
  /** Names of the rows at y = 0, 1, …, from the bottom. */
  rows?: string[] | undefined;
  /** The axis on the right, if a series uses it; `most` is its end. Default: the largest value. */
  right?: { title: string; ink: Ink; panel: RightPanel; most?: number | undefined } | undefined;
  xNames?: BinNames | undefined;
  /** For histograms on top of each other. */
  stack?: StackSum | undefined;
  below?: Below | undefined;
}

export type AnyPlot = PlotModel | MapModel | GraphModel;

/** The logarithmic axes; for a map, `y` is the colour scale. */
export interface LogAxes {
  x: boolean;
  y: boolean;
}

/** Returns `bins + 1` equidistant edges; the last is exactly `high`. */
export function uniformEdges(bins: number, low: number, high: number): Float64Array {
  return edgesOf({ bins, low, high });
}

/** Formats a statistic: whole numbers in full, others with six digits, a dash if undefined. */
export function statNumber(value: number): string {
  if (Number.isSafeInteger(value)) return formatCount(value).replace('-', '−');
  return Number.isNaN(value) ? '–' : formatNumber(value).replaceAll('-', '−');
}

/**
 * Returns the line "all fills lie beyond the axis", so that an empty plot is not mistaken for an empty histogram; no
 * line if a bin has content. `all` are the contents of all bins, including under- and overflow; `inside` those of the
 * axis.
 */
export function beyondLines(all: Float64Array, inside: Float64Array, fills: number): StatLine[] {
  if (!(fills > 0) || inside.some((content) => content !== 0) || all.every((content) => content === 0))
    return [];
  return [
    { label: 'Beyond the axis', value: fills === 1 ? 'the only entry' : `all ${formatCount(fills)} entries` },
  ];
}

export function middleOf(edges: Float64Array, bin: number): number {
  return ((edges[bin] ?? Number.NaN) + (edges[bin + 1] ?? Number.NaN)) / 2;
}

/** Index of the bin that holds `x`, or -1 outside [first edge, last edge). Edges ascend. */
export function binAt(edges: Float64Array, x: number): number {
  const bins = edges.length - 1;
  if (!(x >= (edges[0] ?? Number.NaN)) || !(x < (edges[bins] ?? Number.NaN))) return -1;
  return lastAtMost(edges, bins, x);
}

/** Contents that differ by less than this share of themselves are shown without zero, because their steps would be flat. */
const FLAT = 0.03;

/**
 * Returns the y range for bins, with space above the tallest. A linear axis includes zero, unless the contents differ
 * only a little; a logarithmic one begins at half a count, or half the smallest positive value.
 */
export function valueRange(model: PlotModel, log: boolean, from = 0, to = model.values.length): Range {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let leastPositive = Number.POSITIVE_INFINITY;
  for (const { values, errors: own, hidesErrors } of [model, ...(model.overlays ?? [])]) {
    const errors = hidesErrors ? undefined : own;
    for (let i = from; i < to; i++) {
      const value = values[i] ?? 0;
      const error = finiteOr0(errors?.[i]);
      if (!Number.isFinite(value)) continue;
      if (model.mark === 'points' && value === 0 && error === 0) continue;
      least = Math.min(least, value - error);
      most = Math.max(most, value + error);
      if (value > 0) leastPositive = Math.min(leastPositive, value);
    }
  }
  if (log) {
    if (!(leastPositive < Number.POSITIVE_INFINITY)) return [0.5, 10];
    return [leastPositive * 0.5 || leastPositive, Math.max(most * 2, leastPositive * 10)];
  }
  if (!(most >= least)) return [0, 1];
  if (model.mark === 'points') {
    const room = (most - least || Math.abs(most) || 1) * POINT_ROOM;
    return [least - room, most + room];
  }
  const span = most - least;
  // ROOT leaves out zero more often: whenever it is farther away than a twentieth of the span.
  if (span > 0 && span < FLAT * Math.min(Math.abs(least), Math.abs(most)) && least * most > 0)
    return [least - 0.1 * span, most + 0.1 * span];
  const low = Math.min(0, least * 1.08);
  const high = Math.max(0, most * 1.08);
  return high > low ? [low, high] : [0, 1];
}

/** Room beyond the ends of points, as a part of their span. */
export const POINT_ROOM = 0.08;

/** Returns the x range for bins. A logarithmic one begins at the first positive edge. */
export function edgeRange(edges: Float64Array, log: boolean): Range {
  const low = edges[0] ?? 0;
  const high = edges.at(-1) ?? 1;
  if (!log || low > 0) return [low, high];
  const first = edges.find((edge) => edge > 0);
  return first === undefined || first >= high
    ? [high > 0 ? high / 10 : 0.1, Math.max(high, 1)]
    : [first, high];
}

/** Returns the range for points with their error bars, with some space around them. */
export function pointRange(
  points: Float64Array,
  below: Float64Array | undefined,
  above: Float64Array | undefined,
  log: boolean,
): Range {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i++) {
    const value = points[i] ?? Number.NaN;
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    const low = value - finiteOr0(below?.[i]);
    least = Math.min(least, log && low <= 0 ? value : low);
    most = Math.max(most, value + finiteOr0(above?.[i]));
  }
  if (!(most >= least)) return log ? [0.1, 1] : [0, 1];
  if (log) return [least / 1.5, most * 1.5];
  const room = (most - least || Math.abs(most) || 1) * 0.06;
  return [least - room, most + room];
}

/** Returns the length of an error bar; 0 for an infinite one, which needs no space. */
export function finiteOr0(error: number | undefined): number {
  return error !== undefined && Number.isFinite(error) ? error : 0;
}

/** Adds square roots as errors of counts, if no others are stored. */
export function withCountErrors(model: PlotModel): PlotModel {
  if (model.hidesErrors) return { ...model, hidesErrors: false };
  if (model.errors !== undefined || model.mark === 'points') return model;
  return {
    ...model,
    errors: countErrors(model),
    overlays: model.overlays?.map((one) => ({ ...one, errors: countErrors(one) })),
  };
}

/** Returns a plot in a look: with error bars on counts if these were chosen. */
export function inLook(plot: AnyPlot, { errors }: Partial<Pick<PlotLook, 'errors'>>): AnyPlot {
  return errors === true && plot.kind === 'bins' ? withCountErrors(plot) : plot;
}

/** Returns the stored errors, otherwise √n of each count, scaled like the counts. */
export function countErrors({ values, errors, scale = 1 }: Omit<Overlay, 'title'>): Float64Array {
  return errors ?? values.map((value) => Math.sqrt(Math.abs(value) * scale));
}
