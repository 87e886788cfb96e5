import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usualVerdicts, verdictFor } from '../../../web/features/doctor/work/doctor-use';
import { simulateReading } from '../../../web/features/whatif/work/simulate';
import { basketLayout, withNeeded } from '../../../web/reads/basket-layout';
import { bufferSpec, makeEngine } from '../../engine/fixtures';

const path = join(import.meta.dirname, '../../fixtures/reads/encodings.root');
const link = { latencyMs: 20, bytesPerMs: 12_500 };

async function layoutOfNtuple() {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('encodings.root', readFileSync(path)));
  return await engine.layout(id, 'n');
}

// pread64 of the thread of ROOT 6.40's cluster pool under strace, for RNTupleViews of these fields.
test.each([
  ['plain,split,noise,cut,same', 1, 168_278],
  // The gap is more than a quarter of what is wanted.
  ['plain,cut', 2, 75_504],
  // The smaller of two gaps is read over.
  ['plain,noise,same', 2, 118_453],
  ['split,same', 2, 49_865],
])("the calls and bytes of ROOT's cluster pool with the fields %s", async (names, calls, bytes) => {
  const layout = await layoutOfNtuple();
  const { tree } = layout;
  const chosen = tree.branches.filter((branch) => names.split(',').includes(branch.path));
  const branches = withNeeded(tree, chosen, layout.source).map(({ index }) => index);
  const choice = { branches, entries: { from: 0, to: tree.entries, step: 1 } };
  const [outcome] = simulateReading(basketLayout(layout), choice, link, [{ kind: 'pool' }]);
  expect(outcome).toMatchObject({ calls, bytes, trips: 1 });
});

test('an RNTuple is judged for the usual uses, and for some fields', async () => {
  const layout = await layoutOfNtuple();
  expect(usualVerdicts(layout).map(({ use, grade }) => [use, grade])).toEqual([
    ['a few branches', 'good'],
    ['all branches', 'good'],
    ['single events', 'good'],
  ]);
  const plain = layout.tree.branches.filter((branch) => branch.path === 'plain');
  const { costs } = verdictFor(layout, 'plain', { branches: plain });
  expect(costs.map(({ reading }) => reading)).toContain("1 branch with ROOT's cluster pool");
  expect(costs.find(({ cached }) => cached)).toMatchObject({ calls: 1, bytes: 57_089 });
});
