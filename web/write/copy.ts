import type { CallOptions, FileId, ReaderApi } from '../api/api';
import { throwIfAborted } from '../base/abort';
import { XylemError } from '../base/errors';
import { checksum } from '../cache/checksum';
import { endOf } from '../io/ranges';
import type { Range } from '../io/source';
import type { Directory, FileWriter } from './file-writer';
import type { Input } from './input';
import type { Records } from './records';

/** A record of an input that is copied as it is stored, into a directory of the output. */
export interface Piece extends Range {
  directory: Directory;
  /** Throws when the record cannot be copied. */
  check?: ((record: Uint8Array) => void) | undefined;
}

/** Bytes that are read and written at once; while they are written, the next are read. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Enough of a record for its key's length and texts. */
const KEY_BYTES = 1024;

/** A record that was copied. */
export interface Copied {
  /** Its place in the output. */
  at: number;
  length: number;
  /** Checksum of what follows its key. */
  sum: number;
}

/**
 * Appends records in the given order, with their places in their keys. `pid` is added to the numbers from which their
 * process ids count. Returns where each lies. Throws CORRUPT when a record is not as long as it was said to be, and what
 * `check` of a piece throws.
 */
export async function copyRecords(
  input: Input,
  out: FileWriter,
  records: Records,
  pieces: readonly Piece[],
  options: CallOptions & { onBytes?: ((bytes: number) => void) | undefined; pid?: number | undefined },
): Promise<Copied[]> {
  const copied: Copied[] = [];
  const read = (batch: Batch) => input.reader.bytes(input.id, batch.ranges, { signal: options.signal });
  const batches = batchesOf(pieces)[Symbol.iterator]();
  let next = batches.next();
  let reading = next.done ? undefined : read(next.value);
  while (!next.done && reading) {
    const batch = next.value;
    const bytes = await reading;
    throwIfAborted(options.signal);
    next = batches.next();
    reading = next.done ? undefined : read(next.value);
    // It is awaited in the next turn; a failure of the output is thrown before.
    reading?.catch(() => {});
    let at = 0;
    for (let i = batch.from; i < batch.to; i++) {
      const { offset, length, directory, check } = pieces[i] as Piece;
      const record = bytes.subarray(at, at + length);
      const { nbytes, keylen, pid } = records.readKey(record.subarray(0, KEY_BYTES));
      if (nbytes !== length) throw notSoLong(offset, length, nbytes);
      check?.(record);
      const seek = out.end + at;
      records.changeKey(record, { seek, dir: directory.at, ...(options.pid && { pid: pid + options.pid }) });
      copied.push({ at: seek, length, sum: checksum(record.subarray(keylen)) });
      at += length;
    }
    await out.append(bytes);
    options.onBytes?.(bytes.length);
  }
  return copied;
}

/** Reads copied records again. Throws CHECKSUM when one is not as it was when it was copied. */
export async function compareCopied(
  reader: ReaderApi,
  id: FileId,
  records: Records,
  copied: readonly Copied[],
  options: CallOptions & { onBytes?: ((bytes: number) => void) | undefined },
): Promise<void> {
  const pieces = copied.map(({ at, length }) => ({ offset: at, length }));
  for (const { from, to, ranges } of batchesOf(pieces)) {
    const bytes = await reader.bytes(id, ranges, { signal: options.signal });
    let start = 0;
    for (const { at, length, sum } of copied.slice(from, to)) {
      const record = bytes.subarray(start, start + length);
      const { keylen, nbytes, seek } = records.readKey(record.subarray(0, KEY_BYTES));
      if (nbytes !== length || seek !== at || checksum(record.subarray(keylen)) !== sum)
        throw notAsCopied(at, length);
      start += length;
    }
    options.onBytes?.(bytes.length);
  }
}

function notAsCopied(offset: number, length: number): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: `The record at byte ${offset} of the new file is not what was written there.`,
    where: { offset, length },
    fix: 'Check the disk, and write the file again.',
  });
}

interface Batch {
  from: number;
  to: number;
  ranges: Range[];
}

/** Pieces that are read together. Those that follow each other in the input are one range. */
function* batchesOf(pieces: readonly Range[]): Generator<Batch> {
  let from = 0;
  let bytes = 0;
  let ranges: Range[] = [];
  for (const [i, { offset, length }] of pieces.entries()) {
    if (bytes > 0 && bytes + length > BATCH_BYTES) {
      yield { from, to: i, ranges };
      from = i;
      bytes = 0;
      ranges = [];
    }
    bytes += length;
    const last = ranges.at(-1);
    if (last && endOf(last) === offset) last.length += length;
    else ranges.push({ offset, length });
  }
  if (bytes > 0) yield { from, to: pieces.length, ranges };
}

function notSoLong(offset: number, length: number, found: number): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: `The record at byte ${offset} has ${found} bytes, but it is listed with ${length}.`,
    where: { offset, length },
    fix: 'The file may be damaged: see what "xylem check" finds.',
  });
}
