import type { InsightReader } from '../insight/api';

/** A reader with workers of its own; `terminate` ends them. */
export type OwnedReader = InsightReader & { terminate?(): void };

export interface SharedReader {
  /** Returns the page's one reader, which is made for the first caller. */
  take(): InsightReader;
  /** Ends the reader when all callers of `take` have returned it. */
  giveBack(): void;
}

/** One reader, and so one pool of workers, for all elements of a page. */
export function createSharedReader(create: () => OwnedReader): SharedReader {
  let reader: OwnedReader | undefined;
  let users = 0;
  return {
    take() {
      users += 1;
      reader ??= create();
      return reader;
    },
    giveBack() {
      users -= 1;
      if (users > 0) return;
      reader?.terminate?.();
      reader = undefined;
    },
  };
}
