import type { CallOptions, KeyInfo } from '../../api/api';
import { toXylemError } from '../../base/errors';
import type { ClassCodec } from '../encode/class-codec';
import type { ObjectData } from '../encode/types';
import type { InputKey } from '../input';
import { refuseBaskets, refuseNestedTrees } from '../nested-trees';
import { addGraph, isGraph } from './add-graphs';
import { addHistogram, histogramClass } from './add-histograms';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { parentOf } from './survey';

/** An object that is the sum of those of several files. */
interface Sum {
  data: ObjectData;
  key: InputKey;
  codec: ClassCodec;
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
  /** Number of process ids (TProcessID) in the output. */
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
        await this.#addProcess(input, key, options);
        processes++;
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
    const { out, directories } = this.#merging;
    for (const [path, { keys }] of this.#kept) listed.set(path, [...keys].reverse());
    for (const [path, { data, key, codec }] of this.#sums) {
      const directory = directories.get(parentOf(key)) ?? out.root;
      const cycle = 1 + (this.#kept.get(path)?.keys.at(-1)?.cycle ?? 0);
      const object = (keyLength: number) => codec.write(data, keyLength);
      const written = await writeObject(this.#merging, key, cycle, directory, object, codec);
      listed.set(path, [written, ...(listed.get(path) ?? [])]);
    }
  }

  /** Adds an object to that of its path. One that cannot be added is kept beside it. */
  async #addSum(input: MergeInput, key: InputKey, options: CallOptions): Promise<void> {
    const range = { offset: key.offset, length: key.storedBytes };
    const known = this.#sums.get(key.path);
    try {
      const data = input.codec.read(await input.reader.bytes(input.id, [range], options));
      refuseBaskets(key.path, data);
      if (!known) this.#sums.set(key.path, { data, key, codec: input.codec, parts: 1 });
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
    const range = { offset: key.offset, length: key.storedBytes };
    const record = (await input.reader.bytes(input.id, [range], options)).slice();
    refuseNestedTrees(key, record, input.codec);
    const kept = this.#kept.get(key.path) ?? { keys: [], contents: new Set() };
    this.#kept.set(key.path, kept);
    const content = await digest(`${key.className} ${key.title}`, input.codec.unpack(record));
    if (kept.contents.has(content)) return;
    kept.contents.add(content);
    const cycle = Math.max(key.cycle, 1 + (kept.keys.at(-1)?.cycle ?? 0));
    const directory = directories.get(parentOf(key)) ?? out.root;
    if (!out.canAppend(record)) {
      const written = await this.#writeAnew(input, key, record, cycle);
      if (written) kept.keys.push({ ...written, cycle });
      return;
    }
    const { at } = await out.record(directory, record, { cycle });
    kept.keys.push({ key: record.slice(0, records.readKey(record).bytes), seek: at, cycle });
  }

  /** Writes an object with a key that can lie after 2 GB, where its class is known. */
  async #writeAnew(
    { name, codec }: MergeInput,
    key: InputKey,
    record: Uint8Array,
    cycle: number,
  ): Promise<ListedKey | undefined> {
    const { out, directories, leftOut } = this.#merging;
    const directory = directories.get(parentOf(key)) ?? out.root;
    try {
      const data = codec.read(record);
      const object = (keyLength: number) => codec.write(data, keyLength);
      return await writeObject(this.#merging, key, cycle, directory, object, codec);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
      leftOut.push(`${key.path};${key.cycle} of ${name} cannot lie after 2 GB: ${error.message}`);
      return undefined;
    }
  }

  /** Keeps a process id under the number that the records of its file refer to. */
  async #addProcess(input: MergeInput, key: InputKey, options: CallOptions): Promise<void> {
    const range = { offset: key.offset, length: key.storedBytes };
    const record = await input.reader.bytes(input.id, [range], options);
    const number = Number(/^ProcessID(\d+)$/.exec(key.name)?.[1] ?? 0) + input.pid;
    const name = `ProcessID${number}`;
    const object = input.codec.unpack(record);
    const written = await writeObject(
      this.#merging,
      { ...key, name },
      1,
      this.#merging.out.root,
      () => object,
      input.codec,
    );
    this.#kept.set(name, { keys: [{ ...written, cycle: 1 }], contents: new Set() });
  }
}

function adds({ className }: KeyInfo): boolean {
  return isGraph(className) || histogramClass(className) !== undefined;
}

async function digest(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', bytes);
  return `${name} ${Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
