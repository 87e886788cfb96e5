import { crc32 as native } from 'node:zlib';

/** CRC-32 (IEEE 802.3, as in zlib and PNG) of bytes, continued from the value of the bytes before. */
export function crc32(bytes: Uint8Array, previous = 0): number {
  // For no bytes Node may return 0 and forget the bytes before.
  return bytes.length === 0 ? previous : native(bytes, previous);
}
