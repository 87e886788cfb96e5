import * as zlib from 'node:zlib';
import { tableCrc32 } from '../base/crc32';

/** CRC-32 (IEEE 802.3, as in zlib and PNG) of bytes, continued from the value of the bytes before. */
export type Crc32 = (bytes: Uint8Array, previous?: number) => number;

/** Node's own from 22.2 on, else by tables. */
export const crc32: Crc32 = builtIn() ?? tableCrc32;

function builtIn(): Crc32 | undefined {
  const found: unknown = Reflect.get(zlib, 'crc32');
  if (typeof found !== 'function') return undefined;
  const native = found as Crc32;
  // For no bytes it may return 0 and forget the bytes before.
  return (bytes, previous = 0) => (bytes.length === 0 ? previous : native(bytes, previous));
}
