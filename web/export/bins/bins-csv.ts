import type { Histogram } from '../../api/api';
import { numberText } from '../../base/json';
import { binsOfCell, edgeOf } from '../../bins/bin-axes';

/**
 * One line a bin within the range: its edges, or its text on an axis of strings; then content and error, of a profile
 * mean, error, sum of weights, of squared weights, of weighted values and of weighted squared values.
 */
export function binsCsv(histogram: Histogram): string {
  const { axes, profile } = histogram;
  const columns = columnsOf(histogram);
  const edgeNames = axes.flatMap(({ labels }, k) => {
    const name = ['x', 'y', 'z'][k];
    return labels ? [`${name}_label`] : [`${name}_low`, `${name}_high`];
  });
  const names = profile
    ? ['mean', 'error', 'sum_weights', 'sum_weights_squared', 'sum_values', 'sum_values_squared']
    : ['content', 'error'];
  const lines = [[...edgeNames, ...names].join(',')];
  for (let cell = 0; cell < histogram.sums.length; cell++) {
    const edges: string[] = [];
    const bins = binsOfCell(axes, cell);
    const inside = axes.every((axis, i) => {
      const bin = bins[i] ?? 0;
      if (axis.labels) edges.push(csvText(axis.labels[bin - 1] ?? ''));
      else edges.push(numberText(edgeOf(axis, bin - 1)), numberText(edgeOf(axis, bin)));
      return bin >= 1 && bin <= axis.bins;
    });
    if (inside) lines.push([...edges, ...columns.map((column) => numberText(column[cell] ?? 0))].join(','));
  }
  return lines.join('\n');
}

/** In a profile, sums and squares are those of values times weights. */
function columnsOf({ profile, sums, squares, ...rest }: Histogram): Float64Array[] {
  if (!profile) return [sums, squares.map(Math.sqrt)];
  const { means, errors, weights, weights2 } = rest;
  return [means, errors, weights, weights2, sums, squares].map((column) => column ?? new Float64Array(0));
}

export function csvText(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a cell of CSV; an empty one for undefined. */
export function csvCell(value: number | bigint | string | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? csvText(value) : numberText(value);
}
