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
  stats: StatLine[];
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
  stats: StatLine[];
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
  for (let i = 0; i < model.values.length; i++) {
    const value = model.values[i] ?? 0;
    const error = model.errors?.[i] ?? 0;
    if (!Number.isFinite(value) || !Number.isFinite(error)) continue;
    if (model.mark === 'points' && value === 0 && error === 0) continue;
    least = Math.min(least, value - error);
    most = Math.max(most, value + error);
    if (value > 0) leastPositive = Math.min(leastPositive, value);
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
