import type { PlainObject } from '../../../api/api';
import { text } from '../../../model/plain-members';
import type { PointTable } from '../../../plot/stored/points';
import { column, type Report } from '../../../report/report';
import type { Measured } from './ops/numbers';
import type { Value } from './steps';

/** Returns a number with its error, both with the digits that the error has. */
export function measuredText({ value, error }: Measured): string {
  if (!(error > 0) || !Number.isFinite(value)) return String(value);
  const digits = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(error))));
  return `${value.toFixed(digits)} ± ${error.toFixed(digits)}`;
}

interface Moment {
  axis: string;
  mean: Measured;
  stdDev: Measured;
}

/** Returns the statistics of a histogram as a report. */
export function statisticsReport({ name, axes, statistics }: Value & { kind: 'statistics' }): Report {
  const { entries, effective, integral, mean, stdDev } = statistics;
  const none = { value: Number.NaN, error: Number.NaN };
  const rows = axes.map((axis, i): Moment => ({ axis, mean: mean[i] ?? none, stdDev: stdDev[i] ?? none }));
  return {
    title: `Statistics of ${name}`,
    facts: [
      { label: 'Entries', value: entries, unit: 'number' },
      { label: 'Effective entries', value: effective, unit: 'number' },
      ...(integral ? [{ label: 'Integral', value: measuredText(integral) }] : []),
    ],
    tables: [
      {
        id: 'moments',
        columns: [
          column<Moment>('axis', 'Axis', 'text', ({ axis }) => axis),
          column<Moment>('mean', 'Mean', 'number', (row) => row.mean.value, {
            text: (row) => measuredText(row.mean),
          }),
          column<Moment>('stdDev', 'Standard deviation', 'number', (row) => row.stdDev.value, {
            text: (row) => measuredText(row.stdDev),
          }),
        ],
        rows,
      },
    ],
  };
}

/** Returns the efficiencies of bins as a report. */
export function efficiencyReport(object: PlainObject, tables: readonly PointTable[]): Report {
  return {
    title: text(object.fTitle),
    tables: tables.map(({ columns }, k) => ({
      id: `bins${k}`,
      columns: columns.map(({ name, values }) =>
        column<number>(name, name, 'number', (row) => values[row] ?? Number.NaN),
      ),
      rows: Array.from({ length: columns[0]?.values.length ?? 0 }, (_, i) => i),
    })),
  };
}
