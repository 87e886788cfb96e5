import { joined } from '../../../../base/bytes';
import { codecOf } from '../../../../core/compression';
import type { ClassCodec } from '../encode/class-codec';
import type { Directory } from '../file/file-writer';
import type { KeyTexts } from '../file/records';
import type { Merging } from './merge-files';

/** A key in a list of the output. */
export interface ListedKey {
  key: Uint8Array;
  seek: number;
}

/**
 * Writes an object with these texts in its key, compressed as the file is. `pid` is the offset of its process ids.
 */
export async function writeObject(
  merging: Pick<Merging, 'out' | 'records' | 'date' | 'compress'>,
  texts: KeyTexts,
  cycle: number,
  directory: Directory,
  object: (keyLength: number) => Uint8Array,
  codec: ClassCodec,
  pid = 0,
): Promise<ListedKey> {
  const { out, records } = merging;
  const record = makeRecord(merging, texts, cycle, object, codec, pid);
  const { at } = await out.record(directory, record);
  return { key: record.slice(0, records.readKey(record).bytes), seek: at };
}

/** Returns the record of an object that will be at the end of the file. */
export function makeRecord(
  { out, records, date, compress }: Pick<Merging, 'out' | 'records' | 'date' | 'compress'>,
  texts: KeyTexts,
  cycle: number,
  object: (keyLength: number) => Uint8Array,
  codec: ClassCodec,
  pid = 0,
): Uint8Array<ArrayBuffer> {
  const makeKey = (stored: number, objlen: number) => {
    const numbers = { stored, objlen, datime: date, cycle, seek: out.end, dir: out.root.at, pid };
    return records.makeKey(texts, numbers);
  };
  const plain = object(makeKey(0, 0).length);
  const packed = codec.pack(plain, codecOf(compress));
  return joined([makeKey(packed.length, plain.length), packed]);
}
