import { padded } from './dtypes';

/** Memory of tasks that were done, for others: to allocate and free it costs as much as to copy arrays into it. */
export type SpareInputs = ArrayBuffer[];

/** Memory has a multiple of this size, so that it is large enough for most other tasks. */
const ROOM_BYTES = 512 * 1024;

/** Arrays of a task that are copied into one block of memory, which can be moved to another thread. */
export class TaskInput {
  readonly #arrays: ArrayBufferView[] = [];
  size = 0;

  /** Adds an array; returns its place. */
  put(array: ArrayBufferView): number {
    const at = this.size;
    this.#arrays.push(array);
    this.size += padded(array.byteLength);
    return at;
  }

  /** Copies the arrays to spare memory, if what is taken from there is large enough. */
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
