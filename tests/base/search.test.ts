import { expect, test } from 'vitest';
import { firstAbove, firstAtLeast, firstIndex, lastAtMost } from '../../web/base/search';

test('each search agrees with a walk through the list', () => {
  for (const list of [[], [3], [1, 1, 4, 4, 4, 9], [0, 2, 4, 6, 8]]) {
    for (let value = -1; value <= 10; value += 0.5) {
      const least = list.filter((one) => one < value).length;
      const above = list.filter((one) => one <= value).length;
      expect(firstAtLeast(list, value)).toBe(least);
      expect(firstIndex(list.length, (i) => (list[i] ?? 0) >= value)).toBe(least);
      expect(firstAbove(Float64Array.from(list), value)).toBe(above);
      expect(lastAtMost(Int32Array.from(list), list.length, value)).toBe(Math.max(0, above - 1));
    }
  }
});

test('only the first numbers of a list are searched', () => {
  expect(firstAbove([1, 2, 3, 4], 9, 2)).toBe(2);
  expect(lastAtMost([1, 2, 3, 4], 2, 9)).toBe(1);
});
