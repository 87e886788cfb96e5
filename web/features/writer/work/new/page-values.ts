import type { ColumnPart } from './field-form';

/** The values of a page. */
export interface FullPage {
  values: Uint8Array;
  elements: number;
}

/** Bytes of values on the largest page, as in ROOT, and initial memory of a page. Ends of lists use twice as much. */
const PAGE_BYTES = 1024 * 1024;
const FIRST_BYTES = 4096;

/** The values of a column of an RNTuple that are not on a page yet. */
export class PageValues {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #width = 1;
  #limit = PAGE_BYTES;
  /** End of the last list, in elements of the cluster. */
  #end = 0;

  /** Adds values. Yields pages that are full. */
  *add(part: ColumnPart): Generator<FullPage> {
    const values = 'ends' in part ? this.#endsInCluster(part.ends) : part.values;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#width = values.BYTES_PER_ELEMENT;
    this.#limit = 'ends' in part ? PAGE_BYTES / 2 : PAGE_BYTES;
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, this.#limit - this.#length);
      this.#reserve(count);
      this.#bytes.set(bytes.subarray(at, at + count), this.#length);
      this.#length += count;
      at += count;
      const page = this.#length === this.#limit ? this.#take() : undefined;
      if (page) yield page;
    }
  }

  /** Returns the last page of a cluster; undefined if no values are left. */
  finish(): FullPage | undefined {
    this.#end = 0;
    return this.#take();
  }

  #take(): FullPage | undefined {
    if (this.#length === 0) return undefined;
    const page = {
      values: this.#bytes.subarray(0, this.#length),
      elements: this.#length / this.#width,
    };
    // The next page will have about the same size.
    this.#bytes = new Uint8Array(this.#bytes.length);
    this.#length = 0;
    return page;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(needed, 2 * this.#bytes.length)));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** Converts ends of lists to be relative to the start of the cluster. */
  #endsInCluster(ends: Int32Array): Uint32Array {
    const first = this.#end;
    this.#end += ends.at(-1) ?? 0;
    return Uint32Array.from(ends, (end) => first + end);
  }
}
