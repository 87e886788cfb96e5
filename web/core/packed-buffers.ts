import type { Decoder } from './decoder';
import { padded } from './task-input';

/**
 * The buffers of the columns of several decoders in one allocation: a task has hundreds of them, and each would cost
 * the garbage collector and the way to another thread as much as decoding some kB.
 */
export interface PackedBuffers {
  /** Each buffer begins at a multiple of 8. */
  bytes: ArrayBuffer;
  /** Bytes of each buffer. */
  sizes: Uint32Array;
  /** Number of buffers of each decoder. */
  counts: Uint32Array;
}

/** Copies what decoders hold out of the core's memory. */
export function packBuffers(decoders: readonly Decoder[]): PackedBuffers {
  const counts = Uint32Array.from(decoders, (decoder) => decoder.bufferCount);
  const sizes = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  let next = 0;
  let total = 0;
  for (const [i, decoder] of decoders.entries()) {
    for (let k = 0; k < (counts[i] ?? 0); k++) {
      const size = decoder.bufferSize(k);
      sizes[next++] = size;
      total += padded(size);
    }
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const [i, decoder] of decoders.entries()) {
    for (let k = 0; k < (counts[i] ?? 0); k++) {
      const view = decoder.view(k);
      bytes.set(view, at);
      at += padded(view.length);
    }
  }
  return { bytes: bytes.buffer, sizes, counts };
}

/** Views of the buffers, decoder by decoder. */
export function unpackBuffers({ bytes, sizes, counts }: PackedBuffers): Uint8Array<ArrayBuffer>[][] {
  let next = 0;
  let at = 0;
  return Array.from(counts, (count) =>
    Array.from({ length: count }, () => {
      const size = sizes[next++] ?? 0;
      const view = new Uint8Array(bytes, at, size);
      at += padded(size);
      return view;
    }),
  );
}
