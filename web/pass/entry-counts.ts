import type { EntryRange } from '../api/api';
import { unsupported } from '../base/data-errors';
import { firstIndex } from '../base/search';
import type { Column } from '../core/columns';
import { concatColumns } from './columns/concat';

/** Array lengths that are stored in another branch: one or several for each entry. */
export interface EntryCounts {
  /** The known entries as ascending ranges. `starts` has the number of rows before each range. */
  ranges: readonly EntryRange[];
  starts: Float64Array;
  values: Int32Array;
  /** Start of the numbers of each entry. Undefined if each entry has one number. */
  offsets?: Int32Array | undefined;
}

/**
 * Returns array lengths for the entries of ranges, from columns of integers or of lists of integers. Throws UNSUPPORTED
 * for other columns.
 */
export function entryCounts(parts: Column[], ranges: readonly EntryRange[]): EntryCounts {
  const starts = new Float64Array(ranges.length);
  ranges.forEach(([from, to], i) => {
    if (i + 1 < starts.length) starts[i + 1] = (starts[i] ?? 0) + to - from;
  });
  if (parts.length === 0) return { ranges, starts, values: new Int32Array(0) };
  const column = concatColumns(parts);
  const numbers = column.kind === 'list' ? column.child : column;
  if (numbers.kind !== 'primitive') throw unsupported('The lengths of these arrays are not numbers.');
  const values = Int32Array.from(numbers.data as ArrayLike<number | bigint>, Number);
  return { ranges, starts, values, offsets: column.kind === 'list' ? column.offsets : undefined };
}

/** Returns a copy of the array lengths of the entries [from, to) of the tree, which must be in one of the ranges. */
export function countsFrom(counts: EntryCounts, from: number, to: number): Int32Array {
  const range = rangeWith(counts.ranges, from);
  const start = (counts.starts[range] ?? 0) + from - (counts.ranges[range]?.[0] ?? 0);
  const end = start + to - from;
  if (!counts.offsets) return counts.values.slice(start, end);
  return counts.values.slice(counts.offsets[start] ?? 0, counts.offsets[end] ?? counts.values.length);
}

/** Returns the index of the last range that begins at or before an entry. */
function rangeWith(ranges: readonly EntryRange[], entry: number): number {
  return Math.max(0, firstIndex(ranges.length, (i) => (ranges[i]?.[0] ?? 0) > entry) - 1);
}
