import { internal } from '../base/data-errors';
import type { Decoder } from './decoder';
import { type DType, type PrimitiveArray, padded, viewArray } from './dtypes';

/**
 * The buffers of the columns of several decoders in one allocation. A task has hundreds of buffers; separate
 * allocations would cost the garbage collector and the transfer to another thread as much as decoding some kB each.
 */
export interface PackedBuffers {
  /** The buffers, each at a multiple of 8. */
  bytes: ArrayBuffer;
  /** Size of each buffer in bytes, in the order of the decoders. */
  sizes: Uint32Array;
}

const SPARE_BYTES = 8 * 1024 * 1024;

/**
 * Copies the buffers of decoders from the core's memory into `spare` if it is large enough, otherwise into new memory.
 * If there was a spare, the new one is larger than needed, because it will be the spare of other tasks.
 */
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
  const bytes = new Uint8Array(
    isEnough ? spare : new ArrayBuffer(spare ? Math.max(total, SPARE_BYTES) : total),
  );
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

/** Returns the buffers as typed arrays, one after another, without copying. */
export class BufferTaker {
  #next = 0;
  #at = 0;

  /** If `packed` is undefined, all buffers are empty. */
  constructor(readonly packed?: PackedBuffers) {}

  take(dtype: DType): PrimitiveArray {
    const size = this.packed?.sizes[this.#next++] ?? 0;
    const array = viewArray(dtype, this.packed?.bytes ?? new ArrayBuffer(0), this.#at, size);
    this.#at += padded(size);
    return array;
  }

  /** Throws INTERNAL if buffers are left, because then the returned arrays belong to other columns. */
  end(): void {
    const count = this.packed?.sizes.length ?? 0;
    if (this.#next === count) return;
    throw internal(`${this.#next} buffers of columns were taken, and there are ${count}.`);
  }
}
