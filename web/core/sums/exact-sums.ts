import { unsupported } from '../../base/data-errors';

/**
 * Sums of doubles without rounding, so that the order of adding does not change any bit of the result. Sum i is
 * `high[i]` + `low[i]` + the terms in `rest` for i. If a term was not finite, `high[i]` is the sum of the terms that
 * were not finite. Plain data, created by wasm/src/compute/exact.h.
 */
export interface ExactSums {
  high: Float64Array;
  low: Float64Array;
  /** Further doubles that do not overlap, in ascending magnitude. */
  rest: Map<number, number[]>;
}

/** Terms of this magnitude or more are refused, because a sum of 2^53 of them might overflow. */
const TOO_LARGE = 2 ** 960;

export function emptySums(count: number): ExactSums {
  return { high: new Float64Array(count), low: new Float64Array(count), rest: new Map() };
}

/** Adds two doubles. Returns the rounded sum and the rounding error (Knuth's TwoSum). */
function twoSum(a: number, b: number): [sum: number, lost: number] {
  const sum = a + b;
  const part = sum - a;
  return [sum, a - (sum - part) + (b - part)];
}

/** Adds a term to doubles that do not overlap, in ascending magnitude. Changes the list (Shewchuk's GROW-EXPANSION). */
function grow(terms: number[], term: number): void {
  let carry = term;
  let used = 0;
  for (const one of terms) {
    const [sum, lost] = twoSum(carry, one);
    if (lost !== 0) terms[used++] = lost;
    carry = sum;
  }
  terms.length = used;
  if (carry !== 0) terms.push(carry);
}

export function addTerm(sums: ExactSums, i: number, term: number): void {
  const [high, error] = twoSum(sums.high[i] ?? 0, term);
  sums.high[i] = high;
  if (!Number.isFinite(high)) {
    sums.low[i] = 0;
    sums.rest.delete(i);
    return;
  }
  const [low, lost] = twoSum(sums.low[i] ?? 0, error);
  sums.low[i] = low;
  if (lost !== 0) keep(sums, i, lost);
}

function keep({ rest }: ExactSums, i: number, term: number): void {
  const terms = rest.get(i) ?? [];
  grow(terms, term);
  if (terms.length > 0) rest.set(i, terms);
  else rest.delete(i);
}

/**
 * Converts the core's result: two doubles for each sum, and pairs of the number of a sum and a further term. Throws
 * UNSUPPORTED for a term of 2^960 or more.
 */
export function sumsOfCore(high: Float64Array, low: Float64Array, pairs: Float64Array): ExactSums {
  const sums: ExactSums = { high, low, rest: new Map() };
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const term = pairs[at + 1] ?? 0;
    if (Math.abs(term) >= TOO_LARGE) {
      throw unsupported(
        `The value ${term} is too large for exact sums.`,
        'Scale the weight or the expression; terms must be smaller than 2^960.',
      );
    }
    addTerm(sums, pairs[at] ?? 0, term);
  }
  return sums;
}

/** Adds `more`, which has the same number of sums, to `sums`. Changes `sums`. */
export function addSums(sums: ExactSums, more: ExactSums): void {
  for (let i = 0; i < sums.high.length; i++) {
    const high = more.high[i] ?? 0;
    if (high !== 0) addTerm(sums, i, high);
    const low = more.low[i] ?? 0;
    if (low !== 0) addTerm(sums, i, low);
  }
  for (const [i, terms] of more.rest) for (const term of terms) addTerm(sums, i, term);
}

/**
 * Returns the doubles whose exact total is sum i: the sum rounded to a double, the rounded remainder, and so on; an
 * empty list for 0. They depend only on the value of the sum, not on how it was computed.
 */
export function termsOf(sums: ExactSums, i: number): number[] {
  const high = sums.high[i] ?? 0;
  const low = sums.low[i] ?? 0;
  if (low === 0 && !sums.rest.has(i)) return high === 0 ? [] : [high];
  const left = [...(sums.rest.get(i) ?? [])];
  grow(left, low);
  grow(left, high);
  const terms: number[] = [];
  while (left.length > 0) {
    const term = rounded(left);
    terms.push(term);
    grow(left, -term);
  }
  return terms;
}

/** Returns sum i rounded to the nearest double (ties to even). */
export function roundedSum(sums: ExactSums, i: number): number {
  return termsOf(sums, i)[0] ?? 0;
}

/** Returns each sum rounded and multiplied by its factor. The bits do not depend on how the sums were computed. */
export function scaledSums(sums: ExactSums, factor: (i: number) => number): ExactSums {
  const all = emptySums(sums.high.length);
  for (let i = 0; i < sums.high.length; i++) addTerm(all, i, roundedSum(sums, i) * factor(i));
  return all;
}

/** Rounds the total of at least one double. They do not overlap and ascend in magnitude. */
function rounded(terms: readonly number[]): number {
  let at = terms.length - 1;
  let sum = terms[at] ?? 0;
  let lost = 0;
  // Several terms may fit into one double.
  while (at > 0 && lost === 0) [sum, lost] = twoSum(sum, terms[--at] ?? 0);
  const next = terms[at - 1] ?? 0;
  // At a tie, the next term decides.
  if (lost !== 0 && Math.sign(next) === Math.sign(lost)) {
    const twice = lost * 2;
    const moved = sum + twice;
    if (moved - sum === twice) return moved;
  }
  return sum;
}
