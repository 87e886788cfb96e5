import type { BranchSummary, PartialNote } from '../api/api';
import { partialNotes } from '../api/partial-notes';
import { formatCount } from '../base/format';
import { type Column, column, type Report, type Value } from '../report/report';

/** Statistics of a branch, as shown in a report. */
export interface BranchFigures extends Omit<BranchSummary, 'branch' | 'exact'> {
  path: string;
  type: string;
  /** Whether the values are texts. */
  texts: boolean;
}

/** The figures of branches as a table. */
export const summaryReport = (
  title: string,
  rows: readonly BranchFigures[],
  partial: PartialNote | undefined,
): Report => ({
  title,
  tables: [{ id: 'branches', columns: COLUMNS, rows }],
  notes: partialNotes(partial, 'files', true),
});

/** A column of numbers, empty for a branch that could not be read. */
const figure = (id: string, title: string, value: (row: BranchFigures) => Value): Column<BranchFigures> =>
  column(id, title, 'number', (row) => (isUnread(row) ? undefined : value(row)));

const isUnread = ({ error, details, values }: BranchFigures): boolean =>
  error !== undefined && !details && values === 0;

const ofNumbers = (value: (row: BranchFigures) => number) => (row: BranchFigures) =>
  row.texts ? undefined : value(row);

const COLUMNS = [
  column<BranchFigures>('name', 'Branch', 'text', ({ path }) => path),
  figure('values', 'Values', ({ values, nans }) => formatCount(values + nans)),
  figure(
    'min',
    'Minimum',
    ofNumbers(({ min }) => min),
  ),
  figure(
    'max',
    'Maximum',
    ofNumbers(({ max }) => max),
  ),
  figure(
    'mean',
    'Mean',
    ofNumbers(({ mean }) => mean),
  ),
  figure(
    'deviation',
    'Std dev',
    ofNumbers(({ stdDev }) => stdDev),
  ),
  figure('nan', 'NaN', (row) => (row.texts ? undefined : formatCount(row.nans))),
  figure('zero', 'Zero', ({ details }) => details && formatCount(details.zeros)),
  figure('distinct', 'Distinct', ({ details }) =>
    details ? `${details.distinctExact ? '' : '~'}${formatCount(details.distinct)}` : undefined,
  ),
  column<BranchFigures>('note', 'Note', 'text', noteOf),
];

function noteOf(row: BranchFigures): string {
  const { error, missing, details } = row;
  const failure = error && `${error.message} [${error.code}]`;
  if (failure !== undefined && isUnread(row)) return failure;
  return [
    ...(failure === undefined ? [] : [`partial: ${failure}`]),
    ...(missing ? [missing.message.replace(/\.$/, '')] : []),
    ...(details?.constant ? ['constant'] : []),
    ...(details?.duplicateOf === undefined ? [] : [`same as ${details.duplicateOf}`]),
  ].join(', ');
}
