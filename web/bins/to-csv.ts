import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';
import { numberText } from '../base/json';
import { edgeOf } from './bin-axes';
import { eachBin } from './each-bin';

/**
 * Returns CSV with one line per inner bin: its edges, or its label on an axis of strings; then content and error. For a
 * profile: mean, error, and the sums of weights, squared weights, weighted values and weighted squared values.
 */
export function binsCsv(histogram: Histogram): string {
  const { axes, profile } = histogram;
  const edgeNames = axes.flatMap(({ labels }, k) => {
    const name = ['x', 'y', 'z'][k];
    return labels ? [`${name}_label`] : [`${name}_low`, `${name}_high`];
  });
  const names = profile
    ? ['mean', 'error', 'sum_weights', 'sum_weights_squared', 'sum_values', 'sum_values_squared']
    : ['content', 'error'];
  const lines = [[...edgeNames, ...names].join(',')];
  const columns = columnsOf(histogram);
  for (const [cell, bins] of eachBin(axes)) {
    const edges = axes.flatMap((axis, i) => {
      const bin = bins[i] ?? 0;
      if (axis.labels) return csvText(axis.labels[bin] ?? '');
      return [numberText(edgeOf(axis, bin)), numberText(edgeOf(axis, bin + 1))];
    });
    lines.push([...edges, ...columns.map((column) => numberText(column[cell] ?? 0))].join(','));
  }
  return lines.join('\n');
}

/**
 * Returns CSV with the lines of all histograms; the first column is the title of the histogram. Throws UNSUPPORTED if
 * their columns differ.
 */
export function binsCsvOfAll(histograms: readonly Histogram[]): string {
  const tables = histograms.map((one) => {
    const [head = '', ...lines] = binsCsv(one).split('\n');
    return { head: `layer,${head}`, lines: lines.map((line) => `${csvText(one.title)},${line}`) };
  });
  const heads = new Set(tables.map(({ head }) => head));
  if (heads.size > 1) {
    const message = 'The layers have different columns: bins with names, or profiles, beside others.';
    throw unsupported(message, 'Use --json.');
  }
  return [...heads, ...tables.flatMap(({ lines }) => lines)].join('\n');
}

/**
 * Returns the columns of contents. In a profile, `sums` contains weight times value, `squares` weight times squared
 * value.
 */
function columnsOf({ profile, sums, squares, ...rest }: Histogram): Float64Array[] {
  if (!profile) return [sums, squares.map(Math.sqrt)];
  const { means, errors, weights, weights2 } = rest;
  return [means, errors, weights, weights2, sums, squares].map((column) => column ?? new Float64Array());
}

export function csvText(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a CSV cell; empty for undefined. */
export function csvCell(value: number | bigint | string | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? csvText(value) : numberText(value);
}
