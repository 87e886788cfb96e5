import { lastAtMost } from '../base/search';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';

/** A read of a file, from a trace or a saved reading. */
export interface CoverRead {
  offset: number;
  length: number;
  origin: ReadOrigin;
  /** The ranges, if one request had several. */
  ranges?: readonly Range[] | undefined;
  failed?: string | undefined;
}

/** Origin of the bytes at a position: not read, read from there, or read more than once from the source. */
export const coverKinds = ['none', 'memory', 'store', 'read', 'again'] as const;
export type CoverKind = (typeof coverKinds)[number];

export const coverLabels: Record<CoverKind, string> = {
  none: 'not read',
  memory: 'from memory only',
  store: 'from the cache on this machine',
  read: 'read',
  again: 'read more than once',
};

/** The bytes of a file that were read. Piece `i` extends from `start[i]` to `start[i + 1]`. */
export interface ReadCover {
  /** Length: that of `kind` + 1. */
  start: Float64Array;
  /** Index in `coverKinds`. Adjacent pieces differ. */
  kind: Uint8Array;
  /** Bytes of the file of each kind. */
  bytes: Record<CoverKind, number>;
  /** Number of reads from the source, and their bytes. Bytes read twice count twice. */
  reads: number;
  total: number;
  /** Number of reads that begin after the end of the file, because they belong to another file. */
  beyond: number;
}

/** Marks reads in a file of `size` bytes. */
export function readCover(reads: readonly CoverRead[], size: number): ReadCover {
  // For each start and end of a read: its place, and the change of the count of its origin.
  const at: number[] = [];
  const change: number[] = [];
  let count = 0;
  let total = 0;
  let beyond = 0;
  for (const { offset, length, origin, ranges, failed } of reads) {
    if (origin === 'decode' || failed !== undefined) continue;
    const rank = origin === 'memory' ? 0 : origin === 'store' ? 1 : 2;
    if (rank === 2) count++;
    for (const range of ranges ?? [{ offset, length }]) {
      const end = Math.min(size, range.offset + range.length);
      if (range.offset >= size) beyond++;
      if (end <= range.offset) continue;
      at.push(range.offset, end);
      change.push(2 * rank, 2 * rank + 1);
      if (rank === 2) total += end - range.offset;
    }
  }
  const order = Uint32Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const start = [0];
  const kind: number[] = [];
  const open = [0, 0, 0];
  const bytes: Record<CoverKind, number> = { none: 0, memory: 0, store: 0, read: 0, again: 0 };
  let from = 0;
  const close = (to: number): void => {
    if (to <= from) return;
    const [memory = 0, store = 0, source = 0] = open;
    const now = source > 1 ? 4 : source > 0 ? 3 : store > 0 ? 2 : memory > 0 ? 1 : 0;
    bytes[coverKinds[now] ?? 'none'] += to - from;
    if (kind.at(-1) === now) start[start.length - 1] = to;
    else {
      kind.push(now);
      start.push(to);
    }
    from = to;
  };
  for (const i of order) {
    close(at[i] ?? 0);
    const rank = (change[i] ?? 0) >> 1;
    open[rank] = (open[rank] ?? 0) + ((change[i] ?? 0) % 2 === 0 ? 1 : -1);
  }
  close(size);
  return { start: Float64Array.from(start), kind: Uint8Array.from(kind), bytes, reads: count, total, beyond };
}

/** Returns the origin of a byte. */
export function coverAt({ start, kind }: ReadCover, byte: number): CoverKind {
  return coverKinds[kind[lastAtMost(start, kind.length, byte)] ?? 0] ?? 'none';
}
