import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fit } from '../../../web/features/fits/work/fit';
import { FitCore, METHOD } from '../../../web/features/fits/work/fit-core';
import { parseModel } from '../../../web/features/fits/work/formula/model';
import { fittedOf, judgedCases, optionsOf } from './judged';

const compiled = WebAssembly.compile(readFileSync('build/xylem-fit.wasm'));
const load = () => compiled;

async function valuesOf(text: string, x: Float64Array): Promise<Float64Array> {
  const core = await FitCore.create(await load(), parseModel(text));
  core.data({ x: [x] }, METHOD.chi2, false);
  const values = core.values([0]);
  core.release();
  return values;
}

const many = 20_001;
const spread = (value: (share: number) => number) =>
  Float64Array.from({ length: many }, (_, i) => value(i / many));

test.each([
  ['exp', 0, spread((share) => 1400 * share - 700)],
  ['exp', 0, spread((share) => 10 ** (40 * share - 20))],
  ['log', -1, spread((share) => 0.5 + share)],
  ['log', -1, spread((share) => 10 ** (600 * share - 300))],
])('%s of two numbers at a time has the bits of the C library', async (name, special, x) => {
  const made = await valuesOf(`[0]+${name}(x)`, x);
  // Beside a number that is treated apart, the C library computes both.
  const pairs = await valuesOf(`[0]+${name}(x)`, Float64Array.from([...x].flatMap((one) => [one, special])));
  expect(made).toEqual(pairs.filter((_, i) => i % 2 === 0));
  const far = made.filter((value, i) => {
    const wanted = Math[name as 'exp' | 'log'](x[i] ?? 0);
    return Math.abs(value - wanted) > 4e-16 * Math.abs(wanted);
  });
  expect(far.length).toBe(0);
});

test('a fit in memory that another one left has the same result', async () => {
  const some = judgedCases.filter((one, i) => i % 20 === 0 && !one.empty && one.result.status === 0);
  expect(some.length).toBeGreaterThan(20);
  for (const one of some) {
    const again = () => fit(load, fittedOf(one.on), one.function, optionsOf(one));
    const first = await again();
    first.release();
    const second = await again();
    expect(second.result).toEqual(first.result);
    expect(() => first.curve(new Float64Array(1))).toThrow('The fit was released.');
    expect(second.at([new Float64Array(1), new Float64Array(1)])).toHaveLength(1);
  }
});
