import { expect, test } from 'vitest';
import type { Frequencies } from '../../web/api/api';
import { countsOf } from '../../web/ui/plot/frequency-table';

const told = (counts: number[], more: Partial<Frequencies> = {}) =>
  countsOf({
    ...{ kind: 'frequencies', title: 'trigger', values: 2400, distinct: counts.length, entries: 2400 },
    top: counts.map((count, i) => ({ value: `HLT_${i}`, count })),
    ...more,
  }).map(({ count, share }) => `${count} ${share}`.trim());

test('counts have their share of all strings, also of those that are not listed', () => {
  expect(told([1200, 600])).toEqual(['1,200 50.0 %', '600 25.0 %']);
});

test('sums of weights keep their digits, and have their share of the sum of weights', () => {
  expect(told([7500.25, 2500.25])).toEqual(['7500.25 75.0 %', '2500.25 25.0 %']);
  expect(told([9000, 3000])).toEqual(['9,000 75.0 %', '3,000 25.0 %']);
});

test('sums of weights that are parts of no known whole have no share', () => {
  expect(told([7500.25, 2500.25], { distinct: 300 })).toEqual(['7500.25', '2500.25']);
  expect(told([3.5, -1.25])).toEqual(['3.5', '−1.25']);
});
