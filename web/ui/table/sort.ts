import type { Column } from '../../core/columns';
import { fullText } from '../../export/cell-text';
import { type EntryPages, PAGE_ENTRIES } from './entry-pages';

/** Sort order of the page around the entry `near`, by one column. */
export interface Order {
  column: number;
  descending: boolean;
  near: number;
}

/** Sorts the entries of a page. Entries that have not been read keep their place. NaN comes last. */
export function sortedEntries(
  pages: EntryPages,
  { column, descending, near }: Order,
  entries: number,
): number[] {
  const from = Math.floor(near / PAGE_ENTRIES) * PAGE_ENTRIES;
  const page = Array.from({ length: Math.min(PAGE_ENTRIES, entries - from) }, (_, i) => from + i);
  const keys = new Map(
    page.map((entry) => {
      const here = pages.get(entry);
      const values = here?.columns[column]?.column;
      return [
        entry,
        here === undefined || values === undefined || here.row >= values.length
          ? undefined
          : keyOf(values, here.row),
      ];
    }),
  );
  const sign = descending ? -1 : 1;
  return page.sort((a, b) => compare(keys.get(a), keys.get(b), sign) || a - b);
}

type Key = number | bigint | string | undefined;

/** Returns the sort key: numbers by value, lists by length, others by text. */
function keyOf(column: Column, row: number): Key {
  if (column.kind === 'primitive') return column.data[row];
  if (column.kind === 'list') return (column.offsets[row + 1] ?? 0) - (column.offsets[row] ?? 0);
  return fullText(column, row);
}

function compare(a: Key, b: Key, sign: number): number {
  const missing = (key: Key) => key === undefined || Number.isNaN(key);
  if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
  if (a === undefined || b === undefined || a === b) return 0;
  return a < b ? -sign : sign;
}
