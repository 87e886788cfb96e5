import { XylemError } from '../base/errors';
import type { Axis } from '../core/fill';
import { addSummary } from '../core/sums/summary';
import { type AxisWish, chooseAxes, type FoundRanges } from './axes';

/** The axes of several histograms that have the same ones: what is not given is found from the values of all. */
export class SharedAxes {
  #wishes: AxisWish[] | undefined;
  readonly #found: (() => FoundRanges)[] = [];
  #axes: Axis[] | undefined;

  /** Adds a histogram. Returns the wishes of the first, which hold for all. Throws ARGUMENT for another number of axes. */
  join(wishes: AxisWish[], found: () => FoundRanges): AxisWish[] {
    this.#wishes ??= wishes;
    if (wishes.length !== this.#wishes.length) {
      throw new XylemError({
        code: 'ARGUMENT',
        message: `A drawing of ${wishes.length} axes cannot have those of one of ${this.#wishes.length}.`,
        fix: 'Draw them by themselves.',
      });
    }
    this.#found.push(found);
    return this.#wishes;
  }

  /** The axes of all. Called when the ranges of all of them are known. */
  axes(profile: boolean): Axis[] {
    this.#axes ??= chooseAxes(this.#wishes ?? [], united(this.#found.map((found) => found())), profile);
    return this.#axes;
  }
}

/** The ranges of the values of several histograms, as of one. */
function united(all: readonly FoundRanges[]): FoundRanges {
  const filled = all.filter(({ fills }) => fills > 0);
  const [one, ...others] = filled;
  if (one === undefined) return { fills: 0, whole: [], first: [], later: [], integer: [] };
  return {
    fills: filled.reduce((sum, { fills }) => sum + fills, 0),
    whole: one.whole.map((summary, k) => {
      const sum = { ...summary };
      for (const { whole } of others) if (whole[k]) addSummary(sum, whole[k]);
      return sum;
    }),
    first: one.first.map((_, k) => {
      const ends = filled.flatMap(({ first }) => (first[k]?.values ? [first[k]] : []));
      return {
        values: ends.reduce((sum, { values }) => sum + values, 0),
        min: Math.min(...ends.map(({ min }) => min)),
        max: Math.max(...ends.map(({ max }) => max)),
      };
    }),
    later: one.later.map((_, k) => filled.flatMap(({ later }) => later[k] ?? [])),
    integer: one.integer.map((_, k) => filled.every(({ integer }) => integer[k] ?? false)),
  };
}
