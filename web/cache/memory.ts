import { createExtentBudget, type ExtentCache, ExtentIndex } from '../io/extents';

/** Extents of all open files under one bound, so that many files share it as they are used. */
export interface MemoryCache {
  /**
   * The extents of the file with this identity. The identity must change with the content (URL or
   * path together with ROOT's UUID, fEND and validators); the same one gives the same extents.
   */
  forFile(identity: string): ExtentCache;
  readonly bytes: number;
  readonly maxBytes: number;
  clear(): void;
}

export const DEFAULT_MEMORY_BYTES = 256 * 1024 * 1024;

/** A cache of at most `maxBytes`, for as long as the session lives. */
export function createMemoryCache(maxBytes = DEFAULT_MEMORY_BYTES): MemoryCache {
  const budget = createExtentBudget(maxBytes);
  const files = new Map<string, ExtentIndex>();
  return {
    maxBytes,
    get bytes() {
      return budget.bytes;
    },
    forFile: (identity) => {
      const known = files.get(identity) ?? new ExtentIndex(budget);
      files.set(identity, known);
      return known;
    },
    clear: () => {
      for (const index of files.values()) index.clear();
      files.clear();
    },
  };
}
