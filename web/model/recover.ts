import { XylemError } from '../base/errors';
import type { Core } from '../core/core';
import { type FileHeader, type KeyRecord, walkRecords } from '../core/file-core';
import type { ByteReader, ReadOptions } from '../io/reader';

/** Keys that a walk over a file's records found because the file's own lists are missing. */
export interface Recovered {
  keys: { prefix: string; record: KeyRecord }[];
  /** The record of the streamer infos, when the walk found it. */
  streamers: KeyRecord | undefined;
  /** Byte at which the walk ended. */
  end: number;
}

/** The walk reads pieces of this size and steps over records that are longer. */
const PIECE_BYTES = 256 * 1024;

/**
 * Finds the records of a file that was never closed or is cut off, by walking them from the first on. Records
 * that end after `size` are left out. Throws the errors of reading.
 */
export async function recoverKeys(
  core: Core,
  reader: ByteReader,
  header: FileHeader,
  size: number,
  options: ReadOptions,
): Promise<Recovered> {
  const records: { key: KeyRecord; seekDir: number }[] = [];
  let at = header.begin;
  while (at < size) {
    const length = Math.min(PIECE_BYTES, size - at);
    let bytes: Uint8Array | undefined;
    try {
      [bytes] = await reader.read([{ offset: at, length }], { ...options, purpose: 'records' });
    } catch (thrown) {
      if (thrown instanceof XylemError && thrown.code === 'TRUNCATED') break;
      throw thrown;
    }
    const walked = walkRecords(core, bytes ?? new Uint8Array(0), at);
    for (const { at: place, seekDir, ...key } of walked.keys) {
      if (place + key.nbytes <= size) records.push({ key: { ...key, seekKey: place }, seekDir });
    }
    if (walked.stopped || walked.next <= at) break;
    at = walked.next;
  }
  return { ...arrange(records, header), end: Math.min(at, size) };
}

/** Gives each record its directory; lists of keys and of free space are not keys themselves. */
function arrange(
  records: { key: KeyRecord; seekDir: number }[],
  header: FileHeader,
): Pick<Recovered, 'keys' | 'streamers'> {
  const prefixes = new Map<number, string>([[header.begin, '']]);
  const names = new Map<number, string>();
  const keys: Recovered['keys'] = [];
  let streamers: KeyRecord | undefined;
  for (const { key, seekDir } of records) {
    const isDirectory = /^TDirectory(File)?$/.test(key.className);
    // A directory's list of keys has its name and lies in the directory itself.
    const isList = isDirectory && names.get(seekDir) === key.name;
    if (key.className === 'TFile' || isList) continue;
    if (key.name === 'StreamerInfo' && key.className === 'TList') {
      streamers = key;
      continue;
    }
    const prefix = prefixes.get(seekDir) ?? '';
    if (isDirectory) {
      prefixes.set(key.seekKey, `${prefix}${key.name}/`);
      names.set(key.seekKey, key.name);
    }
    keys.push({ prefix, record: key });
  }
  return { keys, streamers };
}
