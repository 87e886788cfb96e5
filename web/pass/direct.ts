import type { ErrorCode } from '../base/errors';
import type { Core } from '../core/core';
import type { ByteReader } from '../io/fetch/reader';
import { endOf } from '../io/ranges';
import type { DirectFile, Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';
import type { TaskRead } from './plan';

/** Maximum gap in bytes that a worker reads over, because another read would cost more. */
export const DIRECT_GAP_BYTES = 4096;
/** Errors of a worker's read after which this thread reads the task itself and reports which unit failed. */
export const READ_ERRORS = new Set<ErrorCode>([
  'FILE_CHANGED',
  'IO',
  'TRUNCATED',
  'NOT_FOUND',
  'UNSUPPORTED',
]);

/** A file that workers can read themselves: see `ByteSource.direct`. */
interface DirectRead {
  file: unknown;
  origin: ReadOrigin;
  /** Maximum gap in bytes that may be read over. */
  gapBytes: number;
  /** Whether workers can read a range. */
  has(range: Range): boolean;
  /** Whether a worker should read these ranges. False if this thread has them in memory. */
  isBetter(ranges: readonly Range[]): boolean;
}

/** Files that workers can read themselves, or the parts of files that were cached before this session. */
export class DirectReads {
  readonly #files: readonly DirectRead[];
  readonly #readers: readonly ByteReader[];

  private constructor(readers: readonly ByteReader[], files: readonly DirectRead[]) {
    this.#readers = readers;
    this.#files = files;
  }

  /** Returns undefined if there is a file that workers cannot read. */
  static of(readers: readonly ByteReader[]): DirectReads | undefined {
    const files = readers.map(directRead);
    const all = files.filter((one) => one !== undefined);
    return all.length === files.length ? new DirectReads(readers, all) : undefined;
  }

  get gapBytes(): number {
    return this.#files.reduce((least, { gapBytes }) => Math.min(least, gapBytes), Number.POSITIVE_INFINITY);
  }

  get files(): unknown[] {
    return this.#files.map(({ file }) => file);
  }

  /** Whether workers can read all of these ranges. */
  has(reads: readonly TaskRead[]): boolean {
    if (!reads.every((read) => this.#files[read.file]?.has(read))) return false;
    return this.#files.every(({ isBetter }, i) => isBetter(reads.filter(({ file }) => file === i)));
  }

  /** Adds the reads of a task (see TaskResult) to the traces of the files. `bytes` of them were wanted. */
  trace(reads: Float64Array, bytes: number, purpose: string): void {
    const { timeOrigin } = performance;
    let total = 0;
    for (let i = 2; i < reads.length; i += 5) total += reads[i] ?? 0;
    for (let i = 0, left = bytes; i < reads.length; i += 5) {
      const file = reads[i] ?? 0;
      const [offset, got] = [reads[i + 1] ?? 0, reads[i + 2] ?? 0];
      const wanted = i + 5 < reads.length ? Math.round((bytes * got) / total) : left;
      left -= wanted;
      const queued = (reads[i + 3] ?? 0) - timeOrigin;
      const times = {
        ...{ queued, started: queued, answered: queued },
        done: (reads[i + 4] ?? 0) - timeOrigin,
      };
      const origin = this.#files[file]?.origin ?? 'disk';
      this.#readers[file]?.trace.add({ offset, wanted, asked: got, got, origin, purpose, ...times });
    }
  }
}

function directRead(reader: ByteReader): DirectRead | undefined {
  const { source, stored } = reader;
  if (source.direct !== undefined) {
    const { size = 0 } = source.info();
    return {
      ...{ file: source.direct, origin: source.origin ?? 'disk', gapBytes: DIRECT_GAP_BYTES },
      has: (range) => endOf(range) <= size,
      isBetter: () => true,
    };
  }
  const kept = stored?.direct;
  if (!kept) return undefined;
  return {
    ...{ file: kept.file, origin: 'store', gapBytes: 0 },
    has: (range) => kept.has(range),
    isBetter: (ranges) => ranges.length === 0 || !ranges.every((range) => reader.holds(range)),
  };
}

/** The input of a task that a worker reads itself. */
export interface DirectInput {
  files: readonly unknown[];
  /** Total number of bytes of all units. */
  size: number;
  /** Four numbers for each read: index of the file, offset in it, length, offset in the input. */
  reads: Float64Array;
  /** Bytes that are not in a file, with their offset in the input. */
  heads: [at: number, bytes: Uint8Array][];
}

/** Opens a `ByteSource.direct` in the thread of the task. Nothing is read at or after `end`. */
export type DirectFiles = (file: unknown, end: number) => DirectFile;

export function inputSize(input: Uint8Array | DirectInput): number {
  return input instanceof Uint8Array ? input.length : input.size;
}

/** Copies or reads the input of a task into the core's memory. Returns the reads that were made: see TaskResult. */
export function takeInput(
  core: Core,
  at: number,
  input: Uint8Array | DirectInput,
  files: DirectFiles | undefined,
): Float64Array | undefined {
  if (!(input instanceof Uint8Array)) return readDirect(core, at, input, files);
  core.view(at, input.length).set(input);
  return undefined;
}

function readDirect(core: Core, input: number, from: DirectInput, files?: DirectFiles): Float64Array {
  if (!files) throw new Error('This runner reads no files.');
  const { reads } = from;
  const ends = from.files.map(() => 0);
  for (let i = 0; i < reads.length; i += 4) {
    const file = reads[i] ?? 0;
    ends[file] = Math.max(ends[file] ?? 0, (reads[i + 1] ?? 0) + (reads[i + 2] ?? 0));
  }
  const opened = from.files.map((file, i) => files(file, ends[i] ?? 0));
  const done = new Float64Array((reads.length / 4) * 5);
  for (const [at, bytes] of from.heads) core.view(input + at, bytes.length).set(bytes);
  let started = clock();
  for (let i = 0, next = 0; i < reads.length; i += 4, next += 5) {
    const file = reads[i] ?? 0;
    const offset = reads[i + 1] ?? 0;
    const length = reads[i + 2] ?? 0;
    opened[file]?.readInto(offset, core.view(input + (reads[i + 3] ?? 0), length));
    done[next] = file;
    done[next + 1] = offset;
    done[next + 2] = length;
    done[next + 3] = started;
    started = clock();
    done[next + 4] = started;
  }
  for (const file of opened) file.check();
  return done;
}

/** Returns ms since 1970, with the same clock in all threads. */
export function clock(): number {
  return START + performance.now();
}
/** Stored because reading performance.timeOrigin takes longer than reading the time. */
const START = performance.timeOrigin;
