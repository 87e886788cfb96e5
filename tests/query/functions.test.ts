import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { functionNames } from '../../web/query/language/functions';
import { makeEngine } from '../engine/fixtures';

/** Values that ROOT returns for calls over grids of arguments: see functions.py. */
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'values/functions.json'), 'utf8'),
) as Record<string, (number | string)[]>;

const number = (value: number | string): number =>
  value === 'nan' ? Number.NaN : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : Number(value);

const TOLERANCE = 1e-12;
const FLOAT_TOLERANCE = 1e-5;
const VECTORS = 'vectors ';

function agree(ours: number, theirs: number, tolerance = TOLERANCE): boolean {
  if (ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs))) return true;
  return Math.abs(ours - theirs) <= tolerance * Math.abs(theirs) + 1e-300;
}

/**
 * Calls for which ROOT is wrong, or has less than twelve digits: gamma(1000) is too large for a double, so
 * it is infinite; ln gamma loses its digits near its zero at 1 (its series gives -5.772155829918507e-8);
 * the continued fraction of the beta distribution does not converge for 1e-9 degrees of freedom (0.2:
 * 0.50000000472267…); a probability is not negative; quantiles that are computed from 1 - x have as few
 * digits as 1 - x.
 */
const DEVIATIONS: [calls: RegExp, is: (a: number, b: number, c: number) => boolean][] = [
  [/TMath::Gamma\(a\)|::tgamma/, (a) => a > 709.78 && a < Infinity],
  [/TMath::LnGamma|Math::lgamma/, (a) => a === 1.0000001],
  [/StudentI|tdistribution_cdf/, (_a, b) => b === 1e-9],
  [/ChisquareQuantile/, (a) => a < 0],
  [/chisquared_quantile\(/, (a, b) => a === 0.001 && b < 1],
  [/fdistribution_quantile\(/, (a, _b, c) => a === 0.99 && c === 0.5],
];

describe('functions have the values of ROOT', () => {
  let engine: EngineApi;
  let file: FileId;
  const grids: Record<string, number[][]> = {};
  beforeAll(async () => {
    engine = await makeEngine();
    file = (await engine.open({ kind: 'path', path: join(import.meta.dirname, 'files/grid.root') })).id;
    for (const [tree, columns] of Object.entries({
      grid1: 'a',
      grid2: 'a:b',
      grid3: 'a:b:c',
      grid4: 'a:b:c:d',
      plain: 'a:b:c',
    })) {
      const { values } = await engine.scan(file, { tree, columns });
      grids[tree] = values as number[][];
    }
  });
  afterAll(() => engine.close(file));

  test('all of TMath and of ROOT::Math is compared', () => {
    const calls = Object.keys(recorded).join(' ');
    const missing = functionNames().filter(
      (name) => /^(TMath|ROOT::Math)::/.test(name) && !calls.includes(`${name}(`),
    );
    expect(missing).toEqual([]);
  });

  test.each(Object.keys(recorded).filter((key) => !key.startsWith(VECTORS)))('%s', async (key) => {
    const theirs = (recorded[key] ?? []).map(number);
    const call = key.replace(/^plain /, '');
    const sized = Object.keys(grids).find((one) => grids[one]?.[0]?.length === theirs.length);
    const tree = call !== key ? 'plain' : (sized ?? 'grid1');
    const table = await engine.scan(file, {
      tree,
      columns: call,
      limit: theirs.length,
      rootVersion: '6.40',
    });
    const ours = table.values[0] as number[];
    const grid = grids[tree] ?? [];
    const wrong = theirs.flatMap((value, i) => {
      const [a = 0, b = 0, c = 0, ...more] = grid.map((column) => column[i] ?? 0);
      if (agree(ours[i] ?? 0, value) || DEVIATIONS.some(([calls, is]) => calls.test(call) && is(a, b, c)))
        return [];
      return [`(${[a, b, c, ...more].join(', ')}): ${ours[i]}, in ROOT ${value}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('methods of vectors have the values of ROOT', () => {
  let engine: EngineApi;
  let file: FileId;
  beforeAll(async () => {
    engine = await makeEngine();
    file = (await engine.open({ kind: 'path', path: join(import.meta.dirname, 'files/vectors.root') })).id;
  });
  afterAll(() => engine.close(file));

  test.each(Object.keys(recorded).filter((key) => key.startsWith(VECTORS)))('%s', async (key) => {
    const theirs = (recorded[key] ?? []).map(number);
    const columns = key.slice(VECTORS.length);
    const table = await engine.scan(file, { tree: 'vectors', columns });
    const ours = (table.values[0] as (number | number[])[]).flat();
    expect(ours).toHaveLength(theirs.length);
    // ROOT computes these with the precision of float, xylem with that of double. So only the digits of a
    // float agree, and fewer if ROOT loses digits to differences of nearly equal numbers.
    const float = /^f(m|e|xyz)\./.test(columns);
    const cancels = /\.(ColinearRapidity|Rapidity|Gamma|isTimelike|Eta|eta|E|T|e|t|energy|Et|Et2)\(/.test(
      columns,
    );
    const lost = float && cancels ? [4, 7, 9, 12, 14, 16] : columns === 'pm.Gamma()' ? [14] : [];
    const tolerance = float ? FLOAT_TOLERANCE : TOLERANCE;
    const wrong = theirs.flatMap((value, i) => {
      if (lost.includes(i) || agree(ours[i] ?? 0, value, tolerance)) return [];
      return [`${i}: ${ours[i]}, in ROOT ${value}`];
    });
    expect(wrong).toEqual([]);
  });
});
