import { totalLength } from '../io/ranges';
import { checksum } from './checksum';
import type { Pack } from './extent-store';

// The file of a pack starts with a line of JSON: mark, identity, checksum, and offset and length of each range. It is
// padded with spaces so that the bytes begin at a multiple of 8.

const MARK = 'xylem-pack-1';
/** Maximum length of the line. */
export const MAX_LINE_BYTES = 64 * 1024;
const NEW_LINE = 10;

/** Returns the first line of a pack, including the line end. `key` is the identity of the file. */
export function lineOf(key: string, pack: Pack, content: Uint8Array): Uint8Array {
  const numbers: number[] = [];
  for (const { offset, length } of pack) numbers.push(offset, length);
  const text = new TextEncoder().encode(JSON.stringify([MARK, key, checksum(content), ...numbers]));
  const line = new Uint8Array((text.length + 8) & ~7).fill(32);
  line.set(text);
  line[line.length - 1] = NEW_LINE;
  return line;
}

interface Line {
  key: unknown;
  sum: unknown;
  pack: Pack;
  /** Offset of the first byte. */
  start: number;
}

/** Parses the first line; undefined if it is not valid. */
export function readLine(stored: Uint8Array): Line | undefined {
  const end = stored.subarray(0, MAX_LINE_BYTES).indexOf(NEW_LINE);
  if (end < 0) return undefined;
  let line: unknown;
  try {
    line = JSON.parse(new TextDecoder().decode(stored.subarray(0, end)));
  } catch {
    return undefined; // damaged
  }
  if (!Array.isArray(line) || line[0] !== MARK || line.length < 5) return undefined;
  const pack: { offset: number; length: number }[] = [];
  for (let i = 3; i < line.length; i += 2) {
    const offset: unknown = line[i];
    const length: unknown = line[i + 1];
    if (!isPlace(offset) || !isPlace(length)) return undefined;
    pack.push({ offset, length });
  }
  return { key: line[1], sum: line[2], pack, start: end + 1 };
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the bytes of a pack if they are intact and belong to the file with this identity; otherwise undefined. */
export function unpack(stored: Uint8Array, key: string, pack: Pack): Uint8Array | undefined {
  const line = readLine(stored);
  if (line?.key !== key || line.pack.length !== pack.length) return undefined;
  for (const [i, { offset, length }] of pack.entries()) {
    if (line.pack[i]?.offset !== offset || line.pack[i]?.length !== length) return undefined;
  }
  // Not a Buffer, because Buffer.slice returns views.
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset + line.start, stored.length - line.start);
  return bytes.length === totalLength(pack) && checksum(bytes) === line.sum ? bytes : undefined;
}
