import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/api';
import { layoutFacts } from '../../../web/features/doctor/work/layout-facts';
import { optimizeBaskets } from '../../../web/features/doctor/work/optimize-baskets';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

/*
 * Figures of TTree::OptimizeBaskets of ROOT 6.40 over the fixtures: judge/record.sh writes them anew. A list of trees of
 * other files, as judge/optimize_baskets.py prints it, is compared, too: XYLEM_OPTIMIZED=FILE.json.
 */

type Sums = [memoryNow: number, memoryThen: number, basketsNow: number, basketsThen: number];
type Row = [
  path: string,
  from: number,
  to: number,
  split: number,
  type: number | null,
  streamer: number | null,
  off: boolean,
];
type Recorded = [file: string, tree: string, memory: number, least: number, sums: Sums | null, rows: Row[]];

const folder = join(import.meta.dirname, 'recorded');
const given = process.env.XYLEM_OPTIMIZED;
const lists = ['optimize-baskets.json', 'optimize-baskets-small.json'].map((name) => join(folder, name));

const reader = withReader();

async function layoutOf(path: string, tree: string): Promise<TreeLayout> {
  const { id } = await reader.open({ kind: 'path', path });
  try {
    return await reader.layout(id, tree);
  } finally {
    await reader.close(id);
  }
}

describe.each([...lists, ...(given ? [given] : [])])('%s', (list) => {
  const trees: Recorded[] = JSON.parse(readFileSync(list, 'utf8'));
  test.each(trees.map((one) => [basename(one[0]), one[1], one] as const))('%s %s', async (_, tree, one) => {
    const [file, , memory, minCompression, sums, rows] = one;
    const layout = await layoutOf(join(file.startsWith('/') ? '' : fixtureFolder, file), tree);
    const found = optimizeBaskets(layout, { memory, minCompression });
    const seen = found && [found.memoryNow, found.memoryThen, found.basketsNow, found.basketsThen];
    expect(seen ?? null).toEqual(sums);
    const facts = layoutFacts(layout, { memory, minCompression });
    const told = facts.branches.map((branch): Row => {
      const {
        path,
        bufferBytes,
        recommendedBytes = bufferBytes,
        splitLevel = 0,
        uncompressed = false,
      } = branch;
      const { elementType = null, streamerType = null } = branch;
      return [path, bufferBytes, recommendedBytes, splitLevel, elementType, streamerType, uncompressed];
    });
    expect(told).toEqual(rows);
  });
});

test('baskets in the record of the tree do not count, as in ROOT', async () => {
  const layout = await layoutOf(join(fixtureFolder, 'embedded.root'), 'small');
  expect(layout.tree.branches.some(({ embeddedBytes = 0 }) => embeddedBytes > 0)).toBe(true);
  const all = {
    ...layout,
    tree: { ...layout.tree, branches: layout.tree.branches.map((branch) => ({ ...branch })) },
  };
  for (const branch of all.tree.branches) branch.embeddedBytes = 0;
  expect(optimizeBaskets(all)?.memoryThen).not.toBe(optimizeBaskets(layout)?.memoryThen);
});

test('an RNTuple has neither buffers nor split levels', async () => {
  const { id } = await reader.open({ kind: 'path', path: join(fixtureFolder, 'rntuple.root') });
  const [key] = (await reader.keys(id)).filter(({ kind }) => kind === 'ntuple');
  const layout = await reader.layout(id, key?.path ?? '');
  expect(optimizeBaskets(layout)).toBeUndefined();
  const facts = layoutFacts(layout);
  expect(facts).not.toHaveProperty('bufferBytes');
  expect(facts.branches.every(({ splitLevel }) => splitLevel === undefined)).toBe(true);
  expect(facts.distributions.numbers.values).toBe(new Set(layout.pageColumn).size);
});

describe('how collections are stored, from the first basket of each branch', () => {
  test.each([
    ['object_wise', 'object-wise'],
    ['member_wise', 'member-wise'],
  ])('%s', async (name, wanted) => {
    const { id } = await reader.open({ kind: 'path', path: join(folder, `${name}.root`) });
    const layout = await reader.layout(id, 't');
    const unread = layoutFacts(layout).branches.map(({ path, streaming }) => [path, streaming]);
    expect(unread).toEqual([
      ['points', 'not read'],
      ['numbers', undefined],
    ]);
    const read = layoutFacts(await reader.layout(id, 't', { orders: true }));
    expect(read.branches.map(({ path, streaming }) => [path, streaming])).toEqual([
      ['points', wanted],
      ['numbers', undefined],
    ]);
  });

  test('those that are split say so without being read', async () => {
    const layout = await layoutOf(join(fixtureFolder, 'collections_split99.root'), 't');
    const told = layoutFacts(layout).branches.map(({ path, streaming }) => [path, streaming]);
    expect(told).toContainEqual(['hits', 'split']);
    expect(told).toContainEqual(['hits/hits.energy', 'split']);
  });
});

describe('distributions', () => {
  test('count every basket of the file once, in logarithmic bins', async () => {
    const layout = await layoutOf(join(fixtureFolder, 'merged.root'), 't');
    const { sizes, numbers } = layoutFacts(layout).distributions;
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    const stored = layout.storedBytes.filter((size) => size > 0);
    expect(sum(sizes.counts)).toBe(stored.length);
    expect(sizes.edges.length).toBe(sizes.counts.length + 1);
    expect(sizes.edges[0]).toBeLessThanOrEqual(Math.min(...stored));
    expect(sizes.edges.at(-1)).toBeGreaterThan(Math.max(...stored));
    expect(sum(numbers.counts)).toBe(layout.tree.branches.filter(({ baskets }) => baskets > 0).length);
    for (const [i, count] of sizes.counts.entries()) {
      const [low = 0, high = 0] = sizes.edges.slice(i, i + 2);
      expect(count).toBe(stored.filter((size) => size >= low && size < high).length);
    }
  });
});
