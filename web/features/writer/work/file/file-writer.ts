import type { Sink } from '../../../../api/sink';
import { joined } from '../../../../base/bytes';
import { letMessagesIn } from '../../../../base/messages';
import { checksum } from '../../../../cache/checksum';
import { WAITING_BYTES } from '../../../../sinks/sink';
import type { CopiedSpan } from '../input/copy';
import {
  BIG_FILE,
  DIRECTORY_BYTES,
  HEADER_BYTES,
  type KeyNumbers,
  type KeyTexts,
  type Records,
  type Text,
} from './records';

export interface NewFile {
  /** Name of the file without folders, because paths of this machine do not belong into a file. */
  name: string;
  title: Text;
  /** ROOT's version number of the classes in the file, for example 63600. */
  version: number;
  /** 100 × algorithm + level of the compression. */
  compress: number;
  /** Creation date in ROOT's packed format: see `packDate`. */
  created: number;
  /** Date of all records: now, or 1 for files whose bytes have to be reproducible. */
  date: number;
  /** Number of bytes that the sink already has from an earlier run. Default: 0. */
  kept?: number | undefined;
  /** Receives the checksums of the records that `record` appends. */
  spans?: CopiedSpan[] | undefined;
  /** Returns the UUID of the file. Called when everything but the start of the file has been written. */
  uuid: (listsOfKeys: Uint8Array) => Promise<Uint8Array>;
}

/** A directory of a file that is being written. */
export interface Directory {
  /** Position and length of its record. */
  readonly at: number;
  readonly bytes: number;
  readonly name: Text;
  readonly title: Text;
  readonly parent: Directory | undefined;
  readonly created: number;
  /** Its own key; empty for the root directory. */
  readonly key: Uint8Array<ArrayBuffer>;
  /** Keys in the order of the list: newest first. */
  readonly keys: Uint8Array[];
}

/**
 * Writes a ROOT file: first directories are named and records appended, then `finish` writes the lists of keys, the
 * free list and the start of the file.
 */
export class FileWriter {
  readonly root: Directory;
  readonly #file: NewFile;
  readonly #records: Records;
  readonly #sink: Sink | undefined;
  readonly #directories: Directory[] = [];
  /** Position of the first record that is not a directory named in advance. */
  #firstRecord: number | undefined;
  /** Length of the first record. */
  readonly #first: number;
  #end: number;
  #streamers = { at: 0, length: 0 };
  /** Short records that follow each other and have not been written yet. */
  readonly #waiting: Uint8Array;
  #waitingAt = 0;
  #waitingBytes = 0;

  /** Without a sink nothing is written, and bytes that would only be copied are not read. */
  constructor(sink: Sink | undefined, records: Records, file: NewFile) {
    this.#sink = sink;
    this.#waiting = new Uint8Array(sink?.waitingBytes ?? WAITING_BYTES);
    this.#records = records;
    this.#file = file;
    const named = records.makeTexts(file.name, file.title);
    const key = records.makeKey(
      { className: 'TFile', name: file.name, title: file.title },
      { stored: 0, objlen: 0, datime: 0, cycle: 1, seek: HEADER_BYTES, dir: 0 },
    );
    this.#first = key.length + named.length + DIRECTORY_BYTES;
    this.root = {
      at: HEADER_BYTES,
      bytes: this.#first,
      name: file.name,
      title: file.title,
      parent: undefined,
      created: file.created,
      key,
      keys: [],
    };
    this.#directories.push(this.root);
    this.#end = HEADER_BYTES + this.#first;
  }

  /** Position of the next record, in bytes. */
  get end(): number {
    return this.#end;
  }

  /** Returns a key as it has to be at `end`: after 2 GB with positions of 8 bytes, which makes it longer. */
  keyAtEnd(key: Uint8Array): Uint8Array<ArrayBuffer> {
    return this.#end > BIG_FILE ? this.#records.wideKey(key) : key.slice();
  }

  /**
   * Whether a record can be appended unchanged. References in an object are relative to the start of its key, so the
   * key must not become longer.
   */
  canAppend(record: Uint8Array): boolean {
    return this.#end <= BIG_FILE || this.#records.readKey(record).wide === 1;
  }

  /** Whether the next bytes need not be written: the sink already has them, or there is no sink. */
  keeps(bytes: number): boolean {
    return this.#sink === undefined || this.#end + bytes <= (this.#file.kept ?? 0);
  }

  /** Skips bytes that need not be written. */
  skip(bytes: number): void {
    this.#end += bytes;
  }

  /** Adds a directory. Its key comes from the record of another directory, and is not listed yet. */
  async directory(parent: Directory, key: Uint8Array, created: number): Promise<Directory> {
    const own = this.keyAtEnd(key);
    const { name, title } = this.#records.textsOf(key);
    const at = this.#end;
    const nbytes = own.length + DIRECTORY_BYTES;
    this.#records.changeKey(own, { nbytes, objlen: DIRECTORY_BYTES, seek: at, dir: parent.at, pid: 0 });
    const directory = { at, bytes: nbytes, name, title, parent, created, key: own, keys: [] };
    this.#directories.push(directory);
    await this.#reserve(nbytes);
    return directory;
  }

  /** Creates a new directory, at any time, and lists it in its parent. */
  async newDirectory(parent: Directory, name: Text, title: Text): Promise<Directory> {
    const { date } = this.#file;
    const at = this.#end;
    const texts = { className: 'TDirectory', name, title };
    const numbers = { stored: DIRECTORY_BYTES, objlen: DIRECTORY_BYTES, datime: date, cycle: 1 };
    const key = this.#records.makeKey(texts, { ...numbers, seek: at, dir: parent.at });
    const bytes = key.length + DIRECTORY_BYTES;
    const directory = { at, bytes, name, title, parent, created: date, key, keys: [] };
    this.#directories.push(directory);
    this.list(parent, key, { seek: at });
    await this.#reserve(bytes);
    return directory;
  }

  /**
   * Reserves the place of a directory, whose content is written at the end. Before the first record nothing is
   * written; later zeros are written as a placeholder.
   */
  async #reserve(bytes: number): Promise<void> {
    if (this.#firstRecord === undefined) this.#end += bytes;
    else await this.append(new Uint8Array(bytes));
  }

  /** Appends bytes that already are records with positions from `end` on. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#firstRecord ??= this.#end;
    const at = this.#end;
    this.#end += bytes.length;
    // A sink in memory never waits, so signals and cancellations would not be noticed.
    await letMessagesIn();
    const { length } = this.#waiting;
    const follows = at === this.#waitingAt + this.#waitingBytes;
    if (!follows || this.#waitingBytes + bytes.length > length) await this.#flush();
    if (bytes.length > length / 2) return await this.#sink?.write(at, bytes);
    if (this.#waitingBytes === 0) this.#waitingAt = at;
    this.#waiting.set(bytes, this.#waitingBytes);
    this.#waitingBytes += bytes.length;
  }

  /** Writes the waiting short records together. */
  async #flush(): Promise<void> {
    const bytes = this.#waiting.slice(0, this.#waitingBytes);
    this.#waitingBytes = 0;
    if (bytes.length > 0) await this.#sink?.write(this.#waitingAt, bytes);
  }

  /** Appends a record, and sets the position in its key. Returns the key for the list of keys. */
  async record(
    directory: Directory,
    record: Uint8Array,
    changes: Partial<KeyNumbers> = {},
  ): Promise<{ at: number; length: number }> {
    const at = this.#end;
    this.#records.changeKey(record, { ...changes, seek: at, dir: directory.at });
    this.#file.spans?.push({ at, length: record.length, sum: checksum(record) });
    await this.append(record);
    return { at, length: record.length };
  }

  /** Appends the record of the streamer infos. */
  async streamers(record: Uint8Array): Promise<void> {
    this.#streamers = await this.record(this.root, record, { pid: 0 });
  }

  /** Lists a key in a directory, after the others. Its record is at `seek`. */
  list(directory: Directory, key: Uint8Array, changes: Partial<KeyNumbers> & { seek: number }): void {
    const own = changes.seek > BIG_FILE ? this.#records.wideKey(key) : key.slice();
    this.#records.changeKey(own, { ...changes, dir: directory.at });
    directory.keys.push(own);
  }

  /** Writes the rest. Returns the number of bytes of the file. */
  async finish(): Promise<number> {
    const { version, compress } = this.#file;
    const lists: { at: number; length: number }[] = [];
    const all: Uint8Array[] = [];
    for (const directory of this.#directories) {
      const list = this.#listOf(directory);
      lists.push({ at: this.#end, length: list.length });
      all.push(list);
      await this.append(list);
    }
    const uuid = await this.#file.uuid(joined(all));
    const free = this.#freeList();
    const seekFree = this.#end;
    await this.append(free);
    await this.#flush();
    const start: Uint8Array[] = [];
    for (const [i, directory] of this.#directories.entries()) {
      const record = this.#start(directory, lists[i], uuid);
      if (directory.at < (this.#firstRecord ?? 0)) start.push(record);
      else await this.#sink?.write(directory.at, record);
    }
    const header = this.#records.makeFile(
      {
        version,
        begin: HEADER_BYTES,
        end: this.#end,
        seekFree,
        nbytesFree: free.length,
        nfree: 1,
        nbytesName: this.#first - DIRECTORY_BYTES,
        compress,
        seekInfo: this.#streamers.at,
        nbytesInfo: this.#streamers.length,
      },
      uuid,
    );
    await this.#sink?.write(0, joined([header, ...start]));
    return this.#end;
  }

  #listOf(directory: Directory): Uint8Array<ArrayBuffer> {
    const count = new Uint8Array(4);
    new DataView(count.buffer).setInt32(0, directory.keys.length);
    const body = joined([count, ...directory.keys]);
    const className = directory.parent === undefined ? 'TFile' : 'TDirectory';
    const { name, title } = directory;
    return joined([this.#key({ className, name, title }, body.length, this.#end, directory.at), body]);
  }

  #freeList(): Uint8Array<ArrayBuffer> {
    const { name, title } = this.root;
    // The length of the record decides where it ends, and that decides whether positions need more bytes.
    const texts = { className: 'TFile', name, title };
    const place = this.#end;
    const make = (end: number) => {
      const body = this.#records.makeFree(end);
      return joined([this.#key(texts, body.length, place, this.root.at), body]);
    };
    const first = make(place);
    const second = make(place + first.length);
    return second.length === first.length ? second : make(place + second.length);
  }

  #key(texts: KeyTexts, stored: number, seek: number, dir: number): Uint8Array<ArrayBuffer> {
    const numbers = { stored, objlen: stored, datime: this.#file.date, cycle: 1, seek, dir };
    return this.#records.makeKey(texts, numbers);
  }

  /** Returns the record of a directory. */
  #start(
    { at, parent, name, title, created, key }: Directory,
    list: { at: number; length: number } | undefined,
    uuid: Uint8Array,
  ): Uint8Array<ArrayBuffer> {
    const isRoot = parent === undefined;
    const named = isRoot ? this.#records.makeTexts(name, title) : new Uint8Array(0);
    const own = key.slice();
    if (isRoot) {
      const objlen = named.length + DIRECTORY_BYTES;
      this.#records.changeKey(own, { nbytes: own.length + objlen, objlen, datime: this.#file.date });
    }
    const data = this.#records.makeDirectory(
      {
        created,
        modified: this.#file.date,
        nbytesKeys: list?.length ?? 0,
        nbytesName: own.length + named.length,
        seekDir: at,
        seekParent: parent?.at ?? 0,
        seekKeys: list?.at ?? 0,
      },
      uuid,
    );
    return joined([own, named, data]);
  }
}

/** Packs a date as ROOT does in TDatime. */
export function packDate(date: Date): number {
  const days =
    (date.getFullYear() - 1995) * 2 ** 26 + (date.getMonth() + 1) * 2 ** 22 + date.getDate() * 2 ** 17;
  return days + date.getHours() * 2 ** 12 + date.getMinutes() * 2 ** 6 + date.getSeconds();
}
