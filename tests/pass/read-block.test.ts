import { expect, test } from 'vitest';
import type { EntrySelection, FileId } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { Column } from '../../web/core/columns';
import { readChunks } from '../../web/export/chunks';
import { chooseBranches } from '../../web/model/choose';
import { bufferSpec, type Canonical, canonicalRows, fixtureBytes, makeEngine } from '../engine/fixtures';

/** Trees whose branches end their baskets at different entries, trees with clusters, and RNTuples. */
const trees = [
  ['arrays', 't'],
  ['clusters', 't'],
  ['embedded', 'large'],
  ['leaves', 't'],
  ['merged', 't'],
  ['strings', 't'],
  ['ntuple_fields', 'n'],
  ['rntuple', 'n'],
] as const;

const selections: (EntrySelection | undefined)[] = [
  undefined,
  [7, 50],
  [
    [2, 9],
    [30, 31],
    [33, 58],
  ],
  { fraction: 0.3, seed: 3 },
];

/** Number of baskets and pages that were decompressed since the last time. */
async function opened(reader: EngineApi, id: FileId, before = 0): Promise<number> {
  const records = await reader.trace(id);
  return records.reduce((sum, record) => sum + (record.opened ?? 0), 0) - before;
}

test.each(trees)('%s: chunks of any size open each basket and page once', async (name, path) => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
  const tree = await reader.tree(id, path);
  const { basketStart } = await reader.layout(id, path);
  const chosen = chooseBranches(tree, undefined).filter(({ entries }) => entries === tree.entries);
  const results = await reader.arrays(id, { tree: path, branches: chosen.map(({ index }) => index) });
  const branches = results.filter(({ column }) => column).map(({ branch }) => branch.index);
  for (const entries of selections) {
    const start = await opened(reader, id);
    const whole = await reader.arrays(id, { tree: path, branches, entries });
    const once = await opened(reader, id, start);
    const baskets = branches.reduce((sum, i) => sum + (basketStart[i + 1] ?? 0) - (basketStart[i] ?? 0), 0);
    if (entries === undefined && tree.kind === 'TTree') expect(once).toBe(baskets);
    expect(once).toBeGreaterThan(branches.length - 1);
    for (const chunkBytes of [1, 700, 3000, undefined]) {
      const before = await opened(reader, id);
      const rows: Canonical[][] = whole.map(() => []);
      const numbers: number[] = [];
      for await (const chunk of readChunks(reader, id, { tree: path, branches, entries, chunkBytes })) {
        numbers.push(...chunk.numbers());
        for (const [i, { column }] of chunk.columns.entries()) rows[i]?.push(...canonicalRows(column));
      }
      const what = `${JSON.stringify(entries)} by ${chunkBytes}`;
      expect(await opened(reader, id, before), what).toBe(once);
      expect(numbers.length, what).toBe(whole[0]?.column?.length);
      for (const [i, { column }] of whole.entries())
        expect(rows[i], what).toEqual(canonicalRows(column as Column));
    }
  }
});

test('chunks follow clusters unless they are asked to be smaller', async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const { entries, branches } = await reader.tree(id, 't');
  const { clusterStart } = await reader.layout(id, 't');
  const bytes = branches.reduce((sum, { totalBytes }) => sum + totalBytes, 0) / entries;
  const sizes = async (chunkBytes: number): Promise<number[]> => {
    const ends: number[] = [];
    for await (const chunk of readChunks(reader, id, { tree: 't', chunkBytes })) ends.push(chunk.entries[1]);
    return ends;
  };
  // About the bytes of the first cluster.
  const length = (clusterStart[1] ?? 0) - (clusterStart[0] ?? 0);
  const ends = await sizes(Math.ceil(1.2 * bytes * length));
  for (const end of ends.slice(0, -1)) expect([...clusterStart]).toContain(end);
  expect((await sizes(1)).length).toBe(entries);
});
