import type { CallOptions } from '../../../../api/api';
import { sameBytes } from '../../../../base/bytes';
import { overBudget } from '../../../../base/data-errors';
import { toXylemError } from '../../../../base/errors';
import { formatBytes } from '../../../../base/format';
import { unaddable } from '../../../../bins/object-values';
import { checksum } from '../../../../cache/checksum';
import { codecOf } from '../../../../core/compression';
import { bytesOf } from '../../../../core/tape-writer';
import type { ClassCodec } from '../encode/class-codec';
import { CoreSums, type WrittenSum } from '../encode/core-sums';
import type { ObjectData } from '../encode/types';
import { directoryAt, parentOf } from '../file/directories';
import { CopyBuffers, readBatches } from '../input/copy';
import type { InputKey } from '../input/input';
import { refuseBaskets } from '../input/nested-trees';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { type AddedClasses, addObject, newSum, type SumState, takesObjects } from './objects/adders';
import { hasProcessIds } from './process-ids';

/** Bytes of records that are written at once, and the maximum number of sums. */
const WRITE_BYTES = 4 * 1024 * 1024;
const WRITE_SUMS = 4096;
/**
 * A sum kept as data is not packed while all unpacked sums together have at most about this many bytes, and it does
 * not exceed the second number. Otherwise a single sum would be packed again for each file.
 */
const OPEN_BYTES = 32 * 1024 * 1024;
const LARGE_BYTES = 128 * 1024 * 1024;

/**
 * Limit for unpacking: this many bytes, plus this factor times the bytes of the inputs. Without it small files of
 * zeros could take hours. Each unpacking of an object counts.
 */
const UNPACKED = { bytes: 32e9, factor: 1e4 };
/** Maximum bytes before compression of an object that is added as data, because several copies are in memory. */
const DATA_BYTES = 256 * 1024 * 1024;

/** The sum of objects of several files. */
interface Sum {
  /** The key of the first. */
  key: InputKey;
  /** The classes of the first. */
  codec: ClassCodec;
  /** Number of process ids of the files before the first. */
  filePid: number;
  /** Its index in the module. */
  number: number;
  /** Set if it cannot be added in the module. */
  data?: SumData;
}

/** A sum that is added outside the module. */
interface SumData {
  /** Undefined while the module keeps it compressed. */
  object: ObjectData | undefined;
  state: SumState;
  pid: number;
  /** Approximate bytes of the object; 0 while the module keeps it. */
  bytes: number;
}

/** Error codes for an object that its file's classes do not describe. */
const CLASS_ERRORS = new Set<string>(['ARGUMENT', 'UNSUPPORTED', 'NO_STREAMER']);

/** An object that was not added. `why` is undefined if keeping it loses nothing. */
export interface NotAdded {
  key: InputKey;
  /** Its record, if it was read. */
  record?: Uint8Array<ArrayBuffer>;
  why: string | undefined;
}

/**
 * Adds objects of the same path. Histograms and profiles with the same bins are added in the module, many at once;
 * others are added as data. An object that only one file has is copied.
 */
export class Sums {
  readonly #merging: Merging;
  readonly #inModule: CoreSums;
  readonly #sums = new Map<string, Sum>();
  readonly #codecs = new Set<ClassCodec>();
  readonly #buffers = new CopyBuffers();
  /** Bytes of the objects that are kept here, not in the module. */
  #open = 0;
  /** Bytes that may be unpacked. */
  #allowed = 0;

  constructor(merging: Merging) {
    this.#merging = merging;
    this.#inModule = new CoreSums(merging.core);
    this.#allow(UNPACKED.bytes);
  }

  get size(): number {
    return this.#sums.size;
  }

  uses(codec: ClassCodec): boolean {
    return this.#codecs.has(codec);
  }

  /** Returns the class of the sum of a path. */
  classOf(path: string): string | undefined {
    return this.#sums.get(path)?.key.className;
  }

  /** Adds objects of a file. Returns those that cannot be added. */
  async add(input: MergeInput, keys: readonly InputKey[], options: CallOptions): Promise<NotAdded[]> {
    this.#allow(UNPACKED.factor * input.info.size);
    const left: NotAdded[] = [];
    const fitting = keys.filter((key) => {
      const known = this.classOf(key.path);
      if (known === undefined || known === key.className) return true;
      left.push({ key, why: `A ${key.className} cannot be added to a ${known}.` });
      return false;
    });
    // In file order, so that many are read at once.
    const pieces = fitting
      .sort((a, b) => a.offset - b.offset)
      .map((key) => ({ offset: key.offset, length: key.storedBytes, key }));
    const batches = readBatches(input, pieces, { signal: options.signal, buffers: this.#buffers });
    for await (const { from, to, bytes } of batches) {
      left.push(...this.#addRecords(input, fitting.slice(from, to), bytes));
    }
    return left;
  }

  /** Changes the number of bytes that may be unpacked. Throws BUDGET if none are left. */
  #allow(bytes: number): void {
    if (bytes > 0) this.#allowed += bytes;
    if (this.#inModule.allow(bytes) >= 0) return;
    throw overBudget(
      `The objects that are added have more than ${formatBytes(this.#allowed)} before compression, each counted as often as it is unpacked.`,
      'Merge fewer files at once, or leave these objects out.',
    );
  }

  #addRecords(input: MergeInput, keys: readonly InputKey[], bytes: Uint8Array): NotAdded[] {
    const { codec } = input;
    const sums = keys.map(({ path }) => this.#sums.get(path));
    const lengths = keys.map(({ storedBytes }) => storedBytes);
    // For a sum kept as data the largest number is passed, which is not an index in the module.
    const numbers = sums.map((sum) => (sum?.data ? 0xffffffff : sum?.number));
    const added = this.#inModule.add(codec, bytes, lengths, numbers);
    const left: NotAdded[] = [];
    let at = 0;
    for (const [i, key] of keys.entries()) {
      const start = at;
      at += key.storedBytes;
      const sum = sums[i];
      const number = added[i];
      if (sum && number === undefined) {
        const record = bytes.subarray(start, at);
        const why = tooLarge(sum.key, key) ?? this.#addData(input, sum, record);
        if (why) left.push({ key, record: record.slice(), why });
      } else if (!sum && number !== undefined) {
        this.#sums.set(key.path, { key, codec, filePid: input.pid, number });
        this.#codecs.add(codec);
      }
    }
    return left;
  }

  /** Adds an object as data. Returns the reason why it cannot be added. */
  #addData({ codec, pid: filePid }: MergeInput, sum: Sum, record: Uint8Array): string | undefined {
    const { key } = sum;
    try {
      const { objlen, pid: ownPid } = this.#merging.records.readKey(record);
      this.#allow(-objlen);
      const object = codec.read(record);
      refuseBaskets(key.path, object);
      const pid = hasProcessIds(object) ? filePid + ownPid : 0;
      const own = sum.data?.object ?? this.#inModule.object(sum.number);
      const data = sum.data ?? this.#asData(sum, own);
      if (pid !== data.pid && takesObjects(key.className) && hasProcessIds(object))
        throw unaddable('It refers to objects by numbers of its own file.');
      const classes: AddedClasses = {
        derives: (className, base) => codec.derives(className, base),
        check: (item) => checkClasses(item as ObjectData, codec, sum.codec),
      };
      // The module keeps its object until there is a new one.
      const mayChange = data.object === undefined;
      this.#put(sum, data, addObject(own, object, data.state, { classes, mayChange }) as ObjectData);
      return undefined;
    } catch (thrown) {
      return whyNotRead(thrown);
    }
  }

  /** Returns the state of a sum whose object the module has added so far. */
  #asData({ number, filePid, key }: Sum, object: ObjectData): SumData {
    refuseBaskets(key.path, object);
    const pid = hasProcessIds(object) ? filePid + this.#inModule.pid(number) : 0;
    const state = newSum();
    if (this.#inModule.added(number) > 0) state.summed.add('');
    return { object: undefined, state, pid, bytes: 0 };
  }

  /** Sets the object of a sum. If others use many bytes, the module keeps it compressed. */
  #put(sum: Sum, data: SumData, object: ObjectData): void {
    const { number } = sum;
    sum.data = data;
    this.#open -= data.bytes;
    data.bytes = bytesOf(object);
    const fits = this.#open <= OPEN_BYTES && data.bytes <= LARGE_BYTES;
    data.object = fits ? object : undefined;
    if (fits) this.#inModule.drop(number);
    else {
      data.bytes = 0;
      this.#inModule.keep(number, object);
    }
    this.#open += data.bytes;
  }

  /** Writes all sums, each with the cycle that `cycleOf` returns for its path. */
  async finish(
    cycleOf: (path: string) => number,
    written: (path: string, key: ListedKey) => void,
  ): Promise<void> {
    const waiting = [...this.#sums];
    while (waiting.length > 0) {
      const end = waiting.findIndex(([, { data }]) => data !== undefined);
      const inModule = waiting.slice(0, Math.min(WRITE_SUMS, end < 0 ? waiting.length : end));
      const done = await this.#writeMany(inModule, cycleOf, written);
      waiting.splice(0, done.count);
      if (!done.stopped) continue;
      const [path, sum] = waiting.shift() as [string, Sum];
      await this.#writeOne(path, sum, cycleOf(path), written);
    }
  }

  /** Writes a sum from its data. */
  async #writeOne(
    path: string,
    sum: Sum,
    cycle: number,
    written: (path: string, key: ListedKey) => void,
  ): Promise<void> {
    const { directories, records, leftOut } = this.#merging;
    const { key, codec, number } = sum;
    const directory = directoryAt(directories, parentOf(key));
    let object: ObjectData;
    try {
      object = sum.data?.object ?? this.#inModule.object(number);
    } catch (thrown) {
      leftOut.push(`${path} is left out, because its record has to be made anew: ${whyNotRead(thrown)}`);
      return;
    }
    const { pid } = sum.data ?? this.#asData(sum, object);
    const texts = records.textsOf(key.header);
    const bytes = (keyLength: number) => codec.write(object, keyLength);
    written(path, await writeObject(this.#merging, texts, cycle, directory, bytes, codec, pid));
    this.#inModule.drop(number);
    delete sum.data;
  }

  /** Writes some sums. `stopped`: the next one has to be written from its data. */
  async #writeMany(
    sums: readonly (readonly [string, Sum])[],
    cycleOf: (path: string) => number,
    written: (path: string, key: ListedKey) => void,
  ): Promise<{ count: number; stopped: boolean }> {
    if (sums.length === 0) return { count: 0, stopped: true };
    const { out, directories, compress, date, spans } = this.#merging;
    const items = sums.map(([path, { key, number, filePid }]): WrittenSum => {
      const { at: dir } = directoryAt(directories, parentOf(key));
      return { number, key: key.header, cycle: cycleOf(path), dir, pid: filePid };
    });
    const seek = out.end;
    const made = this.#inModule.write(items, codecOf(compress), { seek, date, room: WRITE_BYTES });
    let at = 0;
    for (const [i, length] of made.lengths.entries()) {
      const [path] = sums[i] as (typeof sums)[number];
      written(path, { key: made.bytes.slice(at, at + (made.keyLengths[i] ?? 0)), seek: seek + at });
      at += length;
    }
    if (at > 0) {
      spans?.push({ at: seek, length: at, sum: checksum(made.bytes) });
      await out.append(made.bytes);
    }
    const count = made.lengths.length;
    return { count, stopped: count < sums.length && at < WRITE_BYTES };
  }

  free(): void {
    this.#inModule.free();
  }
}

/** Returns why an object cannot be read or added. Throws other errors again. */
function whyNotRead(thrown: unknown): string {
  const error = toXylemError(thrown);
  if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
  return error.message;
}

/**
 * Throws UNSUPPORTED if the classes of the two files have other versions, so that the object would be written in
 * another layout.
 */
function checkClasses(object: ObjectData, own: ClassCodec, other: ClassCodec): void {
  if (own === other) return;
  try {
    if (sameBytes(own.write(object, 0), other.write(object, 0))) return;
  } catch (thrown) {
    if (!CLASS_ERRORS.has(toXylemError(thrown).code)) throw thrown;
  }
  const className = String(object._typename);
  throw unaddable(
    `The file of the first describes the classes of an object of ${className} in it otherwise.`,
  );
}

/** Returns why one of two objects is too large to be added as data; undefined if neither is. */
function tooLarge(...keys: readonly InputKey[]): string | undefined {
  const bytes = Math.max(...keys.map(({ objectBytes }) => objectBytes));
  if (bytes <= DATA_BYTES) return undefined;
  return `It has ${formatBytes(bytes)} before compression, and objects of its kind are added up to ${formatBytes(DATA_BYTES)}.`;
}
