import { expect, test } from 'vitest';
import type { Column } from '../../web/core/columns';
import { ColumnCutter } from '../../web/pass/columns/cut-columns';
import { canonicalRows } from '../engine/fixtures';

const numbers = (length: number): Column => ({
  kind: 'primitive',
  length,
  dtype: 'f32',
  data: Float32Array.from({ length }, (_, i) => i / 2),
});
const lists = (counts: readonly number[], child: (length: number) => Column): Column => {
  const offsets = Int32Array.of(
    0,
    ...counts.map((_, i) => counts.slice(0, i + 1).reduce((a, b) => a + b, 0)),
  );
  return { kind: 'list', length: counts.length, offsets, child: child(offsets.at(-1) ?? 0) };
};
const text: Column = {
  kind: 'string',
  length: 7,
  offsets: Int32Array.of(0, 1, 3, 3, 6, 7, 8, 10),
  bytes: new TextEncoder().encode('abcdefghij'),
};
const optional: Column = {
  kind: 'optional',
  length: 7,
  validity: Uint8Array.of(1, 0, 1, 1, 0, 1, 1),
  child: numbers(7),
};
const columns: Column[] = [
  numbers(7),
  text,
  optional,
  { kind: 'fixed', length: 7, size: 2, child: numbers(14) },
  { kind: 'struct', length: 7, typeName: 'S', names: ['a', 'b'], children: [numbers(7), text] },
  lists([2, 0, 1, 3, 0, 2, 1], numbers),
  lists([1, 0, 2, 0, 0, 3, 1], () => text),
];

test.each(columns)('the parts of a $kind have the rows of the column', (column) => {
  for (const first of [0, 1, 3]) {
    const parts = new ColumnCutter(3, 9).cut(column, first);
    expect(parts.flatMap(canonicalRows)).toEqual(canonicalRows(column));
    expect(parts.length).toBe(first === 3 ? 2 : 3);
  }
});

test('columns of a part share memory, which grows with what came and not with what is expected', () => {
  const buffersOf = (expected: number) => {
    const cutter = new ColumnCutter(20_000, 30_000, expected);
    const made = Array.from({ length: 400 }, () => cutter.cut(numbers(30_000), 0));
    for (const parts of made)
      expect(parts.map((part) => part.kind === 'primitive' && [part.data[0], part.data.at(-1)])).toEqual([
        [0, 9_999.5],
        [10_000, 14_999.5],
      ]);
    const arrays = made.flatMap(([first]) => (first?.kind === 'primitive' ? [first.data] : []));
    const buffers = new Set(arrays.map(({ buffer }) => buffer));
    return [...buffers].map(({ byteLength }) => byteLength / 2 ** 20);
  };
  // 400 columns of 80,000 bytes.
  const MB = 32e6 / 2 ** 20;
  expect(buffersOf(32e6).length).toBeLessThan(10);
  const reserved = (expected: number) => buffersOf(expected).reduce((sum, one) => sum + one, 0);
  expect(reserved(32e6)).toBeGreaterThan(MB);
  expect(reserved(32e6)).toBeLessThan(MB + 4);
  expect(reserved(2 ** 53)).toBeLessThan(8 * MB);
});

test('equal offsets are shared, and parts have their own memory', () => {
  const cutter = new ColumnCutter(3, 7);
  const one = cutter.cut(lists([2, 0, 1, 3, 0, 2, 1], numbers), 0);
  const same = cutter.cut(lists([2, 0, 1, 3, 0, 2, 1], numbers), 0);
  const other = cutter.cut(lists([1, 1, 1, 3, 0, 2, 1], numbers), 0);
  const offsets = (column: Column | undefined) => (column?.kind === 'list' ? column.offsets : undefined);
  expect(offsets(one[0])).toBe(offsets(same[0]));
  expect(offsets(one[0])).not.toBe(offsets(other[0]));
  expect(offsets(one[0])?.buffer).not.toBe(offsets(one[1])?.buffer);
});
