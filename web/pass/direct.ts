import type { ErrorCode } from '../base/errors';
import type { ByteReader } from '../io/fetch/reader';
import { endOf } from '../io/ranges';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';
import type { TaskRead } from './plan';

/** For a worker, reading over a gap of this size costs less than another read. */
const GAP_BYTES = 4096;
/** Errors of a worker's reading after which this thread tries itself and reports which unit failed. */
export const READ_ERRORS = new Set<ErrorCode>([
  'FILE_CHANGED',
  'IO',
  'TRUNCATED',
  'NOT_FOUND',
  'UNSUPPORTED',
]);

/** A file that workers read themselves: see `ByteSource.direct`. */
interface DirectRead {
  file: unknown;
  origin: ReadOrigin;
  /** Gaps of up to this many bytes may be read over. */
  gapBytes: number;
  /** Whether a range of it can be read. */
  has(range: Range): boolean;
  /** Whether a worker should read these ranges: not when this thread has them in memory. */
  isBetter(ranges: readonly Range[]): boolean;
}

/** The files themselves, or the parts of them that were kept before this session. */
export class DirectReads {
  readonly #files: readonly DirectRead[];
  readonly #readers: readonly ByteReader[];

  private constructor(readers: readonly ByteReader[], files: readonly DirectRead[]) {
    this.#readers = readers;
    this.#files = files;
  }

  /** Undefined when there is a file that workers cannot read. */
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

  /** Whether workers can make these reads. */
  has(reads: readonly TaskRead[]): boolean {
    if (!reads.every((read) => this.#files[read.file]?.has(read))) return false;
    return this.#files.every(({ isBetter }, i) => isBetter(reads.filter(({ file }) => file === i)));
  }

  /** Adds the reads of a task (see TaskResult) to the traces of the files; `bytes` of them were wanted. */
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
      ...{ file: source.direct, origin: source.origin ?? 'disk', gapBytes: GAP_BYTES },
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
