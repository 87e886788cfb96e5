import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { concat } from '../base/bytes';
import { letMessagesIn } from '../base/messages';
import { totalLength } from '../io/ranges';
import { checksum } from './checksum';
import { type ExtentStore, type Pack, packName, type StoredFileId, type StoreInfo } from './extent-store';
import { inTime, openSegments, type Place, type Segments } from './segments';

type Key = [file: string, pack: string];

/** Description of a pack without its bytes. */
interface IndexRecord {
  file: string;
  pack: string;
  /** Offset and length of each range. */
  ranges: number[];
  /** Total number of bytes. */
  length: number;
  /** Name of the file for display. */
  name: string;
  sum: number;
  /** Time of the last use, in ms since 1970. */
  used: number;
  /** Location of the bytes, if they are not in the database. */
  place?: Place | undefined;
}

interface Schema extends DBSchema {
  bytes: { key: Key; value: ArrayBuffer };
  index: { key: Key; value: IndexRecord; indexes: { used: number; file: string } };
  /** `total`: bytes of all packs. `limit`: the limit, if one was set. */
  state: { key: string; value: number };
}

type Stores = ('bytes' | 'index' | 'state')[];
type Write = IDBPTransaction<Schema, Stores, 'readwrite'>;

interface Put {
  record: IndexRecord;
  /** A buffer that no other array uses. */
  bytes: Uint8Array<ArrayBuffer>;
  done(): void;
}

export interface IndexedDbOptions {
  /** Name of the database. */
  name?: string | undefined;
  /**
   * Limit in bytes, if none was set with `limit`. Default: a fifth of the space that the browser grants, at most 4 GB.
   */
  maxBytes?: number | undefined;
}

const STORES: Stores = ['bytes', 'index', 'state'];
const DEFAULT_MAX_BYTES = 4 * 1024 ** 3;
const SHARE_OF_QUOTA = 0.2;
/** If the limit is smaller, nothing is stored. */
const MIN_MAX_BYTES = 1024 * 1024;
/** Writes are collected into one transaction for this many ms, or up to COLLECT_BYTES. */
const COLLECT_MS = 40;
const COLLECT_BYTES = 8 * 1024 * 1024;

/**
 * Returns a persistent cache in IndexedDB, shared by all tabs of an origin. The bytes are in files of the page's
 * private folder (OPFS) if it is available, otherwise in the database. Reads that arrive together use one transaction.
 * Writes are collected and use relaxed durability, because a loss only costs time.
 */
export function createIndexedDbStore(options: IndexedDbOptions = {}): ExtentStore {
  return new IndexedDbStore(options);
}

class IndexedDbStore implements ExtentStore {
  readonly #name: string;
  /** The limit in bytes if none was set. */
  #maxBytes: number;
  /** Free space that the browser turned out to have, in bytes. */
  #grantedBytes = Number.POSITIVE_INFINITY;
  #db: Promise<IDBPDatabase<Schema> | undefined>;
  #segments: Promise<Segments | undefined>;
  #swept = false;
  /** Whether the total number of bytes was verified. */
  #counted = false;
  #notice: string | undefined;
  /** Whether writing has stopped. */
  #readOnly = false;
  #gets: { key: Key; pack: Pack; done(bytes: Uint8Array | undefined): void }[] = [];
  #puts: Put[] = [];
  #putBytes = 0;
  #used = new Map<string, Key>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor({ name = 'xylem-packs', maxBytes }: IndexedDbOptions) {
    this.#name = name;
    this.#maxBytes = maxBytes ?? 0;
    // Opening takes a moment, during which the first request over the network is running as well.
    this.#db = this.#open(maxBytes === undefined);
    this.#segments = openSegments(name);
  }

  async #open(askQuota: boolean): Promise<IDBPDatabase<Schema> | undefined> {
    try {
      if (askQuota) {
        const estimate = await globalThis.navigator?.storage?.estimate?.();
        this.#maxBytes = Math.min(DEFAULT_MAX_BYTES, (estimate?.quota ?? 1e9) * SHARE_OF_QUOTA);
        if (this.#maxBytes < MIN_MAX_BYTES) this.#noSpace();
      }
      const db = await inTime(this.#openNow());
      if (isWhole(db)) return db;
      // Its content is lost, which only costs time.
      db.close();
      await inTime(deleteDB(this.#name));
      return await inTime(this.#openNow());
    } catch (thrown) {
      this.#giveUp(thrown);
      return undefined;
    }
  }

  #openNow(): Promise<IDBPDatabase<Schema>> {
    return openDB<Schema>(this.#name, 1, {
      upgrade: (db) => {
        db.createObjectStore('bytes');
        const index = db.createObjectStore('index', { keyPath: ['file', 'pack'] });
        index.createIndex('used', 'used');
        index.createIndex('file', 'file');
        db.createObjectStore('state');
      },
      blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
      terminated: () => this.#giveUp('the browser closed it'),
    });
  }

  async list(file: StoredFileId): Promise<Pack[]> {
    return this.#guard([], async (db) => {
      const records = await db.getAllFromIndex('index', 'file', file.key);
      return records.filter(isRecord).map(({ ranges }) =>
        Array.from({ length: ranges.length >> 1 }, (_, i) => ({
          offset: ranges[2 * i] ?? 0,
          length: ranges[2 * i + 1] ?? 0,
        })),
      );
    });
  }

  get(file: StoredFileId, pack: Pack): Promise<Uint8Array | undefined> {
    return new Promise((done) => {
      this.#gets.push({ key: [file.key, packName(pack)], pack, done });
      if (this.#gets.length === 1) queueMicrotask(() => void this.#readAll());
    });
  }

  async #readAll(): Promise<void> {
    const db = await this.#db;
    const gets = this.#gets.splice(0);
    try {
      if (!db || gets.length === 0) throw new Error('no database');
      const tx = db.transaction(['bytes', 'index'], 'readonly');
      const found = await Promise.all(
        gets.map(({ key }) =>
          Promise.all([tx.objectStore('bytes').get(key), tx.objectStore('index').get(key)]),
        ),
      );
      for (const [i, { key, pack, done }] of gets.entries()) {
        const [buffer, record] = found[i] ?? [];
        // Packs of other ranges may have the same name.
        const same = isRecord(record) && sameNumbers(record.ranges, numbersOf(pack));
        // Lets workers that have decoded earlier reads get their next tasks.
        await letMessagesIn();
        const bytes = await this.#bytesOf(record, buffer);
        if (bytes === 'later') {
          done(undefined);
          continue;
        }
        const sound = same && bytes?.length === totalLength(pack) && checksum(bytes) === record.sum;
        if (sound) this.#used.set(JSON.stringify(key), key);
        else if (same || (buffer !== undefined && !record)) void this.#remove(key);
        done(sound ? bytes : undefined);
      }
      if (this.#used.size > 0) this.#writeSoon();
    } catch (thrown) {
      if (db) this.#giveUp(thrown);
      for (const { done } of gets) done(undefined);
    }
  }

  /** Returns the bytes of a record. `later`: they exist but cannot be read now. */
  async #bytesOf(
    record: IndexRecord | undefined,
    buffer: ArrayBuffer | undefined,
  ): Promise<Uint8Array | 'later' | undefined> {
    if (!record?.place) return buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : undefined;
    const segments = await this.#segments;
    return segments ? segments.read(record.place, record.length).catch(() => 'later' as const) : 'later';
  }

  async put(file: StoredFileId, pack: Pack, parts: readonly Uint8Array[]): Promise<void> {
    if (this.#readOnly) return;
    const content = new Uint8Array(totalLength(pack));
    concat<Uint8Array>(parts, content);
    const record = {
      file: file.key,
      pack: packName(pack),
      ranges: numbersOf(pack),
      length: content.length,
      name: file.name,
      sum: checksum(content),
      used: Date.now(),
    };
    await new Promise<void>((done) => {
      this.#puts.push({ record, bytes: content, done });
      this.#putBytes += content.length;
      this.#writeSoon();
    });
  }

  #writeSoon(): void {
    if (this.#putBytes >= COLLECT_BYTES) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), COLLECT_MS);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const puts = this.#puts.splice(0);
    const used = [...this.#used.values()];
    this.#putBytes = 0;
    this.#used.clear();
    this.#writing = this.#writing.then(async () => {
      await this.#writeAll(puts, used);
      for (const { done } of puts) done();
    });
  }

  /** Writes packs. If the browser has no more space, lowers the limit and tries once more. */
  async #writeAll(puts: Put[], used: Key[]): Promise<void> {
    const db = await this.#db;
    if (!db || this.#readOnly) return;
    for (let tried = 0; ; tried++) {
      try {
        await this.#place(puts);
        await this.#change(db, async (change) => {
          for (const { record, bytes } of puts) await change.add(record, bytes);
          for (const key of used) await change.use(key);
          await change.dropTo(this.#bound(change.limit));
        });
        return;
      } catch (thrown) {
        if (!isQuota(thrown)) {
          this.#giveUp(thrown);
          return;
        }
        try {
          if (tried > 0) throw thrown;
          await this.#change(db, async (change) => {
            this.#grantedBytes = Math.floor(Math.min(this.#bound(change.limit), change.total) / 2);
            await change.dropTo(this.#grantedBytes);
          });
        } catch {
          this.#noSpace();
          return;
        }
      }
    }
  }

  /** Writes bytes to the private folder. Throws if there is no space. */
  async #place(puts: readonly Put[]): Promise<void> {
    const segments = await this.#segments;
    if (!segments) return;
    for (const file of new Set(puts.map(({ record }) => record.file))) {
      const some = puts.filter(({ record }) => record.file === file && !record.place);
      if (some.length === 0) continue;
      try {
        const places = await segments.write(
          file,
          some.map(({ bytes }) => bytes),
        );
        for (const [i, { record }] of some.entries()) record.place = places[i];
      } catch (thrown) {
        if (isQuota(thrown)) throw thrown;
        this.#segments = Promise.resolve(undefined);
      }
    }
  }

  async #change(db: IDBPDatabase<Schema>, make: (change: Change) => Promise<void>): Promise<void> {
    const tx = db.transaction(STORES, 'readwrite', { durability: 'relaxed' });
    // `make` has already reported the failure, so that of the transaction is ignored.
    tx.done.catch(() => {});
    const state = tx.objectStore('state');
    const [total, limit] = await Promise.all([state.get('total'), state.get('limit')]);
    const change = new Change(tx, Number.isSafeInteger(total) ? (total ?? 0) : 0, limit);
    change.counted = this.#counted;
    try {
      await make(change);
      await tx.objectStore('state').put(change.total, 'total');
      await tx.done;
      this.#counted = change.counted;
      await (await this.#segments)?.remove(change.emptied);
    } catch (thrown) {
      // The requests of a transaction that was aborted for lack of space only report that it was aborted.
      throw tx.error ?? thrown;
    }
  }

  async drop(file: StoredFileId, pack: Pack): Promise<void> {
    const key: Key = [file.key, packName(pack)];
    await this.#guard(undefined, (db) => this.#change(db, (change) => change.forget(key)));
  }

  async #remove(key: Key): Promise<void> {
    await this.#guard(undefined, (db) => this.#change(db, (change) => change.remove(key)));
  }

  async info(): Promise<StoreInfo> {
    const empty: IndexRecord[] = [];
    const records = await this.#guard(empty, async (db) => {
      const all = (await db.getAll('index')).filter(isRecord);
      if (!this.#swept) await (await this.#segments)?.sweep(segmentsOf(all));
      this.#swept = true;
      return all;
    });
    const limit = await this.#guard(undefined, (db) => db.get('state', 'limit'));
    const maxBytes = this.#bound(limit);
    const files = new Map<string, StoreInfo['files'][number]>();
    for (const { file, name, length, used } of records) {
      const known = files.get(file);
      const bytes = (known?.bytes ?? 0) + length;
      files.set(file, { key: file, name, bytes, used: Math.max(used, known?.used ?? 0) });
    }
    const list = [...files.values()].sort((a, b) => b.bytes - a.bytes);
    const bytes = list.reduce((sum, file) => sum + file.bytes, 0);
    return { place: 'IndexedDB', bytes, maxBytes, files: list, notice: this.#notice };
  }

  async clear(file?: string): Promise<void> {
    if (file === undefined && !(await this.#db)) await this.#beginAnew();
    await this.#guard(undefined, async (db) => {
      if (file !== undefined) {
        await this.#change(db, async (change) => {
          for (const key of await change.keysOf(file)) await change.remove(key);
        });
        return;
      }
      const tx = db.transaction(STORES, 'readwrite');
      const state = tx.objectStore('state').delete('total');
      await Promise.all([tx.objectStore('bytes').clear(), tx.objectStore('index').clear(), state, tx.done]);
      await (await this.#segments)?.sweep(new Set(), 0);
    });
  }

  /** Deletes the database and creates it again. */
  async #beginAnew(): Promise<void> {
    await inTime(deleteDB(this.#name)).catch(() => {});
    this.#notice = undefined;
    this.#readOnly = false;
    this.#db = this.#open(false);
    await this.#db;
  }

  async limit(maxBytes?: number): Promise<void> {
    await this.#guard(undefined, (db) =>
      this.#change(db, async (change) => {
        await change.setLimit(maxBytes);
        await change.dropTo(this.#bound(maxBytes));
      }),
    );
  }

  #bound(limit: number | undefined): number {
    return Math.min(limit ?? this.#maxBytes, this.#grantedBytes);
  }

  async #guard<T>(otherwise: T, run: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    const db = await this.#db;
    if (!db) return otherwise;
    try {
      return await run(db);
    } catch (thrown) {
      this.#giveUp(thrown);
      return otherwise;
    }
  }

  /** Stops writing. Existing packs can still be read. */
  #noSpace(): void {
    this.#readOnly = true;
    this.#notice ??=
      'The browser grants no space for the cache: what is read is kept in memory only, until the page is closed.';
  }

  #giveUp(thrown: unknown): void {
    this.#db = Promise.resolve(undefined);
    this.#readOnly = true;
    const why = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    this.#notice ??= `The browser's storage cannot be used (${why}): what is read is kept in memory only, until the page is closed.`;
  }
}

/** One transaction that updates the total number of bytes correctly, also if other tabs write. */
class Change {
  constructor(
    readonly tx: Write,
    public total: number,
    /** The limit that this or another tab has set. */
    readonly limit: number | undefined,
  ) {}

  /** Whether the total was counted in this transaction. */
  counted = false;

  /** Files of the private folder that are no longer used when the transaction is complete. */
  readonly emptied = new Set<string>();

  async add(record: IndexRecord, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const key: Key = [record.file, record.pack];
    const before = await this.tx.objectStore('index').get(key);
    this.total += record.length - (before?.length ?? 0);
    if (record.place) await this.tx.objectStore('bytes').delete(key);
    else await this.tx.objectStore('bytes').put(bytes.buffer, key);
    await this.tx.objectStore('index').put(record);
  }

  async setLimit(maxBytes: number | undefined): Promise<void> {
    const state = this.tx.objectStore('state');
    if (maxBytes === undefined) await state.delete('limit');
    else await state.put(maxBytes, 'limit');
  }

  async use(key: Key): Promise<void> {
    const record = await this.tx.objectStore('index').get(key);
    if (record) await this.tx.objectStore('index').put({ ...record, used: Date.now() });
  }

  async keysOf(file: string): Promise<Key[]> {
    return this.tx.objectStore('index').index('file').getAllKeys(file);
  }

  /** Removes one pack. If its bytes are in a file of the private folder, the other packs in that file stay. */
  async forget(key: Key): Promise<void> {
    const record = await this.tx.objectStore('index').get(key);
    this.total -= record?.length ?? 0;
    await this.tx.objectStore('index').delete(key);
    await this.tx.objectStore('bytes').delete(key);
  }

  /** Removes a pack. If its bytes are in a file of the private folder, all packs in that file are removed. */
  async remove(key: Key): Promise<void> {
    const index = this.tx.objectStore('index');
    const record = await index.get(key);
    const segment = record?.place?.segment;
    const all = segment === undefined ? [] : await index.index('file').getAll(key[0]);
    const gone = all.filter(({ place }) => place?.segment === segment);
    for (const { length, file, pack } of segment === undefined && record ? [record] : gone) {
      this.total -= length;
      await index.delete([file, pack]);
    }
    if (segment !== undefined) this.emptied.add(segment);
    await this.tx.objectStore('bytes').delete(key);
  }

  /** Drops the least recently used packs until the total is at most `maxBytes`. */
  async dropTo(maxBytes: number): Promise<void> {
    if (this.total > maxBytes && !this.counted) await this.#count();
    while (this.total > maxBytes) {
      const cursor = await this.tx.objectStore('index').index('used').openCursor();
      if (!cursor) return;
      await this.remove(cursor.primaryKey);
    }
  }

  /** Counts the stored bytes, because a total that is too large would drop everything each time. */
  async #count(): Promise<void> {
    this.counted = true;
    const records = await this.tx.objectStore('index').getAll();
    this.total = records.reduce((sum, { length }) => sum + (Number.isSafeInteger(length) ? length : 0), 0);
  }
}

/** Whether a database has all object stores of this version. */
function isWhole(db: IDBPDatabase<Schema>): boolean {
  return STORES.every((name) => db.objectStoreNames.contains(name));
}

/** Whether a record has the expected members. Others are treated as missing. */
function isRecord(record: IndexRecord | undefined): record is IndexRecord {
  return (
    record !== undefined &&
    Array.isArray(record.ranges) &&
    record.ranges.every(Number.isSafeInteger) &&
    Number.isSafeInteger(record.length)
  );
}

function segmentsOf(records: readonly IndexRecord[]): Set<string> {
  return new Set(records.flatMap(({ place }) => (place ? [place.segment] : [])));
}

function numbersOf(pack: Pack): number[] {
  return pack.flatMap(({ offset, length }) => [offset, length]);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
}

function isQuota(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
}
