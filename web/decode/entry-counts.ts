import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { EntryRange } from './api';
import { concatColumns } from './concat';

/** Numbers of a branch that counts another branch's arrays: one or several an entry. */
export interface EntryCounts {
  /** The entries that are here, ascending, and in `starts` the rows before each range. */
  ranges: readonly EntryRange[];
  starts: Float64Array;
  values: Int32Array;
  /** Where each entry's numbers begin; one an entry without. */
  offsets?: Int32Array | undefined;
}

/**
 * Makes counts of the entries of ranges from columns of integers, or of lists of them. Throws
 * UNSUPPORTED for others.
 */
export function entryCounts(parts: Column[], ranges: readonly EntryRange[]): EntryCounts {
  const starts = new Float64Array(ranges.length);
  ranges.forEach(([from, to], i) => {
    if (i + 1 < starts.length) starts[i + 1] = (starts[i] ?? 0) + to - from;
  });
  if (parts.length === 0) return { ranges, starts, values: new Int32Array(0) };
  const column = concatColumns(parts);
  const numbers = column.kind === 'list' ? column.child : column;
  if (numbers.kind !== 'primitive') {
    throw new XylemError({ code: 'UNSUPPORTED', message: 'Arrays are counted by what is no number.' });
  }
  const values = Int32Array.from(numbers.data as ArrayLike<number | bigint>, Number);
  return { ranges, starts, values, offsets: column.kind === 'list' ? column.offsets : undefined };
}

/** The counts of the entries `from` to `to` of the tree, which lie in one of the ranges; a copy. */
export function countsFrom(counts: EntryCounts, from: number, to: number): Int32Array {
  const range = rangeWith(counts.ranges, from);
  const start = (counts.starts[range] ?? 0) + from - (counts.ranges[range]?.[0] ?? 0);
  const end = start + to - from;
  if (!counts.offsets) return counts.values.slice(start, end);
  return counts.values.slice(counts.offsets[start] ?? 0, counts.offsets[end] ?? counts.values.length);
}

/** The last of ascending ranges that begins at or before an entry. */
function rangeWith(ranges: readonly EntryRange[], entry: number): number {
  let low = 0;
  let high = ranges.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? 0) <= entry) low = middle;
    else high = middle;
  }
  return low;
}
