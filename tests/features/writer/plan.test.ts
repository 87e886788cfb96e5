import { beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import type { Sink } from '../../../web/api/sink';
import type { PlannedTree, WritePlan } from '../../../web/api/write';
import { nodeModules } from '../../../web/core/modules/node-modules';
import type { CopyOptions, Written } from '../../../web/features/writer/work/copy/copy-file';
import { type HealOptions, healFile, planHeal } from '../../../web/features/writer/work/verbs/heal';
import { planSkim, type SkimOptions, skimFile } from '../../../web/features/writer/work/verbs/skim';
import { totalLength } from '../../../web/io/ranges';
import type { Range } from '../../../web/io/source';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';

let reader: EngineApi;
let common: CopyOptions;
beforeAll(async () => {
  reader = new Proxy(await makeEngine(), {
    get(engine, name) {
      const own: unknown = Reflect.get(engine, name);
      if (typeof own !== 'function') return own;
      return (...args: unknown[]) => {
        if (name === 'bytes') asked += totalLength(args[1] as Range[]);
        return own.apply(engine, args);
      };
    },
  });
  common = { writer: await nodeModules('write'), name: 'new.root' };
});

/** Bytes that the writer has asked for. */
let asked = 0;

interface Ways {
  plan(info: FileInfo): Promise<WritePlan>;
  write(info: FileInfo, sink: Sink): Promise<Written>;
}

const healWays = (options: Omit<HealOptions, keyof CopyOptions>): Ways => ({
  plan: (info) => planHeal(reader, info, { ...common, ...options }),
  write: (info, sink) => healFile(reader, info, sink, { ...common, ...options }),
});
const skimWays = (options: Omit<SkimOptions, keyof CopyOptions>): Ways => ({
  plan: (info) => planSkim(reader, info, { ...common, ...options }),
  write: (info, sink) => skimFile(reader, info, sink, { ...common, ...options }),
});

/** The trees that a plan promises, and those that a file has. */
const promised = ({ path, entriesAfter, basketsAfter, clustersAfter, seeksAfter }: PlannedTree) => ({
  ...{ path, entries: entriesAfter, baskets: basketsAfter, clusters: clustersAfter, seeks: seeksAfter },
});
const found = ({ path, entries, baskets, clustersClaimed, seeksBefore }: PlannedTree) => ({
  ...{ path, entries, baskets, clusters: clustersClaimed, seeks: seeksBefore },
});

const EXACT: [name: string, file: string, ways: () => Ways][] = [
  ['heal', 'merged', () => healWays({ level: 'order' })],
  ['heal --level clusters', 'merged', () => healWays({ level: 'clusters' })],
  ['heal', 'cycles', () => healWays({ level: 'order' })],
  ['heal --level clusters', 'cycles', () => healWays({ level: 'clusters' })],
  ['heal', 'embedded', () => healWays({ level: 'order' })],
  ['heal', 'things', () => healWays({ level: 'order' })],
  ['heal', 'references', () => healWays({ level: 'order' })],
  ['skim', 'cycles', () => skimWays({})],
  [
    'skim --branches',
    'leaflists',
    () => skimWays({ selection: { branches: ['small', 'text'], objects: [] } }),
  ],
];
const ESTIMATED: typeof EXACT = [
  ['heal --level rebasket', 'clusters', () => healWays({ level: 'rebasket', clusterBytes: 4000 })],
  ['heal --level rebasket', 'merged', () => healWays({ level: 'rebasket' })],
  ['heal --level rebasket', 'embedded', () => healWays({ level: 'rebasket' })],
  ['heal --codec', 'merged', () => healWays({ level: 'order', codec: { algorithm: 'none', level: 0 } })],
  [
    'heal --codec',
    'multiblock_zstd',
    () => healWays({ level: 'order', codec: { algorithm: 'lz4', level: 4 } }),
  ],
  ['skim --codec', 'clusters', () => skimWays({ codec: { algorithm: 'zstd', level: 5 } })],
  ['skim --entries', 'clusters', () => skimWays({ entries: [17, 101] })],
  ['heal', 'rntuple', () => healWays({ level: 'order' })],
];

test.each([...EXACT, ...ESTIMATED])('%s of %s does what its plan says', async (name, file, ways) => {
  const { plan, write } = ways();
  const info = await reader.open(bufferSpec(file, fixtureBytes(file)));
  const start = asked;
  const planned = await plan(info);
  const between = asked;
  const sink = memorySink();
  const written = await write(info, sink);
  const end = asked;
  const product = await reader.open(bufferSpec('new', sink.bytes()));
  const after = await planSkim(reader, product, common);
  expect(planned.trees.map(promised)).toEqual(after.trees.map(found));
  expect(planned.notes).toEqual(written.notes);
  const isExact = EXACT.some(([own, of]) => own === name && of === file);
  expect(planned.write.estimated).toBe(!isExact);
  if (isExact) expect(planned.write.bytes).toBe(written.bytes);
  else expect(Math.abs(planned.write.bytes / written.bytes - 1)).toBeLessThan(0.25);
  // Both read the same metadata; for a codec, some baskets are read for the plan.
  if (name.endsWith('--codec')) expect(between - start).toBeLessThanOrEqual(end - between);
  else expect(end - between - (between - start)).toBe(planned.read.bytes);
});

test('a skim says which baskets travel whole, and which are unpacked', async () => {
  const info = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const { tree, ...layout } = await reader.layout(info.id, 't');
  const [from, to] = [Math.ceil(0.15 * tree.entries), Math.floor(0.7 * tree.entries)];
  const counts = { whole: 0, unpacked: 0, left: 0 };
  for (const [i, first] of layout.firstEntry.entries()) {
    const end = first + (layout.entries[i] ?? 0);
    counts[from <= first && end <= to ? 'whole' : first < to && from < end ? 'unpacked' : 'left']++;
  }
  const { trees, read } = await planSkim(reader, info, { ...common, entries: [from, to] });
  const [only] = trees;
  expect(counts.left).toBeGreaterThan(0);
  expect(only).toMatchObject({
    entriesAfter: to - from,
    whole: { baskets: counts.whole },
    unpacked: { baskets: counts.unpacked },
  });
  expect(read.bytes).toBe((only?.whole.bytes ?? 0) + (only?.unpacked.bytes ?? 0));
});

test('the cost on links falls where baskets were scattered', async () => {
  const info = await reader.open(bufferSpec('merged', fixtureBytes('merged')));
  const { trees, read } = await planHeal(reader, info, { ...common, level: 'rebasket' });
  const [disk, ...links] = [...new Set(trees[0]?.costs.map(({ link }) => link))];
  expect(disk).toMatch(/^Disk/);
  expect(read.links.map(({ link }) => link)).toEqual(links);
  for (const { calls, betterCalls, ms, betterMs } of trees[0]?.costs ?? []) {
    expect(betterCalls).toBeLessThan(calls);
    expect(betterMs).toBeLessThan(ms);
  }
});
