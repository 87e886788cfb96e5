import type { TableValue } from '../api/api';
import { decodeText } from '../core/tape';
import type { OutputValues } from '../pass/query-task';

/** The values of an expression in one entry; undefined for an instance without a value. */
export type EntryValues = (TableValue | undefined)[];

/** Returns a function that returns the values of the next entry each time. */
export function valuesOf({ counts, values, strings }: OutputValues): () => EntryValues {
  let row = 0;
  let at = 0;
  const lengths = strings && new DataView(strings.buffer, strings.byteOffset, strings.byteLength);
  const one = (): TableValue | undefined => {
    if (!strings || !lengths) return values[at++];
    const length = lengths.getInt32(at, true);
    at += 4;
    if (length < 0) return undefined;
    const text = decodeText(strings.subarray(at, at + length));
    at += length;
    return text;
  };
  return () => Array.from({ length: counts[row++] ?? 0 }, one);
}
