import { expect, test } from 'vitest';
import { readsOf } from '../../../web/features/whatif/work/reads-of';
import { recordedLayout } from '../traces/recorded';

// As TTreeCache.cxx of ROOT 5.28 says; there is no program to compare with.
const layout = recordedLayout('h1like-flushed');
const branches = [3, 20, 40, 60];
const reads = (step: number, from = 0) =>
  readsOf(
    layout,
    { branches, entries: { from, to: layout.entries, step } },
    { kind: 'cache', bytes: 10e6, release: '5.28' },
  );
const baskets = (branch: number) => (layout.starts[branch + 1] ?? 0) - (layout.starts[branch] ?? 0);

test('the baskets of the first hundred entries are read one by one', () => {
  const first = reads(1).filter(({ entry }) => entry < 100);
  expect(first.map(({ blocks }) => blocks.map(({ offset }) => offset))).toEqual(
    branches.map((branch) => [layout.offsets[layout.starts[branch] ?? 0]]),
  );
});

test('then all that was learnt is fetched for as many clusters as fit', () => {
  const later = reads(1).filter(({ entry }) => entry >= 100);
  expect(later.length).toBeLessThan(baskets(3));
  const wanted = later.flatMap(({ blocks }) => blocks).reduce((sum, block) => sum + block.wanted, 0);
  const all = branches.flatMap((branch) =>
    Array.from(layout.bytes.subarray((layout.starts[branch] ?? 0) + 1, layout.starts[branch + 1])),
  );
  // The branch that needs its second basket first has just dropped its first one, which the cluster fetches again.
  const again = branches.map((branch) => layout.bytes[layout.starts[branch] ?? 0] ?? 0);
  const extra = wanted - all.reduce((sum, bytes) => sum + bytes, 0);
  expect(again).toContain(extra);
});

test('a program that begins after them never learns more than its first branch', () => {
  const some = readsOf(
    layout,
    {
      branches,
      entries: {
        from: 5000,
        to: layout.entries,
        step: 1,
        contiguous: false,
        next: (entry) => Math.max(5000, entry),
      },
    },
    { kind: 'cache', bytes: 10e6, release: '5.28' },
  );
  const alone = some.filter(({ blocks }) => blocks.length === 1 && blocks[0]?.wanted === blocks[0]?.length);
  const left = baskets(20) + baskets(40) + baskets(60);
  expect(alone.length).toBeGreaterThan(0.8 * left);
});
