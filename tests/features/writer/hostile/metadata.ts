import { joined } from '../../../../web/base/bytes';
import { readHeader } from '../../../../web/core/file-core';
import type { ObjectData } from '../../../../web/features/writer/work/encode/types';
import { Records } from '../../../../web/features/writer/work/file/records';
import type { bothModules } from '../module';
import { recordsOf } from '../module';

type Modules = Awaited<ReturnType<typeof bothModules>>;

/** Bytes of a file, of which a part has a meaning. */
export interface Region {
  kind: 'header' | 'key' | 'basket' | 'blob' | 'anchor' | 'streamers' | 'tree' | 'object' | 'list';
  at: number;
  length: number;
}

/** A record of metadata: its key, and the object behind it, uncompressed. */
export interface OpenRecord {
  className: string;
  name: string;
  keylen: number;
  object: Uint8Array;
  /** The record as `ClassCodec.read` takes it. */
  record: Uint8Array;
}

/** A file whose metadata are uncompressed, and the places of its records. */
export interface OpenedFile {
  bytes: Uint8Array<ArrayBuffer>;
  regions: Region[];
  places: number[];
}

const TREES = ['TTree', 'TNtuple', 'TNtupleD'];
/** Bytes of the header of a small file: fEND, fSeekInfo and fNbytesInfo. */
const END = 12;
const SEEK_INFO = 37;
/** Bytes in which the root directory lies. */
const ROOT_BYTES = 400;
/** More bytes are left compressed. */
const MAX_OBJECT = 400_000;

/**
 * The same file with the metadata of a small ROOT file uncompressed at its end, as `edit` gives it; undefined keeps an
 * object. Keys and header name the new places, so that only what was edited differs from a file of ROOT. Gives the
 * regions of the file, too.
 */
export function openMetadata(
  modules: Modules,
  bytes: Uint8Array,
  edit: (record: OpenRecord) => Uint8Array | undefined = () => undefined,
): OpenedFile {
  const header = readHeader(modules.core, bytes);
  const { records, classes } = recordsOf(modules, bytes);
  const keys = new Records(modules.writer);
  const file = Uint8Array.from(bytes.subarray(0, header.end));
  const added: Uint8Array[] = [];
  const regions: Region[] = [{ kind: 'header', at: 0, length: 64 }];
  let end = file.length;
  for (const { at: offset, nbytes: length, className, name } of records) {
    const record = bytes.slice(offset, offset + length);
    const { keylen, objlen } = keys.readKey(record);
    const kind = kindOf(className, offset === header.seekInfo);
    regions.push({ kind: 'key', at: offset, length: keylen });
    const isObject = kind === 'tree' || kind === 'object' || kind === 'streamers';
    const object = isObject && objlen <= MAX_OBJECT ? unpacked(classes, record) : undefined;
    const wanted = object && edit({ className, name, keylen, object, record });
    if (!object || (!wanted && length - keylen === objlen)) {
      regions.push({ kind, at: offset + keylen, length: length - keylen });
      continue;
    }
    const made = joined([record.subarray(0, keylen), wanted ?? object]);
    const numbers = { nbytes: made.length, objlen: made.length - keylen };
    keys.changeKey(made, { ...numbers, seek: end });
    for (const at of placesOf(file, record.subarray(0, keylen), offset)) {
      const listed = file.slice(at, at + keylen);
      keys.changeKey(listed, { ...numbers, seek: end });
      file.set(listed, at);
    }
    if (kind === 'streamers') setInts(file, SEEK_INFO, [end, made.length]);
    regions.push({ kind, at: end + keylen, length: made.length - keylen });
    added.push(made);
    end += made.length;
  }
  classes.free();
  setInts(file, END, [end]);
  return { bytes: joined([file, ...added]), regions, places: records.map(({ at }) => at) };
}

/** The same file with changes in the record of each tree. */
export function withTrees(
  modules: Modules,
  bytes: Uint8Array,
  change: (tree: ObjectData) => void,
): Uint8Array<ArrayBuffer> {
  const { classes } = recordsOf(modules, bytes);
  const edited = openMetadata(modules, bytes, ({ className, record, keylen }) => {
    if (!TREES.includes(className)) return undefined;
    const tree = classes.read(record);
    change(tree);
    return classes.write(tree, keylen);
  });
  classes.free();
  return edited.bytes;
}

/**
 * The same file with a list of keys that names its first key this number of times, each with another cycle, or with another
 * last letter of the name that is given.
 */
export function withKeys(
  { core, writer }: Modules,
  bytes: Uint8Array,
  count: number,
  name?: string,
): Uint8Array<ArrayBuffer> {
  const keys = new Records(writer);
  const { begin, end, seekKeys, nbytesKeys } = readHeader(core, bytes);
  const list = bytes.slice(seekKeys, seekKeys + nbytesKeys);
  const { keylen } = keys.readKey(list);
  const first = list.subarray(keylen + 4, keylen + 4 + keys.readKey(list.subarray(keylen + 4)).bytes);
  const copies = Array.from({ length: count }, (_, i) => {
    const key = first.slice();
    if (name === undefined) keys.changeKey(key, { cycle: i + 1 });
    else key[Buffer.from(key).indexOf(name) + name.length - 1] = 0x41 + i;
    return key;
  });
  const number = new Uint8Array(4);
  new DataView(number.buffer).setInt32(0, count);
  const made = joined([list.subarray(0, keylen), number, ...copies]);
  keys.changeKey(made, { nbytes: made.length, objlen: made.length - keylen, seek: end });
  const file = joined([bytes.subarray(0, end), made]);
  // The root directory says where its list lies.
  for (let at = begin; at < begin + ROOT_BYTES; at++) {
    const view = new DataView(file.buffer, at);
    if (view.getInt32(0) !== seekKeys) continue;
    view.setInt32(0, end);
    // Its length stands before three other numbers.
    setInts(file, at - 16, [made.length]);
    setInts(file, END, [file.length]);
    return file;
  }
  throw new Error('The root directory names no list of keys.');
}

function kindOf(className: string, isStreamers: boolean): Region['kind'] {
  if (isStreamers) return 'streamers';
  if (TREES.includes(className)) return 'tree';
  if (className === 'TBasket') return 'basket';
  if (className === 'RBlob') return 'blob';
  if (className === 'ROOT::RNTuple') return 'anchor';
  return ['TFile', 'TDirectory', 'TDirectoryFile', ''].includes(className) ? 'list' : 'object';
}

function unpacked(classes: { unpack(record: Uint8Array): Uint8Array }, record: Uint8Array) {
  try {
    return classes.unpack(record);
  } catch {
    return undefined;
  }
}

/** The places of copies of a key in lists of keys. */
function placesOf(file: Uint8Array, key: Uint8Array, own: number): number[] {
  const whole = Buffer.from(file.buffer, file.byteOffset, file.length);
  const found: number[] = [];
  for (let at = whole.indexOf(key); at >= 0; at = whole.indexOf(key, at + 1)) if (at !== own) found.push(at);
  return found;
}

function setInts(file: Uint8Array, at: number, numbers: readonly number[]): void {
  const view = new DataView(file.buffer, file.byteOffset);
  for (const [i, number] of numbers.entries()) view.setInt32(at + 4 * i, number);
}
