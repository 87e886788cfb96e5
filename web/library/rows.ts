import { argumentError, type XylemError } from '../base/errors';
import type { Column, PrimitiveArray } from '../core/columns';
import { rowReader } from '../export/plain-rows';

/** One value of a row: a number, a text, a list of values, or an object of them; null where it is missing. */
export type RowValue =
  | number
  | bigint
  | boolean
  | string
  | null
  | RowValue[]
  | { [member: string]: RowValue };

type NumberArray = Exclude<PrimitiveArray, BigInt64Array | BigUint64Array>;

/** The array that holds the values of rows of this type. */
export type DataOf<T> = [T] extends [number | number[] | boolean | boolean[] | string]
  ? NumberArray
  : [T] extends [bigint | bigint[]]
    ? BigInt64Array | BigUint64Array
    : PrimitiveArray;

/**
 * The values of a branch or an expression, one row for each entry. It iterates as plain JavaScript values;
 * `data` and `offsets` are the arrays below them, which are much faster for many values.
 */
export class Rows<T = RowValue> implements Iterable<T> {
  /** The whole column, also of objects and nested lists. */
  readonly column: Column;
  #read: ((row: number) => unknown) | undefined;

  constructor(column: Column) {
    this.column = column;
  }

  /** Number of rows. */
  get length(): number {
    return this.column.length;
  }

  /** The value of one row; undefined when there is no such row. */
  at(row: number): T | undefined {
    const { length } = this.column;
    const index = row < 0 ? row + length : row;
    if (!Number.isInteger(index) || index < 0 || index >= length) return undefined;
    return this.#reader(index);
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let row = 0; row < this.column.length; row++) yield this.#reader(row);
  }

  /**
   * All values of all rows, one after another: numbers (truth values as 0 and 1), or the bytes of texts in
   * UTF-8. Throws ARGUMENT when rows hold objects or when values may be missing.
   */
  get data(): DataOf<T> {
    return flat(this.column) as DataOf<T>;
  }

  /**
   * Start of each row in `data`: row i is from offsets[i] up to, but without, offsets[i + 1]. Throws ARGUMENT
   * when each row is one value, or when lists are nested.
   */
  get offsets(): Int32Array {
    const { column } = this;
    if (column.kind === 'string') return column.offsets;
    if (column.kind === 'list' && column.child.kind === 'primitive') return column.offsets;
    if (column.kind === 'fixed' && column.child.kind === 'primitive') {
      return Int32Array.from({ length: column.length + 1 }, (_, row) => row * column.size);
    }
    throw noArray('offsets', column);
  }

  /** Returns the rows as a list, which JSON can show. */
  toJSON(): T[] {
    return [...this];
  }

  #reader(row: number): T {
    this.#read ??= rowReader(this.column);
    return this.#read(row) as T;
  }
}

function flat(column: Column): PrimitiveArray {
  if (column.kind === 'primitive') return column.data;
  if (column.kind === 'string') return column.bytes;
  if (column.kind === 'list' || column.kind === 'fixed') return flat(column.child);
  throw noArray('data', column);
}

function noArray(what: string, column: Column): XylemError {
  return argumentError(
    `Rows of the kind "${column.kind}" have no ${what}.`,
    'Iterate over the rows, or use the parts of "column".',
  );
}
