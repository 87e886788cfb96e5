import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ParameterSetting } from '../../../web/api/fit';
import { fit } from '../../../web/features/fits/work/fit';
import { fittedOf } from './judged';

const compiled = WebAssembly.compile(readFileSync('build/xylem-fit.wasm'));

/** A contour that ROOT computed: see tests/fixtures/fits/make_contours.py. */
interface JudgedContour {
  on: string;
  function: string;
  options: string;
  start: Record<string, ParameterSetting>;
  pair: [number, number];
  errors: [number, number];
  points: [number, number][];
}

const cases = JSON.parse(readFileSync('tests/fixtures/fits/contours.json', 'utf8')) as JudgedContour[];

test('there are at least 10', () => expect(cases.length).toBeGreaterThanOrEqual(10));

test.each(cases)('the contour of $on, $function, $options is that of ROOT', async (one) => {
  const [i, j] = one.pair;
  const { result } = await fit(() => compiled, fittedOf(one.on), one.function, {
    ...{ options: one.options, parameters: one.start, contours: [[String(i), String(j)]] },
  });
  const own = result.contours?.[0]?.points ?? [];
  expect(own.length).toBe(40);
  // Each point of ROOT lies beside the line through those of xylem, in units of the errors.
  const unit = ([x, y]: readonly [number, number]) => [x / one.errors[0], y / one.errors[1]] as const;
  const line = [...own, ...own.slice(0, 1)].map(unit);
  for (const point of one.points.map(unit)) {
    const away = line.slice(1).map((end, k) => distance(point, line[k] ?? end, end));
    expect(Math.min(...away)).toBeLessThan(0.03);
  }
});

type Point = readonly [number, number];

function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const size = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = size > 0 ? Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / size)) : 0;
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}
