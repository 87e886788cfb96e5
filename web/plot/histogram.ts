import { formatCount } from '../base/format';
import type { FilledHistogram } from '../file/api';
import { type AnyPlot, type StatLine, statNumber, uniformEdges } from './model';

/**
 * The drawable form of what a query has filled. Three axes are seen along the third: the contents
 * are added up, or for a profile of two axes averaged.
 */
export function modelOfFilled(histogram: FilledHistogram): AnyPlot {
  const [x, y] = histogram.axes;
  const stats = filledStats(histogram);
  const xTitle = x?.title ?? '';
  const xEdges = uniformEdges(x?.bins ?? 1, x?.low ?? 0, x?.high ?? 1);
  if (y) {
    const { title } = histogram;
    const yEdges = uniformEdges(y.bins, y.low, y.high);
    return {
      kind: 'map',
      title,
      xTitle,
      yTitle: y.title,
      xEdges,
      yEdges,
      values: mapValues(histogram),
      stats,
    };
  }
  const bins = x?.bins ?? 0;
  const inner = (all: Float64Array) => all.slice(1, bins + 1);
  if (!histogram.profile) {
    const weighted = isWeighted(histogram);
    return {
      kind: 'bins',
      title: histogram.title,
      xTitle,
      yTitle: weighted ? 'Sum of weights' : 'Entries',
      edges: xEdges,
      values: inner(histogram.sums),
      errors: weighted ? inner(histogram.squares).map(Math.sqrt) : undefined,
      mark: 'steps',
      stats,
    };
  }
  const cells = profileCells(histogram);
  return {
    kind: 'bins',
    title: histogram.title,
    xTitle,
    yTitle: `Mean of ${histogram.valueTitle ?? ''}`,
    edges: xEdges,
    values: inner(cells.means),
    errors: inner(cells.errors),
    mark: 'points',
    stats,
  };
}

/** Mean of each cell and its error, as TProfile gives them: spread by the square root of effective entries. */
export function profileCells(histogram: FilledHistogram): { means: Float64Array; errors: Float64Array } {
  const { sums, squares, weights, weights2 } = histogram;
  const means = sums.map((sum, i) => (weights?.[i] ? sum / weights[i] : 0));
  const errors = means.map((mean, i) => {
    const weight = weights?.[i] ?? 0;
    if (weight === 0) return 0;
    const spread = Math.sqrt(Math.abs((squares[i] ?? 0) / weight - mean * mean));
    const effective = (weight * weight) / (weights2?.[i] || 1);
    return spread / Math.sqrt(effective);
  });
  return { means, errors };
}

function mapValues(histogram: FilledHistogram): Float64Array {
  const [x, y, z] = histogram.axes;
  if (!x || !y) return new Float64Array(0);
  const source = histogram.profile ? profileCells(histogram).means : histogram.sums;
  const values = new Float64Array(x.bins * y.bins);
  const layer = (x.bins + 2) * (y.bins + 2);
  for (let k = z ? 1 : 0; k <= (z?.bins ?? 0); k++) {
    for (let j = 0; j < y.bins; j++) {
      const row = layer * k + (x.bins + 2) * (j + 1) + 1;
      for (let i = 0; i < x.bins; i++) {
        values[j * x.bins + i] = (values[j * x.bins + i] ?? 0) + (source[row + i] ?? 0);
      }
    }
  }
  return values;
}

/** Whether there are weights other than 0 and 1. */
function isWeighted({ sums, squares, weights, weights2 }: FilledHistogram): boolean {
  const [first, second] = weights && weights2 ? [weights, weights2] : [sums, squares];
  return first.some((sum, i) => sum !== second[i]);
}

/** Statistics as ROOT's box has them. */
export function filledStats(histogram: FilledHistogram): StatLine[] {
  const { fills, weight, effective, mean, stdDev, axes, profile, nan } = histogram;
  const names = mean.length > 1 ? ['x', 'y', 'z'] : [''];
  const lines: StatLine[] = [{ label: 'Entries', value: formatCount(fills) }];
  mean.forEach((value, i) => {
    const name = names[i] ? ` ${names[i]}` : '';
    lines.push({ label: `Mean${name}`, value: statNumber(value) });
    lines.push({ label: `Std dev${name}`, value: statNumber(stdDev[i] ?? Number.NaN) });
  });
  if (isWeighted(histogram)) {
    lines.push({ label: 'Sum of weights', value: statNumber(weight) });
    lines.push({ label: 'Effective entries', value: statNumber(effective) });
  }
  if (axes.length === 1 && !profile) {
    lines.push({ label: 'Underflow', value: statNumber(histogram.sums[0] ?? 0) });
    lines.push({ label: 'Overflow', value: statNumber(histogram.sums[histogram.sums.length - 1] ?? 0) });
  }
  if (nan > 0) lines.push({ label: 'NaN', value: formatCount(nan) });
  return lines;
}
