import type { TableValue } from '../api/api';
import type { OutputValues } from '../api/rows';
import { firstAtLeast } from '../base/search';
import { decodeText } from '../core/tape';
import { chooseEntries, entryNumbers } from '../model/entry-choice';
import type { QueryMember } from './members';

/** The values of an expression in one entry; undefined for an instance without a value. */
export type EntryValues = (TableValue | undefined)[];

/** Returns a function that returns the values of the next entry on each call. */
export function valuesOf(output: OutputValues): () => EntryValues {
  const { counts } = output;
  const next = nextOf(output);
  let row = 0;
  return () => {
    const count = counts[row++] ?? 0;
    const values: EntryValues = [];
    for (let i = 0; i < count; i++) values.push(next());
    return values;
  };
}

/** Returns a function that returns the next value on each call. */
function nextOf({ values, strings }: OutputValues): () => TableValue | undefined {
  let at = 0;
  if (!strings) return () => values[at++];
  const lengths = new DataView(strings.buffer, strings.byteOffset, strings.byteLength);
  return () => {
    const length = lengths.getInt32(at, true);
    at += 4;
    if (length < 0) return undefined;
    const text = decodeText(strings.subarray(at, at + length));
    at += length;
    return text;
  };
}

/** Approximate memory of a list and of a text in V8, in bytes, without their content. */
const LIST_BYTES = 32;
const TEXT_BYTES = 24;

/** Returns the approximate memory of a value in bytes. */
export function bytesOf(value: TableValue | null): number {
  return typeof value === 'string' ? TEXT_BYTES + 2 * value.length : 8;
}

/**
 * Adds the values of the first `rows` entries to a column of a table: a list for each entry, or its first value. For an
 * entry without a value, adds null if `lacks` is true for it, otherwise NaN, an empty text or an empty list. Returns
 * the estimated memory of the values in bytes.
 */
export function addValues(
  column: (TableValue | TableValue[] | null)[],
  output: OutputValues,
  rows: number,
  lists: boolean,
  lacks?: ((row: number) => boolean) | undefined,
): number {
  const { counts, strings } = output;
  const next = nextOf(output);
  const missing = strings ? '' : Number.NaN;
  let bytes = 0;
  for (let row = 0; row < rows; row++) {
    const count = counts[row] ?? 0;
    if (lists) {
      const list: TableValue[] = [];
      for (let i = 0; i < count; i++) {
        const value = next();
        if (value === undefined) continue;
        list.push(value);
        bytes += bytesOf(value);
      }
      column.push(list.length === 0 && lacks?.(row) ? null : list);
      bytes += LIST_BYTES;
      continue;
    }
    let first: TableValue | undefined;
    for (let i = 0; i < count; i++) {
      const value = next();
      first ??= value;
    }
    const value = first ?? (lacks?.(row) ? null : missing);
    column.push(value);
    bytes += bytesOf(value);
  }
  return bytes;
}

/** Returns a function that says, for a list of friends, whether any of them lacks an entry of the tree. */
export function lackOfFriends({
  model,
  entries,
  friends,
}: QueryMember): (which: readonly number[]) => ((entry: number) => boolean) | undefined {
  let numbers: Float64Array | undefined;
  return (which) => {
    const lists = which.flatMap((friend) => friends[friend]?.rows ?? []);
    if (lists.length === 0) return undefined;
    numbers ??= entryNumbers(chooseEntries(entries, model.info.entries));
    const chosen = numbers;
    return (entry) => {
      const at = firstAtLeast(chosen, entry);
      return lists.some((rows) => (rows[at] ?? -1) < 0);
    };
  };
}
