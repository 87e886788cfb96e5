import type { Histogram } from '../api/api';
import { formatCount } from '../base/format';
import { type AnyPlot, beyondLines, type PlotModel, type StatLine, statNumber, uniformEdges } from './model';

/**
 * The drawable form of a filled histogram. Three axes are seen along the third: the contents are added up, or
 * averaged for a profile of two axes.
 */
export function modelOfHistogram(histogram: Histogram): AnyPlot {
  const [x, y] = histogram.axes;
  if (x === undefined || y === undefined) return binsModel(histogram);
  return {
    kind: 'map',
    title: histogram.title,
    xTitle: x.title,
    yTitle: y.title,
    zTitle: contentTitle(histogram),
    xEdges: uniformEdges(x.bins, x.low, x.high),
    yEdges: uniformEdges(y.bins, y.low, y.high),
    xLabels: x.labels,
    yLabels: y.labels,
    values: mapValues(histogram),
    stats: histogramStats(histogram),
  };
}

/** The drawable form of a histogram or profile of one axis. */
export function binsModel(histogram: Histogram): PlotModel {
  const [x] = histogram.axes;
  const bins = x?.bins ?? 0;
  const common = {
    kind: 'bins' as const,
    title: histogram.title,
    xTitle: x?.title ?? '',
    edges: uniformEdges(bins, x?.low ?? 0, x?.high ?? 1),
    xLabels: x?.labels,
    stats: histogramStats(histogram),
  };
  if (!histogram.profile) {
    const weighted = isWeighted(histogram);
    return {
      ...common,
      yTitle: weighted ? 'Sum of weights' : 'Entries',
      values: contentsOf(histogram),
      errors: weighted ? inner(histogram.squares).map(Math.sqrt) : undefined,
      mark: 'steps',
    };
  }
  return {
    ...common,
    yTitle: `Mean of ${histogram.valueTitle ?? ''}`,
    values: inner(histogram.means ?? histogram.sums),
    errors: histogram.errors && inner(histogram.errors),
    mark: 'points',
  };
}

/** The contents of the bins of one axis, without under- and overflow. */
export function contentsOf({ sums }: Histogram): Float64Array {
  return inner(sums);
}

function inner(cells: Float64Array): Float64Array {
  return cells.slice(1, -1);
}

/** Title of the colour scale of a map. For three axes it says that the third is added up, or averaged. */
function contentTitle(histogram: Histogram): string {
  const third = histogram.axes[2]?.title;
  if (histogram.profile) {
    const mean = `Mean of ${histogram.valueTitle ?? ''}`;
    return third === undefined ? mean : `${mean}, over ${third}`;
  }
  const content = isWeighted(histogram) ? 'Sum of weights' : 'Entries';
  return third === undefined ? content : `${content}, added up over ${third}`;
}

/** Contents, added up along a third axis; of a profile the means, without entries NaN. */
function mapValues({ axes, sums, profile, weights }: Histogram): Float64Array {
  const [x, y, z] = axes;
  if (!x || !y) return new Float64Array(0);
  const values = new Float64Array(x.bins * y.bins);
  const filled = new Float64Array(profile ? values.length : 0);
  const layer = (x.bins + 2) * (y.bins + 2);
  for (let k = z ? 1 : 0; k <= (z?.bins ?? 0); k++) {
    for (let j = 0; j < y.bins; j++) {
      const row = layer * k + (x.bins + 2) * (j + 1) + 1;
      for (let i = 0; i < x.bins; i++) {
        const to = j * x.bins + i;
        values[to] = (values[to] ?? 0) + (sums[row + i] ?? 0);
        if (profile) filled[to] = (filled[to] ?? 0) + (weights?.[row + i] ?? 0);
      }
    }
  }
  return profile ? values.map((sum, i) => (filled[i] ? sum / filled[i] : Number.NaN)) : values;
}

/** Whether there are weights other than 0 and 1. */
function isWeighted({ sums, squares, weights, weights2 }: Histogram): boolean {
  const [first, second] = weights && weights2 ? [weights, weights2] : [sums, squares];
  return first.some((sum, i) => sum !== second[i]);
}

/** Statistics as ROOT's box has them. */
export function histogramStats(histogram: Histogram): StatLine[] {
  const { fills, weight, effective, mean, stdDev, min, max, axes, profile, nan } = histogram;
  const names = mean.length > 1 ? ['x', 'y', 'z'] : [''];
  const lines: StatLine[] = [{ label: 'Entries', value: formatCount(fills) }];
  mean.forEach((value, i) => {
    const name = names[i] ? ` ${names[i]}` : '';
    lines.push({ label: `Mean${name}`, value: statNumber(value) });
    lines.push({ label: `Std dev${name}`, value: statNumber(stdDev[i] ?? Number.NaN) });
    if (Number.isNaN(min[i])) return;
    lines.push({ label: `Minimum${name}`, value: statNumber(min[i] ?? Number.NaN) });
    lines.push({ label: `Maximum${name}`, value: statNumber(max[i] ?? Number.NaN) });
  });
  if (isWeighted(histogram)) {
    lines.push({ label: 'Sum of weights', value: statNumber(weight) });
    lines.push({ label: 'Effective entries', value: statNumber(effective) });
  }
  if (axes.length === 1 && !profile) {
    lines.push({ label: 'Underflow', value: statNumber(histogram.sums[0] ?? 0) });
    lines.push({ label: 'Overflow', value: statNumber(histogram.sums[histogram.sums.length - 1] ?? 0) });
    lines.push(...beyondLines(histogram.sums, contentsOf(histogram), fills));
  }
  if (nan > 0) lines.push({ label: 'NaN', value: formatCount(nan) });
  return lines;
}
