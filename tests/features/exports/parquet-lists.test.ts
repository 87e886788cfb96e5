import fc from 'fast-check';
import { parquetMetadata, readOffsetIndex } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../../web/core/columns';
import { plainRows } from '../../../web/export/plain-rows';
import type { Table } from '../../../web/export/table';
import { parquet } from '../../../web/features/exports/work/parquet';
import { concat, encode, readParquet } from './read-back';

/** With a compression that the reader in JavaScript knows. */
const written = (table: Table): AsyncIterable<Uint8Array> => parquet(table, encode, 'snappy');

function tableOf(...parts: Column[][]): Table {
  return {
    names: (parts[0] ?? []).map((_, i) => `c${i}`),
    rows: parts.reduce((sum, columns) => sum + (columns[0]?.length ?? 0), 0),
    async *parts() {
      for (const columns of parts) yield { rows: columns[0]?.length ?? 0, columns };
    },
  };
}

function numbers(data: Extract<Column, { kind: 'primitive' }>['data'], dtype: 'f32' | 'u32' | 'u64'): Column {
  return { kind: 'primitive', length: data.length, dtype, data };
}

function listOf(sizes: number[], child: Column): Column {
  const offsets = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + size;
  });
  return { kind: 'list', length: sizes.length, offsets, child };
}

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);
const plain = (value: unknown): unknown =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as number[], plain) : value;

describe('columns of Parquet', () => {
  test('of any depth and any sizes are read as they were', async () => {
    const sizes = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 2 }),
        async (top, depth, fixed) => {
          const layers = [top];
          while (layers.length < depth) {
            const count = sum(layers.at(-1) ?? []);
            layers.push(Array.from({ length: count }, (_, i) => (i * 7 + layers.length) % 4));
          }
          const count = sum(layers.at(-1) ?? []);
          const flat = numbers(
            Float32Array.from({ length: count * Math.max(fixed, 1) }, (_, i) => i / 4),
            'f32',
          );
          const inner: Column =
            fixed === 0 ? flat : { kind: 'fixed', length: count, size: fixed, child: flat };
          const column = layers.reduceRight((child, layer) => listOf(layer, child), inner);
          const single = numbers(Float32Array.from(top), 'f32');
          const table = await readParquet(await concat(written(tableOf([column, single], [column, single]))));
          const want = plain(plainRows(column)) as unknown[];
          expect(plain(table.c0)).toEqual([...want, ...want]);
          expect(table.c1).toEqual([...top, ...top]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('unsigned numbers keep their highest bit', async () => {
    const narrow = listOf([1, 0, 2], numbers(Uint32Array.of(4294967295, 1, 2147483648), 'u32'));
    const wide = listOf([2, 1, 0], numbers(BigUint64Array.of(18446744073709551615n, 1n, 2n ** 63n), 'u64'));
    const table = await readParquet(await concat(written(tableOf([narrow, wide]))));
    expect(plain(table.c0)).toEqual([[4294967295], [], [1, 2147483648]]);
    expect(plain(table.c1)).toEqual([[18446744073709551615n, 1n], [2n ** 63n], []]);
  });

  test('pages begin with rows, and the index says with which', async () => {
    const sizes = Array.from({ length: 60_000 }, (_, row) => row % 41);
    const values = Float32Array.from({ length: sum(sizes) }, (_, i) => i);
    const column = listOf(sizes, numbers(values, 'f32'));
    const bytes = await concat(written(tableOf([column])));
    const [chunk] = parquetMetadata(bytes.slice().buffer).row_groups[0]?.columns ?? [];
    const from = Number(chunk?.offset_index_offset);
    const view = new DataView(bytes.buffer, from, chunk?.offset_index_length);
    const { page_locations } = readOffsetIndex({ view, offset: 0 });
    expect(page_locations.length).toBe(5);
    const offsets = (column as Extract<Column, { kind: 'list' }>).offsets;
    for (const { first_row_index } of page_locations.slice(1)) {
      const before = (offsets[Number(first_row_index)] ?? 0) * 4;
      expect(before % (1 << 20)).toBeLessThan(5 * 41 * 4);
    }
    expect(plain((await readParquet(bytes)).c0)).toEqual(plain(plainRows(column)));
  });

  test('values that repeat get a dictionary, and keep their bits', async () => {
    const some = [0, -0, Number.NaN, 1.5, Number.NEGATIVE_INFINITY];
    const values = Float32Array.from({ length: 20_000 }, (_, i) => some[(i * i) % some.length] ?? 0);
    const texts = { kind: 'string', length: 4000, ...repeatedTexts(4000) } as const;
    const bytes = await concat(written(tableOf([numbers(values, 'f32')])));
    const other = await concat(written(tableOf([texts])));
    for (const file of [bytes, other]) {
      const [chunk] = parquetMetadata(file.slice().buffer).row_groups[0]?.columns ?? [];
      expect(chunk?.meta_data?.encodings).toContain('RLE_DICTIONARY');
      expect(file.length).toBeLessThan(10_000);
    }
    const { c0 = [] } = await readParquet(bytes);
    expect(c0.findIndex((value, i) => !Object.is(value, values[i]))).toBe(-1);
    expect((await readParquet(other)).c0).toEqual(plainRows(texts));
  });

  test('flat numbers have their bounds, but not with NaN among them', async () => {
    const wide = BigInt64Array.of(3n, -(2n ** 62n), 7n);
    const columns: Column[] = [
      numbers(Float32Array.of(0, 2.5, -1), 'f32'),
      { kind: 'primitive', length: 3, dtype: 'i64', data: wide },
      { kind: 'primitive', length: 3, dtype: 'i16', data: Int16Array.of(-7, 300, 2) },
      numbers(Float32Array.of(1, Number.NaN, 2), 'f32'),
      numbers(Uint32Array.of(1, 4294967295, 2), 'u32'),
    ];
    const bytes = await concat(written(tableOf(columns)));
    const chunks = parquetMetadata(bytes.slice().buffer).row_groups[0]?.columns ?? [];
    const bounds = chunks.map(({ meta_data }) => {
      const { min_value, max_value } = meta_data?.statistics ?? {};
      return [min_value, max_value];
    });
    expect(bounds).toEqual([
      [-1, 2.5],
      [-(2n ** 62n), 7n],
      [-7, 300],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('missing values, also of lists and within lists', async () => {
    const child = numbers(
      Float32Array.from({ length: 600 }, (_, i) => i % 300),
      'f32',
    );
    const valid = (length: number, share: number): Uint8Array =>
      Uint8Array.from({ length }, (_, i) => (i % share === 0 ? 0 : 1));
    const inner: Column = { kind: 'optional', length: 600, validity: valid(600, 7), child };
    const sizes = Array.from({ length: 300 }, (_, row) => (row % 3 === 0 ? 0 : 3));
    const list = listOf(sizes, inner);
    const column: Column = { kind: 'optional', length: 300, validity: valid(300, 3), child: list };
    const none: Column = { kind: 'optional', length: 300, validity: new Uint8Array(300), child: list };
    const table = await readParquet(await concat(written(tableOf([column, none]))));
    const rows = (values: unknown[] = []): unknown => plain(values.map((value) => value ?? null));
    expect(rows(table.c0)).toEqual(plain(plainRows(column)));
    expect(rows(table.c1)).toEqual(Array.from({ length: 300 }, () => null));
  });
});

function repeatedTexts(length: number): { offsets: Int32Array; bytes: Uint8Array } {
  const texts = Array.from(
    { length },
    (_, i) => ['', 'a', 'zwölf', 'a longer text'][((i * i) % 7) % 4] ?? '',
  );
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const offsets = new Int32Array(length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + part.length;
  });
  return { offsets, bytes: new Uint8Array(Buffer.concat(parts)) };
}
