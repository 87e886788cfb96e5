import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';
import { innerCells } from '../bins/bin-axes';
import { type DrawnAxis, drawnAxis } from './drawing/drawn-axis';
import { type TimeAxis, timeText } from './drawing/time-axis';
import { type AnyPlot, beyondLines, type MapModel, type PlotModel, type StatLine, statNumber } from './model';

/**
 * Returns a plot of a filled or stored histogram. For three axes, the third is projected: contents are summed, or
 * averaged for a profile. Throws UNSUPPORTED if an axis has no limits, or too many bins.
 */
export function modelOfHistogram(histogram: Histogram): AnyPlot {
  const model = drawableHistogram(histogram);
  if (model) return model;
  throw unsupported(`"${histogram.name}" has an axis without limits, or more bins than are drawn.`);
}

/** Returns a plot of a histogram or profile with one axis. Throws UNSUPPORTED as `modelOfHistogram` does. */
export function binsModel(histogram: Histogram): PlotModel {
  return modelOfHistogram(histogram) as PlotModel;
}

/** Returns the same as `modelOfHistogram`, but undefined for a histogram that cannot be drawn. */
export function drawableHistogram(histogram: Histogram): PlotModel | MapModel | undefined {
  const { axes, profile, sums, squares, weights, stored } = histogram;
  const [x, y, z] = axes.map(drawnAxis);
  if (x === undefined || (axes.length > 1 && y === undefined)) return undefined;
  const contents = seenAlongThird(histogram, sums);
  const filled = profile && seenAlongThird(histogram, weights ?? sums);
  // A cell without entries has no mean.
  const values = filled ? contents.map((sum, i) => (filled[i] ? sum / filled[i] : Number.NaN)) : contents;
  const weighted = isWeighted(histogram);
  const common = {
    title: histogram.title || histogram.name,
    ...(stored && { name: histogram.name }),
    ...{ xTitle: x.title, xLabels: x.labels, xRange: x.range, xTime: x.time, values },
    stats: statLines(histogram, contents, weighted, [x, y, z]),
  };
  const valueTitle = titleOfValues(histogram, weighted);
  if (y !== undefined) {
    const along = { yLabels: y.labels, yRange: y.range, yTime: y.time };
    const edges = { xEdges: x.edges, yEdges: y.edges };
    return { kind: 'map', ...common, ...along, ...edges, yTitle: y.title, zTitle: valueTitle };
  }
  const rooted = (stored?.weighted ?? weighted) && squares.map((sum) => Math.sqrt(Math.max(0, sum)));
  const errors = profile ? histogram.errors : rooted || undefined;
  return {
    ...{ kind: 'bins', ...common, edges: x.edges, yTitle: valueTitle, mark: profile ? 'points' : 'steps' },
    errors: errors && innerCells(axes, errors),
  };
}

/** Returns the cells within the axes. Cells of three axes are added up along the third. */
function seenAlongThird({ axes }: Histogram, cells: Float64Array): Float64Array {
  const inner = innerCells(axes, cells);
  const [x, y, z] = axes;
  if (!x || !y || !z) return inner;
  const values = inner.slice(0, x.bins * y.bins);
  for (let i = values.length; i < inner.length; i++)
    values[i % values.length] = (values[i % values.length] ?? 0) + (inner[i] ?? 0);
  return values;
}

/** Title of the axis of contents, or of the colour scale. For three axes it says that the third is added up, or averaged. */
function titleOfValues({ axes, profile, valueTitle = '', stored }: Histogram, weighted: boolean): string {
  if (stored) return valueTitle || (axes.length === 1 ? '' : profile ? 'Mean' : 'Content');
  const third = axes[2]?.title;
  const content = profile ? `Mean of ${valueTitle}` : weighted ? 'Sum of weights' : 'Entries';
  return third === undefined ? content : `${content}, ${profile ? '' : 'added up '}over ${third}`;
}

/** Whether there are weights other than 0 and 1. */
function isWeighted({ sums, squares, weights, weights2 }: Histogram): boolean {
  const [first, second] = weights && weights2 ? [weights, weights2] : [sums, squares];
  return first.some((sum, i) => sum !== second[i]);
}

/** Returns the statistics as in ROOT's statistics box. */
function statLines(
  histogram: Histogram,
  contents: Float64Array,
  weighted: boolean,
  axes: readonly (DrawnAxis | undefined)[],
): StatLine[] {
  const { fills, weight, effective, sums, profile, nan, stored } = histogram;
  const line = (label: string, number: number): StatLine => ({ label, value: statNumber(number), number });
  const count = (label: string, number: number) => (number > 0 ? [line(label, number)] : []);
  return [
    line('Entries', fills),
    ...momentLines(histogram, axes),
    ...(weighted && !stored ? [line('Sum of weights', weight), line('Effective entries', effective)] : []),
    ...(histogram.axes.length === 1 && !profile
      ? [
          line('Underflow', sums[0] ?? 0),
          line('Overflow', sums.at(-1) ?? 0),
          ...beyondLines(sums, contents, fills),
        ]
      : []),
    // Contents that cannot be drawn.
    ...count('Bins with NaN', contents.filter(Number.isNaN).length),
    ...count('Infinite bins', contents.filter((one) => Math.abs(one) === Number.POSITIVE_INFINITY).length),
    ...count('NaN', nan),
  ];
}

/** Returns mean and standard deviation of each coordinate, and its ends if they are known; dashes if nothing is stored. */
function momentLines(
  { mean, stdDev, min, max, weight, fills, stored }: Histogram,
  axes: readonly (DrawnAxis | undefined)[],
): StatLine[] {
  const isEmpty = stored !== undefined && weight === 0 && fills === 0;
  // The statistics of the averaged value of a stored profile are left out, as ROOT does.
  const means = stored ? mean.slice(0, axes.filter(Boolean).length) : mean;
  return means.flatMap((value, i) => {
    const of = means.length > 1 ? ` ${'xyz'[i]}` : '';
    const [place, spread] = isEmpty ? [Number.NaN, Number.NaN] : [value, stdDev[i] ?? Number.NaN];
    const [least, most] = [min[i] ?? Number.NaN, max[i] ?? Number.NaN];
    return [
      {
        ...{ label: `Mean${of}`, value: placeText(place, axes[i]?.time) },
        ...(!axes[i]?.time && !Number.isNaN(place) && { number: place }),
      },
      {
        ...{ label: `Std dev${of}`, value: statNumber(spread) },
        ...(!Number.isNaN(spread) && { number: spread }),
      },
      ...(Number.isNaN(least)
        ? []
        : [
            { label: `Minimum${of}`, value: statNumber(least) },
            { label: `Maximum${of}`, value: statNumber(most) },
          ]),
    ];
  });
}

function placeText(value: number, time: TimeAxis | undefined): string {
  return time && Number.isFinite(value) ? `${timeText(value, time)} UTC` : statNumber(value);
}
