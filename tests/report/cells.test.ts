import { expect, test } from 'vitest';
import { reportLines } from '../../web/cli/terminal/report';
import { reportHtml } from '../../web/report/html';
import { column, type Report, type Table } from '../../web/report/report';
import { sortedRows } from '../../web/report/rows';

interface Row {
  name: string;
  read: number | undefined;
}

const rows: Row[] = [
  { name: 'few', read: 9 },
  { name: 'none', read: undefined },
  { name: 'many', read: 10 },
];
const table: Table<Row> = {
  id: 'rows',
  columns: [
    column('name', 'Name', 'text', ({ name }) => name),
    column('read', 'Read', 'count', ({ read }) => read, { text: ({ read }) => `${read} of 20` }),
  ],
  rows,
};
const report: Report = { title: 'Reads', tables: [table] };

test('a column that writes its values is sorted by them, and a missing one is empty in each face', () => {
  expect(sortedRows(table, 'read').map(({ name }) => name)).toEqual(['many', 'few', 'none']);
  expect(reportLines(report).join('\n')).toMatch(/^few +9 of 20\nnone\nmany +10 of 20$/m);
  const html = reportHtml('Reads', [report]);
  expect(html).toContain('>9 of 20<');
  expect(html).not.toContain('undefined');
});

test('a table that is cut says where all of it is', () => {
  const cut = (more: Partial<Table<Row>>) =>
    reportLines({ ...report, tables: [{ ...table, limit: 1, ...more }] }).at(-1);
  expect(cut({})).toBe('… and 2 more; --json has all.');
  expect(cut({ rest: '--top 0 shows all' })).toBe('… and 2 more; --top 0 shows all.');
});
