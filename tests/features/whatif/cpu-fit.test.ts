import { expect, test } from 'vitest';
import { cpuMs } from '../../../web/features/whatif/work/cpu/cpu-counts';
import { fitCosts, leastSquares } from '../../../web/features/whatif/work/cpu/cpu-fit';

/** Numbers from 0 to 1, always the same. */
function numbers() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a fit finds the costs by which times were made', () => {
  const random = numbers();
  const costs = { 'zlib in': 3.5, basket: 6000, 'number call': 20, 'number byte': 0, entry: 40 };
  const readings = Array.from({ length: 12 }, () => {
    const counts = new Map([
      ['zlib in', 1e6 * random()],
      ['basket', 300 * random()],
      ['number call', 1e5 * random()],
      ['number byte', 1e6 * random()],
      ['entry', 1e4 * random()],
    ]);
    return { counts, ms: cpuMs(counts, costs) ?? 0 };
  });
  const found = fitCosts(readings);
  for (const [name, cost] of Object.entries(costs)) expect(found[name]).toBeCloseTo(cost, 5);
});

test('no cost is below 0, and times that disagree are met as well as they can be', () => {
  const random = numbers();
  for (let round = 0; round < 50; round++) {
    const columns = Array.from({ length: 4 }, () => Array.from({ length: 7 }, random));
    const target = Array.from({ length: 7 }, () => random() - 0.2);
    const found = leastSquares(columns, target);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
    const rest = target.map(
      (value, row) => value - columns.reduce((sum, one, at) => sum + (one[row] ?? 0) * (found[at] ?? 0), 0),
    );
    // At the minimum no factor above 0 can be moved, and one at 0 only below it.
    for (const [at, column] of columns.entries()) {
      const slope = column.reduce((sum, value, row) => sum + value * (rest[row] ?? 0), 0);
      if ((found[at] ?? 0) > 0) expect(Math.abs(slope)).toBeLessThan(1e-6);
      else expect(slope).toBeLessThan(1e-6);
    }
  }
});

test('a cost that is not known makes no time', () => {
  expect(cpuMs(new Map([['lzma in', 5]]), { 'zlib in': 1 })).toBeUndefined();
  expect(cpuMs(new Map([['zlib in', 2e6]]), { 'zlib in': 1 })).toBe(2);
});
