import { beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import { toXylemError } from '../../../web/base/errors';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { salvageFile } from '../../../web/features/writer/work/salvage/salvage';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});

/** Salvages bytes; the product is verified. */
async function salvaged(bytes: Uint8Array) {
  const source = await reader.open(bufferSpec('damaged', bytes));
  const sink = memorySink();
  const { lost, notes, verify } = await salvageFile(reader, source, sink, { writer, name: 'new.root' });
  const product = await reader.open(bufferSpec('new', sink.bytes()));
  await verify(product);
  expect(product.notes).toEqual([]);
  return { lost, notes, product };
}

/** Values of all branches of a tree, by path. */
async function valuesOf({ id }: FileInfo, path: string): Promise<Map<string, unknown[]>> {
  const { branches } = await reader.tree(id, path);
  const results = await reader.arrays(id, { tree: path, branches: branches.map(({ index }) => index) });
  return new Map(results.map(({ branch, column }) => [branch.path, column ? canonicalRows(column) : []]));
}

function zeroed(bytes: Uint8Array, from: number, length: number): Uint8Array {
  return bytes.slice().fill(0, from, from + length);
}

test('a sound file loses nothing', async () => {
  const { lost, product } = await salvaged(fixtureBytes('clusters'));
  expect(lost).toEqual([]);
  const source = await reader.open(bufferSpec('sound', fixtureBytes('clusters')));
  expect(await valuesOf(product, 't')).toEqual(await valuesOf(source, 't'));
});

test('a damaged basket takes its entries with it, in all branches', async () => {
  const { lost, product } = await salvaged(fixtureBytes('damaged/basket_flipped'));
  expect(lost).toMatchObject([{ path: 't;1', entries: [[0, 25]], branches: ['x'] }]);
  const source = await reader.open(bufferSpec('sound', fixtureBytes('clusters')));
  const values = await valuesOf(product, 't');
  for (const [path, rows] of await valuesOf(source, 't')) expect(values.get(path)).toEqual(rows.slice(25));
});

test('a branch of which all baskets are lost is left out', async () => {
  const bytes = fixtureBytes('clusters').slice();
  const source = await reader.open(bufferSpec('sound', bytes));
  const { tree, basketStart, offset, storedBytes } = await reader.layout(source.id, 't');
  const [{ index, path } = { index: 0, path: '' }] = tree.branches;
  for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++)
    bytes.fill(0, offset[i], (offset[i] ?? 0) + (storedBytes[i] ?? 0));
  const { lost, product } = await salvaged(bytes);
  expect(lost).toMatchObject([{ path: 't;1', branches: [path] }]);
  const left = await reader.tree(product.id, 't');
  expect(left.entries).toBe(tree.entries);
  expect(left.branches.map((branch) => branch.path)).not.toContain(path);
});

test('of a file that takes all memory of a core, the descriptions of classes are lost', async () => {
  const { lost, product } = await salvaged(fixtureBytes('hostile/elements_of_nothing'));
  expect(lost).toMatchObject([
    { path: '', why: 'No memory for the class table.' },
    { path: '', why: expect.stringContaining('descriptions of classes are lost') },
  ]);
  expect(product.size).toBeLessThan(20_000);
});

test.each(['keys_lost', 'streamers_lost'])('%s: what lists do not name is found', async (name) => {
  const { lost, product } = await salvaged(fixtureBytes(`damaged/${name}`));
  expect(lost).toHaveLength(1);
  const source = await reader.open(bufferSpec('sound', fixtureBytes('clusters')));
  expect(await valuesOf(product, 't')).toEqual(await valuesOf(source, 't'));
});

test('a list of keys that was overwritten is replaced by a walk', async () => {
  const bytes = fixtureBytes('clusters');
  const source = await reader.open(bufferSpec('sound', bytes));
  const { records } = await reader.records(source.id);
  const list = records.find(({ kind }) => kind === 'keys');
  const { lost, product } = await salvaged(zeroed(bytes, list?.offset ?? 0, list?.length ?? 0));
  expect(lost).toMatchObject([{ path: '', why: expect.stringContaining('list of keys') }]);
  expect(await valuesOf(product, 't')).toEqual(await valuesOf(source, 't'));
});

test('values of files that are cut off or zeroed anywhere are right or named as lost', async () => {
  const bytes = fixtureBytes('crashed');
  const whole = await reader.open(bufferSpec('whole', bytes));
  const path = (await reader.keys(whole.id)).find(({ kind }) => kind === 'tree')?.path ?? '';
  const right = await valuesOf(whole, path);
  let trees = 0;
  const damages = Array.from({ length: 12 }, (_, i) => Math.floor((bytes.length * (i + 1)) / 13));
  for (const at of damages) {
    for (const damaged of [bytes.slice(0, at), zeroed(bytes, at, 300)]) {
      const outcome = await salvaged(damaged).catch((thrown: unknown) => toXylemError(thrown).code);
      if (typeof outcome === 'string') {
        expect(['TRUNCATED', 'CORRUPT']).toContain(outcome);
        continue;
      }
      const { lost, product } = outcome;
      expect(lost).not.toEqual([]);
      if (!(await reader.keys(product.id)).some((key) => key.path === path)) continue;
      trees++;
      const entries = lost.flatMap((one) => one.entries ?? []);
      const isLost = (entry: number) => entries.some(([from, to]) => entry >= from && entry < to);
      for (const [branch, rows] of await valuesOf(product, path))
        expect(rows).toEqual(right.get(branch)?.filter((_, entry) => !isLost(entry)));
    }
  }
  expect(trees).toBeGreaterThan(4);
});

/** Damages the pages of a field in one cluster, or in all. */
async function withoutPages(name: string, field: string, cluster?: number) {
  const bytes = fixtureBytes(name).slice();
  const source = await reader.open(bufferSpec('sound', bytes.slice()));
  const { tree, basketStart, offset, firstEntry, clusterStart } = await reader.layout(source.id, 'n');
  const [from, to] = cluster === undefined ? [0] : [clusterStart[cluster] ?? 0, clusterStart[cluster + 1]];
  const range = [from, to ?? tree.entries] as const;
  const index = tree.branches.findIndex(({ path }) => path === field);
  for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) {
    const at = offset[i] ?? 0;
    const entry = firstEntry[i] ?? 0;
    if (entry >= range[0] && entry < range[1]) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
  }
  return { bytes, source, range, clusters: clusterStart.length };
}

test.each([
  ['rntuple', 'double'],
  ['rntuple', 'vector_vector_int._0'],
  ['ntuple_late', 'early'],
  ['ntuple_late_stored', 'early'],
  ['ntuple/groups', 'number'],
])('%s: a cluster with a damaged page of %s is left out, whichever it is', async (name, field) => {
  const { clusters, source } = await withoutPages(name, field);
  const right = await valuesOf(source, 'n');
  expect(clusters).toBeGreaterThan(1);
  for (let cluster = 0; cluster < clusters; cluster++) {
    const { bytes, range } = await withoutPages(name, field, cluster);
    const { lost, product } = await salvaged(bytes);
    expect(lost).toMatchObject([{ path: 'n;1', entries: [range] }]);
    const { clusterStart } = await reader.layout(product.id, 'n');
    expect(clusterStart.length).toBe(clusters - 1);
    for (const [path, rows] of await valuesOf(product, 'n'))
      expect(rows).toEqual(right.get(path)?.filter((_, entry) => entry < range[0] || entry >= range[1]));
  }
});

test('fields of an RNTuple of which all pages are lost are left out with what shows them', async () => {
  const { bytes, source } = await withoutPages('ntuple_late', 'strings._0');
  const { lost, product } = await salvaged(bytes);
  expect(lost).toMatchObject([{ path: 'n;1', branches: ['strings'] }]);
  const right = await valuesOf(source, 'n');
  const left = await valuesOf(product, 'n');
  expect([...right.keys()].filter((path) => !left.has(path))).toEqual(['strings', 'strings._0', 'n_strings']);
  for (const [path, rows] of left) expect(rows).toEqual(right.get(path));
});

/** The record of streamer infos of a small file: its place, its key's length, and its length. */
function infosOf(bytes: Uint8Array): { at: number; keylen: number; length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const at = view.getInt32(37);
  return { at, keylen: view.getInt16(at + 14), length: view.getInt32(at) };
}

/** The values of a fixture's tree, and those of what is salvaged of a damaged copy. */
async function sameValues(name: string, damage: (bytes: Uint8Array<ArrayBuffer>) => void, path = 't') {
  const bytes = fixtureBytes(name).slice();
  damage(bytes);
  const { lost, product, notes } = await salvaged(bytes);
  const source = await reader.open(bufferSpec('sound', fixtureBytes(name)));
  return { lost, product, notes, before: await valuesOf(source, path), after: await valuesOf(product, path) };
}

test('a damaged class in the key of the streamer infos is repaired, because ROOT opens no file with it', async () => {
  const { product, before, after } = await sameValues('clusters', (bytes) => {
    // "TList" in the key of 26 bytes and texts.
    bytes.fill(0, infosOf(bytes).at + 30, infosOf(bytes).at + 32);
  });
  expect(after).toEqual(before);
  const start = await reader.bytes(product.id, [{ offset: 0, length: 100 }]);
  const at = new DataView(start.buffer, start.byteOffset).getInt32(37);
  const key = await reader.bytes(product.id, [{ offset: at, length: 64 }]);
  expect(Buffer.from(key.subarray(26, 32)).toString('latin1')).toBe('\x05TList');
});

// "leaves" and "arrays" have leaves of Double32_t and Float16_t.
test.each(['clusters', 'leaves', 'arrays'])(
  'where the streamer infos of %s are lost, trees of the versions of ROOT 6.40 are read with its own',
  async (name) => {
    const damage = (bytes: Uint8Array): void => {
      const { at, keylen, length } = infosOf(bytes);
      bytes.fill(0, at + keylen, at + length);
    };
    const { lost, before, after } = await sameValues(name, damage);
    expect(lost.map(({ why }) => why)).toContainEqual(
      expect.stringContaining('Those of ROOT 6.40 are taken'),
    );
    expect(after).toEqual(before);
  },
);

test('streamer infos whose first bytes are overwritten are lost, also where they are not compressed', async () => {
  const { lost, before, after } = await sameValues('codec_none', (bytes) => {
    const { at, keylen } = infosOf(bytes);
    bytes.fill(0, at + keylen, at + keylen + 40);
  });
  expect(lost.map(({ why }) => why)).toContainEqual(expect.stringContaining('Those of ROOT 6.40 are taken'));
  expect(after).toEqual(before);
});

test('a file whose list of keys lies before its streamer infos loses these alone when it is cut off there', async () => {
  const bytes = fixtureBytes('clusters');
  const source = await reader.open(bufferSpec('sound', bytes));
  const { at } = infosOf(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const place = 100 + view.getInt32(28) + 26;
  const list = bytes.slice(view.getInt32(place));
  const keys = list.slice(0, new DataView(list.buffer).getInt32(0));
  new DataView(keys.buffer).setInt32(18, at);
  const cut = new Uint8Array(at + keys.length);
  cut.set(bytes.subarray(0, at));
  cut.set(keys, at);
  const header = new DataView(cut.buffer);
  header.setInt32(place, at);
  header.setInt32(37, cut.length);
  const { lost, product } = await salvaged(cut);
  expect(lost.map(({ why }) => why)).toContainEqual(expect.stringContaining('Those of ROOT 6.40 are taken'));
  expect(await valuesOf(product, 't')).toEqual(await valuesOf(source, 't'));
});

test('a header that is overwritten is guessed, because records say where they lie', async () => {
  const { lost, before, after } = await sameValues('clusters', (bytes) => bytes.fill(0, 0, 60));
  expect(lost.map(({ why }) => why)).toEqual([
    expect.stringContaining('The header of the file is overwritten.'),
  ]);
  expect(after).toEqual(before);
});

test('an overwritten header with nothing after it is no ROOT file', async () => {
  for (const bytes of [new Uint8Array(300), fixtureBytes('clusters').slice().fill(0, 0, 120)])
    await expect(reader.open(bufferSpec('nothing', bytes))).rejects.toMatchObject({ code: 'NOT_ROOT' });
});

test('a list of keys whose own key is wrong loses nothing', async () => {
  // An early writer made lists with keys of no place and of another length, from where a walk finds a gap of 1 GB.
  const { before, after } = await sameValues('clusters', (bytes) => {
    const view = new DataView(bytes.buffer);
    const list = view.getInt32(100 + view.getInt32(28) + 26);
    view.setInt32(list, view.getInt16(list + 14) + 4);
    view.setInt32(list + 18, 0);
  });
  expect(after).toEqual(before);
});

test('a basket that lost the offsets of its entries takes them with it', async () => {
  const plain = memorySink();
  const source = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const codec = { algorithm: 'none', level: 0 } as const;
  await skimFile(reader, source, plain, { writer, name: 'plain.root', codec });
  const bytes = plain.bytes();
  const { tree, basketStart, offset, firstEntry, entries } = await reader.layout(
    (await reader.open(bufferSpec('plain', bytes.slice()))).id,
    't',
  );
  const right = await valuesOf(source, 't');
  const view = new DataView(bytes.buffer);
  for (const name of ['v', 's']) {
    const branch = tree.branches.findIndex(({ path }) => path === name);
    const basket = (basketStart[branch] ?? 0) + 1;
    const at = offset[basket] ?? 0;
    const last = view.getInt32(at + view.getInt16(at + 14) - 5);
    const damaged = bytes.slice();
    damaged.fill(0, at + last, at + view.getInt32(at));
    const { lost, product } = await salvaged(damaged);
    const [from = 0, count = 0] = [firstEntry[basket], entries[basket]];
    expect(lost, name).toMatchObject([{ path: 't;1', entries: [[from, from + count]], branches: [name] }]);
    for (const [path, rows] of await valuesOf(product, 't'))
      expect(rows).toEqual(right.get(path)?.filter((_, entry) => entry < from || entry >= from + count));
  }
});

test('a basket that cannot be decoded as the others of its branch takes its entries with it', async () => {
  const plain = memorySink();
  const source = await reader.open(bufferSpec('hits', fixtureBytes('collections_split0')));
  const codec = { algorithm: 'none', level: 0 } as const;
  await skimFile(reader, source, plain, { writer, name: 'plain.root', codec });
  const bytes = plain.bytes();
  const { id } = await reader.open(bufferSpec('plain', bytes.slice()));
  const { tree, basketStart, offset, firstEntry, entries } = await reader.layout(id, 't');
  const branch = tree.branches.findIndex(({ path }) => path === 'hits');
  const basket = (basketStart[branch] ?? 0) + 1;
  expect(basket).toBeLessThan(basketStart[branch + 1] ?? 0);
  // A collection of two objects, member by member; version 2 of their class becomes one that the file does not describe.
  const two = Buffer.from([0x40, 0x0a, 0, 2, 0, 0, 0, 2]);
  const at = Buffer.from(bytes.buffer).indexOf(two, offset[basket]);
  expect(at).toBeLessThan((offset[basket + 1] ?? 0) || bytes.length);
  bytes[at + 3] = 99;
  const { lost } = await salvaged(bytes);
  const from = firstEntry[basket] ?? 0;
  const range = [from, from + (entries[basket] ?? 0)];
  expect(lost).toMatchObject([{ path: 't;1', entries: [range], branches: ['hits'] }]);
});

test('values that no checksum proves have a line, and others have none', async () => {
  const notesOf = async (name: string) =>
    (await sameValues(name, () => {})).notes.filter((note) => note.startsWith('t;1'));
  expect(await notesOf('codec_zstd')).toEqual([
    expect.stringMatching(
      /^t;1, baskets: (\d+) of \1 are not checkable: they are stored as they are, or by a codec/,
    ),
  ]);
  for (const name of ['codec_zlib', 'codec_lzma', 'codec_lz4']) {
    const notes = await notesOf(name);
    for (const note of notes) {
      const [, unproven, all] = /^t;1, baskets: (\d+) of (\d+) are not checkable/.exec(note) ?? [];
      expect(Number(unproven), name).toBeLessThan(Number(all));
    }
  }
});

test('a file that never had streamer infos, and needs none, loses nothing', async () => {
  const bytes = withoutInfos('things');
  const { lost, product } = await salvaged(bytes);
  expect(lost).toEqual([]);
  const source = await reader.open(bufferSpec('source', bytes));
  expect((await reader.keys(product.id)).map(({ path }) => path)).toEqual(
    (await reader.keys(source.id)).map(({ path }) => path),
  );
});

test('a list of keys that is only written otherwise than by ROOT is no loss, and pages are no objects', async () => {
  const bytes = fixtureBytes('rntuple').slice();
  const view = new DataView(bytes.buffer);
  const list = view.getInt32(100 + view.getInt32(28) + 26);
  view.setInt32(list + 18, 0);
  const { lost, product } = await salvaged(bytes);
  expect(lost).toEqual([]);
  const source = await reader.open(bufferSpec('sound', fixtureBytes('rntuple')));
  expect((await reader.keys(product.id)).map(({ path }) => path)).toEqual(
    (await reader.keys(source.id)).map(({ path }) => path),
  );
});

/** A fixture without its streamer infos. */
function withoutInfos(name: string): Uint8Array<ArrayBuffer> {
  const bytes = fixtureBytes(name).slice();
  const { at, length } = infosOf(bytes);
  // A gap in place of the record, and none in the header.
  bytes.fill(0, at, at + length);
  const view = new DataView(bytes.buffer);
  view.setInt32(at, -length);
  view.setInt32(37, 0);
  view.setInt32(41, 0);
  return bytes;
}
