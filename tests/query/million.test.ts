import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Histogram } from '../../web/api/api';
import { makeEngine } from '../engine/fixtures';

// The figures are those that recorders/million.py prints, which makes the file with ROOT.

test('of more than 1,000,000 values the axis is that of the first million, doubled', async () => {
  const engine = await makeEngine();
  const { id } = await engine.open({ kind: 'path', path: join(import.meta.dirname, 'files/million.root') });
  const draw = async (expr: string) => (await engine.draw(id, { tree: 't', expr })) as Histogram;
  const { axes, fills } = await draw('Entry$');
  expect(fills).toBe(1_200_000);
  expect(axes[0]).toMatchObject({ bins: 101, low: -10_000, high: 2_111_000 });
  for (const name of ['bTags#0', '2x3mat']) {
    const { sums } = await draw(`${name}>>h(3,0,3)`);
    expect([...sums], name).toEqual([0, 400_000, 400_000, 400_000, 0]);
  }
  await engine.close(id);
}, 60_000);
