import { describe, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/layout';
import { readingOrder, withWindows } from '../../../web/features/writer/work/input/clusters';
import { trueClusters } from '../../../web/features/writer/work/input/tree-copy';
import { evenClusters } from '../../../web/features/writer/work/regroup/groups';
import { treeOf } from '../../tree-info';

/** A tree with a branch for each number of entries in a basket; `bytes` are those of each basket. */
function layoutOf(entries: number, sizes: readonly number[], bytes: number, claimed: number[]): TreeLayout {
  const tree = treeOf(sizes.map((_, b) => `branch${b}`));
  const firsts = sizes.map((size) => Array.from({ length: Math.ceil(entries / size) }, (_, k) => k * size));
  const ends = firsts.map((_, b) => firsts.slice(0, b + 1).flat().length);
  const firstEntry = Float64Array.from(firsts.flat());
  const none = new Float64Array(0);
  return {
    tree: { ...tree, entries },
    record: { offset: 100, length: 100, objectBytes: 100 },
    parts: [],
    basketStart: Uint32Array.from([0, ...ends]),
    offset: firstEntry.map((_, i) => 1000 + i * bytes),
    storedBytes: firstEntry.map(() => bytes),
    firstEntry,
    entries: Float64Array.from(
      firsts.flatMap((list, b) => list.map((first) => Math.min(sizes[b] ?? 0, entries - first))),
    ),
    exact: Uint8Array.from(sizes, () => 1),
    clusterStart: Float64Array.from(claimed),
    trueStart: Float64Array.of(0),
    ...{ autoFlush: claimed[1] ?? 0, autoSave: 0, flushedBytes: 0 },
    compress: Int32Array.from(sizes, () => 101),
    basketSize: none,
  };
}

/** First entries of the baskets of the first branch that follow each other. */
function runsOfFirstBranch(layout: TreeLayout): number[] {
  const order = Array.from(readingOrder(layout));
  const own = (i: number | undefined): boolean => i !== undefined && i < (layout.basketStart[1] ?? 0);
  return order.flatMap((i, k) => (own(i) && !own(order[k - 1]) ? [layout.firstEntry[i] ?? 0] : []));
}

describe('baskets that do not end together', () => {
  // Two branches, 100 MB each.
  const scattered = layoutOf(1000, [10, 7], 1_000_000, []);

  test('are written by branch in windows of equally many entries, which the tree then claims', () => {
    const healed = withWindows(scattered);
    const size = healed.trueStart[1] ?? 0;
    expect(healed.trueStart.length).toBe(9);
    expect(Array.from(healed.trueStart)).toEqual(Array.from(healed.trueStart, (_, k) => k * size));
    expect(trueClusters(healed)).toEqual({ end: [], size: [], autoFlush: size });
    // In each window the first branch has one run, which begins with its first basket there.
    expect(runsOfFirstBranch(healed)).toEqual(
      Array.from(healed.trueStart, (start) => Math.ceil(start / 10) * 10),
    );
  });

  test('lie as the claimed clusters do, because readers fetch these; small ones are joined', () => {
    const claimed = { ...scattered, clusterStart: Float64Array.of(0, 100, 200, 300, 400, 900) };
    expect(withWindows(claimed)).toBe(claimed);
    expect(trueClusters(claimed)).toBeUndefined();
    // 0:100 with 25 MB, 100:200 likewise, …; 400:900 has 122 MB and is taken in parts.
    const runs = runsOfFirstBranch(claimed);
    expect(runs.slice(0, 5)).toEqual([0, 100, 200, 300, 400]);
    expect(runs.slice(5, -1)).toEqual([500, 600, 700, 800]);
    const small = { ...scattered, clusterStart: Float64Array.from({ length: 100 }, (_, k) => k * 10) };
    expect(runsOfFirstBranch(small).length).toBeLessThan(11);
  });
});

test('joined baskets have fewer keys, which the size of clusters counts', () => {
  // 100,000 baskets of 400 bytes, of which the key has 64 + 7 + 1: 32.8 MB of values, and 7 kB of keys in a cluster.
  const layout = layoutOf(
    1000,
    Array.from({ length: 100 }, () => 1),
    400,
    [],
  );
  expect(evenClusters(layout, 33_000_000).autoFlush).toBe(1000);
  expect(evenClusters(layout, 8_200_000).autoFlush).toBe(250);
  // Clusters have equally many entries; none is left over.
  expect(evenClusters(layout, 15_000_000).autoFlush).toBe(500);
});
