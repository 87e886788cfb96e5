import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fitAll } from '../../../web/features/fits/work/together';
import {
  judgedTogether as cases,
  type JudgedTogether,
  togetherOptions as optionsOf,
  togetherParts as partsOf,
} from './judged-together';

const compiled = WebAssembly.compile(readFileSync('build/xylem-fit.wasm'));
const load = () => compiled;

describe('simultaneous fits agree with those of ROOT and iminuit', () => {
  test('there are at least 30', () => {
    expect(cases.length).toBeGreaterThanOrEqual(30);
    expect(cases.filter(({ iminuit }) => iminuit).length).toBeGreaterThan(5);
  });

  test.each(
    cases.map((one, i) => ({ ...one, name: `${i} ${one.parts.map(({ on }) => on)} ${one.options}` })),
  )('$name', async (one) => {
    const { result } = await fitAll(load, partsOf(one), optionsOf(one));
    expect(result.parameters.map(({ name }) => name)).toEqual(one.result.names);
    expect(result).toMatchObject({ status: one.result.status, valid: one.result.valid });
    expect(result.points).toBe(one.result.points);
    expect(result.ndf).toBe(one.result.points - result.parameters.filter(({ fixed }) => !fixed).length);
    const sum = result.parts.reduce((total, { fcn }) => total + fcn, 0);
    expect(Math.abs(sum - result.fcn)).toBeLessThanOrEqual(1e-9 * Math.abs(result.fcn));
    for (const judge of [one.result, one.iminuit ?? []].flat()) {
      expect(Math.abs(result.fcn - judge.fcn)).toBeLessThanOrEqual(2e-6 * Math.abs(judge.fcn));
      for (const [i, { value, error }] of result.parameters.entries()) {
        const [wanted = 0, sigma = 0] = [judge.values[i], judge.errors[i]];
        if (result.parameters[i]?.fixed) {
          expect([value, error]).toEqual([wanted, 0]);
          continue;
        }
        // iminuit goes closer to the minimum than the others, which stop where ROOT stops.
        const close = judge === one.iminuit ? 1e-2 : 1e-3;
        expect(Math.abs(value - wanted) / sigma).toBeLessThanOrEqual(close);
        expect(Math.abs(error / sigma - 1)).toBeLessThanOrEqual(judge === one.iminuit ? 0.02 : 0.01);
      }
    }
    for (const [i, pair] of (one.result.minos ?? []).entries()) {
      const own = result.parameters[i]?.minos;
      expect(own?.valid).toBe(pair !== null);
      if (!pair) continue;
      expect(Math.abs((own?.low ?? 0) / pair[0] - 1)).toBeLessThanOrEqual(0.01);
      expect(Math.abs((own?.high ?? 0) / pair[1] - 1)).toBeLessThanOrEqual(0.01);
    }
  });

  test('the curve of a part has the values of the whole', async () => {
    const [one] = cases as [JudgedTogether];
    const { fits, result } = await fitAll(load, partsOf(one), optionsOf(one));
    const [first] = fits;
    const height = result.parameters.find(({ name }) => name === 'Constant_1');
    const mean = result.parameters.find(({ name }) => name === 'Mean');
    const { y, band } = first?.curve(Float64Array.of(mean?.value ?? 0)) ?? {};
    expect(y?.[0]).toBeCloseTo(height?.value ?? 0, 9);
    expect(band?.[0]).toBeCloseTo(height?.error ?? 0, 1);
  });
});

describe('what a simultaneous fit refuses', () => {
  const [one] = cases as [JudgedTogether];
  const parts = partsOf(one);
  test.each([
    [{ shared: [] }, 'shares no parameter'],
    [{ shared: ['Men'] }, 'No two functions have the parameter "Men".'],
    [{ shared: ['Mean'], parameters: { Constant_3: 1 } }, 'no parameter "Constant_3"'],
    [{ shared: ['Mean'], range: [20, 30] as [number, number] }, 'The fit has no data'],
  ])('%j', async (options, message) => {
    await expect(fitAll(load, parts, options)).rejects.toThrow(message);
  });

  test('one part, and a sum of chi-square and likelihood', async () => {
    await expect(fitAll(load, parts.slice(0, 1), { shared: ['Mean'] })).rejects.toThrow('at least two');
    const values = { fitted: { kind: 'values' as const, x: Float64Array.of(4, 5, 6, 7) }, text: 'gausn' };
    await expect(fitAll(load, [...parts, values], { shared: ['Mean'] })).rejects.toThrow('but not both');
  });
});
