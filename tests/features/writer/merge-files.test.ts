import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Merged } from '../../../web/api/write';
import type { Members } from '../../../web/bins/object-values';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { FileWriter } from '../../../web/features/writer/work/file/file-writer';
import { CommonBranches } from '../../../web/features/writer/work/merge/common-branches';
import {
  type MergeOptions,
  type MergeSource,
  mergeFiles,
} from '../../../web/features/writer/work/merge/merge-files';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { writeRoot } from '../../../web/node';
import { memorySink } from '../../../web/sinks/sink';
import { run } from '../../cli/support';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { openReader, withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});

interface Product extends Merged {
  id: number;
  data: Uint8Array;
}

/** Merges files that are given as bytes. */
async function merge(
  parts: readonly (readonly [name: string, bytes: Uint8Array])[],
  options: Partial<MergeOptions> = {},
): Promise<Product> {
  const sink = memorySink();
  const sources = parts.map(([name, bytes]) => ({
    name,
    open: async () => {
      const info = await reader.open(bufferSpec(name, bytes));
      return { reader, info, close: () => reader.close(info.id) };
    },
  }));
  const merged = await mergeFiles(sources, sink, {
    writer,
    name: 'new.root',
    reproducible: true,
    ...options,
  });
  const data = sink.bytes();
  return { ...merged, data, id: (await reader.open(bufferSpec('new', data))).id };
}

const fixtures = (...names: string[]) => merge(names.map((name) => [name, fixtureBytes(name)] as const));

/** The bytes of each entry of each branch of a tree. */
async function entriesOf(id: number, path: string): Promise<Map<string, string[]>> {
  const { branches } = await reader.tree(id, path);
  const found = new Map<string, string[]>();
  const indices = branches.filter(({ baskets }) => baskets > 0).map(({ index }) => index);
  for (const { branch, column, error } of await reader.arrays(id, {
    tree: path,
    branches: indices,
    raw: true,
  })) {
    expect(error).toBeUndefined();
    if (column?.kind !== 'list' || column.child.kind !== 'primitive') throw new Error('no bytes');
    const { offsets, child } = column;
    const bytes = child.data as Uint8Array;
    found.set(
      branch.path,
      Array.from({ length: offsets.length - 1 }, (_, i) =>
        Buffer.from(bytes.subarray(Number(offsets[i]), Number(offsets[i + 1]))).toString('hex'),
      ),
    );
  }
  return found;
}

const TREES = ['arrays', 'clusters', 'codec_old', 'embedded', 'leaflists', 'stl', 'vectors'];

describe.each(TREES)('%s twice', (name) => {
  test('each tree has the entries of both, and each cluster begins with baskets', async () => {
    const product = await fixtures(name, name);
    expect(product.leftOut).toEqual([]);
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    for (const { path, entries, parts } of product.trees) {
      const one = await entriesOf(id, path);
      const { entries: own } = await reader.tree(id, path);
      expect([entries, parts]).toEqual([2 * own, own > 0 ? 2 : 1]);
      const both = await entriesOf(product.id, path);
      expect([...both.keys()]).toEqual([...one.keys()]);
      for (const [branch, values] of one) expect(both.get(branch), branch).toEqual([...values, ...values]);
      const layout = await reader.layout(product.id, path);
      expect(layout.offset.every((at) => at > 0)).toBe(true);
      const claimed = [...layout.clusterStart];
      const truth = new Set(layout.trueStart);
      if (layout.autoFlush > 0 && claimed.length <= truth.size)
        expect(claimed.filter((start) => !truth.has(start))).toEqual([]);
    }
    const { findings, counts } = await reader.check(product.id);
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual([]);
    expect(counts.orphanedBytes ?? 0).toBe(0);
  });
});

test('clusters of a merged file are those of its parts', async () => {
  const product = await fixtures('clusters', 'clusters', 'clusters');
  const { id } = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const one = await reader.layout(id, 't');
  const all = await reader.layout(product.id, 't');
  const { entries } = one.tree;
  expect([...all.clusterStart]).toEqual(
    [0, 1, 2].flatMap((k) => [...one.clusterStart].map((at) => k * entries + at)),
  );
});

test('the same inputs give the same bytes', async () => {
  const [one, other] = [await fixtures('things', 'vectors'), await fixtures('things', 'vectors')];
  expect(Buffer.compare(one.data, other.data)).toBe(0);
});

test('histograms are added, and other objects kept', async () => {
  const product = await fixtures('histograms', 'histograms');
  expect(product.sums).toBeGreaterThan(5);
  expect(product.leftOut).toEqual([]);
  const { id } = await reader.open(bufferSpec('histograms', fixtureBytes('histograms')));
  let compared = 0;
  for (const { path, className } of await reader.keys(id)) {
    if (!/^TH[12][DFI]$/.test(className)) continue;
    const [one, both] = [await reader.object(id, path), await reader.object(product.id, path)];
    expect(both.fEntries).toBe(2 * Number(one.fEntries));
    expect(Array.from(both.fArray as Float64Array)).toEqual(
      Array.from(one.fArray as Float64Array, (x) => 2 * x),
    );
    compared++;
  }
  expect(compared).toBeGreaterThan(2);
});

test('trees with other branches are refused, and the branch is named', async () => {
  const [{ path }] = (await fixtures('vectors')).trees as [Merged['trees'][number]];
  const other = ['arrays', 'strings', 'stl', 'leaves'];
  for (const name of other) {
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    if (!(await reader.keys(id)).some((key) => key.path === path)) continue;
    await expect(fixtures('vectors', name)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(new RegExp(`^${path} of ${name} has (no branch|a branch|another type)`)),
    });
    return;
  }
  throw new Error('no fixture has a tree of this name');
});

test('a tree of which a branch has fewer entries is refused: hadd would put those of the next file in their place', async () => {
  const part = ['uneven', fixtureBytes('written/uneven')] as const;
  for (const schema of ['strict', 'union'] as const)
    await expect(merge([part, part], { schema })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(/^t of uneven has 40 entries of fewer, and 60 of the tree/),
    });
});

/** A fixture with some branches of its trees, and none of their other keys. */
async function branchesOnly(name: string, branches: readonly string[]): Promise<[string, Uint8Array]> {
  const sink = memorySink();
  const info = await reader.open(bufferSpec(name, fixtureBytes(name)));
  const selection = { branches, objects: [] };
  await skimFile(reader, info, sink, { writer, name: `${name}.root`, selection });
  return [`${name} with ${branches}`, sink.bytes()];
}

describe('filter', () => {
  test.each(['arrays', 'embedded', 'leaflists', 'stl', 'clusters'])(
    '%s keeps the branches that both files have, and names the others',
    async (name) => {
      const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
      const [{ path }] = (await fixtures(name)).trees as [Merged['trees'][number]];
      const topsOf = async (file: number) =>
        (await reader.tree(file, path)).branches
          .filter(({ parent }) => parent < 0)
          .map(({ path: top }) => top);
      const tops = await topsOf(id);
      const half = tops.slice(0, Math.ceil(tops.length / 2));
      const whole = [name, fixtureBytes(name)] as const;
      const part = await branchesOnly(name, half);
      const partId = (await reader.open(bufferSpec('part', part[1]))).id;
      const one = await entriesOf(partId, path);
      const kept = await topsOf(partId);
      for (const files of [
        [whole, part],
        [part, whole],
      ]) {
        const product = await merge(files, { schema: 'filter' });
        const both = await entriesOf(product.id, path);
        expect([...both.keys()]).toEqual([...one.keys()]);
        for (const [branch, values] of one) expect(both.get(branch), branch).toEqual([...values, ...values]);
        const without = tops.filter((top) => !kept.includes(top));
        expect(product.leftOut.filter((line) => line.startsWith(`${path}: `))).toEqual(
          without.map((top) => `${path}: branch ${top} is left out, because ${part[0]} lacks it`),
        );
        const { findings } = await reader.check(product.id);
        expect(findings).toEqual([]);
      }
      await expect(merge([whole, part])).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    },
  );
});

test('branches of other types are left out, with those whose lengths they hold', () => {
  const treeWith = (title: string) => {
    const leaf = { _typename: 'TLeafI', fName: 'n', fTitle: title };
    const branch = (fName: string, ...fLeaves: object[]) => ({
      ...{ _typename: 'TBranch', fName, fLeaves: { _typename: 'TObjArray', arr: fLeaves } },
    });
    const arr = [branch('n', leaf), branch('v', { _typename: 'TLeafF', fLeafCount: leaf }), branch('x')];
    return {
      _typename: 'TTree',
      fEntries: 1,
      fBranches: { _typename: 'TObjArray', arr },
    } as unknown as Members;
  };
  const common = new CommonBranches();
  common.add('t', 'one.root', treeWith('n'));
  common.add('t', 'empty.root', { fEntries: 0 });
  expect([...common.leftOut('t')]).toEqual([]);
  common.add('t', 'two.root', treeWith('n[2]'));
  expect([...common.leftOut('t')]).toEqual([
    ['n', 'it is of another type in two.root than in one.root'],
    ['v', 'it needs n, which is left out'],
  ]);
  common.add('t', 'three.root', { fEntries: 1 });
  expect(() => common.leftOut('t')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
});

async function opened(name: string, bytes: Uint8Array) {
  const info = await reader.open(bufferSpec(name, bytes));
  return { reader, info, close: () => reader.close(info.id) };
}

test('a merged file is read back, and a byte that changed on the disk is found', async () => {
  const sink = memorySink();
  const source = (name: string): MergeSource => ({ name, open: () => opened(name, fixtureBytes(name)) });
  const sources = ['things', 'clusters', 'embedded', 'histograms', 'clusters'].map(source);
  const task = { writer, name: 'new.root', reproducible: true };
  const merged = await mergeFiles(sources, sink, task, { written: () => opened('new', sink.bytes()) });
  const bytes = sink.bytes();
  const { id } = await reader.open(bufferSpec('new', bytes));
  const records = [
    ...(await reader.layout(id, 't')).offset,
    ...(await reader.keys(id)).filter(({ kind }) => kind !== 'directory').map(({ offset }) => offset),
  ];
  for (const at of [records[2] ?? 0, records.at(-1) ?? 0]) {
    const written = () => {
      const damaged = sink.bytes();
      damaged[at + 85] = (damaged[at + 85] ?? 0) ^ 1;
      return opened('damaged', damaged);
    };
    const again = mergeFiles(sources, sink, task, { written });
    await expect(again).rejects.toMatchObject({ code: 'CHECKSUM' });
  }
  // Without a sink the counts are the same.
  expect(await mergeFiles(sources, undefined, task)).toEqual(merged);
});

test('a tree in a list is refused where its baskets lie elsewhere, and kept where it was in memory', async () => {
  await expect(fixtures('edges/nested_trees')).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    where: { path: 'trees' },
  });
  expect(await fixtures('edges/memory_tree')).toMatchObject({ sums: 2, objects: 0, leftOut: [] });
});

test('each file is opened once, and twice where branches may be left out: one that is changed then is refused', async () => {
  const names: string[] = [];
  const source = (...contents: string[]): MergeSource => ({
    name: contents[0] ?? '',
    async open() {
      const name = (contents.length > 1 ? contents.shift() : contents[0]) ?? '';
      names.push(name);
      return opened(name, fixtureBytes(name));
    },
  });
  const task = { writer, name: 'new.root' };
  await mergeFiles([source('vectors'), source('arrays')], memorySink(), task).catch(() => {});
  await mergeFiles([source('arrays'), source('arrays')], memorySink(), task);
  expect(names.splice(0)).toEqual(['vectors', 'arrays', 'arrays', 'arrays']);
  await mergeFiles([source('arrays'), source('arrays')], memorySink(), { ...task, schema: 'filter' });
  expect(names).toHaveLength(4);
  const changed = mergeFiles([source('vectors', 'arrays')], memorySink(), { ...task, schema: 'filter' });
  await expect(changed).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('directories that only a later file has come after the records of the first', async () => {
  const sink = memorySink();
  const names = ['things', 'cycles'];
  const sources = names.map(
    (one): MergeSource => ({ name: one, open: () => opened(one, fixtureBytes(one)) }),
  );
  await mergeFiles(
    sources,
    sink,
    { writer, name: 'new.root' },
    { written: () => opened('new', sink.bytes()) },
  );
  const info = await reader.open(bufferSpec('new', sink.bytes()));
  const paths = new Set((await reader.keys(info.id)).map(({ path }) => path));
  for (const one of names) {
    const source = await reader.open(bufferSpec(one, fixtureBytes(one)));
    for (const { path } of await reader.keys(source.id)) expect(paths).toContain(path);
  }
  expect(info.notes).toEqual([]);
  const keys = await reader.keys(info.id);
  const firstObject = Math.min(
    ...keys.filter(({ kind }) => kind !== 'directory').map(({ offset }) => offset),
  );
  const directories = keys.filter(({ kind }) => kind === 'directory');
  expect(directories.length).toBeGreaterThan(0);
  for (const { offset } of directories) expect(offset).toBeGreaterThan(firstObject);
});

const withoutRoot = lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined);

test.skipIf(withoutRoot)(
  'ROOT and uproot read a file merged of ten as the chain of the ten, and hadd merges it again',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-merge-'));
    const maker = resolve(import.meta.dirname, 'merge_trees.py');
    const python = (...args: string[]): string =>
      execFileSync(oraclePython ?? '', ['-W', 'ignore', maker, ...args], { encoding: 'utf8', cwd: folder });
    const own = await openReader();
    try {
      python('make', folder);
      const parts = Array.from({ length: 10 }, (_, k) => join(folder, `part${k}.root`));
      const merged = await run(own, 'merge', join(folder, 'out.root'), join(folder, 'part?.root'));
      expect(merged.status, merged.err).toBe(0);
      expect(
        JSON.parse(
          python('compare', join(folder, 'out.root'), ...parts)
            .trim()
            .split('\n')
            .at(-1) ?? '',
        ),
      ).toEqual([]);
    } finally {
      own.terminate();
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);

test('streamer infos of files of uproot, which leave room behind them, are put together with others', async () => {
  for (const names of [
    ['edges/spare', 'histograms'],
    ['histograms', 'edges/spare'],
  ]) {
    const { id, trees, sums } = await fixtures(...names);
    expect(trees.map(({ path, entries }) => `${path} ${entries}`).sort()).toEqual(['folder/t 7', 't 40']);
    expect(sums).toBe(14);
    expect((await reader.check(id)).findings).toEqual([]);
  }
});

test('merge of the command line: patterns, an output that is an input, an unknown schema', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-merge-'));
  const own = await openReader();
  try {
    const [one, two, out] = ['a1.root', 'a2.root', 'out.root'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [one, two]) writeFileSync(path, fixtureBytes('vectors'));
    const done = await run(own, 'merge', out, join(folder, 'a*.root'), '--json');
    expect(done.status, done.err).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({ out, files: 2, leftOut: [] });
    const refused = [
      await run(own, 'merge', one, one, two),
      await run(own, 'merge', join(folder, 'u.root'), one, '--schema', 'any'),
      await run(own, 'merge', join(folder, 'u.root')),
    ];
    expect(refused.map(({ status }) => status).every((status) => status !== 0)).toBe(true);
    expect(refused[0]?.err).toContain('also an input');
    expect(refused[1]?.err).toContain('strict');
    expect(readdirSync(folder).sort()).toEqual(['a1.root', 'a2.root', 'out.root']);
  } finally {
    own.terminate();
    rmSync(folder, { recursive: true });
  }
});

test('the record of a directory keeps its class where the list of keys names another', async () => {
  const list = FileWriter.prototype.list;
  const spy = vi.spyOn(FileWriter.prototype, 'list').mockImplementation(function (
    this: FileWriter,
    above,
    key,
    changes,
  ) {
    const isDirectory = Buffer.from(key.subarray(26, 37)).equals(Buffer.from('\nTDirectory'));
    const other = isDirectory
      ? Buffer.concat([key.subarray(0, 26), Buffer.from('\x0eTDirectoryFile'), key.subarray(37)])
      : key;
    list.call(this, above, other, changes);
  });
  const sink = memorySink();
  await writeRoot(sink, async (file) => (await file.tree('folder/t')).append({ x: Int32Array.of(1, 2) }));
  spy.mockRestore();
  const { id, data } = await merge([
    ['a', sink.bytes()],
    ['b', sink.bytes()],
  ]);
  const [folder] = (await reader.keys(id)).filter(({ kind }) => kind === 'directory');
  expect(folder).toMatchObject({ path: 'folder', className: 'TDirectoryFile' });
  const record = Buffer.from(data).subarray(folder?.offset);
  expect(record.subarray(26, 37).toString()).toBe('\nTDirectory');
  // Lists say how long the key of the record is.
  const listed = Buffer.from(data).lastIndexOf('TDirectoryFile') - 27;
  expect(Buffer.from(data).readInt16BE(listed + 14)).toBe(record.readInt16BE(14));
  expect(record.readInt32BE(0)).toBe(Buffer.from(data).readInt32BE(listed));
  expect((await entriesOf(id, 'folder/t')).get('x')).toHaveLength(4);
});
