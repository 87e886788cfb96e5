import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Core } from '../../../web/core/core';
import { readHeader, type WalkedRecord, walkEverything } from '../../../web/core/file-core';
import type { WriterExports } from '../../../web/core/module';
import { ClassCodec } from '../../../web/features/writer/work/encode/class-codec';

const root = resolve(import.meta.dirname, '../../..');
const compile = (name: string) => WebAssembly.compile(readFileSync(join(root, 'build', name)));

/** The core that reads, and the module that writes. */
export async function bothModules(): Promise<{ core: Core; writer: Core<WriterExports> }> {
  return {
    core: await Core.create(await compile('xylem.wasm')),
    writer: await Core.create<WriterExports>(await compile('xylem-write.wasm')),
  };
}

/** Records of a file in the order in which they lie, also those that no directory lists any more, and its classes. */
export function recordsOf(
  { core, writer }: { core: Core; writer: Core<WriterExports> },
  bytes: Uint8Array,
): { records: WalkedRecord[]; classes: ClassCodec } {
  const header = readHeader(core, bytes);
  const { keys } = walkEverything(core, bytes.subarray(header.begin), header.begin);
  const infos = bytes.subarray(header.seekInfo, header.seekInfo + header.nbytesInfo);
  return {
    records: keys.filter((key): key is WalkedRecord => key.className !== undefined),
    classes: new ClassCodec(writer, header.version, header.seekInfo > 0 ? infos : undefined),
  };
}

/** A record of an object, uncompressed: the key of another record with new lengths. */
export function recordWith(source: Uint8Array, keyLength: number, object: Uint8Array): Uint8Array {
  const record = new Uint8Array(keyLength + object.length);
  record.set(source.subarray(0, keyLength));
  record.set(object, keyLength);
  const view = new DataView(record.buffer);
  view.setInt32(0, record.length);
  view.setInt32(6, object.length);
  return record;
}
