import { endOf } from './ranges';
import type { Range } from './source';

/** Maximum gap on a disk that costs less than another read. */
const GAP_BYTES = 16 * 1024;
/** Maximum number of arrays in one system call: 1024 on most systems. */
const MAX_PARTS = 1000;
/** Maximum size of ranges that are read together, so that several reads run at once. */
const MAX_BYTES = 2 * 1024 * 1024;

/** One read of adjacent ranges. Its parts have its total length, and `wanted` of its bytes belong to the ranges. */
export interface ScatteredRead extends Range {
  parts: Uint8Array[];
  wanted: number;
}

/**
 * Plans reads of ranges into one array, in the given order without gaps. Ranges close to each other in the file
 * become one read. Bytes between them are read and dropped.
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
    // Overlapping ranges are read separately.
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
