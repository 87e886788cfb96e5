import { endOf } from '../io/ranges';
import type { Range } from '../io/source';
import type { StoredExtents } from '../io/stored';

/** What a persistent cache says of itself. */
export interface StoreInfo {
  /** Where it lies: "IndexedDB", or the path of a folder. */
  place: string;
  bytes: number;
  maxBytes: number;
  /** Largest first. */
  files: { name: string; bytes: number }[];
  /** Why nothing (more) is kept, when that is so. */
  notice?: string | undefined;
}

/** A file as a persistent cache knows it. */
export interface StoredFileId {
  /** Changes with the content: see `identityOf`. */
  key: string;
  /** For people. */
  name: string;
}

/**
 * Extents of compressed bytes that outlive the session, bounded in bytes, those used longest ago
 * dropped first. Several sessions may use one store at once. What is in it may be lost at any
 * moment, and a store that fails says so by `info().notice` and goes on as if it were empty: none
 * of its methods rejects.
 */
export interface ExtentStore {
  /** The extents of a file that are there. */
  list(file: StoredFileId): Promise<Range[]>;
  /** The bytes of an extent as they were put; undefined when gone or damaged (then it is dropped). */
  get(file: StoredFileId, range: Range): Promise<Uint8Array | undefined>;
  /** Resolves when written or given up. The bytes must not change meanwhile. */
  put(file: StoredFileId, offset: number, bytes: Uint8Array): Promise<void>;
  info(): Promise<StoreInfo>;
  /** Drops everything, of all files. */
  clear(): Promise<void>;
}

/** Bytes that wait to be written; what comes beyond is not kept. */
const MAX_PENDING_BYTES = 256 * 1024 * 1024;

/** The stored extents of one file, known from the start so that reads can be planned at once. */
export async function openStoredExtents(store: ExtentStore, file: StoredFileId): Promise<StoredExtents> {
  const known: Range[] = [];
  for (const range of (await store.list(file)).sort(byOffset)) insert(known, range);
  const writing = new Set<Promise<void>>();
  let pending = 0;

  return {
    find(ranges) {
      const found: Range[] = [];
      let at = 0;
      for (const extent of known) {
        while (at < ranges.length && endOf(ranges[at] as Range) <= extent.offset) at++;
        const range = ranges[at];
        if (!range) break;
        if (range.offset < endOf(extent)) found.push(extent);
      }
      return found;
    },
    async load(range) {
      const bytes = await store.get(file, range);
      if (!bytes) {
        const at = known.findIndex(
          ({ offset, length }) => offset === range.offset && length === range.length,
        );
        if (at >= 0) known.splice(at, 1);
      }
      return bytes;
    },
    save(offset, bytes) {
      const range = { offset, length: bytes.length };
      if (pending + bytes.length > MAX_PENDING_BYTES || !insert(known, range)) return;
      pending += bytes.length;
      const write = store.put(file, offset, bytes).then(() => {
        pending -= bytes.length;
        writing.delete(write);
      });
      writing.add(write);
    },
    async flush() {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

/** Keeps a list ascending, without ranges that lie within others. False when the new one does. */
function insert(sorted: Range[], range: Range): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as Range).offset < range.offset) low = middle + 1;
    else high = middle;
  }
  const before = sorted[low - 1];
  const same = sorted[low];
  if (before && endOf(before) >= endOf(range)) return false;
  if (same && same.offset === range.offset && same.length >= range.length) return false;
  let inside = 0;
  for (let next = same; next && endOf(next) <= endOf(range); next = sorted[low + ++inside]);
  sorted.splice(low, inside, range);
  return true;
}

function byOffset(a: Range, b: Range): number {
  return a.offset - b.offset;
}
