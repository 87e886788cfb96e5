import type { CallOptions, KeyInfo } from '../api/api';
import type { FileRecord, FileRecords, RecordKind, WalkedRecords } from '../api/records';
import { XylemError } from '../base/errors';
import type { Core } from '../core/core';
import { type FileHeader, readFreeList, walkEverything } from '../core/file-core';
import { readSound } from '../io/doubt';
import type { ByteReader, ReadOptions } from '../io/fetch/reader';
import type { Range } from '../io/source';
import { cyclePath } from './keys';

export interface RecordsContext {
  core: Core;
  reader: ByteReader;
  header: FileHeader;
  keys: readonly KeyInfo[];
  /** Lists of keys: of the root directory and of all directories below it. */
  keyLists: readonly { path: string; seekKeys: number; nbytesKeys: number }[];
}

/** Returns the records named by the header, the lists of keys and the list of free space. */
export async function fileRecords(context: RecordsContext, options: ReadOptions): Promise<FileRecords> {
  const { core, reader, header, keys, keyLists } = context;
  const { begin, end } = header;
  const notes: string[] = [];
  const records: FileRecord[] = [
    { kind: 'header', offset: 0, length: begin, name: 'file header', className: '' },
    { kind: 'directory', offset: begin, length: header.beginBytes, name: '/', className: 'TFile' },
  ];
  for (const { path, seekKeys, nbytesKeys } of keyLists) {
    records.push({ kind: 'keys', offset: seekKeys, length: nbytesKeys, name: path || '/', className: '' });
  }
  for (const key of keys) {
    records.push({
      kind: kindOfKey(key),
      offset: key.offset,
      length: key.storedBytes,
      name: cyclePath(key),
      className: key.className,
      objectBytes: key.objectBytes,
    });
  }
  if (header.seekInfo > 0) {
    records.push({
      kind: 'streamers',
      offset: header.seekInfo,
      length: header.nbytesInfo,
      name: 'StreamerInfo',
      className: 'TList',
    });
  }
  if (header.seekFree > 0 && header.nbytesFree > 0) {
    const place = { offset: header.seekFree, length: header.nbytesFree };
    records.push({ kind: 'freelist', ...place, name: 'free list', className: '' });
    try {
      const { first, last } = await readSound(
        reader,
        [place],
        { ...options, purpose: 'free list' },
        ([bytes = new Uint8Array(0)]) => readFreeList(core, bytes),
      );
      for (const [i, offset] of first.entries()) {
        const length = Math.min((last[i] ?? 0) + 1, end) - offset;
        if (length > 0) records.push({ kind: 'free', offset, length, name: 'free space', className: '' });
      }
    } catch (thrown) {
      if (!(thrown instanceof XylemError) || thrown.code === 'ABORTED') throw thrown;
      notes.push(`The list of free space cannot be read: ${thrown.message}`);
    }
  }
  const good = records.filter(({ offset, length }) => offset >= 0 && length > 0);
  good.sort((a, b) => a.offset - b.offset);
  const { copyBytes } = reader.source;
  return { size: reader.source.info().size ?? end, end, records: good, notes, copyBytes };
}

function kindOfKey(key: KeyInfo): RecordKind {
  return key.kind === 'directory' || key.kind === 'tree' || key.kind === 'ntuple' ? key.kind : 'object';
}

/** A walk reads pieces of this size, and skips longer records. */
const PIECE_BYTES = 1024 * 1024;
/** Bytes that are read for the key of a record. */
const KEY_BYTES = 512;
/** Number of pieces that are requested together. */
const PIECES_AT_ONCE = 64;

/**
 * Walks the records that begin within the ranges. Each range has to start with a record. Throws the errors of
 * reading. If there is no record, the walk of that range ends and reports it.
 */
export async function walkRanges(
  { core, reader }: Pick<RecordsContext, 'core' | 'reader'>,
  ranges: readonly Range[],
  size: number,
  { signal, onProgress }: CallOptions,
): Promise<WalkedRecords> {
  const table = createTable();
  const total = ranges.reduce((sum, range) => sum + range.length, 0);
  let open = ranges
    .map(({ offset, length }) => ({ at: offset, end: Math.min(offset + length, size) }))
    .filter(({ at, end }) => at >= 0 && at < end);
  const doubted = new Set<number>();
  while (open.length > 0) {
    const now = open.slice(0, PIECES_AT_ONCE);
    const pieces = await reader.read(
      now.map(({ at, end }) => ({
        offset: at,
        length: Math.min(Math.max(Math.min(end - at, PIECE_BYTES), KEY_BYTES), size - at),
      })),
      { signal, purpose: 'records' },
    );
    const further: typeof open = [];
    for (const [i, range] of now.entries()) {
      const walked = walkEverything(core, pieces[i] ?? new Uint8Array(0), range.at);
      for (const key of walked.keys) if (key.at < range.end) table.add(key);
      if (walked.next >= range.end) continue;
      if (walked.stopped || walked.next <= range.at) {
        const rest = range.at + (pieces[i]?.length ?? 0) - walked.next;
        if (doubtOnce(reader, doubted, { offset: walked.next, length: rest }))
          further.push({ at: walked.next, end: range.end });
        else
          table.stopped.push({
            offset: walked.next,
            why: walked.stopped || 'a record is too long to be read',
          });
      } else further.push({ at: walked.next, end: range.end });
    }
    open = [...further, ...open.slice(PIECES_AT_ONCE)];
    const left = open.reduce((sum, { at, end }) => sum + end - at, 0);
    onProgress?.({
      label: 'Walking the records',
      bytesDone: Math.max(0, total - left),
      bytesTotal: total,
      entriesDone: 0,
      entriesTotal: 0,
    });
  }
  return table.done();
}

/**
 * Reports bytes without a record to the reader as possibly damaged, once for each position. Returns whether to read
 * them again.
 */
export function doubtOnce(reader: ByteReader, doubted: Set<number>, range: Range): boolean {
  if (range.length <= 0 || doubted.has(range.offset)) return false;
  doubted.add(range.offset);
  return reader.distrust([range]).again;
}

type Walked = ReturnType<typeof walkEverything>['keys'][number];

function createTable() {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const number = (text: string): number => {
    let found = numbers.get(text);
    if (found === undefined) {
      found = texts.push(text) - 1;
      numbers.set(text, found);
    }
    return found;
  };
  const rows: number[] = [];
  const width = 7;
  const stopped: WalkedRecords['stopped'] = [];
  return {
    stopped,
    add(record: Walked): void {
      const key = record.className === undefined ? undefined : record;
      const { at, nbytes } = record;
      rows.push(at, Math.abs(nbytes), key?.keylen ?? 0, key?.objlen ?? 0);
      rows.push(number(key?.className ?? ''), number(key?.name ?? ''), number(key?.title ?? ''));
    },
    done(): WalkedRecords {
      const length = rows.length / width;
      const column = (k: number) => Float64Array.from({ length }, (_, i) => rows[i * width + k] ?? 0);
      return {
        offset: column(0),
        length: column(1),
        keyBytes: column(2),
        objectBytes: column(3),
        className: Uint32Array.from(column(4)),
        name: Uint32Array.from(column(5)),
        title: Uint32Array.from(column(6)),
        texts,
        stopped,
      };
    },
  };
}
