import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Summary } from '../../web/core/summary';
import { tightAxis } from '../../web/query/tight-axis';

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
