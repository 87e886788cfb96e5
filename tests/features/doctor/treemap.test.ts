import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treemap } from '../../../web/features/doctor/work/treemap';

test('areas are in proportion, within the frame, and do not overlap', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 }), (values) => {
      const frame = { x: 5, y: 7, width: 400, height: 300 };
      const cells = treemap(values, frame);
      const total = values.reduce((sum, value) => sum + value, 0);
      expect(cells.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
        values.flatMap((value, i) => (value > 0 ? [i] : [])),
      );
      for (const [k, { index, x, y, width, height }] of cells.entries()) {
        expect(width * height).toBeCloseTo(((values[index] ?? 0) / total) * 120_000, 4);
        expect(x).toBeGreaterThanOrEqual(5 - 1e-6);
        expect(y).toBeGreaterThanOrEqual(7 - 1e-6);
        expect(x + width).toBeLessThanOrEqual(405 + 1e-6);
        expect(y + height).toBeLessThanOrEqual(307 + 1e-6);
        for (const other of cells.slice(k + 1)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          expect(Math.min(across, down)).toBeLessThan(1e-6);
        }
      }
    }),
  );
});

test('equal values are squares where they can be', () => {
  const cells = treemap([1, 1, 1, 1], { x: 0, y: 0, width: 200, height: 200 });
  expect(cells.map(({ width, height }) => [width, height])).toEqual(Array(4).fill([100, 100]));
});
