import { endOf } from './ranges';
import type { Range } from './source';

/** Reading over a gap of this many bytes of a disk costs less than another read. */
const GAP_BYTES = 16 * 1024;
/** Systems take at most 1024 arrays in one read. */
const MAX_PARTS = 1000;
/** Ranges that lie close are read together up to this size, so that several are read at once. */
const MAX_BYTES = 2 * 1024 * 1024;

/** A read of ranges that lie close: its parts have its length together, and `wanted` of its bytes are of the ranges. */
export interface ScatteredRead extends Range {
  parts: Uint8Array[];
  wanted: number;
}

/**
 * Plans to read ranges into one array, in which they follow each other in the given order: those that lie close in the
 * file become one read. Bytes between them are read and dropped.
 */
export function scatter(ranges: readonly Range[], into: Uint8Array): ScatteredRead[] {
  let at = 0;
  const placed = ranges.map(({ offset, length }) => {
    const part = into.subarray(at, at + length);
    at += length;
    return { offset, length, part };
  });
  placed.sort((a, b) => a.offset - b.offset);
  const gaps = new Uint8Array(GAP_BYTES);
  const reads: ScatteredRead[] = [];
  for (const { offset, length, part } of placed) {
    const last = reads.at(-1);
    // Ranges that overlap are read each on its own.
    const gap = last ? offset - endOf(last) : -1;
    const full = !last || last.parts.length + 2 > MAX_PARTS || last.length + length > MAX_BYTES;
    if (full || gap < 0 || gap > GAP_BYTES) {
      reads.push({ offset, length, parts: [part], wanted: length });
      continue;
    }
    if (gap > 0) last.parts.push(gaps.subarray(0, gap));
    last.parts.push(part);
    last.length += gap + length;
    last.wanted += length;
  }
  return reads;
}
