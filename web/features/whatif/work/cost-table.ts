import type { DoctorCost } from '../../../api/doctor';
import { column, type Table } from '../../../report/report';

/**
 * Returns a table of read calls and times now and afterwards. `after` is the title of the second: for example
 * "Repaired". Links are named if there are several.
 */
export function costTable(costs: readonly DoctorCost[], after: string): Table<DoctorCost> {
  const columns = costColumns<DoctorCost>(after, (cost) => cost);
  const isOne = costs.every(({ link }) => link === costs[0]?.link);
  return { id: 'costs', columns: isOne ? columns.slice(1) : columns, rows: costs };
}

export const costColumns = <Row>(after: string, of: (row: Row) => DoctorCost) => [
  column<Row>('link', 'Disk or link', 'text', (row) => of(row).link),
  column<Row>('reading', 'Reading', 'text', (row) => of(row).reading),
  column<Row>('calls', 'Calls', 'count', (row) => of(row).calls),
  column<Row>('time', 'Time', 'ms', (row) => of(row).ms),
  column<Row>('later-calls', `${after}: calls`, 'count', (row) => of(row).betterCalls),
  column<Row>('later-time', `${after}: time`, 'ms', (row) => of(row).betterMs),
  column<Row>(
    'saved',
    'Saved in 1,000 visits',
    'ms',
    (row) => 1000 * Math.max(0, of(row).ms - of(row).betterMs),
  ),
];
