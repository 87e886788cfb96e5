import type { InsightReader } from '../insight/api';

/** A reader with workers of its own; `terminate` ends them. */
export type OwnedReader = InsightReader & { terminate?(): void };

export interface SharedReader {
  /** The one reader of the page; made for the first who takes it. */
  take(): InsightReader;
  /** Ends the reader when all who took it have given it back. */
  giveBack(): void;
}

/** One reader, and so one pool of workers, for all who show files on a page. */
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
