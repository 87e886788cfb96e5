import { concat } from '../base/bytes';

/**
 * The decode plans of columns, one after another. A tree may have ten thousand baskets in a thousand columns, and each
 * task needs the plans of its own: loops over plain numbers are all that this may cost.
 */
export class PackedPlans {
  readonly #bytes: Uint8Array;
  /** The start of each, and the end of the last. */
  readonly #starts: Uint32Array;

  constructor(plans: readonly Uint8Array[]) {
    this.#starts = new Uint32Array(plans.length + 1);
    for (const [i, { length }] of plans.entries()) this.#starts[i + 1] = (this.#starts[i] ?? 0) + length;
    this.#bytes = new Uint8Array(this.#starts[plans.length] ?? 0);
    for (const [i, plan] of plans.entries()) this.#bytes.set(plan, this.#starts[i]);
  }

  /** For each part two numbers: bytes of the plan of its column, and its units. */
  parts(columns: Uint32Array, counts: Uint32Array): Int32Array {
    const parts = new Int32Array(2 * columns.length);
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] ?? 0;
      parts[2 * i] = (this.#starts[column + 1] ?? 0) - (this.#starts[column] ?? 0);
      parts[2 * i + 1] = counts[i] ?? 0;
    }
    return parts;
  }

  /** A copy of the plans of columns; those that follow each other are copied together. */
  of(columns: Uint32Array): Uint8Array {
    const blocks: Uint8Array[] = [];
    let bytes = 0;
    for (let i = 0; i < columns.length; ) {
      const first = columns[i] ?? 0;
      let end = first + 1;
      for (i += 1; i < columns.length && columns[i] === end; i++) end += 1;
      const block = this.#bytes.subarray(this.#starts[first], this.#starts[end]);
      bytes += block.length;
      blocks.push(block);
    }
    return concat(blocks, new Uint8Array(bytes));
  }
}
