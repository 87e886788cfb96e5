import { tableCrc32c } from '../../../base/crc32';
import type { Range } from '../../../io/source';

// Reads whose answers have a checksum before each page of the file.

const PAGE = 4096;
/**
 * Bytes before the data of an answer: checksum of the rest, stream, request, kind, 4 unused bytes, length, offset.
 */
const HEAD = 24;

/** Returns the maximum number of bytes in an answer besides those of the range. */
export function pageOverhead(length: number): number {
  return 4 * (Math.ceil(length / PAGE) + 1);
}

/** Returns the data of an answer with status `status`, and whether it is the last. Undefined if it is damaged. */
export function statusPart(answer: Uint8Array): { data: Uint8Array; last: boolean } | undefined {
  if (answer.length < HEAD) return undefined;
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
  if (view.getUint32(0) !== tableCrc32c(answer.subarray(4, HEAD))) return undefined;
  if (view.getInt32(12) !== answer.length - HEAD) return undefined;
  return { data: answer.subarray(HEAD), last: answer[7] === 0 };
}

/**
 * Returns the bytes of a range from the data of its answers, and the ranges of pages with a wrong checksum. Undefined
 * if the number of bytes is not that of the range.
 */
export function checkedPages(
  data: Uint8Array,
  range: Range,
): { bytes: Uint8Array; bad: Range[] } | undefined {
  const bytes = new Uint8Array(range.length);
  const bad: Range[] = [];
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let [from, to] = [0, 0];
  while (to < range.length) {
    const offset = range.offset + to;
    const length = Math.min(PAGE - (offset % PAGE), range.length - to);
    if (from + 4 + length > data.length) return undefined;
    const page = data.subarray(from + 4, from + 4 + length);
    if (view.getUint32(from) !== tableCrc32c(page)) bad.push({ offset, length });
    bytes.set(page, to);
    from += 4 + length;
    to += length;
  }
  return from === data.length ? { bytes, bad } : undefined;
}
