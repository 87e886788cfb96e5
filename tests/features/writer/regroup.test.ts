import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/api';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { type HealOptions, healFile } from '../../../web/features/writer/work/verbs/heal';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { run } from '../../cli/support';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../../engine/fixtures';
import { openReader, withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-regroup-'));
const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Heals a fixture; the product is verified, and its values compared with those of the source. */
async function healed(name: string, options: Omit<HealOptions, 'writer' | 'name'>) {
  const source = fixtureBytes(name);
  const info = await reader.open(bufferSpec(name, source));
  const sink = memorySink();
  const written = await healFile(reader, info, sink, { ...options, writer, name: 'new.root' });
  const product = await reader.open(bufferSpec('new', sink.bytes()));
  await written.verify(product);
  const { findings } = await reader.check(product.id);
  const before = await reader.check(info.id);
  const rules = (list: typeof findings) => list.map(({ rule, path }) => `${rule} ${path}`);
  expect(rules(findings)).toEqual(rules(before.findings));
  const paths = [join(folder, 'a.root'), join(folder, 'b.root')] as const;
  writeFileSync(paths[0], source);
  writeFileSync(paths[1], sink.bytes());
  const { status, out, err } = await run(reader, 'diff', ...paths, '--json');
  return { written, product, diff: { status, err, out: out.slice(0, 400) } };
}

/** First entries of the baskets of each branch that has some. */
function firsts({ tree, basketStart, firstEntry }: TreeLayout): number[][] {
  return tree.branches
    .map((_, b) => Array.from(firstEntry.subarray(basketStart[b], basketStart[b + 1])))
    .filter((list) => list.length > 0);
}

const FILES: [name: string, tree: string][] = [
  ['clusters', 't'],
  ['merged', 't'],
  ['embedded', 'large'],
  ['multiblock_zstd', 't'],
  ['objects_split0', 't'],
  ['collections_split0', 't'],
  ['collections_split99', 't'],
  ['stl_member_wise', 't'],
  ['edges/lists', 't'],
];

describe.each(FILES)('%s', (name, tree) => {
  test('baskets are joined to clusters', async () => {
    const { product, diff } = await healed(name, { level: 'rebasket', clusterBytes: 2000 });
    expect(diff).toMatchObject({ status: 0, err: '' });
    const layout = await reader.layout(product.id, tree);
    const lists = firsts(layout);
    expect(lists.length).toBeGreaterThan(0);
    const longest = lists.reduce((a, b) => (b.length > a.length ? b : a));
    for (const list of lists) expect(longest).toEqual(expect.arrayContaining(list));
    expect(Array.from(layout.clusterStart)).toEqual(longest);
  });

  test('baskets get another codec', async () => {
    const { product, diff } = await healed(name, { level: 'order', codec: { algorithm: 'zstd', level: 5 } });
    expect(diff).toMatchObject({ status: 0, err: '' });
    const { compress } = await reader.layout(product.id, tree);
    expect(new Set(compress)).toEqual(new Set([505]));
  });
});

test('workers make the same bytes as this thread', async () => {
  const local = await openReader({ workers: 2 });
  try {
    const made: Uint8Array[] = [];
    for (const one of [reader, local]) {
      const info = await one.open(bufferSpec('large', fixtureBytes('multiblock_zlib')));
      // The first task may be done before a worker is ready.
      for (let turn = 0; turn < 3; turn++) {
        const sink = memorySink();
        const options = {
          writer,
          name: 'new.root',
          codec: { algorithm: 'lz4', level: 1 },
          reproducible: true,
          level: 'order',
        } as const;
        await healFile(one, info, sink, options);
        made.push(sink.bytes());
      }
    }
    expect(new Set(made.map((bytes) => Buffer.from(bytes).toString('latin1'))).size).toBe(1);
  } finally {
    local.terminate();
  }
});

test('a tree whose baskets cannot be divided keeps them, and a line says so', async () => {
  const { written, diff } = await healed('no_offsets', { level: 'rebasket', clusterBytes: 2000 });
  expect(diff).toMatchObject({ status: 0, err: '' });
  expect(written.notes).toEqual([
    't;1: baskets of v leave out where entries begin (kGenerateOffsetMap) and cannot be divided; they are kept',
  ]);
});

test('a branch keeps its entries where its tree says that it has fewer', async () => {
  const info = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const plain = memorySink();
  await skimFile(reader, info, plain, { codec: { algorithm: 'none', level: 0 }, writer, name: 'n' });
  const before = await reader.layout(info.id, 't');
  const stored = Buffer.alloc(8);
  stored.writeBigInt64BE(BigInt(before.tree.entries));
  const branchEntries = before.tree.branches.map(({ entries }) => entries);
  for (const entries of [0, 100]) {
    const bytes = Buffer.from(plain.bytes());
    // The tree's record is stored as it is, and its own number comes first in it.
    bytes.writeBigInt64BE(BigInt(entries), bytes.indexOf(stored));
    const short = await reader.open(bufferSpec(`short ${entries}`, bytes));
    const sink = memorySink();
    const options = { writer, name: 'new.root', level: 'rebasket', clusterBytes: 2000 } as const;
    const written = await healFile(reader, short, sink, options);
    const product = await reader.open(bufferSpec(`product ${entries}`, sink.bytes()));
    await written.verify(product);
    const { tree, ...after } = await reader.layout(product.id, 't');
    expect(tree.entries).toBe(entries);
    expect(tree.branches.map((branch) => branch.entries)).toEqual(branchEntries);
    expect(after.entries.reduce((a, b) => a + b)).toBe(before.entries.reduce((a, b) => a + b));
    expect(after.entries.length).toBeGreaterThan(2 * tree.branches.length);
    const { findings } = await reader.check(product.id);
    expect(findings.filter(({ rule }) => rule !== 'uneven-branch')).toEqual([]);
  }
});

test('baskets that do not ascend in the file are compressed anew', async () => {
  const info = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const plain = memorySink();
  const stored = { algorithm: 'none', level: 0 } as const;
  // Two baskets of 25 entries.
  await skimFile(reader, info, plain, { codec: stored, entries: [0, 50], writer, name: 'n' });
  const bytes = Buffer.from(plain.bytes());
  const before = await reader.layout((await reader.open(bufferSpec('plain', Buffer.from(bytes)))).id, 't');
  const x = before.tree.branches.findIndex(({ path }) => path === 'x');
  const at = before.basketStart[x] ?? 0;
  const [one = 0, two = 0] = before.offset.subarray(at, at + 2);
  const [length = 0, same] = before.storedBytes.subarray(at, at + 2);
  expect(same).toBe(length);
  // The two records and their places in the tree's record change their places; the key of each says its own.
  const places = Buffer.alloc(16);
  places.writeBigInt64BE(BigInt(one));
  places.writeBigInt64BE(BigInt(two), 8);
  const listed = bytes.indexOf(places);
  places.swap64().reverse().copy(bytes, listed);
  const SEEK_KEY = 18;
  const [first, second] = [one, two].map((from) => Buffer.from(bytes.subarray(from, from + length)));
  for (const [record, to] of [
    [second, one],
    [first, two],
  ] as const) {
    record?.writeBigInt64BE(BigInt(to), SEEK_KEY);
    record?.copy(bytes, to);
  }
  const swapped = join(folder, 'swapped.root');
  writeFileSync(swapped, bytes);
  const source = await reader.open(bufferSpec('swapped', bytes));
  expect((await reader.layout(source.id, 't')).offset[at]).toBe(two);
  expect((await reader.check(source.id)).findings).toEqual([]);
  const sink = memorySink();
  const codec = { algorithm: 'zstd', level: 1 } as const;
  const written = await skimFile(reader, source, sink, { codec, writer, name: 'new.root' });
  const product = await reader.open(bufferSpec('from swapped', sink.bytes()));
  await written.verify(product);
  expect((await reader.check(product.id)).findings).toEqual([]);
  const copy = join(folder, 'sorted.root');
  writeFileSync(copy, sink.bytes());
  const { status, out } = await run(reader, 'diff', swapped, copy);
  expect({ status, out }).toMatchObject({ status: 0 });
});

test('baskets that two cycles of a tree share are compressed anew for both', async () => {
  const info = await reader.open(bufferSpec('cycles', fixtureBytes('cycles')));
  const sink = memorySink();
  const codec = { algorithm: 'zstd', level: 1 } as const;
  const written = await skimFile(reader, info, sink, { codec, writer, name: 'new.root' });
  const product = await reader.open(bufferSpec('of cycles', sink.bytes()));
  await written.verify(product);
  const [old, newest] = [await reader.layout(info.id, 't;1'), await reader.layout(info.id, 't;2')];
  expect(newest.offset).toContain(old.offset[0]);
  for (const [cycle, before] of [
    ['t;1', old],
    ['t;2', newest],
  ] as const)
    expect((await reader.layout(product.id, cycle)).firstEntry).toEqual(before.firstEntry);
});

test('JSROOT reads blocks of LZMA', async () => {
  const digests = (path: string): unknown => {
    const program = resolve(import.meta.dirname, 'judge/readers/jsroot.mjs');
    return JSON.parse(execFileSync(process.execPath, [program, path], { encoding: 'utf8' }));
  };
  const [source, copy] = [join(folder, 'leaves.root'), join(folder, 'lzma.root')];
  writeFileSync(source, fixtureBytes('leaves'));
  expect(await run(reader, 'skim', source, copy, '--codec', 'lzma:5')).toMatchObject({ status: 0 });
  expect(digests(copy)).toEqual(digests(source));
});

test('the command line takes codecs and sizes of clusters', async () => {
  const source = join(folder, 'source.root');
  writeFileSync(source, fixtureBytes('clusters'));
  const target = join(folder, 'target.root');
  const told = await run(
    reader,
    'heal',
    source,
    target,
    '--level',
    'rebasket',
    '--cluster-bytes',
    '2kB',
    '--codec',
    'lzma',
  );
  expect(told).toMatchObject({ status: 0 });
  const { id } = await reader.open({ kind: 'path', path: target });
  const { compress, clusterStart } = await reader.layout(id, 't');
  expect(new Set(compress)).toEqual(new Set([205]));
  expect(clusterStart.length).toBeGreaterThan(1);
  for (const wrong of [
    ['--codec', 'zip:3'],
    ['--cluster-bytes', '1MB'],
    ['--level', 'rebasket', '--cluster-bytes', '9'],
  ])
    expect((await run(reader, 'heal', source, target, '--force', ...wrong)).status).toBeGreaterThan(0);
  const skim = await run(reader, 'skim', source, target, '--codec', 'none', '--json', '--verify', '--force');
  expect(JSON.parse(skim.out)).toMatchObject({ trees: 1 });
});

test('in a file of ROOT 3, a branch with a basket that is stored as it is says that nothing is compressed', async () => {
  const bytes = fixtureBytes('clusters').slice();
  const compressOf = async (version: number) => {
    new DataView(bytes.buffer).setInt32(4, version);
    const sink = memorySink();
    const info = await reader.open(bufferSpec(`clusters ${version}`, bytes.slice()));
    await healFile(reader, info, sink, { level: 'rebasket', clusterBytes: 300, writer, name: 'n' });
    const product = await reader.open(bufferSpec(`new ${version}`, sink.bytes()));
    const trees = (await reader.keys(product.id)).filter(({ kind }) => kind === 'tree');
    const layouts = await Promise.all(trees.map(({ path }) => reader.layout(product.id, path)));
    return layouts.flatMap(({ tree, storedBytes, basketStart, compress }) =>
      tree.branches.map(({ totalBytes }, b) => ({
        compress: compress[b],
        asItIs:
          totalBytes === storedBytes.subarray(basketStart[b], basketStart[b + 1]).reduce((x, y) => x + y, 0),
      })),
    );
  };
  const now = await compressOf(64000);
  expect(now.some(({ asItIs, compress }) => asItIs && compress !== 0)).toBe(true);
  const old = await compressOf(30401);
  expect(old.map(({ compress }) => compress)).toEqual(
    now.map(({ asItIs, compress }) => (asItIs ? 0 : compress)),
  );
});

test('baskets without headers are not joined where the file has several layouts of their class', async () => {
  const engine = await openReader({ workers: 0 });
  const [source, out] = [join(fixtureFolder, 'versions/headerless.root'), join(folder, 'headerless.root')];
  const values = async (file: string) =>
    (await run(engine, 'values', file, 't', '--entries', '0:20')).out.trim().split('\n');
  const before = await values(source);
  expect(before[20]).toBe('19\t19\t{"a":19.5,"b":19}');
  const ran = await run(engine, 'heal', source, out, '--level', 'rebasket', '--force');
  expect(ran.err + ran.out).toContain(
    't;1: baskets of one. may hold objects of several layouts of HIn without headers and cannot be divided; they are kept',
  );
  expect(await values(out)).toEqual(before);
  // A part of the entries is refused, and copied without the branch.
  const part = await run(engine, 'skim', source, out, '--entries', '5:30', '--force');
  expect([part.status, part.err]).toEqual([1, expect.stringContaining('UNSUPPORTED')]);
  const other = await run(engine, 'skim', source, out, '--entries', '5:30', '--branches', 'n', '--force');
  expect(other.status).toBe(0);
});
