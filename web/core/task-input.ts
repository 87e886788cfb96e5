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

  take(): Uint8Array<ArrayBuffer> {
    const input = new Uint8Array(this.size);
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of this.#arrays) {
      input.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += padded(byteLength);
    }
    return input;
  }
}

/** Each array begins at a multiple of 8. */
export function padded(size: number): number {
  return Math.ceil(size / 8) * 8;
}
