import type { CallOptions, KeyInfo } from '../../../../api/api';
import { toXylemError } from '../../../../base/errors';
import type { ClassCodec } from '../encode/class-codec';
import { directoryAt, parentOf } from '../file/directories';
import { takeBytes } from '../input/claims';
import type { InputKey } from '../input/input';
import { refuseNestedTrees } from '../input/nested-trees';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { isAdded, whyNotAdded } from './objects/adders';
import { hasProcessIds } from './process-ids';
import { Sums } from './sums';

/** Objects of one path that are kept unchanged, oldest first. */
interface Kept {
  keys: (ListedKey & { cycle: number })[];
}

/** Everything in the output except trees: sums of histograms and graphs, and unchanged objects. */
export class KeptObjects {
  readonly #merging: Merging;
  readonly #sums: Sums;
  readonly #kept = new Map<string, Kept>();
  /** Number of process ids (TProcessID) in the output. The next one gets this number. */
  processes = 0;

  constructor(merging: Merging) {
    this.#merging = merging;
    this.#sums = new Sums(merging);
  }

  get sums(): number {
    return this.#sums.size;
  }

  get kept(): number {
    return [...this.#kept.values()].reduce((sum, { keys }) => sum + keys.length, 0);
  }

  uses(codec: ClassCodec): boolean {
    return this.#sums.uses(codec);
  }

  /** Adds all objects of a file. `newest` has the newest cycle of each path. */
  async add(input: MergeInput, newest: ReadonlyMap<string, InputKey>, options: CallOptions): Promise<void> {
    const { leftOut, notes } = this.#merging;
    const oldestFirst = [...input.keys].sort((a, b) => a.cycle - b.cycle);
    const sums: InputKey[] = [];
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
      } else sums.push(key);
    }
    for (const { key, record, why } of await this.#sums.add(input, sums, options)) {
      if (why !== undefined) leftOut.push(notAdded(key.path, input.name, why));
      await this.#keep(input, key, options, record);
    }
    this.processes += processes;
  }

  /** Writes the sums, as the newest cycles of their paths. */
  async finish(listed: Map<string, ListedKey[]>): Promise<void> {
    for (const [path, { keys }] of this.#kept) listed.set(path, [...keys].reverse());
    const cycleOf = (path: string) => 1 + (this.#kept.get(path)?.keys.at(-1)?.cycle ?? 0);
    await this.#sums.finish(cycleOf, (path, key) => {
      listed.set(path, [key, ...(listed.get(path) ?? [])]);
    });
  }

  /** Notes that an object which ROOT would add is kept beside others of its path. */
  #sayNotAdded({ name, codec }: MergeInput, { path, className }: InputKey, old: boolean): void {
    const sum = this.#sums.classOf(path);
    if (old || (sum === undefined && !this.#kept.has(path))) return;
    const why =
      sum !== undefined
        ? `The path has an object of the class ${sum}, too.`
        : whyNotAdded(className, (derived, base) => codec.derives(derived, base));
    if (why !== undefined) this.#merging.leftOut.push(notAdded(path, name, why));
  }

  /** Keeps an object unchanged. */
  async #keep(
    input: MergeInput,
    key: InputKey,
    options: CallOptions,
    given?: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const { out, records, directories } = this.#merging;
    const record = given ?? (await recordOf(input, key, options)).slice();
    refuseNestedTrees(key, record, input.codec);
    const kept = this.#kept.get(key.path) ?? { keys: [] };
    this.#kept.set(key.path, kept);
    const own = records.readKey(record);
    const refers = input.pid > 0 && mayRefer(input.codec, record);
    const pid = own.pid + (refers ? input.pid : 0);
    const cycle = Math.max(key.cycle, 1 + (kept.keys.at(-1)?.cycle ?? 0));
    const directory = directoryAt(directories, parentOf(key));
    if (!out.canAppend(record) || (refers && own.wide === 0)) {
      const written = await this.#writeAnew(input, key, record, cycle, pid);
      if (written) kept.keys.push({ ...written, cycle });
      return;
    }
    const { at } = await out.record(directory, record, { cycle, ...(refers && { pid }) });
    kept.keys.push({ key: record.slice(0, own.bytes), seek: at, cycle });
  }

  /** Writes an object again with a key with 8-byte positions, if its class is known. */
  async #writeAnew(
    { name, codec }: MergeInput,
    key: InputKey,
    record: Uint8Array,
    cycle: number,
    pid: number,
  ): Promise<ListedKey | undefined> {
    const { records, directories, leftOut } = this.#merging;
    const directory = directoryAt(directories, parentOf(key));
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

  /** Keeps a process id under the number that the records of its file use. */
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

  free(): void {
    this.#sums.free();
  }
}

/** Whether an object may have numbers of process ids. True if it cannot be decoded. */
function mayRefer(codec: ClassCodec, record: Uint8Array): boolean {
  try {
    return hasProcessIds(codec.read(record));
  } catch (thrown) {
    const { code } = toXylemError(thrown);
    if (code !== 'UNSUPPORTED' && code !== 'NO_STREAMER') throw thrown;
    return true;
  }
}

/** Returns the number that the records of its file use for a process id. */
function processNumber({ name }: KeyInfo): number {
  return Number(/^ProcessID(\d+)$/.exec(name)?.[1] ?? 0);
}

/** Reads the record of an object. Throws the errors of reading, and CORRUPT if records overlap. */
async function recordOf(
  input: MergeInput,
  { offset, storedBytes }: KeyInfo,
  options: CallOptions,
): Promise<Uint8Array> {
  takeBytes(input, storedBytes);
  return input.reader.bytes(input.id, [{ offset, length: storedBytes }], options);
}

function notAdded(path: string, file: string, why: string): string {
  return `${path} of ${file} is not added: ${why} It is kept as a cycle.`;
}
