import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largestOf } from '../../web/base/sort';

test('the largest of a list are those that sorting puts first, equal ones as they came', () => {
  const items = fc.array(fc.record({ size: fc.integer({ min: -2, max: 9 }) }));
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 5 }), (list, count) => {
      const sorted = list.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
      const found = largestOf(list, count, ({ size }) => size);
      expect(found).toHaveLength(Math.min(count, sorted.length));
      for (const [i, item] of found.entries()) expect(item).toBe(sorted[i]);
    }),
  );
});
