import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BranchInfo, TreeInfo, TreeLayout } from '../../../web/api/api';
import { cacheReads, readBuffers } from '../../../web/features/whatif/work/simulate-blocks';
import { LowestOfHighest } from '../../../web/features/whatif/work/simulate-ranges';
import { basketLayout, visitBaskets, withNeeded } from '../../../web/reads/basket-layout';

test('ranges of branches, as counting them anew would give', () => {
  const update = fc.tuple(fc.nat(4), fc.nat(40), fc.nat(10));
  fc.assert(
    fc.property(fc.array(update, { maxLength: 60 }), fc.nat(52), (updates, entry) => {
      const ranges = new LowestOfHighest(5);
      const known = new Map<number, { first: number; last: number }>();
      expect(ranges.lowest()).toBe(-1);
      for (const [branch, first, more] of updates) {
        ranges.update(branch, first, first + more);
        const { first: least, last } = known.get(branch) ?? { first, last: -1 };
        known.set(branch, { first: Math.min(least, first), last: Math.max(last, first + more) });
        const all = [...known.values()];
        expect(ranges.lowest()).toBe(Math.min(...all.map((range) => range.last)));
      }
      const inside = [...known.values()].some(({ first, last }) => first <= entry && entry <= last);
      expect(ranges.contains(entry)).toBe(inside);
    }),
    { numRuns: 300 },
  );
});

test('the first entry of a file is in the range of a branch', () => {
  const ranges = new LowestOfHighest(2);
  expect(ranges.contains(0)).toBe(false);
  ranges.update(1, 0, 0);
  expect([ranges.contains(0), ranges.contains(1), ranges.lowest()]).toEqual([true, false, 0]);
});

test('baskets are visited at the first entry that is read from them, by entry and then by branch', () => {
  const sizes = fc.array(fc.array(fc.nat(6), { maxLength: 8 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(sizes, fc.nat(20), fc.nat(40), fc.integer({ min: 1, max: 7 }), (branches, from, to, step) => {
      const flat = branches.flatMap((baskets, branch) => {
        let first = 0;
        return baskets.map((entries) => {
          first += entries;
          return { branch, first: first - entries, end: first };
        });
      });
      let start = 0;
      const layout = {
        starts: Int32Array.from([0, ...branches.map(({ length }) => (start += length))]),
        firsts: Float64Array.from(flat, ({ first }) => first),
        ends: Float64Array.from(flat, ({ end }) => end),
      } as Parameters<typeof visitBaskets>[0];
      const order = branches.map((_, i) => branches.length - 1 - i);
      const want: [number, number, number][] = [];
      const seen = new Set<number>();
      for (let entry = from; entry < to; entry += step) {
        for (const [position, branch] of order.entries()) {
          const basket = flat.findIndex((b) => b.branch === branch && b.first <= entry && entry < b.end);
          if (basket < 0 || seen.has(basket)) continue;
          seen.add(basket);
          want.push([entry, position, basket]);
        }
      }
      const { entry, branch, basket } = visitBaskets(layout, order, { from, to, step });
      expect(Array.from(basket, (at, i) => [entry[i], branch[i], at])).toEqual(want);
    }),
    { numRuns: 300 },
  );
});

test('branches above the chosen ones are read, and those that count their arrays', () => {
  const branch = (index: number, name: string, parent: number, title = name) =>
    ({ index, name, parent, title }) as BranchInfo;
  const branches = [
    branch(0, 'n', -1),
    branch(1, 'event', -1),
    branch(2, 'tracks', 1),
    branch(3, 'pt', 2, 'pt[n][3][nHits]/F'),
    branch(4, 'nHits', -1),
    branch(5, 'other', 1, 'other[unknown]'),
    branch(6, 'x', -1),
  ];
  const needed = (kind: string, ...chosen: number[]) =>
    withNeeded(
      { kind, branches } as TreeInfo,
      chosen.map((i) => branches[i] as BranchInfo),
    ).map(({ index }) => index);
  expect(needed('TTree', 3)).toEqual([0, 1, 2, 3, 4]);
  expect(needed('RNTuple', 3)).toEqual([1, 2, 3]);
  expect(needed('TTree', 6, 5)).toEqual([1, 5, 6]);
  expect(needed('TTree', 0)).toEqual([0]);
});

test('the layout of a tree, in the form of the simulation', () => {
  const layout = basketLayout({
    tree: { entries: 30, storedBytes: 700 },
    // Without the baskets in the tree's own record.
    recorded: { totBytes: 1300, zipBytes: 650 },
    autoFlush: 10,
    firstEntry: Float64Array.of(0, 10, 0),
    entries: Float64Array.of(10, 20, 30),
    clusterStart: Float64Array.of(0, 10, 20),
    basketStart: Uint32Array.of(0, 2, 3),
    offset: Float64Array.of(100, 200, 0),
    storedBytes: Float64Array.of(11, 12, 13),
  } as unknown as TreeLayout);
  expect(layout).toEqual({
    entries: 30,
    zipBytes: 650,
    autoFlush: 10,
    clusterStarts: Float64Array.of(0, 10, 20),
    starts: Int32Array.of(0, 2, 3),
    offsets: Float64Array.of(100, 200, 0),
    bytes: Int32Array.of(11, 12, 13),
    firsts: Float64Array.of(0, 10, 0),
    ends: Float64Array.of(10, 30, 30),
  });
});

test('blocks that touch are one, up to the longest size; a basket counts once', () => {
  const read = (...places: [offset: number, bytes: number][]) =>
    cacheReads(
      places.map((_, i) => i),
      Float64Array.from(places, ([offset]) => offset),
      Int32Array.from(places, ([, bytes]) => bytes),
    ).map(({ offset, length }) => [offset, length]);
  expect(read([600_000, 10], [600_010, 5])).toEqual([[600_000, 15]]);
  // TFileCacheRead::Sort begins another block behind one of more than 16 MB.
  expect(read([1000, 16_000_000], [16_001_000, 5])).toEqual([[1000, 16_000_005]]);
  expect(read([1000, 16_000_001], [16_001_001, 5])).toHaveLength(2);
  const single = (offset: number, length: number) => ({ offset, length, wanted: length });
  expect(readBuffers([single(1000, 10), single(256_989, 10)])).toHaveLength(1);
  expect(readBuffers([single(1000, 10), single(256_990, 10)])).toHaveLength(2);
});
