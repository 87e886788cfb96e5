import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printableJson } from '../../../web/base/text';
import type { Column, DType } from '../../../web/core/columns';
import { makeArray } from '../../../web/core/dtypes';
import { rowWriter } from '../../../web/export/canonical';
import type { Table } from '../../../web/export/table';
import { textsOf } from '../../../web/features/exports/work/text-columns';
import { jsonLines, separatedValues } from '../../../web/features/exports/work/text-tables';
import { concat, encode } from './read-back';

function tableOf(columns: Column[]): Table {
  const rows = columns[0]?.length ?? 0;
  return {
    names: columns.map((_, i) => `c${i}`),
    rows,
    async *parts() {
      yield { rows, columns };
    },
  };
}

const textOf = async (pieces: AsyncIterable<Uint8Array>): Promise<string> =>
  new TextDecoder().decode(await concat(pieces));
const doubles = (values: readonly number[]): Column => ({
  kind: 'primitive',
  length: values.length,
  dtype: 'f64',
  data: Float64Array.from(values),
});

/** The lines that the writer of rows in JavaScript gives. */
function linesOf(columns: Column[]): string {
  const writers = columns.map((column) => rowWriter(column));
  let text = '';
  for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
    text += '{';
    writers.forEach((write, i) => {
      text += `${i > 0 ? ',' : ''}"c${i}":`;
      write(row, (piece) => {
        text += piece;
      });
    });
    text += '}\n';
  }
  return printableJson(text);
}

/** A column of any kind with `rows` rows. */
function anyColumn(rows: number, depth: number): fc.Arbitrary<Column> {
  const array = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(one, { minLength: rows, maxLength: rows });
  const numbers = (dtype: DType, one: fc.Arbitrary<number | bigint>): fc.Arbitrary<Column> =>
    array(one).map((values) => {
      const data = makeArray(dtype, rows);
      for (const [i, value] of values.entries()) data[i] = value;
      return { kind: 'primitive', length: rows, dtype, data };
    });
  const text = fc.string({
    unit: fc.constantFrom(...'ab,\t"\\\n\r\u0001\u007f\u0085é\u061c\u200e\u2028\u2069€😀'),
  });
  const flat: fc.Arbitrary<Column>[] = [
    numbers('f64', fc.double()),
    numbers('f32', fc.float()),
    numbers('i8', fc.integer({ min: -128, max: 127 })),
    numbers('u32', fc.nat({ max: 2 ** 32 - 1 })),
    numbers('i64', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    numbers('u64', fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    numbers('bool', fc.nat({ max: 1 })),
    array(text).map((texts): Column => ({ kind: 'string', length: rows, ...textsOf(texts) })),
  ];
  if (depth === 0) return fc.oneof(...flat);
  const list = array(fc.nat({ max: 3 })).chain((sizes) => {
    const offsets = Int32Array.from([
      0,
      ...sizes.map((_, i) => sizes.slice(0, i + 1).reduce((a, b) => a + b, 0)),
    ]);
    return anyColumn(offsets[rows] ?? 0, depth - 1).map(
      (child): Column => ({ kind: 'list', length: rows, offsets, child }),
    );
  });
  const fixed = fc
    .nat({ max: 3 })
    .chain((size) =>
      anyColumn(rows * size, depth - 1).map(
        (child): Column => ({ kind: 'fixed', length: rows, size, child }),
      ),
    );
  const optional = fc.tuple(array(fc.nat({ max: 1 })), anyColumn(rows, depth - 1)).map(
    ([valid, child]): Column => ({
      kind: 'optional',
      length: rows,
      validity: Uint8Array.from(valid),
      child,
    }),
  );
  const members = fc.array(anyColumn(rows, depth - 1), { maxLength: 3 });
  const names = [
    ['a"b', 'fBits', 'fUniqueID'],
    ['first', 'second', 'x'],
    ['fString', 'é', '\u2028'],
  ];
  const struct = fc
    .tuple(members, fc.constantFrom(...names), fc.constantFrom('T', 'TObjString', 'pair<int,int>'))
    .map(
      ([children, all, typeName]): Column => ({
        kind: 'struct',
        length: rows,
        typeName,
        names: all.slice(0, children.length),
        children,
      }),
    );
  const variant = array(fc.constantFrom(0, 1, 255)).chain((tags) => {
    const counts = [0, 0];
    const offsets = Int32Array.from(tags, (tag) => {
      const row = counts[tag] ?? 0;
      if (tag !== 255) counts[tag] = row + 1;
      return row;
    });
    const children = counts.map((count) => anyColumn(count, depth - 1));
    return fc.tuple(...children).map(
      (own): Column => ({
        kind: 'variant',
        length: rows,
        tags: Uint8Array.from(tags),
        offsets,
        children: own,
      }),
    );
  });
  return fc.oneof(...flat, list, fixed, optional, struct, variant);
}

describe('rows as text', () => {
  test('numbers are the text that JavaScript gives them', async () => {
    const bits = new DataView(new ArrayBuffer(8));
    const values = [
      5e-324,
      2 ** 53,
      2 ** 53 + 2,
      9060801153433600,
      1e21,
      1e-6,
      1e-7,
      1.7976931348623157e308,
      123456789012345680000,
    ];
    for (let i = 0; i < 200_000; i++) {
      // Numbers of any size, floats, and decimal fractions.
      bits.setUint32(0, Math.imul(i, 2654435761));
      bits.setUint32(4, Math.imul(i, 40503));
      values.push(bits.getFloat64(0), bits.getFloat32(0), i / 1000, i * 1e17, i / 2 ** (i % 70));
    }
    const finite = values.filter((value) => Number.isFinite(value));
    const text = await textOf(separatedValues(tableOf([doubles(finite)]), ',', encode));
    expect(text).toBe(
      `c0\n${finite.map((value) => (Object.is(value, -0) ? '-0' : String(value))).join('\n')}\n`,
    );
  });

  test('of columns of any kind are the lines that are written row by row', async () => {
    const columns = fc
      .nat({ max: 6 })
      .chain((rows) => fc.array(anyColumn(rows, 3), { minLength: 1, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(columns, async (some) => {
        expect(await textOf(jsonLines(tableOf(some), encode))).toBe(linesOf(some));
      }),
      { numRuns: 300 },
    );
  });

  test('separated values have the same JSON in a cell, quoted and not escaped for terminals', async () => {
    const list: Column = {
      kind: 'list',
      length: 2,
      offsets: Int32Array.of(0, 2, 3),
      child: { kind: 'string', length: 3, ...textsOf(['a"', '\u2028', '']) },
    };
    const valid: Column = { kind: 'optional', length: 2, validity: Uint8Array.of(1, 0), child: list };
    expect(await textOf(separatedValues(tableOf([list, valid]), ',', encode))).toBe(
      'c0,c1\n"[""a\\"""",""\u2028""]","[""a\\"""",""\u2028""]"\n"[""""]",\n',
    );
  });

  test('the memory of a few tasks is used for all', async () => {
    const used = new Set<ArrayBuffer>();
    let tasks = 0;
    const noted: typeof encode = (task, options) => {
      used.add(task.input.buffer);
      tasks++;
      return encode(task, options);
    };
    const rows = 2_000_000;
    await concat(jsonLines(tableOf([doubles(Array.from({ length: rows }, (_, i) => i))]), noted));
    expect(tasks).toBe(16);
    expect(used.size).toBeLessThanOrEqual(7);
  });
});
