import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tightAxis } from '../../web/bins/tight-axis';
import type { Summary } from '../../web/core/sums/summary';

function summary(a: number, b: number): Summary {
  return { values: 2, min: Math.min(a, b), max: Math.max(a, b), integers: false } as Summary;
}

it('holds all values, and is finite also for the largest doubles', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 1, max: 1000 }), (a, b, bins) => {
      const axis = tightAxis(summary(a, b), bins);
      expect(Number.isFinite(axis.low) && Number.isFinite(axis.high - axis.low)).toBe(true);
      expect(axis.low).toBeLessThan(axis.high);
      if (Math.abs(a) < 1e300 && Math.abs(b) < 1e300) {
        expect(axis.low).toBeLessThanOrEqual(Math.min(a, b));
        expect(axis.high).toBeGreaterThan(Math.max(a, b));
      }
    }),
    {
      examples: [
        [-57, Number.MAX_VALUE, 100],
        [-Number.MAX_VALUE, Number.MAX_VALUE, 100],
        [Number.MAX_VALUE, Number.MAX_VALUE, 10],
        [5e-324, 5e-324, 10],
        [0, 5e-324, 10],
      ],
    },
  );
});

const FAR = Number.MAX_VALUE / 2;

// Whole numbers lie in the middle of bins of a whole width; others between edges with few digits.
it.each<[string, number, number, boolean, number, { bins: number; low: number; high: number }]>([
  ['three whole numbers', 3, 5, true, 100, { bins: 3, low: 2.5, high: 5.5 }],
  ['one whole number', -4, -4, true, 100, { bins: 1, low: -4.5, high: -3.5 }],
  ['ten whole numbers a bin', 0, 999, true, 100, { bins: 100, low: -0.5, high: 999.5 }],
  ['eleven whole numbers a bin', 0, 1000, true, 100, { bins: 91, low: -0.5, high: 1000.5 }],
  ['two whole numbers a bin', -7, 12, true, 10, { bins: 10, low: -7.5, high: 12.5 }],
  ['a last bin that is not full', -7, 11, true, 10, { bins: 10, low: -7.5, high: 12.5 }],
  ['a whole number that leaves no half', 0, 2 ** 52, true, 10, { bins: 10, low: 0, high: 46e14 }],
  ['the same below zero', -(2 ** 52), 0, true, 10, { bins: 10, low: -46e14, high: 1e14 }],
  [
    'the largest that leaves a half',
    2 ** 52 - 2,
    2 ** 52 - 1,
    true,
    9,
    { bins: 2, low: 2 ** 52 - 2.5, high: 2 ** 52 - 0.5 },
  ],
  ['one value', 5, 5, false, 20, { bins: 20, low: 4.5, high: 5.5 }],
  ['one value below zero', -5, -5, false, 20, { bins: 20, low: -5.5, high: -4.5 }],
  ['zero alone', 0, 0, false, 20, { bins: 20, low: -0.5, high: 0.5 }],
  ['a value that is next to zero', 1e-300, 1e-300, false, 20, { bins: 20, low: -0.5, high: 0.5 }],
  ['a larger value is not an edge', 0, 1, false, 20, { bins: 20, low: 0, high: 1.01 }],
  ['values between edges', 0.13, 9.87, false, 20, { bins: 20, low: 0.1, high: 9.9 }],
  ['values on both sides of zero', -3.25, 12.5, false, 20, { bins: 20, low: -3.3, high: 12.6 }],
  [
    'values far from zero',
    1e12 + 0.25,
    1e12 + 0.5,
    false,
    20,
    { bins: 20, low: 1e12 + 0.25, high: 1e12 + 1.5 },
  ],
  ['all doubles', -Number.MAX_VALUE, Number.MAX_VALUE, false, 20, { bins: 20, low: -FAR, high: FAR }],
  [
    'the largest double',
    Number.MAX_VALUE,
    Number.MAX_VALUE,
    false,
    20,
    { bins: 20, low: FAR / 2, high: FAR },
  ],
  [
    'the least double',
    -Number.MAX_VALUE,
    -Number.MAX_VALUE,
    false,
    20,
    { bins: 20, low: -FAR, high: -FAR / 2 },
  ],
])('%s', (_what, min, max, integers, bins, axis) => {
  expect(tightAxis({ values: 2, min, max, integers } as Summary, bins)).toEqual(axis);
});

it('without values it is the range from 0 to 1', () => {
  expect(tightAxis({ values: 0, min: 3, max: 7, integers: true } as Summary, 40)).toEqual({
    bins: 40,
    low: 0,
    high: 1,
  });
});
