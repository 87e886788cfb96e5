import type { CallOptions, KeyInfo } from '../../api/api';
import { toXylemError } from '../../base/errors';
import { takeBytes } from '../claims';
import type { ClassCodec } from '../encode/class-codec';
import type { ObjectData } from '../encode/types';
import type { InputKey } from '../input';
import { refuseBaskets, refuseNestedTrees } from '../nested-trees';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { unaddable } from './object-values';
import { addObject, isAdded, newSum, type SumState, takesObjects, whyNotAdded } from './objects/adders';
import { hasProcessIds } from './process-ids';
import { parentOf } from './survey';

/** An object that is the sum of those of several files. */
interface Sum {
  data: ObjectData;
  key: InputKey;
  codec: ClassCodec;
  /** The number from which the process ids in it count. */
  pid: number;
  state: SumState;
}

/** Objects of one path that are kept as they are, oldest first. */
interface Kept {
  keys: (ListedKey & { cycle: number })[];
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
      } else if (!isAdded(key.className)) {
        this.#sayNotAdded(input, key, old);
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

  /** Says that an object which ROOT would add is kept beside others of its path. */
  #sayNotAdded({ name, codec }: MergeInput, { path, className }: InputKey, old: boolean): void {
    const others = this.#kept.has(path) || this.#sums.has(path);
    if (!others || old) return;
    const why = this.#sums.has(path)
      ? `The path has an object of the class ${this.#sums.get(path)?.key.className}, too.`
      : whyNotAdded(className, (derived, base) => codec.derives(derived, base));
    if (why !== undefined) this.#merging.leftOut.push(notAdded(path, name, why));
  }

  /** Adds an object to that of its path. One that cannot be added is kept beside it. */
  async #addSum(input: MergeInput, key: InputKey, options: CallOptions): Promise<void> {
    const known = this.#sums.get(key.path);
    const { codec } = input;
    try {
      const record = await recordOf(input, key, options);
      const data = codec.read(record);
      refuseBaskets(key.path, data);
      const pid = hasProcessIds(data) ? input.pid + this.#merging.records.readKey(record).pid : 0;
      if (!known) this.#sums.set(key.path, { data, key, codec, pid, state: newSum() });
      else known.data = addTo(known, data, codec, pid);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') throw error;
      if (known || this.#kept.has(key.path))
        this.#merging.leftOut.push(notAdded(key.path, input.name, error.message));
      await this.#keep(input, key, options);
    }
  }

  /** Keeps an object as it is. */
  async #keep(input: MergeInput, key: InputKey, options: CallOptions): Promise<void> {
    const { out, records, directories } = this.#merging;
    const record = (await recordOf(input, key, options)).slice();
    refuseNestedTrees(key, record, input.codec);
    const kept = this.#kept.get(key.path) ?? { keys: [] };
    this.#kept.set(key.path, kept);
    const own = records.readKey(record);
    const refers = input.pid > 0 && mayRefer(input.codec, record);
    const pid = own.pid + (refers ? input.pid : 0);
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
    this.#kept.set(name, { keys: [{ ...written, cycle: 1 }] });
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

function addTo(
  { data, state, pid: own }: Sum,
  other: ObjectData,
  codec: ClassCodec,
  pid: number,
): ObjectData {
  if (pid !== own && takesObjects(String(data._typename)) && hasProcessIds(other))
    throw unaddable('It refers to objects by numbers of its own file.');
  return addObject(data, other, state, (derived, base) => codec.derives(derived, base)) as ObjectData;
}

function notAdded(path: string, file: string, why: string): string {
  return `${path} of ${file} is not added: ${why} It is kept as a cycle.`;
}
