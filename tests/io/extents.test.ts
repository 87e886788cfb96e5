import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createExtentBudget, ExtentIndex } from '../../web/io/extents';
import { endOf, subtract, union } from '../../web/io/ranges';

const range = fc.record({ offset: fc.nat(100), length: fc.integer({ min: 1, max: 25 }) });
const extent = ({ offset, length }: { offset: number; length: number }) => ({
  offset,
  length,
  bytes: new Uint8Array(length).map((_, at) => offset + at),
});

test('what was added is found, whatever overlaps, and each byte is the right one', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 20 }), range, (added, wanted) => {
      const index = new ExtentIndex(createExtentBudget(1e6));
      for (const one of added) index.add(extent(one));
      const found = index.find(wanted);
      expect(subtract(union(subtract([wanted], [])), union(found))).toEqual(subtract([wanted], union(added)));
      for (const one of found) expect(one.bytes[0]).toBe(one.offset);
      for (const [at, one] of found.entries()) {
        const before = found[at - 1];
        if (before) expect(before.offset < one.offset && endOf(before) < endOf(one)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('within a bound nothing wrong is found, and what is held stays', () => {
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 30 }), fc.nat(60), (added, bound) => {
      const budget = createExtentBudget(bound);
      const index = new ExtentIndex(budget);
      const [first = extent({ offset: 0, length: 1 }), ...others] = added.map(extent);
      index.add(first, 1);
      for (const one of others.filter((other) => other.offset >= endOf(first))) index.add(one);
      expect(index.find(first)[0]).toBe(first);
      index.release(first);
      expect(budget.bytes).toBeLessThanOrEqual(bound);
      const kept = index.find({ offset: 0, length: 200 });
      expect(kept.reduce((sum, one) => sum + one.length, 0)).toBe(budget.bytes);
      index.clear();
      expect([budget.bytes, index.find({ offset: 0, length: 200 })]).toEqual([0, []]);
    }),
    { numRuns: 500 },
  );
});

test('found is what has bytes of the range, and neither what ends nor what begins at its ends', () => {
  const index = new ExtentIndex(createExtentBudget(1e6));
  const [first, second, third] = [0, 10, 20].map((offset) => extent({ offset, length: 10 }));
  for (const one of [second, third, first]) if (one) index.add(one);
  const find = (offset: number, length: number) => index.find({ offset, length });
  expect(find(0, 10)).toEqual([first]);
  expect(find(10, 10)).toEqual([second]);
  expect(find(9, 2)).toEqual([first, second]);
  expect(find(9, 12)).toEqual([first, second, third]);
  expect(find(30, 5)).toEqual([]);
});

test('an extent without bytes is not kept, and one that is held outlives the bound', () => {
  const budget = createExtentBudget(10);
  const index = new ExtentIndex(budget);
  index.add(extent({ offset: 5, length: 0 }));
  expect(index.find({ offset: 0, length: 10 })).toEqual([]);
  const [first, second] = [0, 10].map((offset) => extent({ offset, length: 10 }));
  if (!first || !second) throw new Error('two extents were made');
  index.add(first);
  index.hold(first);
  index.add(second);
  expect(index.find({ offset: 0, length: 20 })).toContain(first);
  index.release(first);
  index.add(extent({ offset: 30, length: 10 }));
  expect(index.find({ offset: 0, length: 10 })).toEqual([]);
});
