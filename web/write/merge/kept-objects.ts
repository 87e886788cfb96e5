import type { CallOptions, KeyInfo } from '../../api/api';
import { toXylemError } from '../../base/errors';
import { takeBytes } from '../claims';
import type { ClassCodec } from '../encode/class-codec';
import type { ObjectData } from '../encode/types';
import type { InputKey } from '../input';
import { refuseBaskets, refuseNestedTrees } from '../nested-trees';
import { addGraph, isGraph } from './add-graphs';
import { addHistogram, histogramClass } from './add-histograms';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { hasProcessIds } from './process-ids';
import { parentOf } from './survey';

/** An object that is the sum of those of several files. */
interface Sum {
  data: ObjectData;
  key: InputKey;
  codec: ClassCodec;
  /** The number from which the process ids in it count. */
  pid: number;
  parts: number;
}

/** Objects of one path that are kept as they are, oldest first. */
interface Kept {
  keys: (ListedKey & { cycle: number })[];
  contents: Set<string>;
}

/** All of the output but its trees: sums of histograms and graphs, and other objects as they are. */
export class KeptObjects {
  readonly #merging: Merging;
  readonly #sums = new Map<string, Sum>();
  readonly #kept = new Map<string, Kept>();
  /** Number of process ids (TProcessID) in the output; the number of the next one. */
  processes = 0;

  constructor(merging: Merging) {
    this.#merging = merging;
  }

  get sums(): number {
    return this.#sums.size;
  }

  get kept(): number {
    return [...this.#kept.values()].reduce((sum, { keys }) => sum + keys.length, 0);
  }

  uses(codec: ClassCodec): boolean {
    return [...this.#sums.values()].some((sum) => sum.codec === codec);
  }

  /** Adds all objects of a file; `newest` has the newest cycle of each path. */
  async add(input: MergeInput, newest: ReadonlyMap<string, InputKey>, options: CallOptions): Promise<void> {
    const { leftOut, notes } = this.#merging;
    const oldestFirst = [...input.keys].sort((a, b) => a.cycle - b.cycle);
    let processes = 0;
    for (const key of oldestFirst) {
      const old = newest.get(key.path) !== key;
      if (key.kind === 'directory') continue;
      if (key.kind === 'tree') {
        if (old)
          notes.push(
            `${key.path};${key.cycle} of ${input.name} is an older copy of the tree's record, and not kept`,
          );
      } else if (key.kind === 'ntuple') {
        if (old) leftOut.push(`${key.path};${key.cycle} of ${input.name}: an older cycle of an RNTuple`);
      } else if (key.className === 'TProcessID') {
        const number = processNumber(key);
        await this.#addProcess(input, key, number, options);
        processes = Math.max(processes, number + 1);
      } else if (!adds(key)) {
        await this.#keep(input, key, options);
      } else if (old) {
        leftOut.push(`${key.path};${key.cycle} of ${input.name}: an older cycle of an object that is added`);
      } else {
        await this.#addSum(input, key, options);
      }
    }
    this.processes += processes;
  }

  /** Writes the sums, which are the newest cycles of their paths. */
  async finish(listed: Map<string, ListedKey[]>): Promise<void> {
    const { out, records, directories } = this.#merging;
    for (const [path, { keys }] of this.#kept) listed.set(path, [...keys].reverse());
    for (const [path, { data, key, codec, pid }] of this.#sums) {
      const directory = directories.get(parentOf(key)) ?? out.root;
      const cycle = 1 + (this.#kept.get(path)?.keys.at(-1)?.cycle ?? 0);
      const object = (keyLength: number) => codec.write(data, keyLength);
      const written = await writeObject(
        this.#merging,
        records.textsOf(key.header),
        cycle,
        directory,
        object,
        codec,
        pid,
      );
      listed.set(path, [written, ...(listed.get(path) ?? [])]);
    }
  }

  /** Adds an object to that of its path. One that cannot be added is kept beside it. */
  async #addSum(input: MergeInput, key: InputKey, options: CallOptions): Promise<void> {
    const known = this.#sums.get(key.path);
    try {
      const record = await recordOf(input, key, options);
      const data = input.codec.read(record);
      refuseBaskets(key.path, data);
      const pid = hasProcessIds(data) ? input.pid + this.#merging.records.readKey(record).pid : 0;
      if (!known) this.#sums.set(key.path, { data, key, codec: input.codec, pid, parts: 1 });
      else {
        if (isGraph(key.className)) addGraph(known.data, data);
        else addHistogram(known.data, data);
        known.parts++;
      }
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
      this.#merging.leftOut.push(
        `${key.path} of ${input.name} is not added: ${error.message} It is kept as a cycle.`,
      );
      await this.#keep(input, key, options);
    }
  }

  /** Keeps an object as it is, unless one with the same content is kept. */
  async #keep(input: MergeInput, key: InputKey, options: CallOptions): Promise<void> {
    const { out, records, directories } = this.#merging;
    const record = (await recordOf(input, key, options)).slice();
    refuseNestedTrees(key, record, input.codec);
    const kept = this.#kept.get(key.path) ?? { keys: [], contents: new Set() };
    this.#kept.set(key.path, kept);
    const own = records.readKey(record);
    const refers = input.pid > 0 && mayRefer(input.codec, record);
    const pid = own.pid + (refers ? input.pid : 0);
    // Equal bytes with other process ids are other objects.
    const content = await digest(`${key.className} ${key.title} ${pid}`, input.codec.unpack(record));
    if (kept.contents.has(content)) return;
    kept.contents.add(content);
    const cycle = Math.max(key.cycle, 1 + (kept.keys.at(-1)?.cycle ?? 0));
    const directory = directories.get(parentOf(key)) ?? out.root;
    if (!out.canAppend(record) || (refers && own.wide === 0)) {
      const written = await this.#writeAnew(input, key, record, cycle, pid);
      if (written) kept.keys.push({ ...written, cycle });
      return;
    }
    const { at } = await out.record(directory, record, { cycle, ...(refers && { pid }) });
    kept.keys.push({ key: record.slice(0, own.bytes), seek: at, cycle });
  }

  /** Writes an object with a key of which places have 8 bytes, where its class is known. */
  async #writeAnew(
    { name, codec }: MergeInput,
    key: InputKey,
    record: Uint8Array,
    cycle: number,
    pid: number,
  ): Promise<ListedKey | undefined> {
    const { out, records, directories, leftOut } = this.#merging;
    const directory = directories.get(parentOf(key)) ?? out.root;
    try {
      const data = codec.read(record);
      const object = (keyLength: number) => codec.write(data, keyLength);
      const texts = records.textsOf(record);
      return await writeObject(this.#merging, texts, cycle, directory, object, codec, pid);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
      leftOut.push(
        `${key.path};${key.cycle} of ${name} is left out, because it needs a key with places of 8 bytes: ${error.message}`,
      );
      return undefined;
    }
  }

  /** Keeps a process id under the number that the records of its file refer to. */
  async #addProcess(input: MergeInput, key: InputKey, number: number, options: CallOptions): Promise<void> {
    const record = await recordOf(input, key, options);
    const name = `ProcessID${number + input.pid}`;
    const object = input.codec.unpack(record);
    const written = await writeObject(
      this.#merging,
      { ...this.#merging.records.textsOf(record), name },
      1,
      this.#merging.out.root,
      () => object,
      input.codec,
    );
    this.#kept.set(name, { keys: [{ ...written, cycle: 1 }], contents: new Set() });
  }
}

/** Whether an object has numbers of process ids, as one may that cannot be decoded. */
function mayRefer(codec: ClassCodec, record: Uint8Array): boolean {
  try {
    return hasProcessIds(codec.read(record));
  } catch (thrown) {
    const { code } = toXylemError(thrown);
    if (code !== 'UNSUPPORTED' && code !== 'NO_STREAMER') throw thrown;
    return true;
  }
}

/** The number by which the records of its file refer to a process id. */
function processNumber({ name }: KeyInfo): number {
  return Number(/^ProcessID(\d+)$/.exec(name)?.[1] ?? 0);
}

/** The record of an object. Throws the errors of reading, and CORRUPT where records lie over each other. */
async function recordOf(
  input: MergeInput,
  { offset, storedBytes }: KeyInfo,
  options: CallOptions,
): Promise<Uint8Array> {
  takeBytes(input, storedBytes);
  return input.reader.bytes(input.id, [{ offset, length: storedBytes }], options);
}

function adds({ className }: KeyInfo): boolean {
  return isGraph(className) || histogramClass(className) !== undefined;
}

async function digest(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', bytes);
  return `${name} ${Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
