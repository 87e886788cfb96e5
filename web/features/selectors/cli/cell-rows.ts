import type { Histogram } from '../../../api/api';
import type { Gathered, ProcessResult } from '../../../api/selector';
import { unsupported } from '../../../base/data-errors';
import { edgeOf } from '../../../bins/bin-axes';
import type { GridAxis, GridValue } from '../work/kinds/grid';
import { isOf, kindOf } from '../work/kinds/kinds';
import { inOrder } from '../work/kinds/varied';
import type { ScaledSample } from '../work/partial/samples';
import type { TableValues } from '../work/rows/types';

/** A histogram in the form for programs. */
export type ShownHistogram = Histogram | GridValue;

export function isHistogram(value: unknown): value is Histogram {
  return (value as { kind?: unknown } | null)?.kind === 'histogram';
}

export function isGrid(value: unknown): value is GridValue {
  return (value as { kind?: unknown } | null)?.kind === 'grid';
}

/** The names of axes in columns. */
const AXES = ['x', 'y', 'z'];
export const axisName = (axis: number): string => AXES[axis] ?? `x${axis}`;

/** A histogram of a sample and a variation. */
export interface Part {
  sample: string;
  variation: string;
  histogram: ShownHistogram;
}

/**
 * Returns the cells of a histogram as columns, with under- and overflow, whose edges are infinite: of all its variations, and of all
 * samples. Undefined if it is not a histogram.
 */
export function cellRows(
  name: string,
  all: Pick<ProcessResult, 'state' | 'entries'>,
  samples: readonly ScaledSample[] | undefined,
): Record<string, TableValues> | undefined {
  const sources = samples
    ? samples.map(({ sample, state, entries }) => ({ sample: sample.name, one: state[name], entries }))
    : [{ sample: '', one: all.state[name], entries: all.entries }];
  const parts = sources.flatMap(({ sample, one, entries }) => partsOf(one, { sample, name, entries }));
  if (parts.length === 0) return undefined;
  const isVaried = isOf('varied', sources[0]?.one);
  return rowsOf(parts, [
    ...(samples ? (['sample'] as const) : []),
    ...(isVaried ? (['variation'] as const) : []),
  ]);
}

/** Returns the cells of histograms of equal axes as columns, the first of which say what each is of. */
export function rowsOf(
  parts: readonly Part[],
  named: readonly ('sample' | 'variation')[],
): Record<string, TableValues> {
  const columns = new Map<string, (number | string)[]>();
  const put = (column: string, value: number | string): void => {
    const list = columns.get(column);
    if (list) list.push(value);
    else columns.set(column, [value]);
  };
  for (const part of parts)
    eachCell(part.histogram, (axes, at, sum, square) => {
      for (const name of named) put(name, part[name]);
      for (const [k, axis] of axes.entries()) {
        const bin = at[k] ?? 0;
        if (axis.labels) put(`${axisName(k)}_label`, axis.labels[bin - 1] ?? '');
        else {
          put(`${axisName(k)}_low`, bin === 0 ? Number.NEGATIVE_INFINITY : edgeOf(axis, bin - 1));
          put(`${axisName(k)}_high`, bin > axis.bins ? Number.POSITIVE_INFINITY : edgeOf(axis, bin));
        }
      }
      put('sum', sum);
      put('variance', square);
    });
  return Object.fromEntries(
    [...columns].map(([column, values]) => [
      column,
      values.every((one) => typeof one === 'number') ? Float64Array.from(values) : values.map(String),
    ]),
  );
}

function partsOf(
  one: Gathered | undefined,
  { sample, name, entries }: { sample: string; name: string; entries: number },
): Part[] {
  const of: [string, Gathered][] = isOf('varied', one) ? inOrder(one.of) : one ? [['', one]] : [];
  return of.flatMap(([variation, part]) => {
    // A table may be in files.
    if (isOf('table', part)) return [];
    const histogram = kindOf(part).value(part, name, entries);
    return isHistogram(histogram) || isGrid(histogram) ? [{ sample, variation, histogram }] : [];
  });
}

/** Calls `take` for each cell, of a histogram with categories and of more than three axes for those that are not empty. */
export function eachCell(
  histogram: ShownHistogram,
  take: (axes: readonly GridAxis[], at: readonly number[], sum: number, square: number) => void,
): void {
  const { axes } = histogram;
  if (histogram.kind === 'grid') {
    for (const { at, sum, square } of histogram.cells) take(axes, at, sum, square);
    return;
  }
  if (histogram.profile)
    throw unsupported(
      `"${histogram.name}" is a profile, which is not written as rows of cells.`,
      'Use --csv or --json.',
    );
  histogram.sums.forEach((sum, cell) => {
    const at: number[] = [];
    let left = cell;
    for (const { bins } of axes) {
      at.push(left % (bins + 2));
      left = Math.floor(left / (bins + 2));
    }
    const isBeyond = axes.some(({ labels, bins }, k) => labels && (at[k] === 0 || at[k] === bins + 1));
    if (!isBeyond) take(axes, at, sum, histogram.squares[cell] ?? 0);
  });
}
