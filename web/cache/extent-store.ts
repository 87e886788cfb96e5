import { firstIndex } from '../base/search';
import { common, endOf, subtract, totalLength, union } from '../io/ranges';
import type { Range } from '../io/source';
import type { StoredDirect, StoredExtents, StoredFileId } from '../io/stored';
import { checksum } from './checksum';

export type { StoredFileId } from '../io/stored';

/** State of a persistent cache, for display. */
export interface StoreInfo {
  /** "IndexedDB", or the path of a folder. */
  place: string;
  bytes: number;
  maxBytes: number;
  /** Largest first. `used` is the time of the last read, in ms since 1970. */
  files: { key: string; name: string; bytes: number; used: number }[];
  /** The reason why nothing more is stored; undefined if bytes are stored. */
  notice?: string | undefined;
}

/**
 * Ranges of a file that are stored together, with their bytes one after another: those of one request. Looking up
 * thousands of small ranges one by one would take longer than fetching them.
 */
export type Pack = readonly Range[];

/**
 * Stores extents of compressed bytes beyond the session, up to a limit in bytes; the least recently used are dropped
 * first. Several sessions may use a store at the same time. Its content may be lost at any moment. None of its methods
 * rejects: after a failure, `info().notice` gives the reason, and the store behaves as if it were empty.
 */
export interface ExtentStore {
  list(file: StoredFileId): Promise<Pack[]>;
  /**
   * Returns the bytes of a pack as they were stored; undefined if they are missing or damaged. Damaged packs are
   * dropped.
   */
  get(file: StoredFileId, pack: Pack): Promise<Uint8Array | undefined>;
  /** Returns the key of the file that was last stored for a place, if it is known immediately. */
  latest?(place: string): Promise<string | undefined>;
  /** Returns the folder with the packs of a file, each named by `packName`; undefined if there is none. */
  folderOf?(file: StoredFileId): string;
  /** Stores a pack. Resolves when it is written or given up. The bytes must not change until then. */
  put(file: StoredFileId, pack: Pack, bytes: readonly Uint8Array[]): Promise<void>;
  drop(file: StoredFileId, pack: Pack): Promise<void>;
  info(): Promise<StoreInfo>;
  /** Drops all packs of a file, or of all files. */
  clear(file?: string): Promise<void>;
  /** Sets the limit in bytes for all sessions that use the store. Without a number, sets the default. */
  limit(maxBytes?: number): Promise<void>;
}

/**
 * Returns the name of a pack within a file. Packs with different ranges have different names, with very high
 * probability.
 */
export function packName(pack: Pack): string {
  const first = pack[0]?.offset ?? 0;
  const numbers =
    pack.length > 1 ? Float64Array.from(pack.flatMap(({ offset, length }) => [offset, length])) : undefined;
  const sum = numbers ? `-${pack.length}-${checksum(new Uint8Array(numbers.buffer)).toString(16)}` : '';
  return `${first}-${totalLength(pack)}${sum}`;
}

/** Maximum number of bytes that wait to be written. Further ones are not stored. */
const MAX_PENDING_BYTES = 256 * 1024 * 1024;
/** Maximum number of ranges in a pack, so that listing is fast. */
const MAX_RANGES = 1000;
/** Number of packs whose bytes are kept in memory, because their ranges are usually requested one after another. */
const PACKS_AT_HAND = 8;

interface Known extends Range {
  pack: Pack;
  /** Offset of its bytes in the pack. */
  at: number;
}

/** Packs that other threads can read themselves. Plain data. */
export interface DirectPacks {
  folder: string;
  /** Identity of the file. */
  key: string;
  /** Name of each pack, and pairs of offset and length of its ranges. */
  packs: { name: string; ranges: Float64Array }[];
  /**
   * Four numbers for each range, in ascending order: offset, length, index of its pack, offset in the pack. No range
   * contains another.
   */
  extents: Float64Array;
}

/** Opens the stored extents of a file. It reads their list first, so that reads can be planned without waiting. */
export async function openStoredExtents(store: ExtentStore, file: StoredFileId): Promise<StoredExtents> {
  const known: Known[] = [];
  const packs = await store.list(file);
  const all = new Set(packs);
  /** Packs that are being dropped, with the ranges that are wrong in them. */
  const leaving = new Map<Pack, Range[]>();
  /** Ranges that were found to be wrong in this session. */
  let wrong: Range[] = [];
  for (const pack of packs) for (const one of rangesOf(pack)) insert(known, one);
  const folder = store.folderOf?.(file);
  const isWrong = (range: Range) => wrong.length > 0 && subtract([range], wrong)[0]?.length !== range.length;
  const direct =
    folder !== undefined && packs.length > 0 ? directOf(folder, file, packs, known, isWrong) : undefined;
  const atHand = new Map<Pack, Promise<Uint8Array | undefined>>();
  const writing = new Set<Promise<void>>();
  const dropping = new Set<Promise<void>>();
  let pending = 0;
  let collected: { offset: number; bytes: Uint8Array }[] = [];

  function bytesOf(pack: Pack): Promise<Uint8Array | undefined> {
    const bytes = atHand.get(pack) ?? store.get(file, pack);
    atHand.delete(pack);
    atHand.set(pack, bytes);
    for (const oldest of atHand.keys()) {
      if (atHand.size <= PACKS_AT_HAND) break;
      atHand.delete(oldest);
    }
    return bytes;
  }

  /**
   * Stores the collected bytes as packs. Bytes that arrived in the same turn of the event loop came from one request.
   */
  function write(): void {
    if (collected.length === 0) return;
    const parts = collected.sort((a, b) => a.offset - b.offset);
    collected = [];
    const pack = parts.map(({ offset, bytes }) => ({ offset, length: bytes.length }));
    put(
      pack,
      parts.map(({ bytes }) => bytes),
    );
  }

  function put(pack: Pack, parts: readonly Uint8Array[]): void {
    for (const one of rangesOf(pack)) insert(known, one);
    all.add(pack);
    const size = totalLength(pack);
    // A pack that replaces one that is being dropped may have the same name.
    const putting =
      dropping.size > 0
        ? Promise.all(dropping).then(() => store.put(file, pack, parts))
        : store.put(file, pack, parts);
    const written = putting.then(() => {
      pending -= size;
      writing.delete(written);
    });
    writing.add(written);
  }

  function forget(pack: Pack): void {
    all.delete(pack);
    atHand.delete(pack);
    for (let i = known.length - 1; i >= 0; i--) if (known[i]?.pack === pack) known.splice(i, 1);
  }

  /** Drops a pack, and stores the ranges that are not known to be wrong as a new one. */
  async function replace(pack: Pack, before: Iterable<Promise<void>>): Promise<void> {
    await Promise.all(before);
    const bytes = restOf(pack).length > 0 ? await store.get(file, pack) : undefined;
    await store.drop(file, pack);
    const rest = restOf(pack);
    leaving.delete(pack);
    if (!bytes || rest.length === 0) return;
    const parts = rest.map(({ at, length }) => bytes.subarray(at, at + length));
    const next = rest.map(({ offset, length }) => ({ offset, length }));
    for (const one of rangesOf(next)) insert(known, one);
    all.add(next);
    await store.put(file, next, parts);
  }

  function restOf(pack: Pack): Known[] {
    const bad = leaving.get(pack) ?? [];
    return rangesOf(pack).flatMap((one) =>
      subtract([one], bad).map((range) => ({ ...one, ...range, at: one.at + range.offset - one.offset })),
    );
  }

  return {
    file,
    direct,
    find(ranges) {
      const found: Range[] = [];
      let at = 0;
      for (const { offset, length } of known) {
        while (at < ranges.length && endOf(ranges[at] as Range) <= offset) at++;
        const range = ranges[at];
        if (!range) break;
        if (range.offset < offset + length) found.push({ offset, length });
      }
      return found;
    },
    async load(range) {
      const one = known[firstFrom(known, range.offset)];
      if (one?.offset !== range.offset || one.length !== range.length) return undefined;
      const bytes = await bytesOf(one.pack);
      // It may have been dropped in the meantime.
      if (bytes && all.has(one.pack)) return bytes.subarray(one.at, one.at + one.length);
      forget(one.pack);
      return undefined;
    },
    save(offset, bytes) {
      const at = firstFrom(known, offset);
      const before = known[at - 1];
      const same = known[at];
      if (before && endOf(before) >= offset + bytes.length) return;
      if (same?.offset === offset && same.length >= bytes.length) return;
      if (pending + bytes.length > MAX_PENDING_BYTES) return;
      pending += bytes.length;
      collected.push({ offset, bytes });
      if (collected.length === 1) queueMicrotask(write);
      if (collected.length >= MAX_RANGES) write();
    },
    drop(ranges) {
      wrong = union([...wrong, ...ranges]);
      const has = (range: Range) => ranges.some((one) => common(one, range).length > 0);
      for (const { bytes } of collected) pending -= bytes.length;
      collected = collected.filter(({ offset, bytes }) => !has({ offset, length: bytes.length }));
      for (const { bytes } of collected) pending += bytes.length;
      for (const [pack, bad] of leaving) leaving.set(pack, union([...bad, ...ranges]));
      const before = [...writing];
      for (const pack of [...all]) {
        if (!pack.some(has)) continue;
        forget(pack);
        leaving.set(pack, [...ranges]);
        const replaced = replace(pack, before).then(() => {
          dropping.delete(replaced);
          writing.delete(replaced);
        });
        dropping.add(replaced);
        writing.add(replaced);
      }
    },
    async flush() {
      do await Promise.all(writing);
      while (writing.size > 0);
    },
  };
}

function directOf(
  folder: string,
  { key }: StoredFileId,
  packs: readonly Pack[],
  known: readonly Known[],
  isWrong: (range: Range) => boolean,
): StoredDirect {
  const numbers = new Map(packs.map((pack, number) => [pack, number]));
  const extents = new Float64Array(4 * known.length);
  for (const [i, { offset, length, pack, at }] of known.entries()) {
    extents.set([offset, length, numbers.get(pack) ?? 0, at], 4 * i);
  }
  const named = packs.map((pack) => ({
    name: packName(pack),
    ranges: Float64Array.from(pack.flatMap(({ offset, length }) => [offset, length])),
  }));
  const file: DirectPacks = { folder, key, packs: named, extents };
  return {
    file,
    has: (range) =>
      !isWrong(range) && eachPiece(extents, range.offset, range.length, () => {}) === range.length,
  };
}

/**
 * Calls `visit` for each stored piece of a range (pack, offset in it, length), from its start up to the first byte that
 * is not stored. Returns the number of bytes visited.
 */
export function eachPiece(
  extents: Float64Array,
  offset: number,
  length: number,
  use: (pack: number, at: number, length: number) => void,
): number {
  const first = firstIndex(
    extents.length / 4,
    (i) => (extents[4 * i] as number) + (extents[4 * i + 1] as number) > offset,
  );
  const end = offset + length;
  let from = offset;
  for (let i = 4 * first; from < end && i < extents.length; i += 4) {
    const start = extents[i] as number;
    if (start > from) break;
    const until = Math.min(end, start + (extents[i + 1] as number));
    use(extents[i + 2] as number, (extents[i + 3] as number) + from - start, until - from);
    from = until;
  }
  return from - offset;
}

function rangesOf(pack: Pack): Known[] {
  let at = 0;
  return pack.map(({ offset, length }) => {
    at += length;
    return { offset, length, pack, at: at - length };
  });
}

/** Inserts a range into an ascending list, and removes ranges that others contain. */
function insert(sorted: Known[], range: Known): void {
  const at = firstFrom(sorted, range.offset);
  const before = sorted[at - 1];
  const same = sorted[at];
  if (before && endOf(before) >= endOf(range)) return;
  if (same?.offset === range.offset && same.length >= range.length) return;
  let inside = 0;
  for (let next = same; next && endOf(next) <= endOf(range); next = sorted[at + ++inside]);
  sorted.splice(at, inside, range);
}

/** Returns the index of the first range that begins at or after an offset. */
function firstFrom(sorted: readonly Range[], offset: number): number {
  return firstIndex(sorted.length, (i) => (sorted[i] as Range).offset >= offset);
}
