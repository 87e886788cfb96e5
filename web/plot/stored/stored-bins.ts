import type { Histogram } from '../../api/api';
import { type TimeAxis, timeText } from '../drawing/time-axis';
import { beyondLines, type MapModel, type PlotModel, type StatLine, statNumber } from '../model';
import { drawnAxis } from './stored-axis';

/**
 * The drawable form of a stored histogram or profile of one or two axes. Undefined for more axes, and for axes that cannot
 * be drawn.
 */
export function modelOfBins(histogram: Histogram): PlotModel | MapModel | undefined {
  const [x, y, z] = histogram.axes.map(drawnAxis);
  if (x === undefined || z !== undefined || histogram.axes.length > 2) return undefined;
  const common = { title: histogram.title || histogram.name, xTitle: x.title, xLabels: x.labels };
  const shown = { xRange: x.range, xTime: x.time };
  const entries: StatLine = { label: 'Entries', value: statNumber(histogram.fills) };
  if (histogram.axes.length === 1) {
    const inner = (cells: Float64Array) => cells.slice(1, x.bins + 1);
    const { profile, sums, squares, weights } = histogram;
    const moments = momentLines(histogram, '', 0, x.time);
    const shared = { kind: 'bins' as const, ...common, yTitle: histogram.valueTitle ?? '', edges: x.edges };
    if (profile) {
      const values = inner(histogram.means ?? sums).map((mean, i) =>
        weights?.[i + 1] === 0 ? Number.NaN : mean,
      );
      const errors = histogram.errors && inner(histogram.errors);
      return { ...shared, ...shown, values, errors, mark: 'points', stats: [entries, ...moments] };
    }
    const values = inner(sums);
    const beyond = beyondLines(sums, values, histogram.fills);
    const stats = [entries, ...moments, ...flowLines(sums), ...beyond, ...oddLines(values)];
    const errors = histogram.stored?.weighted
      ? inner(squares).map((sum) => Math.sqrt(Math.max(0, sum)))
      : undefined;
    return { ...shared, ...shown, values, errors, mark: 'steps', stats };
  }
  if (y === undefined) return undefined;
  const { weights } = histogram;
  const contents = histogram.means ?? histogram.sums;
  const values = new Float64Array(x.bins * y.bins);
  const drawn = new Float64Array(x.bins * y.bins);
  for (let row = 0; row < y.bins; row++) {
    for (let at = 0; at < x.bins; at++) {
      const cell = (row + 1) * (x.bins + 2) + at + 1;
      values[row * x.bins + at] = contents[cell] ?? 0;
      // Without entries there is no mean.
      drawn[row * x.bins + at] = weights?.[cell] === 0 ? Number.NaN : (contents[cell] ?? 0);
    }
  }
  const moments = [momentLines(histogram, ' x', 0, x.time), momentLines(histogram, ' y', 1, y.time)].flat();
  return {
    kind: 'map',
    ...common,
    yTitle: y.title,
    zTitle: histogram.valueTitle || (histogram.profile ? 'Mean' : 'Content'),
    ...{ xEdges: x.edges, yEdges: y.edges, yLabels: y.labels },
    ...shown,
    ...{ yRange: y.range, yTime: y.time },
    values: drawn,
    stats: [entries, ...moments, ...oddLines(values)],
  };
}

/** Mean and standard deviation of a coordinate; a dash for both if nothing was filled. */
function momentLines(
  { mean, stdDev, weight, fills }: Histogram,
  of: string,
  at: number,
  time: TimeAxis | undefined,
): StatLine[] {
  const isEmpty = weight === 0 && fills === 0;
  const [value = Number.NaN, spread = Number.NaN] = isEmpty ? [] : [mean[at], stdDev[at]];
  const place = time && Number.isFinite(value) ? `${timeText(value, time)} UTC` : statNumber(value);
  return [
    { label: `Mean${of}`, value: place },
    { label: `Std dev${of}`, value: statNumber(spread) },
  ];
}

/** Contents that cannot be drawn. */
function oddLines(values: Float64Array): StatLine[] {
  let nan = 0;
  let infinite = 0;
  for (const value of values) {
    if (Number.isNaN(value)) nan++;
    else if (!Number.isFinite(value)) infinite++;
  }
  return [
    ...(nan > 0 ? [{ label: 'Bins with NaN', value: statNumber(nan) }] : []),
    ...(infinite > 0 ? [{ label: 'Infinite bins', value: statNumber(infinite) }] : []),
  ];
}

function flowLines(contents: Float64Array): StatLine[] {
  return [
    { label: 'Underflow', value: statNumber(contents[0] ?? 0) },
    { label: 'Overflow', value: statNumber(contents[contents.length - 1] ?? 0) },
  ];
}
