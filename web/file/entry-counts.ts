import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { concatColumns } from './concat';

/** Numbers of a branch that counts another branch's arrays: one or several an entry. */
export interface EntryCounts {
  /** Entry of the tree that the first number belongs to. */
  first: number;
  values: Int32Array;
  /** Where each entry's numbers begin; one an entry without. */
  offsets?: Int32Array | undefined;
}

/** Makes counts of a column of integers, or of lists of them. Throws UNSUPPORTED for others. */
export function entryCounts(parts: Column[], first: number): EntryCounts {
  if (parts.length === 0) return { first, values: new Int32Array(0) };
  const column = concatColumns(parts);
  const numbers = column.kind === 'list' ? column.child : column;
  if (numbers.kind !== 'primitive') {
    throw new XylemError({ code: 'UNSUPPORTED', message: 'Arrays are counted by what is no number.' });
  }
  const values = Int32Array.from(numbers.data as ArrayLike<number | bigint>, Number);
  return { first, values, offsets: column.kind === 'list' ? column.offsets : undefined };
}

/** The counts of the entries `from` to `to` of the tree; a copy. */
export function countsFrom(counts: EntryCounts, from: number, to: number): Int32Array {
  const start = from - counts.first;
  const end = to - counts.first;
  if (!counts.offsets) return counts.values.slice(start, end);
  return counts.values.slice(counts.offsets[start] ?? 0, counts.offsets[end] ?? counts.values.length);
}
