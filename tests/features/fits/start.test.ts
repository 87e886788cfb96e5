import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fit } from '../../../web/features/fits/work/fit';
import { parseParameters } from '../../../web/features/fits/work/options';
import { fittedOf } from './judged';

const compiled = WebAssembly.compile(readFileSync('build/xylem-fit.wasm'));

const x = Array.from({ length: 14 }, (_, i) => 0.5 + 1.5 * i);
const y = [
  ...[3.0049, 2.5768, 2.2278, 1.7, 1.4851, 1.0752, 0.962],
  ...[0.8876, 0.5937, 0.5724, 0.3154, 0.3148, 0.3123, 0.05],
];
const left = x.map((_, i) => 0.1 + 0.02 * (i % 3));
const down = x.map((_, i) => 0.06 + 0.01 * (i % 4));
const graphs = {
  TGraphErrors: { left, right: left, down, up: down },
  TGraphAsymmErrors: { left, right: left.map((one) => 1.5 * one), down, up: down.map((one) => 2 * one) },
};
const graph = (className: keyof typeof graphs) =>
  ({ kind: 'graph', className, x, y, errors: graphs[className] }) as unknown as Parameters<typeof fit>[1];

describe('a polynomial of points with errors of x', () => {
  // TGraph::Fit of ROOT 6.40 with Minuit2.
  test.each([
    [
      'TGraphErrors',
      19.907462766370095,
      [3.11122745, -0.29486926, 0.00749277],
      [0.0548882, 0.0122843, 0.000577648],
    ],
    [
      'TGraphAsymmErrors',
      7.938853371927999,
      [3.12894955, -0.29154482, 0.0074286],
      [0.0599273, 0.0159188, 0.000796989],
    ],
  ] as const)('is that of ROOT: %s', async (className, chi2, values, errors) => {
    const { result } = await fit(() => compiled, graph(className), 'pol2');
    expect(result.status).toBe(0);
    expect(result.fcn).toBeCloseTo(chi2, 4);
    for (const [i, { value, error }] of result.parameters.entries()) {
      expect(Math.abs(value - (values[i] ?? 0))).toBeLessThan(1e-2 * error);
      expect(Math.abs(error / (errors[i] ?? 0) - 1)).toBeLessThan(0.01);
    }
  });

  test.each(['TGraphErrors', 'TGraphAsymmErrors'] as const)(
    'is found where ROOT begins at 1: %s',
    async (name) => {
      // ROOT ends with status 3, and with 9010 and 2468.
      const { result } = await fit(() => compiled, graph(name), 'pol3');
      expect([result.status, result.chi2 < 20]).toEqual([0, true]);
    },
  );
});

test('limits that ROOT has not end with a start value that is given', async () => {
  const found = await fit(() => compiled, fittedOf('peak'), 'crystalball', { parameters: {} }).catch(
    () => undefined,
  );
  const given = await fit(() => compiled, fittedOf('peak'), 'crystalball', {
    parameters: parseParameters('Alpha=1,N=2'),
  }).catch(() => undefined);
  const limited = (one: typeof found) => one?.result.parameters.map(({ high }) => high !== undefined);
  expect(limited(found)).toEqual([false, false, true, true, true]);
  expect(limited(given)).toEqual([false, false, true, false, false]);
});

test('a parameter called __proto__ is one that the function has not', () => {
  expect(Object.keys(parseParameters('__proto__=5'))).toEqual(['__proto__']);
});
