import type { PerfRead } from '../../../api/reading';
import { firstAtLeast } from '../../../base/search';

/** How a read lies to those before it. */
export type ReadOrder =
  /** At or after the end of the read before it. */
  | 'on'
  /** Before the end of the read before it. */
  | 'back'
  /** It has bytes that an earlier read had, too. */
  | 'again';

/** The reads of a file in their order: how each lies to those before it, and sums. */
export interface ReadOrders {
  orders: ReadOrder[];
  /** Number of reads that begin before the end of the read before them. */
  back: number;
  /** Number of reads with bytes that were read before, and the number of these bytes. */
  again: number;
  againBytes: number;
}

/** Whether a read is of the file itself, from a disk or a server. */
export const isRequestOf = ({ origin, length }: PerfRead): boolean =>
  length > 0 && (origin === 'disk' || origin === 'network');

/** Finds the reads that go back in the file, and those of bytes that were read before. */
export function readOrders(reads: readonly PerfRead[]): ReadOrders {
  const ranges = reads.map((read) => (read.ranges?.length ? read.ranges : [read]));
  const places = ranges.flatMap((own) => own.flatMap(({ offset, length }) => [offset, offset + length]));
  const borders = [...new Set(places)].sort((a, b) => a - b);
  /** For each part between two borders: the next part at or after it that no read has had. */
  const free = Int32Array.from({ length: borders.length }, (_, i) => i);
  const nextFree = (from: number): number => {
    let at = from;
    while (free[at] !== at) {
      free[at] = free[free[at] ?? 0] ?? 0;
      at = free[at] ?? 0;
    }
    return at;
  };
  const found: ReadOrders = { orders: [], back: 0, again: 0, againBytes: 0 };
  let end = 0;
  for (const [i, own] of ranges.entries()) {
    let fresh = 0;
    for (const { offset, length } of own) {
      const last = firstAtLeast(borders, offset + length);
      for (let part = nextFree(firstAtLeast(borders, offset)); part < last; part = nextFree(part)) {
        fresh += (borders[part + 1] ?? 0) - (borders[part] ?? 0);
        free[part] = part + 1;
      }
    }
    const repeated = own.reduce((sum, { length }) => sum + length, 0) - fresh;
    const isBack = i > 0 && (own[0]?.offset ?? 0) < end;
    if (isBack) found.back++;
    if (repeated > 0) {
      found.again++;
      found.againBytes += repeated;
    }
    found.orders.push(repeated > 0 ? 'again' : isBack ? 'back' : 'on');
    const final = own.at(-1);
    if (final) end = final.offset + final.length;
  }
  return found;
}
