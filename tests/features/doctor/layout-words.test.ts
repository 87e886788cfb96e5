import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inWords } from '../../../web/features/doctor/work/layout-report';
import { layoutStats } from '../../../web/reads/layout-stats';
import { bufferSpec, makeEngine } from '../../engine/fixtures';

const fixture = (name: string) => join(import.meta.dirname, '../../fixtures/files', name);

it.each([
  [
    'whose baskets lie in its own record',
    fixture('page/wide.root'),
    /All baskets lie in the tree's own record/,
  ],
  [
    'with clusters in the file',
    join(import.meta.dirname, '../../../public/sample.root'),
    /Clusters are of [1-9]/,
  ],
])('the layout of a tree %s speaks of no clusters of 0 B', async (_, path, wanted) => {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('file', readFileSync(path)));
  const tree = (await engine.keys(id)).find(({ kind }) => kind === 'tree');
  const stats = layoutStats(await engine.layout(id, tree?.path ?? ''));
  // The record may claim a cluster all the same.
  const words = inWords({ ...stats, clusters: Math.max(1, stats.clusters) });
  expect(words).toMatch(wanted);
  expect(words).not.toMatch(/\b0 B\b/);
});
