import { type DistinctSketch, distinctOf, MAX_EXACT, REGISTERS } from './distinct-sketch';
import { addSums, addTerm, type ExactSums, emptySums, roundedSum, termsOf } from './exact-sums';
import { sumOf } from './summary';

/** A summary of values that can be added exactly: the parts give the same bits in any order and grouping. */
export interface ExactSummary {
  /** Number of finite numbers. */
  values: number;
  nans: number;
  infinities: number;
  /** Minimum and maximum of the finite numbers; NaN if there are none. */
  min: number;
  max: number;
  /** Whether all numbers are integers. */
  integers: boolean;
  /** Number of zeros, or of empty texts. */
  zeros: number;
  /** Number of numbers or texts, including NaN. */
  items: number;
  /**
   * Four sums over all parts, each with n numbers and mean m: the sum of the numbers, of their squared distances from
   * the mean of their part, of n m, and of n m m.
   */
  moments: ExactSums;
  /** Hashes of the distinct values; undefined if there are too many. */
  distinct: ReadonlySet<bigint> | undefined;
  /** Ranks of HyperLogLog. */
  registers: Uint8Array;
}

export const SUMMARY_MOMENTS = 4;

export function emptyExactSummary(): ExactSummary {
  return {
    ...{ values: 0, nans: 0, infinities: 0, min: Number.NaN, max: Number.NaN, integers: true, zeros: 0 },
    ...{ items: 0, moments: emptySums(SUMMARY_MOMENTS), distinct: new Set<bigint>() },
    registers: new Uint8Array(REGISTERS),
  };
}

/** Returns the summary of a part. */
export function exactSummaryOf(sketch: DistinctSketch): ExactSummary {
  const { summary, zeros, items, distinct, registers } = sketch;
  const { values, nans, infinities, integers } = summary;
  const all = {
    ...emptyExactSummary(),
    values,
    nans,
    infinities,
    integers,
    zeros,
    items,
    distinct,
    registers,
  };
  if (values === 0) return all;
  const { moments } = all;
  for (const term of [summary.sum, summary.carry]) addTerm(moments, 0, term);
  addTerm(moments, 1, summary.deviation);
  const mean = sumOf(summary) / values;
  for (const one of product(values, mean)) {
    addTerm(moments, 2, one);
    for (const square of product(one, mean)) addTerm(moments, 3, square);
  }
  // Adding 0 turns -0 into 0, so that the sign does not depend on the order.
  return { ...all, min: summary.min + 0, max: summary.max + 0 };
}

/** Adds `more` to `sum`. Changes `sum`. */
export function addExactSummary(sum: ExactSummary, more: ExactSummary): void {
  for (const name of ['values', 'nans', 'infinities', 'zeros', 'items'] as const) sum[name] += more[name];
  // As fmin and fmax in C: NaN is ignored.
  if (!(sum.min <= more.min) && !Number.isNaN(more.min)) sum.min = more.min;
  if (!(sum.max >= more.max) && !Number.isNaN(more.max)) sum.max = more.max;
  sum.integers &&= more.integers;
  addSums(sum.moments, more.moments);
  const both = sum.distinct && more.distinct ? new Set([...sum.distinct, ...more.distinct]) : undefined;
  sum.distinct = both && both.size <= MAX_EXACT ? both : undefined;
  sum.registers = sum.registers.map((rank, i) => Math.max(rank, more.registers[i] ?? 0));
}

/** Returns the values that are shown for a branch: mean, standard deviation and others. */
export function figuresOf(sum: ExactSummary) {
  const { values, moments, min, max, items, zeros, integers, nans, infinities } = sum;
  const total = roundedSum(moments, 0);
  const { count, exact } = distinctOf(sum);
  const details = { zeros, distinct: count, distinctExact: exact, constant: exact && count === 1 };
  return {
    // Texts are counted only in `items`.
    values: values + nans + infinities > 0 ? values + infinities : items,
    ...{ nans, infinities, min, max, sum: total },
    mean: values > 0 ? total / values : Number.NaN,
    stdDev: values > 0 ? Math.sqrt(Math.max(0, deviationOf(sum)) / values) : Number.NaN,
    integer: values > 0 && integers,
    ...(items > 0 && { details }),
  };
}

/**
 * Returns the sum of squared distances from the total mean: the sum within the parts plus that of the means of the
 * parts.
 */
function deviationOf({ values, moments }: ExactSummary): number {
  const between = emptySums(1);
  for (const square of termsOf(moments, 3))
    for (const one of product(values, square)) addTerm(between, 0, one);
  const sums = termsOf(moments, 2);
  for (const a of sums) for (const b of sums) for (const one of product(-a, b)) addTerm(between, 0, one);
  return roundedSum(moments, 1) + roundedSum(between, 0) / values;
}

/**
 * Returns the product of two doubles as a sum of two doubles (Dekker). If it overflows or loses bits, returns the
 * rounded product.
 */
function product(a: number, b: number): [high: number, low: number] {
  const high = a * b;
  const [a1, a2] = halves(a);
  const [b1, b2] = halves(b);
  const low = a2 * b2 - (high - a1 * b1 - a2 * b1 - a1 * b2);
  return [high, Number.isFinite(low) ? low : 0];
}

/** Splits a double into a sum of two doubles with 26 bits each (Veltkamp). */
function halves(a: number): [high: number, low: number] {
  const scaled = 134_217_729 * a;
  const high = scaled - (scaled - a);
  return [high, a - high];
}
