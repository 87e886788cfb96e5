import type { CallOptions, FileId, FileInfo, KeyInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import { unsupported } from '../../../../base/data-errors';
import type { Range } from '../../../../io/source';
import type { FileNumbers, Records } from '../file/records';

/** A key of an input, with its bytes. */
export interface InputKey extends KeyInfo {
  /** The key as stored in the list of its directory; without a list, as stored in its own record. */
  header: Uint8Array;
}

/** A directory below the root of an input. */
export interface InputDirectory {
  path: string;
  key: InputKey;
  /** The key of its own record. Its texts may differ from those in the list. */
  header: Uint8Array;
  /** Creation date in ROOT's packed format. */
  created: number;
}

/** The calls of a reader by which files are copied. */
export type InputReader = Pick<EngineApi, 'bytes' | 'layout' | 'tree' | 'types' | 'arrays' | 'makeBaskets'>;

/** A file that is copied from. */
export interface Input {
  reader: InputReader;
  id: FileId;
  info: FileInfo;
  header: FileNumbers;
  /** Bytes of the title of the file. */
  title: Uint8Array;
  created: number;
  /** All directories and cycles, in the order of the lists of keys. */
  keys: readonly InputKey[];
  directories: readonly InputDirectory[];
  /** The record of the streamer infos. */
  streamers: Range | undefined;
  /** Number of bytes that are best copied at once, if the source has a preference. */
  copyBytes: number | undefined;
  /** Bytes that were copied so far: see `takeBytes`. */
  taken: { bytes: number };
}

/** Bytes that are read for a key and what follows it. Longer keys are read again. */
const KEY_BYTES = 1024;
/** Maximum length of a key: fKeylen has 2 bytes, of which ROOT uses 15 bits. */
export const MAX_KEY_BYTES = 32 * 1024;
/** Bytes from the first record on that contain the root directory. */
const ROOT_BYTES = 4 * 1024;

/** Reads the keys of a file and their bytes. Throws the errors of reading, and CORRUPT. */
export async function readInput(
  reader: EngineApi,
  id: FileId,
  info: FileInfo,
  records: Records,
  options: CallOptions,
): Promise<Input> {
  if (info.files) throw unsupported('Several files cannot be copied as one.', 'Copy one file at a time.');
  const keys = await reader.keys(id, options);
  const named = await reader.records(id, options);
  const lists = named.records.filter(({ kind }) => kind === 'keys');
  const read = await reader.bytes(id, [{ offset: 0, length: Math.min(ROOT_BYTES, named.end) }], options);
  const start = records.withHeader(read, info.size);
  const header = records.readFile(start);
  const listed = await readLists(reader, id, lists, records, options);
  const withKeys: InputKey[] = [];
  for (const key of keys) {
    const found = listed.get(placeOf(key.offset, key.cycle))?.shift();
    withKeys.push({ ...key, header: found ?? (await ownKey(reader, id, key, records, options)) });
  }
  const streamers = named.records.find(({ kind }) => kind === 'streamers');
  return {
    reader,
    id,
    info,
    header,
    title: records.textsOf(start.subarray(header.begin)).title,
    created: records.readDirectory(start.subarray(header.begin + header.nbytesName)).created,
    keys: withKeys,
    directories: await readDirectories(reader, id, withKeys, records, options),
    streamers: streamers && { offset: streamers.offset, length: streamers.length },
    copyBytes: named.copyBytes,
    taken: { bytes: 0 },
  };
}

/** Names a key in a list of keys: see `readKeyList`. */
export const placeOf = (seek: number, cycle: number): string => `${seek};${cycle}`;

/** Returns the keys in lists of keys, by their positions and cycles. */
async function readLists(
  reader: EngineApi,
  id: FileId,
  lists: readonly Range[],
  records: Records,
  options: CallOptions,
): Promise<Map<string, Uint8Array[]>> {
  const found = new Map<string, Uint8Array[]>();
  if (lists.length === 0) return found;
  const bytes = await reader.bytes(
    id,
    lists.map(({ offset, length }) => ({ offset, length })),
    options,
  );
  let end = 0;
  for (const { length } of lists) {
    const start = end;
    end += length;
    readKeyList(bytes.subarray(start, end), records, found);
  }
  return found;
}

/** Adds the keys in a list of keys, by their positions and cycles. */
export function readKeyList(
  list: Uint8Array,
  records: Records,
  found = new Map<string, Uint8Array[]>(),
): Map<string, Uint8Array[]> {
  // The number of keys follows the key of the list. There may be unused space after the keys, as in files of uproot.
  const first = list.subarray(0, Math.min(list.length, MAX_KEY_BYTES));
  let at = records.readKey(first).keylen + 4;
  const count = at <= list.length ? new DataView(list.buffer, list.byteOffset + at - 4).getUint32(0) : 0;
  for (const key of records.readKeys(list.subarray(Math.min(at, list.length)), count)) {
    const place = placeOf(key.seek, key.cycle);
    const header = list.subarray(at, at + key.bytes);
    const same = found.get(place);
    if (same) same.push(header);
    else found.set(place, [header]);
    at += key.bytes;
  }
  return found;
}

/** Reads the key at the start of its own record. */
async function ownKey(
  reader: EngineApi,
  id: FileId,
  { offset, storedBytes }: KeyInfo,
  records: Records,
  options: CallOptions,
): Promise<Uint8Array> {
  for (const room of [KEY_BYTES, MAX_KEY_BYTES]) {
    const length = Math.min(storedBytes, room);
    const bytes = await reader.bytes(id, [{ offset, length }], options);
    try {
      return bytes.subarray(0, records.readKey(bytes).bytes);
    } catch (thrown) {
      if (length === storedBytes || room === MAX_KEY_BYTES) throw thrown;
    }
  }
  return new Uint8Array(0);
}

async function readDirectories(
  reader: EngineApi,
  id: FileId,
  keys: readonly InputKey[],
  records: Records,
  options: CallOptions,
): Promise<InputDirectory[]> {
  const found = keys.filter(({ kind }) => kind === 'directory');
  if (found.length === 0) return [];
  const ranges = found.map(({ offset, storedBytes }) => ({ offset, length: storedBytes }));
  const bytes = await reader.bytes(id, ranges, options);
  let end = 0;
  return found.map((key) => {
    const start = end;
    end += key.storedBytes;
    const record = bytes.subarray(start, end);
    const { keylen } = records.readKey(record);
    const { created } = records.readDirectory(record.subarray(keylen));
    return { path: key.path, key, header: record.subarray(0, keylen), created };
  });
}
