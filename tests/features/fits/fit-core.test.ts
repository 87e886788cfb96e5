import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fit } from '../../../web/features/fits/work/fit';
import { fittedOf, judgedCases, optionsOf } from './judged';

const compiled = WebAssembly.compile(readFileSync('build/xylem-fit.wasm'));
const load = () => compiled;

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
