import { checkRead, pastTheEnd } from './ranges';
import type { ByteSource } from './source';

/** Reads from a buffer without copying: `read` returns views, which must never be transferred. */
export function createBufferSource(buffer: ArrayBuffer | Uint8Array, name: string): ByteSource {
  const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
  return {
    name,
    concurrency: 4,
    origin: 'disk',
    async read(offset, length, signal) {
      checkRead({ offset, length }, signal);
      if (offset >= bytes.length) throw pastTheEnd(name, offset, length, bytes.length);
      return bytes.subarray(offset, offset + length);
    },
    info: () => ({ size: bytes.length }),
  };
}
