import { expect, test } from 'vitest';
import type { Column } from '../../../web/core/columns';
import { rowWriter } from '../../../web/export/canonical';
import { RowBuffer } from '../../../web/export/row-buffer';
import { textsOf } from '../../../web/features/exports/work/text-columns';
import { ColumnJoiner, concatColumns, copyColumn } from '../../../web/pass/columns/concat';
import { sliceColumn } from '../../../web/pass/columns/slice-column';

const ROWS = 60;
const numbers = (length: number): Column => ({
  kind: 'primitive',
  length,
  dtype: 'i32',
  data: Int32Array.from({ length }, (_, i) => i * i),
});
const listOf = (child: Column, length: number): Column => ({
  kind: 'list',
  length,
  offsets: Int32Array.from({ length: length + 1 }, (_, i) => Math.floor((i * child.length) / length)),
  child,
});
const variant: Column = {
  kind: 'variant',
  length: ROWS,
  tags: Uint8Array.from({ length: ROWS }, (_, i) => [0, 1, 255][i % 3] as number),
  offsets: Int32Array.from({ length: ROWS }, (_, i) => Math.floor(i / 3)),
  children: [numbers(20), listOf(numbers(33), 20)],
};
const texts = textsOf(Array.from({ length: ROWS }, (_, i) => 'x'.repeat(i % 7)));
const all: Column = {
  kind: 'struct',
  length: ROWS,
  typeName: 'T',
  names: ['n', 'l', 'f', 's', 'o', 'v'],
  children: [
    numbers(ROWS),
    listOf(listOf(numbers(500), 130), ROWS),
    { kind: 'fixed', length: ROWS, size: 3, child: numbers(3 * ROWS) },
    { kind: 'string', length: ROWS, ...texts },
    {
      kind: 'optional',
      length: ROWS,
      validity: Uint8Array.from({ length: ROWS }, (_, i) => i % 2),
      child: numbers(ROWS),
    },
    variant,
  ],
};

function rowsOf(column: Column): string[] {
  const write = rowWriter(column);
  return Array.from({ length: column.length }, (_, row) => {
    let text = '';
    write(row, (piece) => {
      text += piece;
    });
    return text;
  });
}

const cut = (...ends: number[]): Column[] =>
  ends.map((end, i) => sliceColumn(all, i === 0 ? 0 : (ends[i - 1] ?? 0), end));

test.each([
  ['two parts', cut(20, ROWS)],
  ['parts without rows', cut(0, 0, 17, 17, 59, ROWS, ROWS)],
])('columns of %s are joined row by row', (_, parts) => {
  expect(rowsOf(concatColumns(parts))).toEqual(rowsOf(all));
});

test.each([0.1, 1, 3, 50])('columns are joined as they come when %f times as much is expected', (times) => {
  const parts = cut(20, 21, 55, ROWS);
  const joiner = new ColumnJoiner(parts[0] as Column);
  joiner.expect(parts[0] as Column, times);
  for (const part of parts) joiner.add(part);
  const joined = joiner.take();
  expect(rowsOf(joined)).toEqual(rowsOf(all));
});

test('arrays whose size is known are made once, with no room left', () => {
  const first = sliceColumn(all, 0, 20);
  const joiner = new ColumnJoiner(first);
  joiner.expect(first, ROWS / 20);
  for (const part of cut(20, ROWS)) joiner.add(part);
  const { children } = joiner.take() as Column & { kind: 'struct' };
  const [flat, list] = children as [Column & { kind: 'primitive' }, Column & { kind: 'list' }];
  expect(flat.data.buffer.byteLength).toBe(4 * ROWS);
  expect(list.offsets.buffer.byteLength).toBe(4 * (ROWS + 1));
});

test('a copy and the last rows of a large basket keep nothing else in memory', () => {
  const column = numbers(1000);
  const buffer = new RowBuffer();
  buffer.add([column]);
  const bytes = (part: Column): number => (part.kind === 'primitive' ? part.data.buffer.byteLength : 0);
  expect(bytes(buffer.take(900))).toBe(4000);
  expect(bytes(buffer.take(100))).toBe(400);
  expect(bytes(copyColumn(sliceColumn(column, 10, 20)))).toBe(40);
});
