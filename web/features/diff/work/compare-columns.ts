import type { PlainValue } from '../../../api/api';
import { sameBytes } from '../../../base/bytes';
import { own } from '../../../base/search';
import type { Column } from '../../../core/columns';
import { readTape } from '../../../core/tape';

/** Two numbers are equal if |a - b| <= abs + rel * max(|a|, |b|). NaN equals NaN. */
export interface Tolerance {
  rel: number;
  abs: number;
}

/** Largest differences that were found. */
export interface Deviation {
  abs: number;
  rel: number;
}

/** Compares row i of one column with row j of another. Returns true if they are equal. */
export type RowsEqual = (i: number, j: number) => boolean;

/**
 * Returns a function that compares rows. Differences of numbers are added to `deviation`. Columns of different kinds
 * are never equal.
 */
export function rowsEqual(a: Column, b: Column, tolerance: Tolerance, deviation: Deviation): RowsEqual {
  const never: RowsEqual = () => false;
  const inner = (x: Column, y: Column): RowsEqual => rowsEqual(x, y, tolerance, deviation);
  if (a.kind === 'primitive' && b.kind === 'primitive') return numbersEqual(a, b, tolerance, deviation);
  if (isSequence(a) && isSequence(b)) {
    const child = inner(a.child, b.child);
    const [startA, startB] = [starts(a), starts(b)];
    return (i, j) => {
      const [fromA, fromB] = [startA(i), startB(j)];
      const length = startA(i + 1) - fromA;
      if (length !== startB(j + 1) - fromB) return false;
      let same = true;
      for (let k = 0; k < length; k++) same = child(fromA + k, fromB + k) && same;
      return same;
    };
  }
  if (a.kind === 'string' && b.kind === 'string') {
    return (i, j) => sameBytes(part(a, i), part(b, j));
  }
  if (a.kind === 'tape' && b.kind === 'tape') {
    return (i, j) => {
      const [x, y] = [part(a, i), part(b, j)];
      if (sameBytes(x, y)) return true;
      return firstDifference(readTape(x), readTape(y), tolerance, deviation) === undefined;
    };
  }
  if (a.kind === 'struct' && b.kind === 'struct') {
    if (a.names.join('\0') !== b.names.join('\0')) return never;
    const members = a.children.map((child, k) => {
      const other = b.children[k];
      return other ? inner(child, other) : never;
    });
    return (i, j) => members.reduce((same, equal) => equal(i, j) && same, true);
  }
  if (a.kind === 'optional' && b.kind === 'optional') {
    const child = inner(a.child, b.child);
    return (i, j) => a.validity[i] === b.validity[j] && (a.validity[i] === 0 || child(i, j));
  }
  if (a.kind === 'variant' && b.kind === 'variant') {
    const children = a.children.map((child, k) => {
      const other = b.children[k];
      return other ? inner(child, other) : never;
    });
    return (i, j) => {
      const tag = a.tags[i] ?? 255;
      if (tag !== (b.tags[j] ?? 255)) return false;
      return tag === 255 || (children[tag]?.(a.offsets[i] ?? 0, b.offsets[j] ?? 0) ?? false);
    };
  }
  return never;
}

type Primitive = Extract<Column, { kind: 'primitive' }>;
type Sequence = Extract<Column, { kind: 'list' | 'fixed' }>;

function isSequence(column: Column): column is Sequence {
  return column.kind === 'list' || column.kind === 'fixed';
}

function starts(column: Sequence): (row: number) => number {
  return column.kind === 'fixed' ? (row) => row * column.size : (row) => column.offsets[row] ?? 0;
}

function part(column: { offsets: Int32Array; bytes: Uint8Array }, row: number): Uint8Array {
  return column.bytes.subarray(column.offsets[row] ?? 0, column.offsets[row + 1] ?? 0);
}

function numbersEqual(a: Primitive, b: Primitive, tolerance: Tolerance, deviation: Deviation): RowsEqual {
  const [x, y] = [a.data, b.data];
  return (i, j) => sameNumber(x[i] ?? 0, y[j] ?? 0, tolerance, deviation);
}

/** 64-bit integers are compared exactly before they are converted to floating-point numbers. */
function sameNumber(
  a: number | bigint,
  b: number | bigint,
  { rel, abs }: Tolerance,
  deviation: Deviation,
): boolean {
  if (a === b) return true;
  const exact = typeof a === 'bigint' && typeof b === 'bigint';
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) && Number.isNaN(y)) return true;
  const difference = exact ? Number(a > b ? a - b : b - a) : Math.abs(x - y);
  if (difference === 0 && !exact) return typeof a === typeof b;
  const size = Math.max(Math.abs(x), Math.abs(y));
  if (!Number.isFinite(difference)) {
    deviation.abs = deviation.rel = Number.POSITIVE_INFINITY;
    return false;
  }
  if (difference <= abs + rel * size) return true;
  deviation.abs = Math.max(deviation.abs, difference);
  deviation.rel = Math.max(deviation.rel, difference / size);
  return false;
}

/** Members without information about an object: bookkeeping of ROOT and marks of the reader. */
const IGNORED = new Set(['fUniqueID', 'fBits', '$id']);

/** Returns the path of the first member in which two objects differ ("" for the objects themselves), or undefined. */
export function firstDifference(
  a: PlainValue | undefined,
  b: PlainValue | undefined,
  tolerance: Tolerance,
  deviation: Deviation,
  path = '',
): string | undefined {
  if (a === undefined || b === undefined) return a === b ? undefined : path;
  if (isNumber(a) && isNumber(b)) return sameNumber(a, b, tolerance, deviation) ? undefined : path;
  if (isList(a) && isList(b)) {
    if (a.length !== b.length) return path;
    for (let i = 0; i < a.length; i++) {
      const found = firstDifference(a[i], b[i], tolerance, deviation, `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isMembers(a) && isMembers(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (IGNORED.has(name)) continue;
      const found = firstDifference(
        own(a, name),
        own(b, name),
        tolerance,
        deviation,
        path ? `${path}.${name}` : name,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return a === b ? undefined : path;
}

function isNumber(value: PlainValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isList(value: PlainValue): value is Extract<PlainValue, ArrayLike<unknown> & object> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function isMembers(value: PlainValue): value is { [member: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !isList(value);
}
