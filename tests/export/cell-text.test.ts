import { describe, expect, it } from 'vitest';
import type { Column } from '../../web/core/columns';
import { cellText } from '../../web/export/cell-text';

const floats: Column = {
  kind: 'primitive',
  length: 4,
  dtype: 'f32',
  data: Float32Array.of(0.1, 2, -3.5, 1e9),
};
const bytes = new TextEncoder().encode('abé"');
const strings: Column = { kind: 'string', length: 2, offsets: Int32Array.of(0, 2, 5), bytes };

describe('cellText', () => {
  it.each<[string, Column, number, string]>([
    ['a float with the digits it has', floats, 0, '0.1'],
    ['whole numbers in full', floats, 3, '1000000000'],
    [
      '64-bit integers exactly',
      { kind: 'primitive', length: 1, dtype: 'i64', data: BigInt64Array.of(-(2n ** 62n)) },
      0,
      '-4611686018427387904',
    ],
    ['bools as words', { kind: 'primitive', length: 2, dtype: 'bool', data: Uint8Array.of(0, 1) }, 1, 'true'],
    ['a list', { kind: 'list', length: 2, offsets: Int32Array.of(0, 1, 3), child: floats }, 1, '[2, -3.5]'],
    ['an empty list', { kind: 'list', length: 1, offsets: Int32Array.of(2, 2), child: floats }, 0, '[]'],
    ['a fixed array', { kind: 'fixed', length: 2, size: 2, child: floats }, 0, '[0.1, 2]'],
    ['a string bare', strings, 1, 'é"'.slice(0, 2)],
    [
      'strings within lists quoted',
      { kind: 'list', length: 1, offsets: Int32Array.of(0, 1), child: strings },
      0,
      '["ab"]',
    ],
    [
      'a struct with names',
      { kind: 'struct', length: 4, typeName: 'P', names: ['x'], children: [floats] },
      1,
      '{x: 2}',
    ],
    [
      'a variant by its tag',
      {
        kind: 'variant',
        length: 1,
        tags: Uint8Array.of(1),
        offsets: Int32Array.of(1),
        children: [floats, strings],
      },
      0,
      'é"',
    ],
  ])('shows %s', (_, column, row, text) => {
    expect(cellText(column, row)).toBe(text);
  });

  it('cuts long lists and says how much is left', () => {
    const data = Int32Array.from({ length: 1000 }, (_, i) => i);
    const child: Column = { kind: 'primitive', length: 1000, dtype: 'i32', data };
    const text = cellText({ kind: 'list', length: 1, offsets: Int32Array.of(0, 1000), child }, 0);
    expect(text).toBe('[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … 988 more]');
  });
});
