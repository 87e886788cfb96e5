import { unsupported } from '../../../../base/data-errors';
import { formatBytes } from '../../../../base/format';

/**
 * Limit of the bytes of empty values before compression, and in the output: a fixed number, plus a factor times the
 * bytes of the inputs. Honest files stay below these factors: for example a branch of 80 bytes per entry beside
 * branches that take one byte of the file.
 */
const PLAIN = { bytes: 64e6, factor: 1000 };
const STORED = { bytes: 4e6, factor: 16 };

/** Limits what a merge writes for entries without values, in proportion to the bytes of the inputs. */
export class ZeroBudget {
  #inputs = 0;
  #plain = 0;
  #stored = 0;

  /** Adds the size of an input. */
  addInput(bytes: number): void {
    this.#inputs += bytes;
  }

  /**
   * Counts bytes before compression, before they are made. `what` names the branch. Throws UNSUPPORTED if there are
   * too many.
   */
  takePlain(bytes: number, what: string): void {
    this.#plain += bytes;
    this.#check(this.#plain, PLAIN, what);
  }

  /** Counts bytes of the output. Throws UNSUPPORTED if there are too many. */
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
