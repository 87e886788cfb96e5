import type { Column, PrimitiveArray } from './columns';

/** For each row, the index of the child's row, or -1 if the row has no value. Indices ascend. */
type Rows = Int32Array;

/**
 * Makes an optional column from a child that has rows only for existing values. The child gets a placeholder row for
 * each missing value.
 */
export function spreadOptional(validity: Uint8Array, child: Column): Column {
  const rows = new Int32Array(validity.length);
  let next = 0;
  for (let i = 0; i < rows.length; i++) rows[i] = validity[i] ? next++ : -1;
  return { kind: 'optional', length: rows.length, validity, child: spread(child, rows) };
}

/** Returns the number of rows that have a value. */
export function countValid(validity: Uint8Array): number {
  let count = 0;
  for (const valid of validity) if (valid) count += 1;
  return count;
}

/** Inserts placeholders for missing rows: zero, an empty list, or a struct of these. */
function spread(column: Column, rows: Rows): Column {
  const length = rows.length;
  switch (column.kind) {
    case 'primitive':
      return { ...column, length, data: spreadArray(column.data, rows) };
    case 'list':
    case 'string':
    case 'tape':
      return { ...column, length, offsets: spreadOffsets(column.offsets, rows) };
    case 'fixed':
      return { ...column, length, child: spread(column.child, repeat(rows, column.size)) };
    case 'struct':
      return { ...column, length, children: column.children.map((child) => spread(child, rows)) };
    case 'optional':
      return {
        ...column,
        length,
        validity: spreadArray(column.validity, rows),
        child: spread(column.child, rows),
      };
    case 'variant': {
      const tags = spreadArray(column.tags, rows);
      for (let i = 0; i < length; i++) if ((rows[i] ?? -1) < 0) tags[i] = 255;
      return { ...column, length, tags, offsets: spreadArray(column.offsets, rows) };
    }
  }
}

function spreadArray<T extends PrimitiveArray>(data: T, rows: Rows): T {
  const Constructor = data.constructor as new (length: number) => T;
  const result = new Constructor(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? -1;
    if (row >= 0) result[i] = data[row] as never;
  }
  return result;
}

function spreadOffsets(offsets: Int32Array, rows: Rows): Int32Array {
  const result = new Int32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? -1;
    result[i + 1] = row >= 0 ? (offsets[row + 1] ?? 0) : (result[i] ?? 0);
  }
  return result;
}

function repeat(rows: Rows, size: number): Rows {
  const result = new Int32Array(rows.length * size);
  for (let i = 0; i < result.length; i++) {
    const row = rows[Math.floor(i / size)] ?? -1;
    result[i] = row >= 0 ? row * size + (i % size) : -1;
  }
  return result;
}
