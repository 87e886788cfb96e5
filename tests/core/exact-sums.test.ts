import { expect, test } from 'vitest';
import {
  addSums,
  addTerm,
  type ExactSums,
  emptySums,
  roundedSum,
  sumsOfCore,
  termsOf,
} from '../../web/core/sums/exact-sums';

/** A double as a whole number of units of 2^-1074, the smallest double. */
function unitsOf(value: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(value).buffer);
  const power = Number((bits >> 52n) & 0x7ffn);
  const digits = bits & 0xfffffffffffffn;
  const size = power === 0 ? digits : (digits + 0x10000000000000n) << BigInt(power - 1);
  return value < 0 ? -size : size;
}

/** The double that is nearest to a number of units, to even at a tie. */
function nearest(units: bigint): number {
  const size = units < 0n ? -units : units;
  const shift = BigInt(Math.max(0, size.toString(2).length - 53));
  const half = shift > 0n ? 1n << (shift - 1n) : 0n;
  const rest = size & ((1n << shift) - 1n);
  let digits = size >> shift;
  if (shift > 0n && (rest > half || (rest === half && digits % 2n === 1n))) digits += 1n;
  // In steps, because the factors may be beyond the range of a double.
  let value = Number(digits) * 2 ** -537 * 2 ** -537;
  if (shift > 0n)
    value = Number(digits) * 2 ** (Number(shift / 2n) - 537) * 2 ** (Number(shift - shift / 2n) - 537);
  return units < 0n ? -value : value;
}

let state = 12345;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

/** A double of any magnitude within 2^±spread. */
const anyDouble = (spread: number): number =>
  (random() - 0.5 + (random() - 0.5) * 2 ** -32) * 2 ** Math.round((random() - 0.5) * 2 * spread);

function sumOf(terms: readonly number[]): ExactSums {
  const sums = emptySums(1);
  for (const term of terms) addTerm(sums, 0, term);
  return sums;
}

const shuffled = <T>(list: readonly T[]): T[] => {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [copy[i], copy[k]] = [copy[k] as T, copy[i] as T];
  }
  return copy;
};

test.each([0, 10, 60, 200, 900])('sums of doubles within 2^±%i are those of whole numbers', (spread) => {
  for (let round = 0; round < 30; round++) {
    const terms = Array.from({ length: 60 }, () => anyDouble(spread));
    // Some of them cancel each other.
    terms.push(...terms.slice(0, 20).map((term) => -term));
    const exact = terms.reduce((sum, term) => sum + unitsOf(term), 0n);
    const sums = sumOf(terms);
    expect(roundedSum(sums, 0)).toBe(nearest(exact));
    expect(termsOf(sums, 0).reduce((sum, term) => sum + unitsOf(term), 0n)).toBe(exact);
    // The terms do not depend on the order, nor on the way in which parts were added.
    const again = shuffled(terms);
    const [left, right] = [sumOf(again.slice(0, 33)), sumOf(again.slice(33))];
    addSums(right, left);
    expect(termsOf(right, 0)).toEqual(termsOf(sums, 0));
    expect(termsOf(sumOf(termsOf(sums, 0)), 0)).toEqual(termsOf(sums, 0));
  }
});

test('a tie is decided by what follows it', () => {
  expect(roundedSum(sumOf([1, 2 ** -53]), 0)).toBe(1);
  expect(roundedSum(sumOf([1, 2 ** -53, 2 ** -200]), 0)).toBe(1 + 2 ** -52);
  expect(roundedSum(sumOf([1, 2 ** -53, -(2 ** -200)]), 0)).toBe(1);
  expect(roundedSum(sumOf([2 ** -1074, 1, -1]), 0)).toBe(2 ** -1074);
});

test('terms that are not finite stay, in any order', () => {
  const cases: [number[], number][] = [
    [[1, Infinity, 2 ** -80], Infinity],
    [[Infinity, -Infinity, 5], Number.NaN],
    [[Number.NaN, 1, Infinity], Number.NaN],
  ];
  for (const [terms, sum] of cases) {
    for (let i = 0; i < 6; i++) expect(roundedSum(sumOf(shuffled(terms)), 0)).toBe(sum);
    const both = sumOf([3, 2 ** -70]);
    addSums(both, sumOf(terms));
    expect(termsOf(both, 0)).toEqual([sum]);
  }
  expect(termsOf(sumOf([-0]), 0)).toEqual([]);
});

test('a term that might overflow is refused', () => {
  const core = (...pairs: number[]) =>
    sumsOfCore(new Float64Array(1), new Float64Array(1), Float64Array.from(pairs));
  expect(() => core(0, 2 ** 960)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  expect(roundedSum(core(0, 2 ** 959, 0, 3), 0)).toBe(2 ** 959);
  // Sums of such terms may be larger.
  expect(roundedSum(sumOf([2 ** 959, 2 ** 959, 2 ** 959]), 0)).toBe(3 * 2 ** 959);
  expect(roundedSum(sumOf([2 ** 959, -(2 ** 959), 1]), 0)).toBe(1);
});
