import { formatCount, formatNumber } from '../base/format';
import type { Histogram } from '../file/api';

/** One line of the statistics box. */
export interface StatLine {
  label: string;
  value: string;
}

/**
 * What a one-dimensional plot needs to be drawn, whatever it was made of. `edges` has one member
 * more than `values`; `errors` are half-lengths of the vertical bars in units of the y axis.
 */
export interface PlotModel {
  kind: 'bins';
  title: string;
  xTitle: string;
  yTitle: string;
  edges: Float64Array;
  values: Float64Array;
  errors?: Float64Array | undefined;
  /** `steps` for counts, `points` for profiles. */
  mark: 'steps' | 'points';
  /** Names of the bins (ROOT's axis labels), one for each bin; empty where a bin has none. */
  xLabels?: string[] | undefined;
  /** The same bins of others, drawn over these in colours of their own. */
  overlays?: Overlay[] | undefined;
  stats: StatLine[];
}

/** Contents for the bins of the plot that they lie over. */
export interface Overlay {
  title: string;
  values: Float64Array;
  errors?: Float64Array | undefined;
  /** What counts were multiplied by to become `values`; 1 where it is not here. */
  scale?: number | undefined;
}

/** A two-dimensional histogram: `values[y * nx + x]`. */
export interface MapModel {
  kind: 'map';
  title: string;
  xTitle: string;
  yTitle: string;
  xEdges: Float64Array;
  yEdges: Float64Array;
  values: Float64Array;
  xLabels?: string[] | undefined;
  yLabels?: string[] | undefined;
  stats: StatLine[];
}

/** Points in the order in which a line joins them; error bars reach that far from them. */
export interface GraphModel {
  kind: 'graph';
  title: string;
  xTitle: string;
  yTitle: string;
  x: Float64Array;
  y: Float64Array;
  errors?: { left: Float64Array; right: Float64Array; down: Float64Array; up: Float64Array } | undefined;
  stats: StatLine[];
}

export type AnyPlot = PlotModel | MapModel | GraphModel;

/** Which axes are logarithmic; of a map, `y` is the scale of colours. */
export interface LogAxes {
  x: boolean;
  y: boolean;
}

/** The drawable form of a histogram that xylem filled. */
export function modelOfHistogram(histogram: Histogram): PlotModel {
  return {
    kind: 'bins',
    title: histogram.title,
    xTitle: '',
    yTitle: 'Entries',
    edges: uniformEdges(histogram.bins, histogram.low, histogram.high),
    values: histogram.counts,
    mark: 'steps',
    stats: histogramStats(histogram),
  };
}

/** `bins + 1` equidistant edges; the last is exactly `high`. */
export function uniformEdges(bins: number, low: number, high: number): Float64Array {
  const edges = new Float64Array(bins + 1);
  const width = (high - low) / bins;
  for (let i = 0; i < bins; i++) edges[i] = low + i * width;
  edges[bins] = high;
  return edges;
}

/** Statistics of a filled histogram in the order in which they are shown. */
export function histogramStats(histogram: Histogram): StatLine[] {
  const lines: StatLine[] = [
    { label: 'Entries', value: formatCount(histogram.entries) },
    { label: 'Values', value: formatCount(histogram.values) },
    { label: 'Mean', value: statNumber(histogram.mean) },
    { label: 'Std dev', value: statNumber(histogram.stdDev) },
    { label: 'Minimum', value: statNumber(histogram.min) },
    { label: 'Maximum', value: statNumber(histogram.max) },
    { label: 'Underflow', value: formatCount(histogram.underflow) },
    { label: 'Overflow', value: formatCount(histogram.overflow) },
  ];
  if (histogram.nan > 0) lines.push({ label: 'NaN', value: formatCount(histogram.nan) });
  return lines;
}

/** A statistic for people: whole numbers in full, others with six digits, a dash where there is none. */
export function statNumber(value: number): string {
  if (Number.isSafeInteger(value)) return formatCount(value).replace('-', '−');
  return Number.isNaN(value) ? '–' : formatNumber(value).replace('-', '−');
}

/** Index of the bin that holds `x`, or -1 outside [first edge, last edge). Edges ascend. */
export function binAt(edges: Float64Array, x: number): number {
  let low = 0;
  let high = edges.length - 1;
  if (!(x >= (edges[low] ?? Number.NaN)) || !(x < (edges[high] ?? Number.NaN))) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x >= (edges[middle] ?? Number.NaN)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The y axis for these bins: room above the tallest, zero included where linear, half a count or
 * half the smallest positive value below where logarithmic.
 */
export function valueRange(model: PlotModel, log: boolean): [low: number, high: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let leastPositive = Number.POSITIVE_INFINITY;
  for (const { values, errors } of [model, ...(model.overlays ?? [])]) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      const error = errors?.[i] ?? 0;
      if (!Number.isFinite(value) || !Number.isFinite(error)) continue;
      if (model.mark === 'points' && value === 0 && error === 0) continue;
      least = Math.min(least, value - error);
      most = Math.max(most, value + error);
      if (value > 0) leastPositive = Math.min(leastPositive, value);
    }
  }
  if (log) {
    if (!(leastPositive < Number.POSITIVE_INFINITY)) return [0.5, 10];
    return [leastPositive * 0.5, Math.max(most * 2, leastPositive * 10)];
  }
  if (!(most >= least)) return [0, 1];
  if (model.mark === 'points') {
    const room = (most - least || Math.abs(most) || 1) * 0.08;
    return [least - room, most + room];
  }
  const low = Math.min(0, least * 1.08);
  const high = Math.max(0, most * 1.08);
  return high > low ? [low, high] : [0, 1];
}

/** The x axis of these bins; where logarithmic and not wholly positive, from the first positive edge. */
export function edgeRange(edges: Float64Array, log: boolean): [low: number, high: number] {
  const low = edges[0] ?? 0;
  const high = edges.at(-1) ?? 1;
  if (!log || low > 0) return [low, high];
  const first = edges.find((edge) => edge > 0);
  return first === undefined || first >= high
    ? [high > 0 ? high / 10 : 0.1, Math.max(high, 1)]
    : [first, high];
}

/** The axis for these points and their error bars, with some room around them. */
export function pointRange(
  points: Float64Array,
  below: Float64Array | undefined,
  above: Float64Array | undefined,
  log: boolean,
): [low: number, high: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i++) {
    const value = points[i] ?? Number.NaN;
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    const low = value - (below?.[i] || 0);
    least = Math.min(least, log && low <= 0 ? value : low);
    most = Math.max(most, value + (above?.[i] || 0));
  }
  if (!(most >= least) || !Number.isFinite(most - least)) return log ? [0.1, 1] : [0, 1];
  if (log) return [least / 1.5, most * 1.5];
  const room = (most - least || Math.abs(most) || 1) * 0.06;
  return [least - room, most + room];
}

/**
 * Neighbouring bins taken together, `factor` at a time; the last one may hold fewer. Contents add,
 * errors add in squares. A profile's bins are means, which do not add: it comes back as it is.
 */
export function rebinned(model: PlotModel, factor: number): PlotModel {
  if (factor <= 1 || model.mark === 'points') return model;
  const bins = Math.ceil(model.values.length / factor);
  const last = model.edges.length - 1;
  const edges = Float64Array.from(
    { length: bins + 1 },
    (_, i) => model.edges[Math.min(i * factor, last)] ?? 0,
  );
  const merged = (values: Float64Array, squared: boolean) => {
    const sums = new Float64Array(bins);
    values.forEach((value, i) => {
      const bin = Math.floor(i / factor);
      sums[bin] = (sums[bin] ?? 0) + (squared ? value * value : value);
    });
    return squared ? sums.map(Math.sqrt) : sums;
  };
  const both = <T extends { values: Float64Array; errors?: Float64Array | undefined }>(from: T) => ({
    ...from,
    values: merged(from.values, false),
    errors: from.errors && merged(from.errors, true),
  });
  return { ...both(model), edges, xLabels: undefined, overlays: model.overlays?.map(both) };
}

/** Counts with the square roots that stand for their errors, where no others are stored. */
export function withCountErrors(model: PlotModel): PlotModel {
  if (model.errors !== undefined || model.mark === 'points') return model;
  return {
    ...model,
    errors: countErrors(model),
    overlays: model.overlays?.map((one) => ({ ...one, errors: countErrors(one) })),
  };
}

/** The errors that are stored, else √n of each count, scaled as the counts are. */
export function countErrors({ values, errors, scale = 1 }: Omit<Overlay, 'title'>): Float64Array {
  return errors ?? values.map((value) => Math.sqrt(Math.abs(value) * scale));
}
