import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addSummary, emptySummary, type Summary, sumOf } from '../../web/core/sums/summary';

/** The summary of numbers by its definition. */
function summaryOf(numbers: readonly number[]): Summary {
  const summary = emptySummary();
  const finite = numbers.filter(Number.isFinite);
  const sum = finite.reduce((a, b) => a + b, 0);
  return {
    ...summary,
    values: finite.length,
    nans: numbers.filter(Number.isNaN).length,
    infinities: numbers.filter((x) => Math.abs(x) === Number.POSITIVE_INFINITY).length,
    min: finite.length > 0 ? Math.min(...finite) : 0,
    max: finite.length > 0 ? Math.max(...finite) : 0,
    sum,
    deviation: finite.reduce((all, x) => all + (x - sum / finite.length) ** 2, 0),
    integers: finite.every(Number.isInteger),
  };
}

const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -1000, max: 1000 }).map((x) => x / 8) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);

test('runs of numbers that are added are one run, however they are divided', () => {
  fc.assert(
    fc.property(fc.array(fc.array(number)), (runs) => {
      const all = emptySummary();
      for (const run of runs) addSummary(all, summaryOf(run));
      const { deviation, ...rest } = summaryOf(runs.flat());
      expect(all).toMatchObject({ ...rest, carry: 0 });
      expect(Math.abs(all.deviation - deviation)).toBeLessThanOrEqual(1e-9 * (1 + deviation));
    }),
  );
});

test('what the sum cannot hold is in the carry', () => {
  const all = emptySummary();
  for (const x of [1e16, 1, 1, -1e16]) addSummary(all, summaryOf([x]));
  expect(sumOf(all)).toBe(2);
});

test('a sum beyond the largest number stays infinite', () => {
  const all = emptySummary();
  for (const x of [Number.MAX_VALUE, Number.MAX_VALUE]) addSummary(all, summaryOf([x]));
  expect(sumOf(all)).toBe(Number.POSITIVE_INFINITY);
});
