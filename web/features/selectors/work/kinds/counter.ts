import type { Gathered } from '../../../../api/selector';
import { argumentError } from '../../../../base/errors';
import { formatNumber } from '../../../../base/format';
import {
  addSums,
  addTerm,
  type ExactSums,
  emptySums,
  roundedSum,
  scaledSums,
} from '../../../../core/sums/exact-sums';
import { sumFrom, sumJson } from '../../../../measure/json';
import { Made, type ResultKind } from './kind';

/** An exact sum. */
export interface SelectorCounter {
  /** Adds a number. Default: 1. */
  add(amount?: number): void;
}

export interface CounterResult extends Gathered {
  kind: 'counter';
  sum: ExactSums;
}

export const counter: ResultKind<CounterResult, number> = {
  job: () => ({ counter: () => new MadeCounter() }),
  help: { counter: '()' },
  add: (sum, more) => addSums(sum.sum, more.sum),
  scaled: (one, scale) => ({ ...one, sum: scaledSums(one.sum, () => scale) }),
  json: ({ sum }) => ({ sum: sumJson(sum) }),
  from: ({ sum }, wrong) => ({ kind: 'counter', sum: sumFrom(sum, wrong) }),
  value: ({ sum }) => roundedSum(sum, 0),
  lines: (value) => [formatNumber(value)],
};

/** Adds whole numbers and other numbers without rounding. */
export class MadeCounter extends Made<CounterResult> implements SelectorCounter {
  #whole = 0;
  readonly #sum = emptySums(1);

  /** A rest parameter distinguishes a missing amount, which is 1, from undefined, which is an error. */
  add(...given: readonly number[]): void {
    this.checkOwn();
    const amount = amountOf('add of a counter takes', given);
    const next = this.#whole + amount;
    if (Number.isSafeInteger(amount) && Number.isSafeInteger(next)) this.#whole = next;
    else addTerm(this.#sum, 0, checkedAmount(amount));
  }

  sum(): ExactSums {
    addTerm(this.#sum, 0, this.#whole);
    this.#whole = 0;
    return this.#sum;
  }

  protected gathered(): CounterResult {
    return { kind: 'counter', sum: this.sum() };
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
