import { unsupported } from '../../base/data-errors';
import { formatBytes } from '../../base/format';

/**
 * Zeros, texts and lists without values may have this many bytes before compression and this many in the output, and for
 * each byte of the inputs as many times more. The factors are above what honest files need: a branch of 80 bytes in an
 * entry, beside branches that need one byte of the file.
 */
const PLAIN = { bytes: 64e6, factor: 1000 };
const STORED = { bytes: 4e6, factor: 16 };

/** Counts what a merge writes for entries that have no values: no more than in proportion to what the inputs store. */
export class ZeroBudget {
  #inputs = 0;
  #plain = 0;
  #stored = 0;

  /** An input has this many bytes. */
  addInput(bytes: number): void {
    this.#inputs += bytes;
  }

  /** Takes bytes before compression, before they are made. `what` names the branch. Throws UNSUPPORTED. */
  takePlain(bytes: number, what: string): void {
    this.#plain += bytes;
    this.#check(this.#plain, PLAIN, what);
  }

  /** Takes bytes of the output. Throws UNSUPPORTED. */
  takeStored(bytes: number, what: string): void {
    this.#stored += bytes;
    this.#check(this.#stored, STORED, what);
  }

  #check(taken: number, { bytes, factor }: typeof PLAIN, what: string): void {
    if (taken <= bytes + factor * this.#inputs) return;
    throw unsupported(
      `${what} is missing: entries without values of it need more than ${formatBytes(bytes + factor * this.#inputs)}, beside inputs of ${formatBytes(this.#inputs)}.`,
      'Take --schema filter, which leaves such branches out.',
      { path: what },
    );
  }
}
