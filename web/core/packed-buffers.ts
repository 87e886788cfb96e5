import { internal } from '../base/data-errors';
import type { Decoder } from './decoder';
import { type DType, type PrimitiveArray, padded, viewArray } from './dtypes';

/**
 * The buffers of the columns of several decoders in one allocation: a task has hundreds of them, and each would cost
 * the garbage collector and the way to another thread as much as decoding some kB.
 */
export interface PackedBuffers {
  /** Each buffer begins at a multiple of 8. */
  bytes: ArrayBuffer;
  /** Bytes of each buffer, decoder by decoder. */
  sizes: Uint32Array;
}

/** Copies what decoders hold out of the core's memory, to `spare` if that is large enough. */
export function packBuffers(decoders: readonly Decoder[], spare?: ArrayBuffer): PackedBuffers {
  const sizes = new Uint32Array(decoders.reduce((sum, { bufferCount }) => sum + bufferCount, 0));
  let next = 0;
  let total = 0;
  for (const decoder of decoders) {
    for (let k = 0, count = decoder.bufferCount; k < count; k++) {
      const size = decoder.bufferSize(k);
      sizes[next++] = size;
      total += padded(size);
    }
  }
  const isEnough = spare !== undefined && spare.byteLength >= total;
  const bytes = new Uint8Array(isEnough ? spare : new ArrayBuffer(total));
  let at = 0;
  for (const decoder of decoders) {
    for (let k = 0, count = decoder.bufferCount; k < count; k++) {
      const view = decoder.view(k);
      bytes.set(view, at);
      at += padded(view.length);
    }
  }
  return { bytes: bytes.buffer, sizes };
}

/** Takes buffers as arrays, one after another, without a copy. */
export class BufferTaker {
  #next = 0;
  #at = 0;

  /** Without `packed` all buffers are empty. */
  constructor(readonly packed?: PackedBuffers) {}

  take(dtype: DType): PrimitiveArray {
    const size = this.packed?.sizes[this.#next++] ?? 0;
    const array = viewArray(dtype, this.packed?.bytes ?? new ArrayBuffer(0), this.#at, size);
    this.#at += padded(size);
    return array;
  }

  /** Throws INTERNAL when buffers are left: then the arrays that were taken are those of other columns. */
  end(): void {
    const count = this.packed?.sizes.length ?? 0;
    if (this.#next === count) return;
    throw internal(`${this.#next} buffers of columns were taken, and there are ${count}.`);
  }
}
