import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId, Histogram, RulesOfRoot } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { makeEngine } from '../engine/fixtures';

/** Since 6.42 (and 6.40.06) sqrt of a negative number is NaN in TTreeFormula: root-project/root#22756. */
describe('the rules of a version of ROOT', () => {
  let engine: EngineApi;
  let file: FileId;
  beforeAll(async () => {
    engine = await makeEngine();
    file = (await engine.open({ kind: 'path', path: join(import.meta.dirname, 'files/arrays.root') })).id;
  });
  afterAll(() => engine.close(file));

  const values = async (columns: string, rootVersion?: RulesOfRoot): Promise<unknown> => {
    const { values } = await engine.scan(file, { tree: 't', columns, entries: [0, 2], rootVersion });
    return values.map((column) => column[0]);
  };

  test('sqrt of a negative number', async () => {
    expect(await values('sqrt(-9):sqrt(9):sqrt(x-1e3)')).toEqual([Number.NaN, 3, Number.NaN]);
    expect(await values('sqrt(-9):sqrt(9):sqrt(-x^2)', '6.40')).toEqual([3, 3, 5.125]);
    // C++'s own was never otherwise.
    expect(await values('TMath::Sqrt(-9)', '6.40')).toEqual([Number.NaN]);
  });

  test('a cut and what is drawn', async () => {
    const draw = async (rootVersion?: RulesOfRoot) =>
      (await engine.draw(file, {
        tree: 't',
        expr: 'sqrt(x)',
        cut: 'sqrt(x)>1',
        rootVersion,
      })) as Histogram;
    expect((await draw()).fills).toBe(39);
    expect((await draw('6.40')).fills).toBe(56);
  });

  test('other versions are refused', async () => {
    await expect(values('x', '6.38' as RulesOfRoot)).rejects.toMatchObject({ code: 'ARGUMENT' });
    const request = { tree: 't', expr: 'x', rootVersion: '7' as RulesOfRoot };
    await expect(engine.draw(file, request)).rejects.toMatchObject({ code: 'ARGUMENT' });
  });
});
