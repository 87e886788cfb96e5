import type { ErrorCode } from '../base/errors';
import type { Reader } from '../io/reader';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';

/** Reading over a gap costs a worker less than another read. */
const GAP_BYTES = 4096;
/** What a worker's reading of a file may fail with; this thread then tries itself and says which piece. */
export const READ_ERRORS = new Set<ErrorCode>([
  'FILE_CHANGED',
  'IO',
  'TRUNCATED',
  'NOT_FOUND',
  'UNSUPPORTED',
]);

/** What workers read themselves: see `ByteSource.direct`. */
export interface DirectReads {
  file: unknown;
  origin: ReadOrigin;
  /** Gaps of so many bytes may be read over. */
  gapBytes: number;
  /** It ends there. */
  size: number;
  /** Whether the ranges of a task are there to be read, where that is not sure of all before the end. */
  has?: (ranges: readonly Range[]) => boolean;
}

/** The file itself, or what was kept of it before this session; undefined where workers can read neither. */
export function directReads(reader: Reader): DirectReads | undefined {
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

/** Puts the reads of a task (see DecodeResult) into the trace of a file; `bytes` of them were wanted. */
export function traceReads(
  { trace }: Reader,
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
