import { argumentError } from '../base/errors';
import type { Axis } from '../core/fill';
import type { AxisWish } from './axes';
import { Ranges } from './ranges';

/** Axes that several histograms share. Axes that are not given are computed from the values of all histograms. */
export class SharedAxes {
  #ranges: Ranges | undefined;
  #wishes: AxisWish[] = [];
  /** Whether all values of a coordinate are whole numbers. */
  #integer: boolean[] = [];
  /** Set once the values of all histograms are known. */
  axes: Axis[] | undefined;

  /** Adds a histogram and returns the shared parts. Throws ARGUMENT if it has another number of expressions. */
  join(own: AxisWish[], dims: number): { wishes: AxisWish[]; ranges: Ranges; integer: boolean[] } {
    if (this.#ranges === undefined) {
      this.#ranges = new Ranges(dims);
      this.#wishes = own;
      this.#integer = Array.from({ length: dims }, () => true);
    }
    if (dims !== this.#integer.length || own.length !== this.#wishes.length) {
      throw argumentError(
        `A drawing of ${dims} expressions cannot have the axes of one of ${this.#integer.length}.`,
      );
    }
    return { wishes: this.#wishes, ranges: this.#ranges, integer: this.#integer };
  }
}
