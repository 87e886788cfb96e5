import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { expandShapes, queryText } from '../../web/query/language/formula-text';
import { FUNCTIONS } from '../../web/query/language/functions';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

// Values that ROOT's TF1::Eval returns: tests/fixtures/make_plots.py.
const root = JSON.parse(readFileSync(resolve(import.meta.dirname, '../plot/root-values.json'), 'utf8')) as {
  functions: Record<string, (number | string)[]>;
};

let engine: EngineApi;
let file: number;

beforeAll(async () => {
  engine = await makeEngine();
  file = (await engine.open(bufferSpec('plots', fixtureBytes('page/plots')))).id;
});

const stored = (name: string): Promise<PlainObject> => engine.object(file, `functions/${name}`);

async function values(object: PlainObject, points?: number[], log = false) {
  const [result] = await engine.functionValues([{ function: object, points, log }]);
  if (result === undefined || result.error) throw new Error(result?.error.message);
  return result;
}

describe('functionValues', () => {
  // The Landau distribution is checked from the day on which queries know it.
  const later = FUNCTIONS.has('TMath::Landau') ? ['statements'] : ['statements', 'landau', 'landaun'];
  const known = Object.keys(root.functions).filter((name) => !later.includes(name));

  it.each(known)('%s has the values that ROOT computes', async (name) => {
    const expected = (root.functions[name] ?? []).map(Number);
    const points = expected.length === 63 ? [9, 7] : [expected.length];
    const result = await values(await stored(name), points);
    expect(result.saved).toBe(name === 'code');
    expect(result.values).toHaveLength(expected.length);
    expected.forEach((value, i) => {
      const own = result.values[i] ?? 0;
      if (Number.isNaN(value)) expect(own).toBeNaN();
      else expect(Math.abs(own - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
    });
  });

  it('steps evenly in the logarithm of x', async () => {
    const { axes, values: found } = await values(await stored('sinc'), [3], true);
    expect(axes).toEqual([{ low: 0.1, high: 20, points: 3, log: true }]);
    const x = Math.sqrt(0.1 * 20);
    expect(found[1]).toBeCloseTo(Math.sin(2 * x) / x + 0.1, 12);
  });

  it('says of C++ code without saved values that it has none', async () => {
    const [result] = await engine.functionValues([{ function: await stored('statements') }]);
    expect(result?.error).toMatchObject({ code: 'UNSUPPORTED' });
    expect(result?.error?.message).toBe(
      'Its formula is C++ code of several statements. No values of it are saved in the file, either.',
    );
  });

  it.each([
    ['no function', { _typename: 'TH1F' }, 'ARGUMENT'],
    ['a range that is empty', { _typename: 'TF1', fXmin: 1, fXmax: 1 }, 'ARGUMENT'],
    ['a parameter that is not there', formula('[0]*x'), 'UNSUPPORTED'],
    ['a parameter that is NaN', formula('[0]*x', [Number.NaN]), 'UNSUPPORTED'],
    ['an unknown function', formula('MyFunction(x)'), 'UNSUPPORTED'],
    ['a mistake', formula('x+'), 'UNSUPPORTED'],
    ['a text too long', formula(`x${'+x'.repeat(60_000)}`), 'UNSUPPORTED'],
    ['brackets too deep', formula(`${'('.repeat(5000)}x${')'.repeat(5000)}`), 'UNSUPPORTED'],
  ])('gives an error for %s', async (_, object, code) => {
    const [result] = await engine.functionValues([{ function: object as PlainObject }]);
    expect(result?.error?.code).toBe(code);
  });

  it('refuses grids without end', async () => {
    for (const points of [[1], [2_000_000], [1.5], [Number.NaN]]) {
      const [result] = await engine.functionValues([{ function: formula('x'), points }]);
      expect(result?.error?.code).toBe('ARGUMENT');
    }
  });
});

function formula(text: string, fClingParameters: number[] = []): PlainObject {
  const fFormula = { _typename: 'TFormula', fFormula: text, fParams: [], fClingParameters };
  return { _typename: 'TF1', fXmin: 0, fXmax: 1, fSave: [], fFormula };
}

describe('functions of ROOT 5', () => {
  const old = (fTitle: string, fParams: number[]): PlainObject => ({
    ...{ _typename: 'TF1', fTitle, fExpr: ['…'], fParams, fNames: [], fXmin: 1, fXmax: 3, fSave: [] },
  });

  it.each<[string, number[], number]>([
    ['pol2', [1, 2, 3], 1 + 2 * 2 + 3 * 4],
    ['gaus', [10, 1, 0.5], 10 * Math.exp(-2)],
    ['gaus(1)+pol0', [7, 10, 1, 0.5], 10 * Math.exp(-2) + 7],
    ['expo', [1, -1], Math.exp(-1)],
    ['[0]*x^2', [3], 12],
    // It computed with doubles alone.
    ['1/2*x', [], 1],
    ['ygaus + xpolynomial', [], Number.NaN],
  ])('%s with its parameters', async (text, parameters, expected) => {
    const [result] = await engine.functionValues([{ function: old(text, parameters), points: [3] }]);
    if (Number.isNaN(expected)) expect(result?.error?.code).toBe('UNSUPPORTED');
    else expect(!result?.error && result?.values[1]).toBeCloseTo(expected, 12);
  });

  it('writes shapes of two axes out', () => {
    expect(expandShapes('xygaus')).toBe(
      '([0]*exp(-0.5*((x-[1])/[2])*((x-[1])/[2]))*exp(-0.5*((y-[3])/[4])*((y-[3])/[4])))',
    );
    expect(expandShapes('ygaus(2)')).toBe('([2]*exp(-0.5*((y-[3])/[4])*((y-[3])/[4])))');
    expect(expandShapes('TMath::Landau(x,1,2) + mygaus + pol999')).toBe(
      'TMath::Landau(x,1,2) + mygaus + pol999',
    );
  });
});

describe('queryText', () => {
  it.each([
    ['7/2', 'trunc(7/2)'],
    ['(1+2)/2.', '((1+2)/2)'],
    ['-7/2*x', '(-(trunc(7/2)*x))'],
    ['(x>1)/2', 'trunc((x>1)/2)'],
    ['pow(x,1/2)', 'pow(x,trunc(1/2))'],
    ['std::sqrt(x)', '(TMath::Sqrt((x)))'],
    ['std::sin(x)', 'sin(x)'],
  ])('%s becomes %s', (text, expected) => expect(queryText(text, true)).toBe(expected));
});
