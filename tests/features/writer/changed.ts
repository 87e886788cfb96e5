import type { EngineApi } from '../../../web/api/engine-api';
import type { ObjectData } from '../../../web/features/writer/work/encode/types';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec } from '../../engine/fixtures';
import { type bothModules, recordsOf, recordWith } from './module';

/** A file that grows: records are put at its end, and the place of each into its key. */
export class Appended {
  bytes: Uint8Array<ArrayBuffer>;

  constructor(source: Uint8Array) {
    this.bytes = source.slice();
  }

  append(record: Uint8Array): number {
    const at = this.bytes.length;
    const placed = record.slice();
    const view = new DataView(placed.buffer);
    if (view.getInt16(4) > 1000) view.setBigInt64(18, BigInt(at));
    else view.setInt32(18, at);
    const grown = new Uint8Array(at + placed.length);
    grown.set(this.bytes);
    grown.set(placed, at);
    new DataView(grown.buffer).setInt32(12, grown.length); // fEND
    this.bytes = grown;
    return at;
  }

  /** Lets the lists of keys name a new record in the place of an old one. */
  replaceKey(old: Uint8Array, at: number): void {
    const file = Buffer.from(this.bytes.buffer);
    for (let found = file.indexOf(old, 100); found >= 0; found = file.indexOf(old, found + 1))
      if (found !== at) this.bytes.set(this.bytes.subarray(at, at + old.length), found);
  }
}

/** A copy of a file in which the object of a key is another one. */
export function changedObject(
  modules: Awaited<ReturnType<typeof bothModules>>,
  bytes: Uint8Array,
  offset: number,
  change: (data: ObjectData) => void,
): Uint8Array<ArrayBuffer> {
  const { records, classes } = recordsOf(modules, bytes);
  const key = records.find(({ at }) => at === offset);
  if (!key) throw new Error(`there is no record at ${offset}`);
  const record = bytes.subarray(key.at, key.at + key.nbytes);
  const data = classes.read(record);
  change(data);
  const object = classes.write(data, key.keylen);
  classes.free();
  const file = new Appended(bytes);
  const at = file.append(recordWith(record, key.keylen, object));
  file.replaceKey(record.subarray(0, key.keylen), at);
  // The old record is free now, and a walk finds the new one alone.
  new DataView(file.bytes.buffer).setInt32(key.at, -key.nbytes);
  return file.bytes;
}

/** A copy of a file in which the record of a tree is changed. */
export async function changedTree(
  reader: EngineApi,
  modules: Awaited<ReturnType<typeof bothModules>>,
  bytes: Uint8Array,
  path: string,
  change: (data: ObjectData) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const { id } = await reader.open(bufferSpec('unchanged', bytes));
  const { record } = await reader.layout(id, path);
  await reader.close(id);
  return changedObject(modules, bytes, record.offset, change);
}

/** A copy of a file that was never closed, which is sound. */
export async function closedCopy(
  reader: EngineApi,
  writer: WebAssembly.Module,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const info = await reader.open(bufferSpec('not closed', bytes));
  const sink = memorySink();
  await skimFile(reader, info, sink, { writer, name: 'closed.root' });
  await reader.close(info.id);
  return sink.bytes();
}
