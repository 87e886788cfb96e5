import type { EntryRange } from '../api/api';
import { unsupported } from '../base/data-errors';
import { firstIndex } from '../base/search';
import type { Column } from '../core/columns';
import { concatColumns } from './columns/concat';

/** Array lengths that a branch holds for another branch: one or several for each entry. */
export interface EntryCounts {
  /** The known entries, ascending, and in `starts` the number of rows before each range. */
  ranges: readonly EntryRange[];
  starts: Float64Array;
  values: Int32Array;
  /** Start of each entry's numbers; without it there is one for each entry. */
  offsets?: Int32Array | undefined;
}

/**
 * Makes array lengths for the entries of ranges from columns of integers, or of lists of them. Throws
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
  if (numbers.kind !== 'primitive') throw unsupported('The lengths of these arrays are not numbers.');
  const values = Int32Array.from(numbers.data as ArrayLike<number | bigint>, Number);
  return { ranges, starts, values, offsets: column.kind === 'list' ? column.offsets : undefined };
}

/** The array lengths of the entries `from` to `to` of the tree, which lie in one of the ranges; a copy. */
export function countsFrom(counts: EntryCounts, from: number, to: number): Int32Array {
  const range = rangeWith(counts.ranges, from);
  const start = (counts.starts[range] ?? 0) + from - (counts.ranges[range]?.[0] ?? 0);
  const end = start + to - from;
  if (!counts.offsets) return counts.values.slice(start, end);
  return counts.values.slice(counts.offsets[start] ?? 0, counts.offsets[end] ?? counts.values.length);
}

/** The last of ascending ranges that begins at or before an entry. */
function rangeWith(ranges: readonly EntryRange[], entry: number): number {
  return Math.max(0, firstIndex(ranges.length, (i) => (ranges[i]?.[0] ?? 0) > entry) - 1);
}
