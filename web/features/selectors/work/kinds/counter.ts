import type { Gathered } from '../../../../api/selector';
import { argumentError } from '../../../../base/errors';
import { formatCount, formatNumber } from '../../../../base/format';
import {
  addSums,
  addTerm,
  type ExactSums,
  emptySums,
  roundedSum,
  scaledSums,
} from '../../../../core/sums/exact-sums';
import { countFrom, type Json, sumFrom, sumJson, type Wrong } from '../../../../measure/json';
import { Made, type ResultKind } from './kind';

/** An exact sum. */
export interface SelectorCounter {
  /** Adds a number. Default: 1. */
  add(amount?: number): void;
}

/** A sum of weights. `squares` and `count` are undefined in results of earlier versions, and in sums with these. */
export interface Counted {
  sum: ExactSums;
  /** The sum of squared weights. */
  squares?: ExactSums | undefined;
  /** The number of weights. It is not scaled. */
  count?: number | undefined;
}

export interface CounterResult extends Gathered, Counted {
  kind: 'counter';
}

/** Adds weights. Changes `sum`. */
export function addCounted(sum: Counted, more: Counted): void {
  addSums(sum.sum, more.sum);
  if (sum.squares && more.squares) addSums(sum.squares, more.squares);
  else sum.squares = undefined;
  sum.count = sum.count === undefined || more.count === undefined ? undefined : sum.count + more.count;
}

export function scaledCounted({ sum, squares, count }: Counted, scale: number): Counted {
  return {
    sum: scaledSums(sum, () => scale),
    squares: squares && scaledSums(squares, () => scale * scale),
    count,
  };
}

/** Reads sums that a worker sent, or those of a partial result. */
export function countedFrom({ sum, squares, count }: Json, wrong: Wrong): Counted {
  return {
    sum: sumFrom(sum, wrong),
    squares: squares === undefined ? undefined : sumFrom(squares, wrong),
    count: count === undefined ? undefined : countFrom(count, wrong),
  };
}

/** Returns a sum with its statistical error and the number of weights, if they are known and say more than the sum. */
export function countedText({ sum, squares, count }: Counted): string {
  const value = roundedSum(sum, 0);
  if (!squares || count === undefined || value === count) return formatNumber(value);
  return `${formatNumber(value)} ± ${formatNumber(Math.sqrt(Math.max(0, roundedSum(squares, 0))))} (${formatCount(count)} raw)`;
}

export const counter: ResultKind<CounterResult, number> = {
  job: () => ({ counter: () => new MadeCounter() }),
  help: { counter: '()' },
  add: addCounted,
  scaled: (one, scale) => ({ kind: 'counter', ...scaledCounted(one, scale) }),
  json: ({ sum, squares, count }) => ({
    sum: sumJson(sum),
    ...(squares && { squares: sumJson(squares) }),
    ...(count !== undefined && { count }),
  }),
  from: (given, wrong) => ({ kind: 'counter', ...countedFrom(given, wrong) }),
  value: ({ sum }) => roundedSum(sum, 0),
  lines: (value, one) => [one ? countedText(one) : formatNumber(value)],
};

/** Terms must be below 2^960: see ExactSums. */
const MAX_SQUARE = 2 ** 960;

/** Adds whole numbers and other numbers without rounding. */
export class MadeCounter extends Made<CounterResult> implements SelectorCounter {
  #whole = 0;
  #wholeSquares = 0;
  #count = 0;
  /** Whether a square was too large to be added. The errors are unknown then. */
  #isTooLarge = false;
  readonly #sum = emptySums(1);
  readonly #squares = emptySums(1);

  /** A rest parameter distinguishes a missing amount, which is 1, from undefined, which is an error. */
  add(...given: readonly number[]): void {
    this.checkOwn();
    const amount = amountOf('add of a counter takes', given);
    this.#count += 1;
    const next = this.#whole + amount;
    const square = amount * amount;
    if (
      Number.isSafeInteger(amount) &&
      Number.isSafeInteger(next) &&
      Number.isSafeInteger(this.#wholeSquares + square)
    ) {
      this.#whole = next;
      this.#wholeSquares += square;
      return;
    }
    addTerm(this.#sum, 0, checkedAmount(amount));
    if (square < MAX_SQUARE) addTerm(this.#squares, 0, square);
    else this.#isTooLarge = true;
  }

  counted(): Counted {
    addTerm(this.#sum, 0, this.#whole);
    addTerm(this.#squares, 0, this.#wholeSquares);
    this.#whole = 0;
    this.#wholeSquares = 0;
    return { sum: this.#sum, squares: this.#isTooLarge ? undefined : this.#squares, count: this.#count };
  }

  protected gathered(): CounterResult {
    return { kind: 'counter', ...this.counted() };
  }
}

/** Returns the amount, or 1 if it is left out. Throws ARGUMENT for undefined, which a misspelt name gives, and for more values than one. */
export function amountOf(takes: string, given: readonly number[]): number {
  if (given.length === 0) return 1;
  const [amount] = given as readonly unknown[];
  if (given.length === 1 && typeof amount === 'bigint') return exactNumber(amount);
  if (given.length === 1 && amount !== undefined) return amount as number;
  throw argumentError(
    given.length > 1 ? `${takes} at most one amount.` : 'The amount that add got is undefined.',
    'Look for a misspelt name. An amount that is left out is 1.',
  );
}

/** Returns a whole number of 64 bits as a number. Throws ARGUMENT if that would round it. */
function exactNumber(amount: bigint): number {
  const number = Number(amount);
  if (Number.isSafeInteger(number)) return number;
  throw argumentError(
    `add got ${String(amount).slice(0, 40)}, a whole number that is too large to be added exactly.`,
    'Give Number(amount), if it may be rounded.',
  );
}

/** Terms must be below 2^960: see ExactSums. */
function checkedAmount(amount: unknown): number {
  if (typeof amount === 'number' && Math.abs(amount) < 2 ** 960) return amount;
  throw argumentError(
    `add got ${String(amount).slice(0, 40)}, which is not a number that can be added.`,
    'Give a number.',
  );
}
