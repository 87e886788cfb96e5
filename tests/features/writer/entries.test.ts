import { beforeAll, describe, expect, test } from 'vitest';
import type { EntrySelection, FileInfo } from '../../../web/api/api';
import type { SkimChoice } from '../../../web/api/write';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});

/** Skims a fixture, verifies the product and checks that it is sound. */
async function skimmed(source: FileInfo, choice: SkimChoice) {
  const sink = memorySink();
  const written = await skimFile(reader, source, sink, { ...choice, writer, name: 'new.root' });
  const product = await reader.open(bufferSpec('new', sink.bytes()));
  await written.verify(product);
  const { findings } = await reader.check(product.id);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { written, product };
}

/** Values of all branches that can be read, or their errors, by path. */
async function valuesOf({ id }: FileInfo, path: string, entries?: EntrySelection) {
  const { branches } = await reader.tree(id, path);
  const results = await reader.arrays(id, {
    tree: path,
    branches: branches.map(({ index }) => index),
    entries,
  });
  return Object.fromEntries(
    results.map(({ branch, column, error }) => [branch.path, column ? canonicalRows(column) : error?.code]),
  );
}

const open = (name: string) => reader.open(bufferSpec(name, fixtureBytes(name)));

/** Runs of entries and single ones, the same in each run of the test. */
function someEntries(total: number, seed: number): Float64Array {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const part = 0.02 + 0.6 * random();
  const chosen: number[] = [];
  for (let entry = 0; entry < total; entry++) if (random() < part) chosen.push(entry);
  return Float64Array.from(chosen);
}

const FILES: [name: string, tree: string][] = [
  ['clusters', 't'],
  ['merged', 't'],
  ['embedded', 'large'],
  ['objects_split99', 't'],
  ['collections_split0', 't'],
  ['collections_split99', 't'],
  ['stl_member_wise', 't'],
  ['edges/lists', 't'],
  ['edges/member_arrays', 't'],
  ['leaflists', 't'],
  ['strings', 't'],
  ['vectors', 't'],
];

describe.each(FILES)('entries of %s', (name, tree) => {
  test('have their values', async () => {
    const source = await open(name);
    const { entries: total } = await reader.tree(source.id, tree);
    const half = Math.floor(total / 2);
    const sets: EntrySelection[] = [someEntries(total, 1), [[1, Math.min(total, half + 2)]], []];
    for (const entries of sets) {
      const { product } = await skimmed(source, { selection: { trees: [tree] }, entries });
      expect(await valuesOf(product, tree)).toEqual(await valuesOf(source, tree, entries));
      await reader.close(product.id);
    }
  });
});

test('baskets of which all entries are chosen are copied as they are, others are not read', async () => {
  const source = await open('clusters');
  const before = await reader.layout(source.id, 't');
  const from = before.trueStart[1] ?? 0;
  const to = before.trueStart[3] ?? 0;
  const { product } = await skimmed(source, { selection: { trees: ['t'] }, entries: [from, to + 1] });
  const after = await reader.layout(product.id, 't');
  expect(Array.from(after.trueStart)).toEqual([0, (before.trueStart[2] ?? 0) - from, to - from]);
  expect(after.clusterStart).toEqual(after.trueStart);
  const inside = before.storedBytes.filter(
    (_, i) => (before.firstEntry[i] ?? 0) >= from && (before.firstEntry[i] ?? 0) < to,
  );
  expect(Array.from(after.storedBytes)).toEqual(expect.arrayContaining(Array.from(inside)));
});

test('a cut may name a branch that is not copied', async () => {
  const source = await open('clusters');
  const { branches } = await reader.tree(source.id, 't');
  const [first, second] = branches.filter(({ kind }) => kind === 'number').map(({ path }) => path);
  const cut = `${first} > 3 && Entry$ % 3 == 1`;
  const drawn = await reader.draw(source.id, { tree: 't', expr: '>>list', cut });
  const numbers = drawn.kind === 'entries' ? drawn.numbers : new Float64Array();
  expect(numbers.length).toBeGreaterThan(0);
  const { product, written } = await skimmed(source, {
    selection: { trees: ['t'], branches: [second ?? ''] },
    cut,
  });
  expect(written.notes[0]).toMatch(`${numbers.length} of`);
  const copied = await valuesOf(product, 't');
  expect(Object.keys(copied)).not.toContain(first);
  expect(copied[second ?? '']).toEqual((await valuesOf(source, 't', numbers))[second ?? '']);
});

test('a cycle that is named is copied, and entries are chosen of it', async () => {
  const source = await open('cycles');
  const selection = { trees: ['t;1'], objects: [] };
  const { entries } = await reader.tree(source.id, 't;1');
  const cut = 'x >= 3';
  const drawn = await reader.draw(source.id, { tree: 't;1', expr: '>>list', cut, entries: [2, 20] });
  const numbers = drawn.kind === 'entries' ? drawn.numbers : new Float64Array();
  expect([numbers.length > 0, numbers.length < 18]).toEqual([true, true]);
  for (const choice of [{}, { cut, entries: [2, 20] as [number, number] }]) {
    const { product, written } = await skimmed(source, { selection, ...choice });
    expect((await reader.keys(product.id)).map(({ path, cycle }) => `${path};${cycle}`)).toEqual(['t;1']);
    const wanted = 'cut' in choice ? numbers : undefined;
    expect(await valuesOf(product, 't')).toEqual(await valuesOf(source, 't;1', wanted));
    expect(written.notes).toEqual(wanted ? [`t;1: ${numbers.length} of ${entries} entries`] : []);
  }
  const all = await skimmed(source, { selection: { trees: ['t'] }, entries: [0, 1] });
  expect(all.written.notes).toEqual(['t;2: 1 of 50 entries', 't;1: an older cycle, left out']);
});

test('it has to be clear of which tree entries are chosen', async () => {
  const source = await open('embedded');
  await expect(skimmed(source, { entries: [0, 1] })).rejects.toMatchObject({ code: 'ARGUMENT' });
  await expect(skimmed(await open('rntuple'), { entries: [0, 1] })).rejects.toMatchObject({
    code: 'ARGUMENT',
    fix: expect.stringContaining('--to rntuple'),
  });
  const { product } = await skimmed(source, { entries: [0, 1], entriesOf: 'large' });
  expect((await reader.tree(product.id, 'large')).entries).toBe(1);
  expect((await reader.tree(product.id, 'small')).entries).toBe(
    (await reader.tree(source.id, 'small')).entries,
  );
});
