import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DrawRequest, FileId, Histogram } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { makeEngine } from '../engine/fixtures';

/**
 * The axes that TTree::Draw chooses are recorded (recorded/edges.json). These tests are about the choices
 * that it leaves to the caller.
 */
const TIGHT = [{ rule: 'tight' as const }, { rule: 'tight' as const }];

describe('axes that are not given', () => {
  let engine: EngineApi;
  let file: FileId;
  beforeAll(async () => {
    engine = await makeEngine();
    file = (await engine.open({ kind: 'path', path: join(import.meta.dirname, '../../public/sample.root') }))
      .id;
  });
  afterAll(() => engine.close(file));

  const axes = async (request: Omit<DrawRequest, 'tree'>) =>
    ((await engine.draw(file, { tree: 'Events', ...request })) as Histogram).axes.map(
      ({ bins, low, high }) => [bins, low, high],
    );

  test('of several dimensions are doubled after 1,000 fills, as TH2 and TH3 of 6.40 do, unless they are tight', async () => {
    const expr = 'Muon_phi:nMuon';
    const few = await axes({ expr, entries: [0, 400] });
    expect(few[0]).toEqual([4, 1, 5]);
    expect((await axes({ expr }))[0]).toEqual([5, 1, 11]);
    expect((await axes({ expr, axes: TIGHT }))[0]).toEqual([4, 1.5, 5.5]);
  });

  test('that are tight are the same for a branch and an expression', async () => {
    for (const branch of ['MET_pt', 'nMuon', 'Muon_eta']) {
      const tight = await axes({ branch, axes: TIGHT });
      expect(await axes({ expr: branch, cut: '1', axes: TIGHT })).toEqual(tight);
      expect(tight).not.toEqual(await axes({ branch }));
    }
  });

  test('are kept where the request has one of them', async () => {
    const [x, y] = await axes({ expr: 'Muon_phi:nMuon', axes: [{ bins: 5, range: [0, 10] }] });
    expect(x).toEqual([5, 0, 10]);
    expect(y?.[0]).toBe(40);
  });

  test('are given in one form', async () => {
    const range: [number, number] = [0, 10];
    expect(await axes({ expr: 'nMuon', bins: 5, range })).toEqual([[5, 0, 10]]);
    expect(await axes({ expr: 'nMuon', axes: [{ bins: 5, range }] })).toEqual([[5, 0, 10]]);
    const twice = { expr: 'nMuon', bins: 5, axes: [{ range }] };
    await expect(axes(twice)).rejects.toMatchObject({ code: 'ARGUMENT', message: 'An axis is given twice.' });
    const rule = { expr: 'nMuon', axes: 'tight' as never };
    await expect(axes(rule)).rejects.toMatchObject({ code: 'ARGUMENT' });
  });

  test('an unknown rule is refused', async () => {
    const request = { expr: 'nMuon', axes: [{ rule: 'nice' as 'tight' }] };
    await expect(axes(request)).rejects.toMatchObject({ code: 'ARGUMENT' });
  });
});
