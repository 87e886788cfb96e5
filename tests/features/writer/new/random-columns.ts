import fc from 'fast-check';
import { DTYPES, type DType } from '../../../../web/core/dtypes';
import type { ColumnValues } from '../../../../web/node';

const integers = (dtype: DType): { min: bigint; max: bigint } => {
  const bits = BigInt(dtype.slice(1));
  return dtype.startsWith('u')
    ? { min: 0n, max: 2n ** bits - 1n }
    : { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
};

function element(type: DType | 'string'): fc.Arbitrary<unknown> {
  if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' });
  if (type === 'bool') return fc.boolean();
  if (type === 'f64') return fc.double({ noNaN: true });
  if (type === 'f32') return fc.float({ noNaN: true });
  const wide = fc.bigInt(integers(type));
  return type.endsWith('64') ? wide : wide.map(Number);
}

/** A type and values of it: lists to three levels, arrays of two. */
const column = fc
  .tuple(
    fc.constantFrom(...DTYPES, 'string' as const),
    fc.array(fc.constantFrom('[]', '[2]'), { maxLength: 3 }),
  )
  .chain(([type, sizes]) => {
    const value = sizes.reduceRight<fc.Arbitrary<unknown>>(
      (inner, size) => fc.array(inner, size === '[]' ? { maxLength: 4 } : { minLength: 2, maxLength: 2 }),
      element(type),
    );
    return fc.record({ type: fc.constant(`${type}${sizes.join('')}` as const), value: fc.constant(value) });
  });

/** Columns of random types, the rows where they are cut, and how they are written. */
export const tables = fc.array(column, { minLength: 1, maxLength: 5 }).chain((columns) =>
  fc.record({
    types: fc.constant(Object.fromEntries(columns.map(({ type }, i) => [`c${i}`, type]))),
    rows: fc.array(fc.tuple(...columns.map(({ value }) => value)), { minLength: 1, maxLength: 25 }),
    cuts: fc.array(fc.nat(25), { maxLength: 3 }),
    clusterBytes: fc.constantFrom(40, 500, 30_000_000),
    codec: fc.constantFrom('zstd:5', 'lz4:1', 'zlib', 'none'),
  }),
);

/** The names of columns, and their values cut into parts. */
export function partsOf(
  types: Record<string, string>,
  rows: readonly unknown[][],
  cuts: readonly number[],
): { names: string[]; parts: Record<string, ColumnValues>[] } {
  const names = Object.keys(types);
  const borders = [0, ...cuts.map((cut) => Math.min(cut, rows.length)), rows.length].sort((a, b) => a - b);
  const part = (from: number, to: number) =>
    Object.fromEntries(names.map((name, i) => [name, rows.slice(from, to).map((row) => row[i])]));
  const parts = borders.slice(1).map((to, i) => part(borders[i] ?? 0, to));
  return { names, parts };
}
