import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FileId, Histogram } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { XylemError } from '../../web/base/errors';
import { makeEngine } from '../engine/fixtures';

let engine: EngineApi;
let id: FileId;

beforeAll(async () => {
  engine = await makeEngine();
  ({ id } = await engine.open({ kind: 'path', path: join(import.meta.dirname, 'files/objects.root') }));
});

async function filled(tree: string, expr: string): Promise<Histogram> {
  return (await engine.draw(id, { tree, expr })) as Histogram;
}

// Figures follow from recorders/objects.h; ROOT crashes on the references, and has nothing for the others.
describe('values of objects that ROOT does not draw', () => {
  test.each([
    ['r0', 'a.fId', 8, 36],
    ['r0', 'b.fId', 8, 36.5],
    ['r0', 'list[0].fId-b.fId', 8, 0],
    ['r0', 'list[2].fId-a.fId', 8, 0],
    ['e0', 'any.fId-any.fUniqueID*10+1000', 10, 3],
    ['e0', 'array.fId-ptracks.fId', undefined, undefined],
    ['e0', 'other.fEnergy-1000', 4, 8],
  ])('%s: %s', async (tree, expr, fills, mean) => {
    const got = await filled(tree, expr);
    if (fills !== undefined) expect(got.fills).toBe(fills);
    else expect(got.fills).toBeGreaterThan(0);
    if (mean !== undefined) expect(got.mean[0]).toBeCloseTo(mean, 9);
  });
});

test.each([
  ['tracks.fPxx', 'fPx'],
  ['clones.fMidd', 'fMid'],
])('%s: the member that is meant is proposed', async (expr, meant) => {
  const error = (await filled('c0', expr).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as XylemError;
  expect(error.message).toContain('has no member');
  expect(error.fix).toContain(`"${meant}"`);
});
