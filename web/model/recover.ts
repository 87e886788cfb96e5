import { XylemError } from '../base/errors';
import type { Core } from '../core/core';
import { type FileHeader, findRecord, type KeyRecord, walkEverything, walkRecords } from '../core/file-core';
import type { ByteReader, ReadOptions } from '../io/fetch/reader';
import { doubtOnce } from './records';

/** Keys found by a walk over a file's records, because the file's own lists are missing. */
export interface Recovered {
  keys: { prefix: string; record: KeyRecord }[];
  /** The record of the streamer infos, if the walk found it. */
  streamers: KeyRecord | undefined;
  /** Position at which the walk ended. */
  end: number;
  /** Bytes outside records, which the walk skipped. */
  skipped: number;
}

/** The walk reads pieces of this size, and skips longer records. */
const PIECE_BYTES = 256 * 1024;
/** Pieces overlap by this many bytes when the next record is searched, enough for a key and its texts. */
const OVERLAP_BYTES = 4 * 1024;

/**
 * Finds the records of a file that was never closed, is cut off or damaged, by walking from the first record on.
 * Bytes outside records are skipped; records that end after `size` are left out. Throws the errors of reading.
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
  /** The end of the last record, and the number of bytes outside records. */
  let end = at;
  let skipped = 0;
  const doubted = new Set<number>();
  while (at < size) {
    const bytes = await readPiece(reader, at, Math.min(PIECE_BYTES, size - at), options);
    if (!bytes) break;
    if (at > end) {
      const found = findRecord(core, bytes, at);
      if (found === undefined) {
        if (bytes.length <= OVERLAP_BYTES) break;
        at += bytes.length - OVERLAP_BYTES;
        continue;
      }
      at += found;
      skipped += at - end;
      end = at;
      continue;
    }
    const walked = walkRecords(core, bytes, at);
    for (const { at: place, seekDir, ...key } of walked.keys) {
      if (place + key.nbytes <= size) records.push({ key: { ...key, seekKey: place }, seekDir });
    }
    // A gap that reaches beyond the file is ignored.
    const gap = walked.next > size ? lastGap(core, bytes, at) : undefined;
    end = gap ?? walked.next;
    const stopped = walked.stopped !== '' || walked.next <= at || gap !== undefined;
    const rest = { offset: end, length: at + bytes.length - end };
    at = stopped && !doubtOnce(reader, doubted, rest) ? end + 1 : end;
  }
  return { ...arrange(records, header), end: Math.min(end, size), skipped };
}

/** Returns the position of the gap at which a walk over a piece ends; undefined if it ends with a record. */
function lastGap(core: Core, bytes: Uint8Array, at: number): number | undefined {
  const last = walkEverything(core, bytes, at).keys.at(-1);
  return last && last.nbytes < 0 ? last.at : undefined;
}

/** Reads a piece of the file; undefined if the file ends before it. */
async function readPiece(
  reader: ByteReader,
  offset: number,
  length: number,
  options: ReadOptions,
): Promise<Uint8Array | undefined> {
  try {
    const [bytes] = await reader.read([{ offset, length }], { ...options, purpose: 'records' });
    return bytes;
  } catch (thrown) {
    if (thrown instanceof XylemError && thrown.code === 'TRUNCATED') return undefined;
    throw thrown;
  }
}

/** Assigns each record to its directory. Lists of keys and of free space are not keys. */
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
    // A directory's list of keys has its name or an empty one, and is in the directory itself.
    const isList = isDirectory && (key.name === '' || names.get(seekDir) === key.name);
    // Envelopes and pages of RNTuples are not listed as keys.
    if (key.className === 'TFile' || key.className === 'RBlob' || isList) continue;
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
