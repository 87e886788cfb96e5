import { expect, test } from 'vitest';
import { emptyFill, finish } from '../../web/bins/filled-histogram';
import { addFill, type Fill, type FillStats } from '../../web/core/fill';

const AXES = [
  { bins: 4, low: -10, high: 10 },
  { bins: 4, low: -10, high: 10 },
];
type Point = [x: number, y: number, weight: number];

/** Returns the fill of one point. */
function fillOf([x, y, weight]: Point): Fill {
  const fill = emptyFill(AXES, 2, false, false);
  const axis = (mean: number) => ({ mean, first: 0, deviation: 0, finite: 1, min: mean, max: mean });
  const stats: FillStats = {
    ...fill.stats,
    ...{ fills: 1, weight, weight2: weight * weight, size: Math.abs(weight) },
    axes: [axis(x), axis(y)],
  };
  return { ...fill, stats };
}

test('means and deviations of weights of both signs are those of plain sums, whatever adds up to 0 in between', () => {
  const points: Point[] = [
    [1, 2, 1],
    [3, -1, -1],
    [5, 7, 2],
    [-4, 0.5, -2],
    [2, 2, 3],
    [0, -6, -2],
  ];
  const sum = emptyFill(AXES, 2, false, false);
  for (const point of points) addFill(sum, fillOf(point));
  const total = (of: (point: Point) => number) =>
    points.reduce((all, point) => all + of(point) * point[2], 0);
  const weight = total(() => 1);
  const [x, y] = [total(([a]) => a) / weight, total(([, b]) => b) / weight];
  const { mean, stdDev, covariance } = finish(sum, undefined);
  expect(weight).toBe(1);
  expect(mean[0]).toBeCloseTo(x, 12);
  expect(mean[1]).toBeCloseTo(y, 12);
  expect(stdDev[0]).toBeCloseTo(Math.sqrt(Math.max(0, total(([a]) => (a - x) ** 2) / weight)), 10);
  expect(stdDev[1]).toBeCloseTo(Math.sqrt(Math.max(0, total(([, b]) => (b - y) ** 2) / weight)), 10);
  expect(covariance).toBeCloseTo(total(([a, b]) => (a - x) * (b - y)) / weight, 10);
});
