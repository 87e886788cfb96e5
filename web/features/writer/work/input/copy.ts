import type { CallOptions, FileId } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import { throwIfAborted } from '../../../../base/abort';
import { corrupt } from '../../../../base/data-errors';
import { toXylemError, XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { checksum } from '../../../../cache/checksum';
import { isDamage } from '../../../../io/doubt';
import { endOf, totalLength } from '../../../../io/ranges';
import type { Range } from '../../../../io/source';
import type { Directory, FileWriter } from '../file/file-writer';
import type { Records } from '../file/records';
import { takeBytes } from './claims';
import type { Input } from './input';

/** A record of an input that is copied unchanged into a directory of the output. */
export interface Piece extends Range {
  directory: Directory;
  /** Throws if the record cannot be copied. */
  check?: ((record: Uint8Array) => void) | undefined;
}

/** Bytes that are read and written at once. The next bytes are read while these are written. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** A record that was copied. */
export interface Copied {
  /** Its position in the output. */
  at: number;
  length: number;
}

/** Bytes that were written together. */
export interface CopiedSpan {
  at: number;
  length: number;
  sum: number;
}

/** Memory for successive copies. New arrays for all bytes would take more time than copying them. */
export class CopyBuffers {
  readonly #arrays: Uint8Array<ArrayBuffer>[] = [];
  #turn = 0;

  /**
   * Returns an array for at least `bytes` bytes. Two arrays are used in turn, so the one from two calls ago is
   * overwritten.
   */
  next(bytes: number): Uint8Array<ArrayBuffer> {
    this.#turn = 1 - this.#turn;
    const known = this.#arrays[this.#turn];
    if (known && known.length >= bytes) return known;
    // A record may be longer than a batch.
    const made = new Uint8Array(known ? Math.max(bytes, BATCH_BYTES) : bytes);
    this.#arrays[this.#turn] = made;
    return made;
  }
}

/** How records are copied. */
export interface RecordOptions extends CallOptions {
  onBytes?: ((bytes: number) => void) | undefined;
  /** Number added to the offset of the process ids of records. Default: 0. */
  pid?: number | undefined;
  /** Receives the checksums of the written bytes, for verification. */
  spans?: CopiedSpan[] | undefined;
  /** Memory of other copies that have ended. */
  buffers?: CopyBuffers | undefined;
}

/**
 * Appends records in the given order, except those that the output already has from an earlier run, and sets the
 * positions in their keys. Returns their positions. Throws CORRUPT if a record does not have the expected length or
 * records overlap, BUDGET, and the errors of the `check` of a piece.
 */
export async function copyRecords(
  input: Input,
  out: FileWriter,
  records: Records,
  pieces: readonly Piece[],
  { signal, onBytes, pid = 0, spans, buffers = new CopyBuffers() }: RecordOptions,
): Promise<Copied[]> {
  const copied: Copied[] = [];
  // Checksums need all bytes.
  for (const { length } of spans ? [] : pieces) {
    if (!out.keeps(length)) break;
    takeBytes(input, length);
    copied.push({ at: out.end, length });
    out.skip(length);
    onBytes?.(length);
  }
  const left = pieces.slice(copied.length);
  for await (const batch of readBatches(input, left, { signal, buffers, most: input.copyBytes })) {
    const seek = out.end;
    const moved = left.slice(batch.from, batch.to);
    const bytes = await useSound(input, batch, signal, (came) => {
      const flaw = records.moveRecords(came, moved, { seek, pid });
      if (flaw) throw notSoLong(moved[flaw.index] as Piece, flaw.nbytes);
      checkPieces(moved, came);
    });
    place(moved, seek, copied);
    spans?.push({ at: seek, length: bytes.length, sum: checksum(bytes) });
    await out.append(bytes);
    onBytes?.(bytes.length);
  }
  return copied;
}

/** Calls the checks of consecutive pieces. */
function checkPieces(pieces: readonly Piece[], bytes: Uint8Array): void {
  let at = 0;
  for (const { length, check } of pieces) {
    check?.(bytes.subarray(at, at + length));
    at += length;
  }
}

/** Records the positions of consecutive pieces from a byte on. */
function place(pieces: readonly Piece[], start: number, copied: Copied[]): void {
  let at = start;
  for (const { length } of pieces) {
    copied.push({ at, length });
    at += length;
  }
}

/** Uses the bytes of a batch. Damaged bytes are read once more, from the source. Returns the bytes that were used. */
async function useSound(
  input: Input,
  { bytes, ranges }: ReadBatch,
  signal: AbortSignal | undefined,
  use: (bytes: Uint8Array) => void,
): Promise<Uint8Array> {
  try {
    use(bytes);
    return bytes;
  } catch (thrown) {
    if (!isDamage(toXylemError(thrown))) throw thrown;
    const again = await input.reader.bytes(input.id, [...ranges], { signal, again: true });
    use(again);
    return again;
  }
}

/** Pieces that were read together, by their indices, and the ranges that contain them. */
interface ReadBatch {
  from: number;
  to: number;
  bytes: Uint8Array;
  ranges: readonly Range[];
}

/**
 * Reads pieces, at most `most` bytes at once. The next ones are read while the caller uses these, into the memory of
 * the previous ones.
 */
export async function* readBatches(
  input: Input,
  pieces: readonly Range[],
  {
    signal,
    buffers,
    most,
  }: { signal?: AbortSignal | undefined; buffers: CopyBuffers; most?: number | undefined },
): AsyncGenerator<ReadBatch> {
  const read = ({ ranges }: Batch) => {
    const length = totalLength(ranges);
    // A range beyond the end of the file is refused before memory is allocated.
    const isThere = ranges.every((range) => endOf(range) <= input.info.size);
    if (isThere) takeBytes(input, length);
    const into = isThere ? buffers.next(length) : undefined;
    return input.reader.bytes(input.id, ranges, { signal, into });
  };
  const batches = batchesOf(pieces, most)[Symbol.iterator]();
  let next = batches.next();
  let reading = next.done ? undefined : read(next.value);
  while (!next.done && reading) {
    const { from, to, ranges } = next.value;
    const bytes = await reading;
    throwIfAborted(signal);
    next = batches.next();
    reading = next.done ? undefined : read(next.value);
    // It is awaited in the next iteration. An error of the output is thrown first.
    reading?.catch(() => {});
    yield { from, to, bytes, ranges };
  }
}

/** Reads the written bytes. Throws CHECKSUM if they differ from those that were written. */
export async function compareCopied(
  reader: EngineApi,
  id: FileId,
  spans: readonly CopiedSpan[],
  { signal, onBytes }: CallOptions & { onBytes?: ((bytes: number) => void) | undefined },
): Promise<void> {
  const buffers = new CopyBuffers();
  for (const { at, length, sum } of spans) {
    const bytes = await reader.bytes(id, [{ offset: at, length }], { signal, into: buffers.next(length) });
    if (checksum(bytes) !== sum) throw notAsCopied(at, length);
    onBytes?.(length);
  }
}

function notAsCopied(offset: number, length: number): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: `${formatCount(length)} bytes from byte ${offset} of the new file on are not what was written there.`,
    where: { offset, length },
    fix: 'Check the disk, and write the file again.',
  });
}

/** Returns the number of ranges that are read from the input to copy records, at most `most` bytes at once. */
export function countReads(pieces: readonly Range[], most?: number): number {
  let reads = 0;
  for (const { ranges } of batchesOf(pieces, most)) reads += ranges.length;
  return reads;
}

/** Pieces whose ranges are read at once. */
interface Batch {
  from: number;
  to: number;
  ranges: Range[];
}

/**
 * Yields pieces that are read together: at most `most` bytes, or one piece. Consecutive pieces are one range. Throws
 * CORRUPT for an empty piece.
 */
export function* batchesOf(pieces: readonly Range[], most = BATCH_BYTES): Generator<Batch> {
  let from = 0;
  let bytes = 0;
  let ranges: Range[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const { offset, length } = pieces[i] as Range;
    if (!(length > 0)) throw withoutBytes(offset, length);
    if (bytes > 0 && bytes + length > most) {
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

function withoutBytes(offset: number, length: number): XylemError {
  return corrupt(
    `The record at byte ${offset} is listed with ${length} bytes.`,
    { offset },
    'The file may be damaged: see what "xylem check" finds.',
  );
}

function notSoLong({ offset, length }: Range, found: number): XylemError {
  return corrupt(
    found === length
      ? `The key of the record at byte ${offset} is damaged.`
      : `The record at byte ${offset} has ${found} bytes, but it is listed with ${length}.`,
    { offset, length },
    'The file may be damaged: see what "xylem check" finds.',
  );
}
