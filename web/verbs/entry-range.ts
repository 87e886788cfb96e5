import type { EntryRange } from '../api/api';

/** The form of a range of entries: "A:B". */
export const ENTRY_RANGE = /^(-?\d*):(-?\d*)$/;

/**
 * Returns the half-open range of entries that "A:B" names: A to B-1. Either may be left out; a negative one counts from the
 * end ("-20:" are the last 20). Entries outside of the tree are cut off. Undefined for another text.
 */
export function entryRange(text: string, treeEntries: number): EntryRange | undefined {
  const match = ENTRY_RANGE.exec(text);
  if (match === null) return undefined;
  const bound = (part: string | undefined, otherwise: number): number | undefined => {
    if (part === undefined || part === '') return otherwise;
    const value = Number(part);
    if (!Number.isSafeInteger(value)) return undefined;
    return Math.min(treeEntries, Math.max(0, value < 0 ? value + treeEntries : value));
  };
  const from = bound(match[1], 0);
  const to = bound(match[2], treeEntries);
  return from === undefined || to === undefined ? undefined : [from, Math.max(from, to)];
}
