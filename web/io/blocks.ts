import { argumentError, type XylemError } from '../base/errors';
import { endOf } from './ranges';
import type { Range } from './source';

const MIN_BYTES = 64 * 1024;
/** Maximum size of a block. A few blocks are fetched at once, and each is kept as a whole. */
const MAX_BYTES = 16 * 1024 * 1024;
const UNITS = ['', 'k', 'm'];

/** Throws ARGUMENT if it is not a valid block size in bytes. */
export function checkBlockBytes(bytes: number): number {
  if (Number.isInteger(bytes) && bytes >= MIN_BYTES && bytes <= MAX_BYTES) return bytes;
  throw wrongSize(String(bytes));
}

/** Parses the size of a block: "1MiB", "512KiB", "1m" as in nginx, or a number of bytes. Throws ARGUMENT. */
export function parseBlockBytes(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})(?: ?([km])(?:ib)?)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * 1024 ** UNITS.indexOf(unit.toLowerCase());
  if (bytes >= MIN_BYTES && bytes <= MAX_BYTES) return bytes;
  throw wrongSize(text);
}

/** Returns the text that `parseBlockBytes` reads. */
export function formatBlockBytes(bytes: number): string {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2}MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024}KiB` : String(bytes);
}

/**
 * Returns the whole blocks with bytes of `ranges`, ascending and not joined, so that a cache which stores answers by
 * their range can reuse them for all readers. The last block ends with the file, if its size is known. `ranges`
 * ascends and is disjoint.
 */
export function blocksOf(ranges: readonly Range[], bytes: number, size = Number.POSITIVE_INFINITY): Range[] {
  const blocks: Range[] = [];
  let next = 0;
  for (const range of ranges) {
    const first = Math.max(next, Math.floor(range.offset / bytes));
    for (next = first; next * bytes < endOf(range); next++) {
      const offset = next * bytes;
      blocks.push({ offset, length: Math.min(bytes, size - offset) });
    }
  }
  return blocks;
}

function wrongSize(given: string): XylemError {
  return argumentError(
    `"${given.slice(0, 60)}" is not a size of blocks: it has to be from 64KiB to 16MiB.`,
    'Give the size that the cache has, for example 1MiB.',
  );
}
