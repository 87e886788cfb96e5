import { expect, test } from 'vitest';
import { TreeCacheModel } from '../../../web/features/whatif/work/simulate-cache';
import { type BasketLayout, visitBaskets } from '../../../web/reads/basket-layout';

/** One branch of 20 baskets, 50 entries and 1000 bytes each, in clusters of 100 entries. */
const entries = 1000;
const count = 20;
const of = (value: (i: number) => number) => Array.from({ length: count }, (_, i) => value(i));
const layout: BasketLayout = {
  kind: 'TTree',
  entries,
  zipBytes: count * 1000,
  autoFlush: 100,
  clusterStarts: Float64Array.from(of((i) => i * 100)).subarray(0, 10),
  starts: Int32Array.of(0, count),
  offsets: Float64Array.from(of((i) => 100 + i * 1000)),
  bytes: Int32Array.from(of(() => 1000)),
  firsts: Float64Array.from(of((i) => i * 50)),
  ends: Float64Array.from(of((i) => i * 50 + 50)),
};

/** Bytes of the tree's baskets that are read, as [first basket, last basket] of each read. */
function readsOf(from: number, to: number, cacheBytes: number, known = true): [number, number][] {
  const reads: [number, number][] = [];
  const choice = { from, to, step: 1 };
  const model = new TreeCacheModel(layout, [0], choice, {
    cacheBytes,
    known,
    onRead: (_entry, blocks) => {
      for (const { offset, length } of blocks)
        reads.push([(offset - 100) / 1000, (offset + length - 100) / 1000 - 1]);
    },
  });
  model.run(visitBaskets(layout, [0], choice));
  return reads;
}

test('baskets that begin after the last entry of the range are not read', () => {
  expect(readsOf(0, entries, 1e6)).toEqual([[0, 19]]);
  expect(readsOf(0, 150, 1e6)).toEqual([[0, 2]]);
  expect(readsOf(0, 151, 1e6)).toEqual([[0, 3]]);
});

test('baskets that end before the first entry of the range are not read', () => {
  expect(readsOf(250, 400, 1e6)).toEqual([[5, 7]]);
  expect(readsOf(275, 400, 1e6)).toEqual([[5, 7]]);
  expect(readsOf(300, 350, 1e6)).toEqual([[6, 6]]);
});

test('a cache reads as many clusters as it has room for', () => {
  expect(readsOf(0, 400, 2000)).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ]);
  // The next cluster is expected to be as large, and both have to be smaller than the cache.
  expect(readsOf(0, 400, 4000)).toHaveLength(4);
  expect(readsOf(0, 400, 4001)).toEqual([
    [0, 3],
    [4, 7],
  ]);
});

test('what is learnt begins with the baskets of the first entries', () => {
  expect(readsOf(0, 400, 1e6, false)).toEqual([
    [0, 1],
    [2, 7],
  ]);
});
