import type { CallOptions } from '../../api/api';
import { toXylemError } from '../../base/errors';
import { checksum } from '../../cache/checksum';
import { codecOf } from '../../core/compression';
import type { ClassCodec } from '../encode/class-codec';
import { CoreSums, type WrittenSum } from '../encode/core-sums';
import type { ObjectData } from '../encode/types';
import { directoryAt, parentOf } from '../file/directories';
import { CopyBuffers, readBatches } from '../input/copy';
import type { InputKey } from '../input/input';
import { refuseBaskets } from '../input/nested-trees';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { unaddable } from './object-values';
import { addObject, newSum, type SumState, takesObjects } from './objects/adders';
import { hasProcessIds } from './process-ids';

/** Bytes of records that are written at once, and the most sums. */
const WRITE_BYTES = 4 * 1024 * 1024;
const WRITE_SUMS = 4096;

/** An object that is the sum of those of several files. */
interface Sum {
  /** The key of the first. */
  key: InputKey;
  /** The classes of the first. */
  codec: ClassCodec;
  /** Number of process ids of the files before the first. */
  filePid: number;
  /** Its number in the module; undefined when it is data. */
  number: number | undefined;
  /** Where it cannot be added in the module. */
  data?: { object: ObjectData; state: SumState; pid: number };
}

/** An object that was not added; `why` is undefined where nothing is lost by keeping it. */
export interface NotAdded {
  key: InputKey;
  /** Its record, where it was read. */
  record?: Uint8Array<ArrayBuffer>;
  why: string | undefined;
}

/**
 * Objects that are added to those of the same path. Histograms and profiles with the same bins are added in the module,
 * many at once, and others as data. An object that only one file has is copied.
 */
export class Sums {
  readonly #merging: Merging;
  readonly #inModule: CoreSums;
  readonly #sums = new Map<string, Sum>();
  readonly #codecs = new Set<ClassCodec>();
  readonly #buffers = new CopyBuffers();

  constructor(merging: Merging) {
    this.#merging = merging;
    this.#inModule = new CoreSums(merging.core);
  }

  get size(): number {
    return this.#sums.size;
  }

  uses(codec: ClassCodec): boolean {
    return this.#codecs.has(codec);
  }

  /** The class of the sum of a path. */
  classOf(path: string): string | undefined {
    return this.#sums.get(path)?.key.className;
  }

  /** Adds objects of a file. Returns those that cannot be added. */
  async add(input: MergeInput, keys: readonly InputKey[], options: CallOptions): Promise<NotAdded[]> {
    const left: NotAdded[] = [];
    const fitting = keys.filter((key) => {
      const known = this.classOf(key.path);
      if (known === undefined || known === key.className) return true;
      left.push({ key, why: `A ${key.className} cannot be added to a ${known}.` });
      return false;
    });
    // In the order in which they lie, so that many are read at once.
    const pieces = fitting
      .sort((a, b) => a.offset - b.offset)
      .map((key) => ({ offset: key.offset, length: key.storedBytes, key }));
    const batches = readBatches(input, pieces, { signal: options.signal, buffers: this.#buffers });
    for await (const { from, to, bytes } of batches) {
      left.push(...this.#addRecords(input, fitting.slice(from, to), bytes));
    }
    return left;
  }

  #addRecords(input: MergeInput, keys: readonly InputKey[], bytes: Uint8Array): NotAdded[] {
    const { codec } = input;
    const sums = keys.map(({ path }) => this.#sums.get(path));
    const lengths = keys.map(({ storedBytes }) => storedBytes);
    // A sum that is data is none in the module, whose last number is that of no sum.
    const numbers = sums.map((sum) => (sum ? (sum.number ?? 0xffffffff) : undefined));
    const added = this.#inModule.add(codec, bytes, lengths, numbers);
    const left: NotAdded[] = [];
    let at = 0;
    for (const [i, key] of keys.entries()) {
      const record = bytes.subarray(at, at + key.storedBytes);
      at += key.storedBytes;
      const number = added[i];
      if (number === undefined) {
        const why = this.#addData(input, key, record);
        if (why) left.push({ key, record: record.slice(), why: sums[i] ? why : undefined });
      } else if (!sums[i]) this.#begin(input, key, { number });
    }
    return left;
  }

  #begin({ codec, pid }: MergeInput, key: InputKey, content: Pick<Sum, 'number' | 'data'>): void {
    this.#sums.set(key.path, { key, codec, filePid: pid, ...content });
    this.#codecs.add(codec);
  }

  /** Adds an object as data. Returns the reason why it cannot be added. */
  #addData(input: MergeInput, key: InputKey, record: Uint8Array): string | undefined {
    const { codec } = input;
    const sum = this.#sums.get(key.path);
    try {
      const object = codec.read(record);
      refuseBaskets(key.path, object);
      const pid = hasProcessIds(object) ? input.pid + this.#merging.records.readKey(record).pid : 0;
      if (!sum) this.#begin(input, key, { number: undefined, data: { object, state: newSum(), pid } });
      else {
        const own = this.#dataOf(sum);
        if (pid !== own.pid && takesObjects(key.className) && hasProcessIds(object))
          throw unaddable('It refers to objects by numbers of its own file.');
        const derives = (className: string, base: string) => codec.derives(className, base);
        own.object = addObject(own.object, object, own.state, derives) as ObjectData;
      }
      return undefined;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
      return error.message;
    }
  }

  /** A sum as data, which it is from now on. Throws the errors of reading it. */
  #dataOf(sum: Sum): NonNullable<Sum['data']> {
    const { number, filePid, key } = sum;
    if (number === undefined || sum.data) return sum.data as NonNullable<Sum['data']>;
    const object = this.#inModule.object(number);
    refuseBaskets(key.path, object);
    const pid = hasProcessIds(object) ? filePid + this.#inModule.pid(number) : 0;
    const state = newSum();
    if (this.#inModule.added(number) > 0) state.summed.add('');
    this.#inModule.drop(number);
    sum.number = undefined;
    sum.data = { object, state, pid };
    return sum.data;
  }

  /** Why the object of a sum cannot be read; undefined where it can. */
  #unread({ number }: Sum): string | undefined {
    try {
      if (number !== undefined) this.#inModule.object(number);
      return undefined;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
      return error.message;
    }
  }

  /** Writes all sums, each as the cycle that `cycleOf` gives for its path. */
  async finish(
    cycleOf: (path: string) => number,
    written: (path: string, key: ListedKey) => void,
  ): Promise<void> {
    const waiting = [...this.#sums];
    while (waiting.length > 0) {
      const end = waiting.findIndex(([, { number }]) => number === undefined);
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
    const { key, codec } = sum;
    const directory = directoryAt(directories, parentOf(key));
    const why = this.#unread(sum);
    if (why !== undefined) {
      leftOut.push(`${path} is left out, because its record has to be made anew: ${why}`);
      return;
    }
    const { object, pid } = this.#dataOf(sum);
    const texts = records.textsOf(key.header);
    const bytes = (keyLength: number) => codec.write(object, keyLength);
    written(path, await writeObject(this.#merging, texts, cycle, directory, bytes, codec, pid));
  }

  /** Writes some sums; `stopped` when the next one has to be written from its data. */
  async #writeMany(
    sums: readonly (readonly [string, Sum])[],
    cycleOf: (path: string) => number,
    written: (path: string, key: ListedKey) => void,
  ): Promise<{ count: number; stopped: boolean }> {
    if (sums.length === 0) return { count: 0, stopped: true };
    const { out, directories, compress, date, spans } = this.#merging;
    const items = sums.map(([path, { key, number, filePid }]): WrittenSum => {
      const { at: dir } = directoryAt(directories, parentOf(key));
      return { number: number ?? 0, key: key.header, cycle: cycleOf(path), dir, pid: filePid };
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
