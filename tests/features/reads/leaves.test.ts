import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { PerfReport } from '../../../web/api/reading';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const reader = withReader();
const files = resolve(import.meta.dirname, '../../fixtures/files');

// Numbers of TTree::GetListOfLeaves of ROOT 6.40: a branch with a leaf list has several leaves.
test.each([
  ['leaflists.root', 't', 12],
  ['embedded.root', 'large', 4],
])('%s %s has as many leaves as ROOT counts', async (file, tree, leaves) => {
  for (const as of [[], ['--as', 'none']]) {
    const { out } = await run(reader, 'perf', resolve(files, file), tree, ...as, '--json');
    const found = JSON.parse(out) as PerfReport | PerfReport[];
    expect([found].flat()[0]?.numbers.leaves).toBe(leaves);
  }
});
