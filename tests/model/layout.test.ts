import { describe, expect, test } from 'vitest';
import type { TreePlaces } from '../../web/core/tree-core';
import { treeClusters, trueClusters } from '../../web/model/layout';
import { bufferSpec, fixtureBytes, goldenNames, makeEngine } from '../engine/fixtures';

async function layoutsOf(name: string) {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
  const keys = await reader.keys(id);
  const trees = keys.filter(({ kind }) => kind === 'tree' || kind === 'ntuple');
  const layouts = await Promise.all(trees.map((key) => reader.layout(id, `${key.path};${key.cycle}`)));
  return { layouts, walked: await reader.walk(id), records: await reader.records(id) };
}

test.each(goldenNames())(
  '%s: every basket lies where the walk meets it, every page within a blob',
  async (name) => {
    const { layouts, walked } = await layoutsOf(name);
    expect(walked.stopped).toEqual([]);
    const classAt = (i: number) => walked.texts[walked.className[i] ?? 0];
    const baskets = new Map<number, number>();
    const blobs: [number, number][] = [];
    for (const [i, offset] of walked.offset.entries()) {
      const length = walked.length[i] ?? 0;
      if (classAt(i) === 'TBasket') baskets.set(offset, length);
      if (classAt(i) === 'RBlob') blobs.push([offset + (walked.keyBytes[i] ?? 0), offset + length]);
    }
    for (const layout of layouts) {
      const { tree, basketStart, offset, storedBytes, firstEntry, entries, exact } = layout;
      expect(basketStart).toHaveLength(tree.branches.length + 1);
      for (const branch of tree.branches) {
        const from = basketStart[branch.index] ?? 0;
        const to = basketStart[branch.index + 1] ?? 0;
        if (tree.kind === 'TTree') expect(to - from).toBe(branch.baskets);
        let next = 0;
        for (let i = from; i < to; i++) {
          const at = offset[i] ?? -1;
          const bytes = storedBytes[i] ?? -1;
          if (tree.kind === 'TTree') expect(at === 0 ? bytes : baskets.get(at)).toBe(at === 0 ? 0 : bytes);
          else expect(blobs.some(([start, end]) => at >= start && at + bytes <= end)).toBe(true);
          if (tree.kind === 'TTree') {
            expect(exact[branch.index]).toBe(1);
            expect(firstEntry[i]).toBe(next);
          }
          next = (firstEntry[i] ?? 0) + (entries[i] ?? 0);
          expect(next).toBeLessThanOrEqual(tree.entries);
        }
        if (tree.kind === 'TTree' && to > from) expect(next).toBe(branch.entries);
      }
    }
  },
);

test('a page of a column with one element an entry knows its entries, one of a collection its cluster', async () => {
  const { layouts } = await layoutsOf('ntuple_fields_stored');
  const layout = layouts.find(({ tree }) => tree.name === 'n');
  if (layout === undefined) throw new Error('no tree n');
  const { tree, basketStart, firstEntry, entries, exact, pageBytes, storedBytes } = layout;
  const number = tree.branches.find(({ path }) => path === 'points.x');
  const index = tree.branches.find(({ path }) => path === 'points');
  expect(exact[index?.index ?? -1]).toBe(1);
  expect(exact[number?.index ?? -1]).toBe(0);
  const first = basketStart[number?.index ?? 0] ?? 0;
  expect(layout.clusterStart[0]).toBe(0);
  expect(layout.clusterStart).toContain(firstEntry[first]);
  expect(entries[first]).toBeGreaterThan(0);
  // Stored without compression, with a checksum of 8 bytes after each page.
  expect(storedBytes[first]).toBe((pageBytes?.[first] ?? 0) + 8);
  expect(layout.parts.map(({ name }) => name).slice(0, 3)).toEqual(['header', 'footer', 'page list 0']);
});

describe('clusters of a TTree', () => {
  const clusters = (autoFlush: number, entries: number, ends: number[] = [], sizes: number[] = []) =>
    Array.from(
      treeClusters(
        {
          autoFlush,
          clusterRangeEnd: Float64Array.from(ends),
          clusterSize: Float64Array.from(sizes),
        } as TreePlaces,
        entries,
      ),
    );

  test.each([
    ['every fAutoFlush entries', clusters(100, 250), [0, 100, 200]],
    ['not known where none was set', clusters(-30_000_000, 250), []],
    [
      'of ranges with a size of their own, then of fAutoFlush',
      clusters(50, 200, [99], [40]),
      [0, 40, 80, 100, 150],
    ],
    ['one where a range does not say its size', clusters(0, 200, [99, 199], [40, 0]), [0, 40, 80, 100]],
    ['not listed where a file claims too many', clusters(1, 1e15), []],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected));
});

describe('true clusters of a TTree', () => {
  /** Each branch is a list of the ends of its baskets; a negative end is that of a basket in the tree's record. */
  const clusters = (entries: number, ...branches: number[][]) => {
    const ends = branches.flat();
    const firsts = branches.flatMap((own) => own.map((_, i) => Math.abs(own[i - 1] ?? 0)));
    const basketStart = [0];
    for (const { length } of branches) basketStart.push((basketStart.at(-1) ?? 0) + length);
    const places = {
      basketStart: Uint32Array.from(basketStart),
      offset: Float64Array.from(ends, (end, i) => (end < 0 ? 0 : 100 + i)),
      stored: new Float64Array(ends.length).fill(10),
      first: Float64Array.from(firsts),
      entries: Float64Array.from(ends, (end, i) => Math.abs(end) - (firsts[i] ?? 0)),
    };
    return [...trueClusters(places, entries)];
  };

  test.each([
    ['begin where baskets of all branches begin', clusters(30, [10, 20, 30], [10, 20, 30]), [0, 10, 20]],
    ['not where only some do, because a basket was full', clusters(30, [7, 20, 30], [20, 30]), [0, 20]],
    ['a branch without baskets does not count', clusters(30, [10, 30], []), [0, 10]],
    ['nor the only basket of a branch', clusters(30, [10, 30], [30]), [0, 10]],
    ["nor baskets in the tree's record", clusters(30, [10, 20, -30], [10, -24, -30]), [0, 10, 20]],
    ['a branch that was added later has no say before', clusters(30, [10, 20, 30], [0, 30]), [0, 10, 20]],
    ['a branch that ends early has no say afterwards', clusters(30, [10, 20, 30], [5, 10]), [0, 10, 20]],
    ['nothing shared is one cluster', clusters(30, [10, 20, 30], [11, 21, 30]), [0]],
    ['single baskets are one cluster', clusters(30, [30], [30]), [0]],
    ['none without entries', clusters(0, []), []],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected));
});
