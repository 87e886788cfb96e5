import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DrawRequest, FileId, Histogram } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { binsCsv } from '../../web/bins/to-csv';
import { rootJson } from '../../web/bins/to-root';
import { uhiJson } from '../../web/bins/to-uhi';
import { modelOfHistogram } from '../../web/plot/histogram';
import { makeEngine } from '../engine/fixtures';

let engine: EngineApi;
let id: FileId;

beforeAll(async () => {
  engine = await makeEngine();
  id = (await engine.open({ kind: 'path', path: join(import.meta.dirname, 'files/kinds.root') })).id;
});

async function drawn(request: Partial<DrawRequest>): Promise<Histogram> {
  const result = await engine.draw(id, { tree: 't', expr: 'd:n', ...request });
  if (result.kind !== 'histogram') throw new Error(`not a histogram but ${result.kind}`);
  return result;
}

async function failure(request: Partial<DrawRequest>): Promise<XylemError> {
  const thrown = await drawn(request).catch((error: unknown) => error);
  if (thrown instanceof XylemError) return thrown;
  throw new Error('it was drawn');
}

describe('options of draw', () => {
  test.each([
    ['foo', 'foo'],
    ['prof lego', 'lego'],
    ['profs,profi', 'profi'],
  ])('"%s" is refused at its place', async (option, marked) => {
    const { code, where, fix, message } = await failure({ option });
    expect(code).toBe('ARGUMENT');
    expect(option.slice(where?.offset, (where?.offset ?? 0) + (where?.length ?? 0))).toBe(marked);
    expect(marked === 'profi' ? message : fix).toContain('prof');
  });

  test.each(['PROF', 'goff profs', 'profg colz'])('"%s" makes a profile', async (option) => {
    expect((await drawn({ option })).profile).toBe(true);
  });

  test('a profile has its errors in the result, in CSV, in JSON of ROOT and in the plot', async () => {
    const spread = await drawn({ option: 'profs', expr: 'd:n>>h(7,0,7)' });
    const mean = await drawn({ option: 'prof', expr: 'd:n>>h(7,0,7)' });
    const [first, ...lines] = binsCsv(spread).split('\n');
    expect(first).toBe(
      'x_low,x_high,mean,error,sum_weights,sum_weights_squared,sum_values,sum_values_squared',
    );
    expect(lines).toHaveLength(7);
    // Ten entries have n=2: the error of their mean is the spread over the root of ten.
    const [, , center, error, weight, , sum] = (lines[2] ?? '').split(',').map(Number);
    expect([center, weight]).toEqual([(sum ?? 0) / 10, 10]);
    expect(error).toBe(spread.errors?.[3]);
    expect(mean.errors?.[3]).toBeCloseTo((error ?? 0) / Math.sqrt(10), 12);
    expect(JSON.parse(rootJson(spread)).fErrorMode).toBe(1);
    expect(modelOfHistogram(spread)).toMatchObject({ errors: spread.errors?.slice(1, 8) });
  });

  test('an axis of strings has labels in the result, in CSV, in JSON of ROOT and in the plot', async () => {
    const result = await drawn({ expr: 'cs:b' });
    expect(result.axes[1]).toMatchObject({ bins: 6, low: 0, high: 6 });
    expect(result.axes[1]?.labels).toEqual(['alpha', 'beta', 'gamma delta', 'a"b', 'alpha2', 'z,z']);
    const lines = binsCsv(result).split('\n');
    expect(lines[0]).toBe('x_low,x_high,y_label,content,error');
    expect(lines.filter((line) => line.includes('"a""b"')).length).toBe(result.axes[0]?.bins);
    expect(JSON.parse(rootJson(result)).fYaxis.fLabels.arr[5]).toMatchObject({
      fString: 'z,z',
      fUniqueID: 6,
    });
    expect(modelOfHistogram(result)).toMatchObject({ yLabels: result.axes[1]?.labels });
    expect(JSON.parse(uhiJson(result)).axes[1]).toMatchObject({
      ...{ type: 'category_str', flow: false },
      categories: result.axes[1]?.labels,
    });
  });
});

describe('limits', () => {
  test.each([
    ['n:m:v:d', 'ARGUMENT', 'three axes'],
    ['d>>+h', 'ARGUMENT', 'each call makes its own'],
    ['d:n>>h(4000,0,1,4000,0,1)', 'BUDGET', '16016004 cells'],
    [`${'1+'.repeat(11_000)}d`, 'ARGUMENT', 'more than 20000'],
    [`${'('.repeat(301)}d${')'.repeat(301)}`, 'ARGUMENT', 'more than 300 levels'],
  ])('%.24s… is refused', async (expr, code, message) => {
    const error = await failure({ expr });
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });

  test.each([
    `${'('.repeat(290)}d${')'.repeat(290)}`,
    `${'sqrt('.repeat(250)}d${')'.repeat(250)}`,
    `${'d+'.repeat(4000)}d`,
  ])('%.24s… is drawn', async (expr) => {
    expect((await drawn({ expr })).fills).toBe(60);
  });
});
