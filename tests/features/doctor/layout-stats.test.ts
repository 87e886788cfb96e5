import { describe, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/api';
import { compressionName } from '../../../web/core/compression';
import { collectionNames } from '../../../web/model/collections';
import { collectionStats, layoutStats } from '../../../web/reads/layout-stats';
import { bufferSpec, fixtureBytes, goldenNames, makeEngine } from '../../engine/fixtures';

/** Two branches, a and b; each basket as [branch, offset, bytes, first entry, entries], by branch. */
function layoutOf(clusters: number[], baskets: [number, number, number, number, number][]): TreeLayout {
  const column = (k: 1 | 2 | 3 | 4) => Float64Array.from(baskets, (basket) => basket[k]);
  const count = (branch: number) => baskets.filter(([b]) => b === branch).length;
  const branches = ['a', 'b'].map((name, index) => ({
    ...{ index, parent: -1, depth: 0, path: name, name, title: '', typeName: 'int' },
    ...{ kind: 'number' as const, entries: 40, baskets: count(index), totalBytes: 400, storedBytes: 0 },
  }));
  return {
    tree: {
      ...{ path: 't', name: 't', title: '', kind: 'TTree', className: 'TTree', entries: 40 },
      ...{ totalBytes: 0, storedBytes: 0, branches },
    },
    record: { offset: 0, length: 50, objectBytes: 90 },
    parts: [],
    basketStart: Uint32Array.of(0, count(0), count(0) + count(1)),
    ...{ offset: column(1), storedBytes: column(2), firstEntry: column(3), entries: column(4) },
    exact: Uint8Array.of(1, 1),
    clusterStart: Float64Array.from(clusters),
    trueStart: Float64Array.of(0),
    ...{ autoFlush: 20, autoSave: 0, flushedBytes: 0 },
    compress: Int32Array.of(101, 505),
    basketSize: Float64Array.of(1000, 2000),
  };
}

test('baskets cluster by cluster: nothing between them, nothing after them', () => {
  const stats = layoutStats(
    layoutOf(
      [0, 20],
      [
        [0, 100, 10, 0, 20],
        [0, 140, 10, 20, 20],
        [1, 110, 30, 0, 20],
        [1, 150, 30, 20, 20],
      ],
    ),
  );
  expect(stats).toMatchObject({ scatter: 1, backwardSeeks: 0, forwardSkips: 0, crossing: 0, clusters: 2 });
  expect(stats).toMatchObject({ storedBytes: 80, totalBytes: 800, factor: 10, baskets: 4 });
  expect(stats.clusterBytes).toEqual({ min: 40, mean: 40, max: 40 });
  expect(stats.compressions).toEqual([
    { name: 'zstd 5', storedBytes: 60 },
    { name: 'zlib 1', storedBytes: 20 },
  ]);
  expect(stats.branches[0]).toMatchObject({
    ...{ storedBytes: 20, baskets: 2, factor: 20, bytesPerEntry: 0.5, totalPerEntry: 10, bufferBytes: 1000 },
    basketBytes: { min: 10, mean: 10, max: 10 },
    entriesPerBasket: { min: 20, mean: 20, max: 20 },
  });
});

test('scattered baskets: the stretch of each cluster, seeks back, baskets over a border', () => {
  const stats = layoutStats(
    layoutOf(
      [0, 20],
      [
        [0, 100, 10, 0, 20],
        [0, 300, 10, 20, 20],
        [1, 310, 20, 0, 25],
        [1, 110, 20, 25, 15],
      ],
    ),
  );
  // Cluster 0 reaches from 100 to 330 with 30 bytes, cluster 1 from 110 to 310 with 30.
  expect(stats.scatter).toBeCloseTo((230 + 200) / 60, 12);
  // In entry order the baskets lie at 100, 310, 300, 110.
  expect(stats).toMatchObject({ backwardSeeks: 2, forwardSkips: 1, crossing: 1 });
});

test.each(goldenNames())("%s: sums are those of the tree's own record", async (name) => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
  for (const { path, cycle, kind } of await reader.keys(id)) {
    if (kind !== 'tree' && kind !== 'ntuple') continue;
    const layout = await reader.layout(id, `${path};${cycle}`);
    const stats = layoutStats(layout);
    const embedded = layout.offset.some((offset) => offset === 0);
    const sharing = new Set(layout.offset).size < layout.offset.length;
    if (layout.tree.kind === 'RNTuple' || (!embedded && !sharing)) {
      expect(stats.storedBytes).toBe(layout.tree.storedBytes);
      expect(stats.totalBytes).toBe(layout.tree.totalBytes);
    }
    expect(stats.scatter).not.toBeLessThan(1);
    const collections = collectionStats(stats.branches);
    expect(collections.reduce((sum, { storedBytes }) => sum + storedBytes, 0)).toBe(stats.storedBytes);
  }
});

describe('collections', () => {
  test('are the branch at the top, a shared prefix, or the branch itself', () => {
    const branch = (name: string, parent = -1) => ({ name, parent, depth: parent < 0 ? 0 : 1 });
    const names = ['Muon_pt', 'Muon_eta', 'nMuon', 'run', 'HLT_one', 'event.', 'x', 'Jets.pt', 'Jets.eta'];
    const branches = names.map((name) => branch(name, name === 'x' ? 5 : -1));
    expect(collectionNames(branches as never)).toEqual([
      'Muon',
      'Muon',
      'Muon',
      'run',
      'HLT_one',
      'event',
      'event',
      'Jets',
      'Jets',
    ]);
  });
});

test.each([
  [-1, 'not known'],
  [0, 'none'],
  [1, 'zlib 1'],
  [101, 'zlib 1'],
  [207, 'lzma 7'],
  [404, 'lz4 4'],
  [505, 'zstd 5'],
])('setting %i is %s', (setting, name) => expect(compressionName(setting)).toBe(name));

test("baskets in the tree's own record count with their part of it", async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('embedded', fixtureBytes('embedded')));
  const layout = await reader.layout(id, 'small');
  // ROOT counts none of them: 40 numbers of 4 bytes, and two branches that also have baskets in the file.
  const embedded = layout.tree.branches.map(({ name, embeddedBytes }) => [name, embeddedBytes]);
  expect(embedded).toEqual([
    ['x', 160],
    ['n', 160],
    ['v', 102],
    ['s', 176],
  ]);
  const share = layout.record.length / layout.record.objectBytes;
  const stats = layoutStats(layout);
  expect(stats).toMatchObject({ baskets: 7, embeddedBaskets: 4, totalBytes: layout.tree.totalBytes });
  expect(stats.storedBytes).toBe(layout.tree.storedBytes);
  const [x] = stats.branches;
  expect(x).toMatchObject({ baskets: 1, totalBytes: 160, storedBytes: Math.round(160 * share) });
  expect(x?.basketBytes.mean).toBe(x?.storedBytes);
  // Nothing of them is asked for again: they came with the record.
  expect(layout.storedBytes[0]).toBe(0);
});
