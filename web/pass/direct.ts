import type { ErrorCode } from '../base/errors';
import type { ByteReader } from '../io/reader';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';

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
export interface DirectReads {
  file: unknown;
  origin: ReadOrigin;
  /** Gaps of up to this many bytes may be read over. */
  gapBytes: number;
  /** Size of the file. */
  size: number;
  /** Whether the ranges of a task can be read; missing when all can. */
  has?: (ranges: readonly Range[]) => boolean;
}

/**
 * The file itself, or the part of it that was kept before this session; undefined when workers can read
 * neither.
 */
export function directReads(reader: ByteReader): DirectReads | undefined {
  const { source, stored } = reader;
  if (source.direct !== undefined) {
    const { size = 0 } = source.info();
    return { file: source.direct, origin: source.origin ?? 'disk', gapBytes: GAP_BYTES, size };
  }
  const kept = stored?.direct;
  if (!kept) return undefined;
  const size = Number.POSITIVE_INFINITY;
  const has = (ranges: readonly Range[]) =>
    ranges.every((range) => kept.has(range)) && !ranges.every((range) => reader.holds(range));
  return { file: kept.file, origin: 'store', gapBytes: 0, size, has };
}

/** Adds the reads of a task (see DecodeResult) to the trace of a file; `bytes` of them were wanted. */
export function traceReads(
  { trace }: ByteReader,
  origin: ReadOrigin,
  reads: Float64Array,
  bytes: number,
  purpose: string,
): void {
  const { timeOrigin } = performance;
  let total = 0;
  for (let i = 1; i < reads.length; i += 4) total += reads[i] ?? 0;
  for (let i = 0, left = bytes; i < reads.length; i += 4) {
    const [offset, got] = [reads[i] ?? 0, reads[i + 1] ?? 0];
    const wanted = i + 4 < reads.length ? Math.round((bytes * got) / total) : left;
    left -= wanted;
    const queued = (reads[i + 2] ?? 0) - timeOrigin;
    const done = (reads[i + 3] ?? 0) - timeOrigin;
    const times = { queued, started: queued, answered: queued, done };
    trace.add({ offset, wanted, asked: got, got, origin, purpose, ...times });
  }
}
