import type { EntryRange } from '../api/api';

/** The form of a range of entries: "A:B". */
export const ENTRY_RANGE = /^(-?\d*):(-?\d*)$/;
/** The form of several ranges: "A:B,C:D". */
export const ENTRY_RANGES = /^-?\d*:-?\d*(,-?\d*:-?\d*)*$/;

/**
 * Returns the half-open range of entries that "A:B" names: A to B-1. Either may be left out; a negative one counts from the
 * end ("-20:" are the last 20). Entries outside of the tree are cut off. Undefined for another text, and for ends that are
 * counted from the same end of the tree and stand in the wrong order, as "10:5".
 */
export function entryRange(text: string, treeEntries: number): EntryRange | undefined {
  const match = ENTRY_RANGE.exec(text);
  if (match === null) return undefined;
  const bound = (part: string, otherwise: number): number | undefined => {
    if (part === '') return otherwise;
    const value = Number(part);
    if (!Number.isSafeInteger(value)) return undefined;
    return Math.min(treeEntries, Math.max(0, value < 0 ? value + treeEntries : value));
  };
  const [, first = '', last = ''] = match;
  const from = bound(first, 0);
  const to = bound(last, treeEntries);
  if (from === undefined || to === undefined) return undefined;
  const alike = first !== '' && last !== '' && first.startsWith('-') === last.startsWith('-');
  return alike && Number(first) > Number(last) ? undefined : [from, Math.max(from, to)];
}

/** Tells what is wrong with a text that is not a range of entries. */
export const notEntryRange = (text: string): string =>
  `"${text}" is not a range of entries; write A:B for the entries A to B-1.`;

/** Describes a part of the entries in messages. */
export const FRACTION_WORDS = 'a part of all as 1% or 0.01';

/** Returns "1%" or "0.01" as a number; undefined for another text. */
export function fractionOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(%?)$/.exec(text.trim());
  const fraction = match ? Number(match[1]) / (match[2] ? 100 : 1) : Number.NaN;
  return fraction > 0 && fraction <= 1 ? fraction : undefined;
}
