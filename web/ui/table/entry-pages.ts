import type { ArraysResult, EntryRange } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import type { Column } from '../../core/columns';

/** Number of entries that are read together. */
export const PAGE_ENTRIES = 256;
const KEPT_PAGES = 32;

/** The values of one branch on a page, or the reason why there are none. */
export interface PageColumn {
  column: Column | undefined;
  /** Reason why the column ends before the page does. */
  missing: ErrorRecord | undefined;
  error: ErrorRecord | undefined;
}

/** The most recently read entries of a set of columns, page by page. */
export interface EntryPages {
  /** Returns the page that contains an entry, and its row there; undefined if it has not been read. */
  get(entry: number): { columns: PageColumn[]; row: number } | undefined;
  /** Returns the range to read so that entries [from, to) are available; undefined if they are. */
  missing(from: number, to: number): EntryRange | undefined;
  /** Adds the results of a range that `missing` returned. */
  put(range: EntryRange, results: ArraysResult[]): void;
}

export function createEntryPages(entries: number): EntryPages {
  const pages = new Map<number, { columns: PageColumn[]; from: number }>();
  const pageOf = (entry: number) => Math.floor(entry / PAGE_ENTRIES);
  return {
    get(entry) {
      const page = pages.get(pageOf(entry));
      return page && { columns: page.columns, row: entry - page.from };
    },
    missing(from, to) {
      let first = -1;
      let last = -1;
      for (let page = pageOf(from); page <= pageOf(Math.max(from, to - 1)); page++) {
        if (pages.has(page)) continue;
        if (first < 0) first = page;
        last = page;
      }
      if (first < 0) return undefined;
      return [first * PAGE_ENTRIES, Math.min(entries, (last + 1) * PAGE_ENTRIES)];
    },
    put([from, to], results) {
      const columns = results.map(({ column, missing, error }) => ({ column, missing, error }));
      for (let page = pageOf(from); page <= pageOf(to - 1); page++) {
        pages.delete(page);
        pages.set(page, { columns, from });
      }
      for (const page of pages.keys()) {
        if (pages.size <= KEPT_PAGES) break;
        pages.delete(page);
      }
    },
  };
}
