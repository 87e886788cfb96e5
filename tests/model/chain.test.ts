import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ChainPart, FileSource } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { Column } from '../../web/core/columns';
import { Core } from '../../web/core/core';
import { createEngine } from '../../web/engine/engine';
import { readChunks } from '../../web/export/chunks';
import { createBufferSource } from '../../web/io/buffer-source';
import { createByteReader } from '../../web/io/fetch/reader';
import { ChainFile } from '../../web/model/chain';
import { RootFile } from '../../web/model/root-file';
import { bufferSpec, type Canonical, canonicalRows, fixtureBytes, makeEngine } from '../engine/fixtures';

const part = (name: string, tree?: string): ChainPart => ({
  source: bufferSpec(name, fixtureBytes(name)) as FileSource,
  tree,
});
const broken: ChainPart = { source: { kind: 'buffer', name: 'broken.root', buffer: new ArrayBuffer(500) } };
const names = ['codec_zlib', 'codec_lz4', 'codec_zstd'];

const openChain = async (reader: EngineApi, files: ChainPart[]): Promise<number> =>
  (await reader.open({ kind: 'chain', files })).id;

/** All rows of a branch, of one file after the other. */
async function oneByOne(reader: EngineApi, files: string[], branch: string): Promise<Canonical[]> {
  const rows: Canonical[] = [];
  for (const name of files) {
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    const [result] = await reader.arrays(id, { tree: 't', branches: [branch] });
    rows.push(...canonicalRows(result?.column as Column));
  }
  return rows;
}

test('entries are numbered over all files, and read across their borders', async () => {
  const reader = await makeEngine();
  const chain = await openChain(
    reader,
    names.map((name) => part(name)),
  );
  const tree = await reader.tree(chain, 't');
  expect(tree).toMatchObject({ entries: 900 });
  expect(tree.partial).toBeUndefined();
  expect(tree.branches.map(({ path, entries, baskets }) => [path, entries, baskets])).toEqual([
    ['regular', 900, 6],
    ['noise', 900, 9],
    ['n', 900, 6],
    ['jagged', 900, 15],
  ]);
  for (const branch of ['noise', 'jagged']) {
    const all = await oneByOne(reader, names, branch);
    for (const [from, to] of [
      [0, 900],
      [290, 610],
      [300, 600],
      [599, 601],
      [900, 900],
      [450, 450],
    ] as const) {
      const [result] = await reader.arrays(chain, { tree: 't', branches: [branch], entries: [from, to] });
      expect(canonicalRows(result?.column as Column), `${branch} ${from}:${to}`).toEqual(all.slice(from, to));
    }
  }
});

test('chunks end with a file at the latest and give every entry once', async () => {
  const reader = await makeEngine();
  const chain = await openChain(
    reader,
    names.map((name) => part(name)),
  );
  const all = await oneByOne(reader, names, 'jagged');
  const rows: Canonical[] = [];
  const ends: number[] = [];
  const request = {
    tree: 't',
    branches: ['n', 'jagged'],
    entries: [10, 880] as [number, number],
    chunkBytes: 4000,
  };
  for await (const { entries, columns } of readChunks(reader, chain, request)) {
    expect(entries[0]).toBe(10 + rows.length);
    rows.push(...canonicalRows(columns[1]?.column as Column));
    ends.push(entries[1]);
  }
  expect(rows).toEqual(all.slice(10, 880));
  expect(ends).toEqual(expect.arrayContaining([300, 600, 880]));
  expect(ends.length).toBeGreaterThan(3);
});

test('a histogram is that of all files together', async () => {
  const reader = await makeEngine();
  const chain = await openChain(
    reader,
    names.map((name) => part(name)),
  );
  const request = { tree: 't', branch: 'noise', bins: 20 };
  const whole = await reader.draw(chain, request);
  if (whole.kind !== 'histogram') throw new Error('a histogram was expected');
  expect(whole).toMatchObject({ entries: 900, fills: 900, partial: undefined });
  const [{ bins, low, high } = { bins: 0, low: 0, high: 0 }] = whole.axes;
  const sum = new Float64Array(bins + 2);
  for (const name of names) {
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    const one = await reader.draw(id, { ...request, bins, range: [low, high] });
    if (one.kind === 'histogram')
      one.sums.forEach((count, i) => {
        sum[i] = (sum[i] ?? 0) + count;
      });
  }
  expect([...whole.sums]).toEqual([...sum]);
});

test('names a file that cannot be opened, and reports the result of the others as partial', async () => {
  const reader = await makeEngine();
  const chain = await openChain(reader, [part('codec_zlib'), broken, part('codec_zstd')]);
  const tree = await reader.tree(chain, 't');
  expect(tree).toMatchObject({ entries: 600, partial: { failed: 1, total: 3 } });
  expect(tree.partial?.errors[0]).toMatchObject({
    code: 'NOT_ROOT',
    message: expect.stringContaining('broken.root'),
  });
  const drawn = await reader.draw(chain, { tree: 't', branch: 'noise' });
  expect(drawn.partial?.errors[0]?.message).toContain('broken.root');
  expect(drawn).toMatchObject({ entries: 600 });

  const first = await reader.open({ kind: 'chain', files: [broken, part('codec_zlib')] });
  expect(first.notes.join()).toContain('broken.root');
  expect(first.files).toEqual(['broken.root', 'codec_zlib.root']);
  await expect(openChain(reader, [broken, broken])).rejects.toMatchObject({ code: 'NOT_ROOT' });
  await expect(openChain(reader, [])).rejects.toMatchObject({ code: 'ARGUMENT' });
});

test('each file may name its tree; a branch of another type or a missing one is an error', async () => {
  const reader = await makeEngine();
  const sample = readFileSync(resolve(import.meta.dirname, '../../public/sample.root'));
  const events: ChainPart = {
    source: { kind: 'buffer', name: 'sample.root', buffer: new Uint8Array(sample).buffer },
    tree: 'Events',
  };
  const chain = await openChain(reader, [events, part('codec_zlib')]);
  expect((await reader.tree(chain, 't')).entries).toBe(2400 + 300);
  const [missing] = await reader.arrays(chain, { tree: 't', branches: ['MET_pt'], entries: [0, 2400] });
  expect(missing?.column?.length).toBe(2400);
  const request = { tree: 't', branches: ['MET_pt'], entries: [2390, 2410] as [number, number] };
  const [gone] = await reader.arrays(chain, request);
  expect(gone?.error).toMatchObject({ code: 'NOT_FOUND' });

  const mixed = await openChain(reader, [part('clusters'), part('multiblock_zlib')]);
  const [other] = await reader.arrays(mixed, { tree: 't', branches: ['x'], entries: [179, 181] });
  expect(other?.error).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('in multiblock_zlib.root, and f32 in the files before'),
  });
});

test('opens files when they are needed, and only a limited number at once', async () => {
  let open = 0;
  let most = 0;
  let opened = 0;
  const bytes = fixtureBytes('codec_zlib');
  const reader = await createEngine({
    module: await WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm'))),
    openSource: async () => {
      most = Math.max(most, ++open);
      opened++;
      const source = createBufferSource(bytes.slice().buffer, 'one.root');
      return {
        ...source,
        close: async () => {
          open--;
        },
      };
    },
  });
  const chain = await openChain(
    reader,
    Array.from({ length: 40 }, () => part('codec_zlib')),
  );
  expect(opened).toBe(1);
  expect((await reader.tree(chain, 't')).entries).toBe(40 * 300);
  expect(opened).toBe(40);
  await reader.draw(chain, { tree: 't', branch: 'n', bins: 5, range: [0, 10] });
  expect(most).toBeLessThanOrEqual(22);
  await reader.close(chain);
  expect(open).toBe(0);
});

test('memory does not grow with the number of files: unused data are dropped and read again', async () => {
  const wasm = readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm'));
  const scattered = readFileSync(resolve(import.meta.dirname, '../fixtures/files/page/scattered.root'));
  const module = await WebAssembly.compile(wasm);
  async function memoryOf(count: number): Promise<number> {
    const core = await Core.create(module);
    const source = () => createBufferSource(new Uint8Array(scattered).buffer, 'scattered.root');
    const parts = Array.from({ length: count }, () => part('codec_zlib'));
    const chain = await ChainFile.open(parts, () => RootFile.open(core, createByteReader(source())), {});
    const tree = await chain.tree('events');
    const entries: number[] = [];
    for (let round = 0; round < 2; round++) {
      for await (const member of tree.members(undefined)) {
        if ('error' in member) throw new Error(member.error.message);
        entries.push(member.tree.info.entries);
      }
    }
    expect(entries).toEqual(new Array(2 * count).fill(tree.info.entries / count));
    await chain.close();
    return core.memoryBytes;
  }
  expect(await memoryOf(16)).toBeLessThan(1.6 * (await memoryOf(6)));
});
