import { expect, test } from 'vitest';
import { reportLines } from '../../web/cli/terminal/report';
import { reportHtml } from '../../web/report/html';
import { column, type Report, type Table } from '../../web/report/report';
import { sortedRows, valueText } from '../../web/report/rows';

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

test('bars of negative, infinite and missing values have no length', () => {
  const sized = (sizes: (number | undefined)[]) => {
    const bar = column<{ size: number | undefined }>('size', 'Size', 'bytes', ({ size }) => size, {
      bar: true,
    });
    const lines = reportLines({
      title: 'Sizes',
      tables: [{ id: 'sizes', columns: [bar], rows: sizes.map((size) => ({ size })) }],
    });
    return lines.slice(3).map((line) => line.split('█').length - 1);
  };
  expect(sized([-5, 4, 2, -0, undefined, Number.NaN, Infinity, -Infinity])).toEqual([
    0, 24, 12, 0, 0, 0, 0, 0,
  ]);
  expect(sized([-5, -1])).toEqual([0, 0]);
});

test.each(['bytes', 'count', 'ratio', 'percent', 'ms'] as const)('%s: any number is legible', (unit) => {
  for (const value of [Number.NaN, Infinity, -Infinity, undefined]) expect(valueText(value, unit)).toBe('');
  for (const value of [-0, -1, 1e20, 1e21, -1e21, 1e300, 5e-324])
    expect(valueText(value, unit)).toMatch(/^-?[\d,.]+(e\+?\d+)?( \w+| %| h \d+ min)?$/);
});
