import { joined } from '../../../../base/bytes';
import { internal, overBudget } from '../../../../base/data-errors';
import { argumentError, XylemError } from '../../../../base/errors';
import { type Core, codeOf } from '../../../../core/core';
import { readStart } from '../../../../core/file-core';
import type { WriterExports } from '../../../../core/module';

/** Positions above this need 8 bytes in keys and directories: TFile::kStartBigFile. */
export const BIG_FILE = 2_000_000_000;

/** The numbers of a key, in the order of wasm/src/write/records.h. Lengths and positions are in bytes. */
export interface KeyNumbers {
  nbytes: number;
  objlen: number;
  keylen: number;
  datime: number;
  cycle: number;
  seek: number;
  /** Position of the directory's record. */
  dir: number;
  /** Offset of the process ids in the object. */
  pid: number;
  /** 1 if positions have 8 bytes, otherwise 0. */
  wide: number;
  /** Length of the key in bytes, without the members that a basket adds. */
  bytes: number;
  /** Entries of a basket; -1 for other records. */
  entries: number;
}

/** A text, or its bytes if they may not be UTF-8. */
export type Text = string | Uint8Array;

export interface KeyTexts {
  className: Text;
  name: Text;
  title: Text;
}

export interface FileNumbers {
  version: number;
  begin: number;
  end: number;
  seekFree: number;
  nbytesFree: number;
  nfree: number;
  nbytesName: number;
  compress: number;
  seekInfo: number;
  nbytesInfo: number;
}

export interface DirectoryNumbers {
  created: number;
  modified: number;
  nbytesKeys: number;
  nbytesName: number;
  seekDir: number;
  seekParent: number;
  seekKeys: number;
}

export const KEY = [
  'nbytes',
  'objlen',
  'keylen',
  'datime',
  'cycle',
  'seek',
  'dir',
  'pid',
  'wide',
  'bytes',
  'entries',
] as const satisfies (keyof KeyNumbers)[];
export const FILE = [
  'version',
  'begin',
  'end',
  'seekFree',
  'nbytesFree',
  'nfree',
  'nbytesName',
  'compress',
  'seekInfo',
  'nbytesInfo',
] as const satisfies (keyof FileNumbers)[];
export const DIRECTORY = [
  'created',
  'modified',
  'nbytesKeys',
  'nbytesName',
  'seekDir',
  'seekParent',
  'seekKeys',
] as const satisfies (keyof DirectoryNumbers)[];

/** The numbers that change when a record is moved: its length, its position, and that of its directory. */
export const MOVE = ['nbytes', 'seek', 'dir'] as const satisfies (keyof KeyNumbers)[];
const [NBYTES, SEEK, DIR] = [MOVE.indexOf('nbytes'), MOVE.indexOf('seek'), MOVE.indexOf('dir')];

const [SEEK_AT, CYCLE_AT, BYTES_AT] = [KEY.indexOf('seek'), KEY.indexOf('cycle'), KEY.indexOf('bytes')];

/** Bytes of a file header including the gap before the first record, and bytes of a directory's data. */
export const HEADER_BYTES = 100;
export const DIRECTORY_BYTES = 60;

/** Reads and makes records of a file by xylem-write.wasm. */
export class Records {
  readonly #core: Core<WriterExports>;
  /** Memory of the module: numbers, then space for input and output. */
  readonly #numbers: number;
  #room = 0;
  #roomBytes = 0;

  constructor(core: Core<WriterExports>) {
    this.#core = core;
    this.#numbers = core.alloc(8 * KEY.length);
  }

  get #x(): WriterExports {
    return this.#core.exports;
  }

  /** Reads the key at the start of some bytes. Throws CORRUPT or TRUNCATED. */
  readKey(bytes: Uint8Array): KeyNumbers {
    const at = this.#put(bytes);
    const status = this.#x.xw_key_read(at, bytes.length, this.#numbers);
    if (status !== 0) throw failed(status, 'There is no key where one should be.');
    return this.#take(KEY);
  }

  /**
   * Reads the keys that lie one after another from the start of some bytes on, at most `count`. Throws CORRUPT or
   * TRUNCATED.
   */
  readKeys(bytes: Uint8Array, count: number): Pick<KeyNumbers, 'seek' | 'cycle' | 'bytes'>[] {
    const start = this.#put(bytes);
    const keys: Pick<KeyNumbers, 'seek' | 'cycle' | 'bytes'>[] = [];
    for (let at = 0; keys.length < count && at < bytes.length; ) {
      const status = this.#x.xw_key_read(start + at, bytes.length - at, this.#numbers);
      if (status !== 0) throw failed(status, 'There is no key where one should be.');
      const numbers = new Float64Array(this.#x.memory.buffer, this.#numbers, KEY.length);
      const key = {
        seek: numbers[SEEK_AT] ?? 0,
        cycle: numbers[CYCLE_AT] ?? 0,
        bytes: numbers[BYTES_AT] ?? 0,
      };
      keys.push(key);
      at += key.bytes;
    }
    return keys;
  }

  /** Whether a checksum would detect damage within the object of a record. */
  hasChecksum(record: Uint8Array): boolean {
    return this.#x.xw_has_checksum(this.#put(record), record.length) === 1;
  }

  /** Returns class, name and title of the key at the start of some bytes, as stored. Throws CORRUPT or TRUNCATED. */
  textsOf(bytes: Uint8Array): { [K in keyof KeyTexts]: Uint8Array } {
    const at = this.#put(bytes);
    const status = this.#x.xw_key_texts(at, bytes.length, this.#numbers);
    if (status !== 0) throw failed(status, 'There is no key where one should be.');
    const places = new Float64Array(this.#x.memory.buffer, this.#numbers, 6);
    const text = (i: number) => bytes.slice(places[i], (places[i] ?? 0) + (places[i + 1] ?? 0));
    return { className: text(0), name: text(2), title: text(4) };
  }

  /**
   * Changes numbers of the key at the start of some bytes. Throws BUDGET if a position does not fit into 4 bytes and
   * the key has no more, and TRUNCATED.
   */
  changeKey(bytes: Uint8Array, numbers: Partial<KeyNumbers>): void {
    const head = bytes.subarray(0, FIXED_KEY_BYTES);
    const at = this.#put(head);
    this.#give(KEY, { ...UNCHANGED, ...numbers });
    const status = this.#x.xw_key_change(at, head.length, this.#numbers);
    if (status !== 0) {
      throw failed(status, narrowKey(numbers.pid ?? 0, numbers.seek ?? 0));
    }
    head.set(new Uint8Array(this.#x.memory.buffer, at, head.length));
  }

  /** Converts a key to positions of 8 bytes and adjusts its lengths. Throws BUDGET if it becomes too long. */
  wideKey(key: Uint8Array): Uint8Array<ArrayBuffer> {
    const room = key.length + WIDER_BYTES;
    const at = this.#put(key, room);
    const length = this.#x.xw_key_widen(at + key.length, room, at, key.length);
    if (length === 0) throw overBudget('A key is too long.');
    return this.#copy(at + key.length, length);
  }

  /**
   * Sets new positions of records that are stored one after another in `bytes` and will start at `seek`. `pid` is
   * added to the offset of their process ids. Returns the index of the first record of unexpected length, and its
   * length. Throws BUDGET as `changeKey`.
   */
  moveRecords(
    bytes: Uint8Array,
    moved: readonly { length: number; directory: { at: number } }[],
    { seek, pid }: { seek: number; pid: number },
  ): { index: number; nbytes: number } | undefined {
    const count = MOVE.length;
    const numbers = this.#reserve(moved.length * (8 * count + FIXED_KEY_BYTES));
    const heads = numbers + 8 * count * moved.length;
    const memory = new Uint8Array(this.#x.memory.buffer, heads, FIXED_KEY_BYTES * moved.length).fill(0);
    const list = new Float64Array(this.#x.memory.buffer, numbers, count * moved.length);
    // Loops over the few bytes of each key, because an array for each would take longer.
    let at = 0;
    for (let i = 0; i < moved.length; i++) {
      const { length, directory } = moved[i] as (typeof moved)[number];
      list[count * i + NBYTES] = length;
      list[count * i + SEEK] = seek + at;
      list[count * i + DIR] = directory.at;
      const bytesOfKey = Math.min(length, FIXED_KEY_BYTES);
      for (let k = 0; k < bytesOfKey; k++) memory[FIXED_KEY_BYTES * i + k] = bytes[at + k] as number;
      at += length;
    }
    const status = this.#x.xw_keys_move(heads, moved.length, numbers, pid);
    const [index = 0, nbytes = 0] = list;
    if (codeOf(status) === 'BUDGET') throw failed(status, narrowKey(pid, seek));
    if (status !== 0) return { index, nbytes };
    at = 0;
    for (let i = 0; i < moved.length; i++) {
      const { length } = moved[i] as (typeof moved)[number];
      const bytesOfKey = Math.min(length, FIXED_KEY_BYTES);
      for (let k = 0; k < bytesOfKey; k++) bytes[at + k] = memory[FIXED_KEY_BYTES * i + k] as number;
      at += length;
    }
    return undefined;
  }

  /** Makes a new key. The length of its record is its own length plus `stored` bytes. */
  makeKey(
    texts: KeyTexts,
    numbers: Pick<KeyNumbers, 'objlen' | 'datime' | 'cycle' | 'seek' | 'dir'> & {
      stored: number;
      /** Positions have 8 bytes, even if 4 would do. */
      wide?: boolean;
      /** Offset of the process ids in the object. If given, the key has positions of 8 bytes. */
      pid?: number;
    },
  ): Uint8Array<ArrayBuffer> {
    const parts = [texts.className, texts.name, texts.title].map(bytesOfText);
    const [className = EMPTY, name = EMPTY, title = EMPTY] = parts;
    const { pid = 0 } = numbers;
    const wide = numbers.wide || pid > 0 || numbers.seek > BIG_FILE || numbers.dir > BIG_FILE ? 1 : 0;
    const length =
      (wide ? 34 : 26) + parts.reduce((sum, part) => sum + part.length + (part.length < 255 ? 1 : 5), 0);
    const input = parts.reduce((sum, part) => sum + part.length, 0);
    const at = this.#reserve(input + length);
    let put = at;
    for (const part of parts) {
      new Uint8Array(this.#x.memory.buffer, put, part.length).set(part);
      put += part.length;
    }
    this.#give(KEY, { ...UNCHANGED, ...numbers, pid, nbytes: length + numbers.stored, wide });
    const got = this.#x.xw_key_make(
      put,
      length,
      this.#numbers,
      at,
      className.length,
      name.length,
      title.length,
    );
    if (got !== length) throw tooLong(texts.name);
    return this.#copy(put, length);
  }

  /**
   * Returns the start of a file, with a new header if its own was overwritten: see `readStart` of core, which also
   * has the errors.
   */
  withHeader(start: Uint8Array, size: number): Uint8Array {
    return readStart(this.#core, start, size).start;
  }

  /** Reads the header of a file. Throws NOT_ROOT, TRUNCATED or CORRUPT. */
  readFile(bytes: Uint8Array): FileNumbers {
    const status = this.#x.xw_file_read(this.#put(bytes), bytes.length, this.#numbers);
    if (status !== 0) throw failed(status, 'The header of the file cannot be read.');
    return this.#take(FILE);
  }

  /** Makes the header of a file: HEADER_BYTES bytes. */
  makeFile(numbers: FileNumbers, uuid: Uint8Array): Uint8Array<ArrayBuffer> {
    const at = this.#reserve(16 + HEADER_BYTES);
    new Uint8Array(this.#x.memory.buffer, at, 16).set(uuid);
    this.#give(FILE, numbers);
    return this.#made(at + 16, this.#x.xw_file_make(at + 16, HEADER_BYTES, this.#numbers, at));
  }

  /** Reads the data of a directory. */
  readDirectory(bytes: Uint8Array): DirectoryNumbers {
    const status = this.#x.xw_dir_read(this.#put(bytes), bytes.length, this.#numbers);
    if (status !== 0) throw failed(status, 'A directory cannot be read.');
    return this.#take(DIRECTORY);
  }

  /** Makes the data of a directory: DIRECTORY_BYTES bytes. */
  makeDirectory(numbers: DirectoryNumbers, uuid: Uint8Array): Uint8Array<ArrayBuffer> {
    const at = this.#reserve(16 + DIRECTORY_BYTES);
    new Uint8Array(this.#x.memory.buffer, at, 16).set(uuid);
    this.#give(DIRECTORY, numbers);
    return this.#made(at + 16, this.#x.xw_dir_make(at + 16, DIRECTORY_BYTES, this.#numbers, at));
  }

  /** Makes the list of free space for a file without gaps. */
  makeFree(end: number): Uint8Array<ArrayBuffer> {
    const at = this.#reserve(32);
    return this.#made(at, this.#x.xw_free_make(at, 32, end));
  }

  /** Writes texts with their lengths, as in a TNamed without a header. */
  makeTexts(...texts: Text[]): Uint8Array<ArrayBuffer> {
    const parts = texts.map((text) => {
      const bytes = bytesOfText(text);
      const at = this.#put(bytes, bytes.length + 8);
      const out = at + bytes.length;
      return this.#made(out, this.#x.xw_text_make(out, bytes.length + 5, at, bytes.length));
    });
    return joined(parts);
  }

  #made(at: number, length: number): Uint8Array<ArrayBuffer> {
    if (length === 0) throw internal('A record was not made.');
    return this.#copy(at, length);
  }

  #copy(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#x.memory.buffer.slice(at, at + length) as ArrayBuffer);
  }

  /** Copies bytes to the input space of the module, with `more` free bytes after them. */
  #put(bytes: Uint8Array, more = 0): number {
    const at = this.#reserve(bytes.length + more);
    new Uint8Array(this.#x.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  #reserve(bytes: number): number {
    if (bytes > this.#roomBytes) {
      this.#x.xy_free(this.#room);
      this.#roomBytes = 0;
      this.#room = this.#core.alloc(Math.max(bytes, 64 * 1024));
      this.#roomBytes = Math.max(bytes, 64 * 1024);
    }
    return this.#room;
  }

  #take<K extends string>(names: readonly K[]): Record<K, number> {
    const numbers = new Float64Array(this.#x.memory.buffer, this.#numbers, names.length);
    return Object.fromEntries(names.map((name, i) => [name, numbers[i] ?? 0])) as Record<K, number>;
  }

  #give<K extends string>(names: readonly K[], values: Readonly<Record<K, number>>): void {
    new Float64Array(this.#x.memory.buffer, this.#numbers, names.length).set(
      names.map((name) => values[name]),
    );
  }
}

const EMPTY = new Uint8Array(0);

/** Returns why a key with 4-byte positions cannot have a position or an offset of process ids. */
function narrowKey(pid: number, seek: number): string {
  return pid > 0 && seek < NARROW_END
    ? 'A key with places of 4 bytes has no room for the number of its first process id (TProcessID), by which TRefs are told from those of the files before.'
    : 'A key with places of 4 bytes cannot lie after 2 GB of a file.';
}

/** First position that does not fit into 4 bytes. */
const NARROW_END = 2 ** 31;
/** Bytes by which 8-byte positions make a key longer. */
const WIDER_BYTES = 8;
/** Maximum bytes of a key before its texts. */
export const FIXED_KEY_BYTES = 34;
/** Marks numbers that do not change. */
const UNCHANGED = Object.fromEntries(KEY.map((name) => [name, Number.NaN])) as unknown as KeyNumbers;

function failed(status: number, message: string): XylemError {
  return new XylemError({ code: codeOf(status), message });
}

function bytesOfText(text: Text): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

function tooLong(text: Text): XylemError {
  const name = typeof text === 'string' ? text : new TextDecoder().decode(text);
  return argumentError(
    `The name "${name.slice(0, 60)}…" is too long for a key: a key has at most 32,767 bytes.`,
    'Choose a shorter name.',
  );
}
