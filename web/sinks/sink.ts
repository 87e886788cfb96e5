import type { Sink } from '../api/sink';

/**
 * Records shorter than half of this many bytes are collected and written together, unless the sink sets another
 * number.
 */
export const WAITING_BYTES = 256 * 1024;

/** Returns a sink in memory. `bytes` returns the file. */
export function memorySink(): Sink & { bytes(): Uint8Array<ArrayBuffer> } {
  let all = new Uint8Array(64 * 1024);
  let end = 0;
  const bytes = () => all.slice(0, end);
  return {
    async write(at, bytes) {
      const needed = at + bytes.length;
      if (needed > all.length) {
        const more = new Uint8Array(Math.max(needed, 2 * all.length));
        more.set(all.subarray(0, end));
        all = more;
      }
      all.set(bytes, at);
      end = Math.max(end, needed);
    },
    written: async () => ({ kind: 'buffer', buffer: bytes().buffer, name: 'memory' }),
    bytes,
  };
}
