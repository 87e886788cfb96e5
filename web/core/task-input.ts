import { padded } from './dtypes';

/** Memory of finished tasks for reuse, because allocating and freeing it takes as long as copying arrays into it. */
export type SpareInputs = ArrayBuffer[];

/** The size of memory is a multiple of this, so that it can be reused for most other tasks. */
const ROOM_BYTES = 512 * 1024;

/** Collects arrays of a task in one block of memory that can be transferred to another thread. */
export class TaskInput {
  readonly #arrays: ArrayBufferView[] = [];
  size = 0;

  /** Adds an array and returns its offset. */
  put(array: ArrayBufferView): number {
    const at = this.size;
    this.#arrays.push(array);
    this.size += padded(array.byteLength);
    return at;
  }

  /** Copies the arrays into spare memory if it is large enough, otherwise into new memory. */
  take(spares: SpareInputs): Uint8Array<ArrayBuffer> {
    const spare = spares.pop();
    const isEnough = spare !== undefined && spare.byteLength >= this.size;
    const room = Math.ceil(this.size / ROOM_BYTES) * ROOM_BYTES;
    const input = new Uint8Array(isEnough ? spare : new ArrayBuffer(room), 0, this.size);
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of this.#arrays) {
      input.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += padded(byteLength);
    }
    return input;
  }
}
