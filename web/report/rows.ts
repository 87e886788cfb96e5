import { formatBytes, formatCount, formatDuration, formatNumber } from '../base/format';
import type { Column, Table, Unit, Value } from './report';

const WRITTEN: Record<Exclude<Unit, 'text' | 'grade'>, (value: number) => string> = {
  bytes: formatBytes,
  count: formatCount,
  ratio: (value) => value.toFixed(2),
  percent: (value) => `${(100 * value).toFixed(1)} %`,
  ms: formatDuration,
  number: (value) => formatNumber(value),
};

/** Formats a value; empty if it is missing or not a number. */
export function valueText(value: Value, unit: Unit = 'text'): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (unit === 'text' || unit === 'grade') return String(value);
  return Number.isNaN(value) || (!Number.isFinite(value) && unit !== 'number') ? '' : WRITTEN[unit](value);
}

/** Formats the value of a row in a column. */
export function cellText<Row>({ value, unit, text }: Column<Row>, row: Row): string {
  const one = value(row);
  return one !== undefined && text ? text(row) : valueText(one, unit);
}

/** Returns the length of a row's bar relative to the longest one: from 0 to 1. Negative and infinite values have none. */
export function barsOf<Row>({ value }: Column<Row>, rows: readonly Row[]): (row: Row) => number {
  const sizeOf = (row: Row): number => {
    const size = Number(value(row));
    return Number.isFinite(size) ? Math.max(0, size) : 0;
  };
  const most = rows.reduce((top, row) => Math.max(top, sizeOf(row)), 0);
  return (row) => sizeOf(row) / (most || 1);
}

/** Whether values of the unit are aligned as numbers. */
export const isNumeric = (unit: Unit): boolean => unit !== 'text' && unit !== 'grade';

/** Whether the first click on a column's header sorts small values first. */
export const ascends = (unit: Unit): boolean => !isNumeric(unit);

/** Returns the rows sorted by the column `by`. `reversed` reverses the default order of the column. */
export function sortedRows<Row>(
  { columns, rows, by: own }: Table<Row>,
  by = own,
  reversed = false,
): readonly Row[] {
  const chosen = columns.find(({ id }) => id === by);
  if (chosen === undefined) return rows;
  const sign = ascends(chosen.unit) !== reversed ? 1 : -1;
  return [...rows].sort((a, b) => sign * compare(chosen.value(a), chosen.value(b)));
}

/** Missing values count as smaller than all others. */
function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (isMissing(a)) return isMissing(b) ? 0 : -1;
  if (isMissing(b)) return 1;
  return (a as number) < (b as number) ? -1 : 1;
}

const isMissing = (value: Value): boolean => value === undefined || Number.isNaN(value);
