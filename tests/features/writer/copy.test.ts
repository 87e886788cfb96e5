import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import { nodeModules } from '../../../web/core/modules/node-modules';
import type { CopyOptions, Written } from '../../../web/features/writer/work/copy/copy-file';
import { branchesOf } from '../../../web/features/writer/work/encode/tree-edit';
import { salvageFile } from '../../../web/features/writer/work/salvage/salvage';
import { healFile, planHeal } from '../../../web/features/writer/work/verbs/heal';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, fixtureFolder, makeEngine } from '../../engine/fixtures';
import { openReader, withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { VERBS } from './all-verbs';
import { withTrees } from './hostile/metadata';
import { bothModules } from './module';

const NAMES = [
  'codec_old',
  'cycles',
  'embedded',
  'empty',
  'graphs',
  'leaflists',
  'merged',
  'multiblock_zstd',
  'no_offsets',
  'references',
  'stl_member_wise',
  'things',
];
const folder = mkdtempSync(join(tmpdir(), 'xylem-write-'));
const reader = withReader(makeEngine);
let options: CopyOptions;
beforeAll(async () => {
  options = { writer: await nodeModules('write'), name: 'new.root' };
});
afterAll(() => rmSync(folder, { recursive: true }));

type Write = (info: FileInfo, sink: ReturnType<typeof memorySink>) => Promise<Written>;

/** Writes a fixture anew, and opens the product. */
async function rewrite(name: string, write: Write) {
  const info = await reader.open(bufferSpec(name, fixtureBytes(name)));
  const sink = memorySink();
  const written = await write(info, sink);
  const bytes = sink.bytes();
  const product = await reader.open(bufferSpec('new', bytes));
  return { info, written, bytes, product };
}

const skim: Write = (info, sink) => skimFile(reader, info, sink, options);
const heal: Write = (info, sink) => healFile(reader, info, sink, { ...options, level: 'order' });

/** The rules of a check that a file breaks, and the bytes that nothing names. */
async function faults(info: FileInfo): Promise<string[]> {
  const { findings, counts } = await reader.check(info.id);
  return [...findings.map(({ rule, path }) => `${rule} ${path}`), `${counts.orphanedBytes ?? 0} orphaned`];
}

test('lists of keys with room for more, as uproot writes them, are read to their last key', async () => {
  for (const write of [skim, heal]) {
    const { written, product } = await rewrite('edges/spare', write);
    await written.verify(product);
    expect(await faults(product)).toEqual(['0 orphaned']);
    expect((await reader.keys(product.id)).map(({ path }) => path)).toEqual(['t', 'folder', 'folder/t']);
    const [x] = await reader.arrays(product.id, { tree: 'folder/t', branches: ['x'] });
    expect(x?.column && canonicalRows(x.column)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  }
});

describe.each(NAMES)('%s', (name) => {
  test('a skim has all keys, and its records have no gap', async () => {
    const { info, written, bytes, product } = await rewrite(name, skim);
    await written.verify(product);
    const keys = await reader.keys(info.id);
    expect(written).toMatchObject({ bytes: bytes.length, keys: keys.length });
    const names = ({ path, cycle, className, title, objectBytes }: (typeof keys)[number]) => [
      path,
      cycle,
      className,
      title,
      /^T(Tree|Directory|NtupleD?|DirectoryFile)$/.test(className) ? 0 : objectBytes,
    ];
    expect((await reader.keys(product.id)).map(names)).toEqual(keys.map(names));
    // Trees that are the same as before give the same objects, and no others are found.
    expect(await faults(product)).toEqual(
      (await faults(info)).map((text) => (text.endsWith(' orphaned') ? '0 orphaned' : text)),
    );
    const { records, end } = await reader.records(product.id);
    expect(records.every(({ kind }) => kind !== 'free' && kind !== 'gap')).toBe(true);
    expect(end).toBe(bytes.length);
  });

  test('baskets of a healed file follow each other as they are read', async () => {
    const { written, product } = await rewrite(name, heal);
    await written.verify(product);
    const { trees } = await planHeal(reader, product, { ...options, level: 'order' });
    for (const tree of trees) {
      expect(tree.seeksBefore, tree.path).toBeLessThanOrEqual(1);
      expect(tree.clustersChange, tree.path).toBe(false);
      if (tree.clustersTrue > 1) expect(tree.clustersClaimed, tree.path).toBe(tree.clustersTrue);
    }
  });
});

test('old cycles stay in a skim, and are left out of a healed file', async () => {
  const cycles = async (write: Write) => {
    const { product } = await rewrite('cycles', write);
    return (await reader.keys(product.id)).map(({ path, cycle }) => `${path};${cycle}`);
  };
  const all = await cycles(skim);
  const newest = await cycles(heal);
  expect(newest.length).toBeLessThan(all.length);
  expect(all).toEqual(expect.arrayContaining(newest));
});

test('a reproducible file has the same bytes each time, another one a new identity', async () => {
  const again: Write = (info, sink) => skimFile(reader, info, sink, { ...options, reproducible: true });
  const [a, b, c] = [
    await rewrite('merged', again),
    await rewrite('merged', again),
    await rewrite('merged', skim),
  ];
  expect(Buffer.compare(a.bytes, b.bytes)).toBe(0);
  expect(a.product.uuid).not.toBe(a.info.uuid);
  expect(new Set([a.info.uuid, a.product.uuid, c.product.uuid]).size).toBe(3);
});

test('a byte that changed on the disk is found', async () => {
  const { written, bytes } = await rewrite('merged', skim);
  const places = (await reader.layout((await reader.open(bufferSpec('x', bytes))).id, 't')).offset;
  const damaged = bytes.slice();
  const at = (places[3] ?? 0) + 90;
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  const file = await reader.open(bufferSpec('damaged', damaged));
  await expect(written.verify(file)).rejects.toMatchObject({ code: 'CHECKSUM' });
});

test('a full disk, a damaged record and a changed input are typed errors', async () => {
  const info = await reader.open(bufferSpec('merged', fixtureBytes('merged')));
  const full = { write: () => Promise.reject(new Error('full')) };
  await expect(skimFile(reader, info, full, options)).rejects.toThrow('full');
  const damaged = fixtureBytes('merged').slice();
  const { offset } = await reader.layout(info.id, 't');
  damaged.fill(0, offset[0], (offset[0] ?? 0) + 8);
  const bad = await reader.open(bufferSpec('bad', damaged));
  await expect(skimFile(reader, bad, memorySink(), options)).rejects.toMatchObject({ code: 'CORRUPT' });
  const path = join(folder, 'changes.root');
  copyFileSync(join(fixtureFolder, 'merged.root'), path);
  const local = await openReader({ workers: 0 });
  try {
    const opened = await local.open({ kind: 'path', path });
    appendFileSync(path, 'x');
    await expect(skimFile(local, opened, memorySink(), options)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
  } finally {
    local.terminate();
  }
});

test('a tree in a list is refused where its baskets lie elsewhere, and copied where it was in memory', async () => {
  const nested = await reader.open(bufferSpec('nested', fixtureBytes('edges/nested_trees')));
  for (const write of [skim, heal]) {
    await expect(write(nested, memorySink())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: '"trees" holds a tree with baskets elsewhere in the file, which cannot be copied.',
      where: { path: 'trees' },
    });
    const { written, product } = await rewrite('edges/memory_tree', write);
    await written.verify(product);
  }
});

test('objects that nest too deeply to be decoded are no damage, and are copied', async () => {
  const bytes = fixtureBytes('edges/deep').slice();
  const source = await reader.open(bufferSpec('deep', bytes));
  const { findings } = await reader.check(source.id);
  expect(findings).toMatchObject([{ rule: 'not-decoded', severity: 'note', path: 'deeper;1' }]);
  expect(JSON.stringify(findings)).not.toMatch(/damage|streamer info/);
  await expect(reader.object(source.id, 'lists')).resolves.toMatchObject({ _typename: 'TList' });
  for (const verb of VERBS.filter(({ name }) => !/--(entries|cut)/.test(name))) {
    const output = await verb.write({ reader, writer: options.writer, bytes });
    const apart =
      'deeper of one.root is not added: Objects nest deeper than 600 levels. It is kept as a cycle.';
    expect(output.lost, verb.name).toEqual(verb.name === 'merge' ? [apart] : []);
    const product = await reader.open(bufferSpec('product', output.bytes));
    const paths = new Set((await reader.keys(product.id)).map(({ path }) => path));
    expect([...paths].sort(), verb.name).toEqual(['deeper', 'lists']);
  }
});

test('of a tree that is too deep within lists it is not said where its baskets lie', async () => {
  const source = await reader.open(bufferSpec('deep', fixtureBytes('edges/deep_tree')));
  const message = expect.stringMatching(/^"trees" holds a tree, and it is not known .* 600 levels\.$/);
  for (const write of [skim, heal])
    await expect(write(source, memorySink())).rejects.toMatchObject({ code: 'UNSUPPORTED', message });
  const sink = memorySink();
  const { lost } = await salvageFile(reader, source, sink, options);
  expect(lost).toEqual([{ path: 'trees;1', why: message }]);
});

const program = `
import ROOT, sys, json
ROOT.gErrorIgnoreLevel = ROOT.kFatal
def listed(d):
    out = []
    for k in d.GetListOfKeys():
        out.append([k.GetName(), k.GetCycle(), k.GetClassName()])
        o = k.ReadObj()
        if not o: out.append('unreadable')
        elif o.InheritsFrom('TDirectory'): out.append(listed(o))
        elif o.InheritsFrom('TTree'):
            clusters, it = [], o.GetClusterIterator(0)
            while (at := it()) < o.GetEntries(): clusters.append(at)
            out.append([o.GetEntries(), [o.GetEntry(i) for i in range(o.GetEntries())], clusters])
    return out
for name in sys.argv[1:]:
    f = ROOT.TFile.Open(name)
    print(json.dumps([bool(f.TestBit(ROOT.TFile.kRecovered)), f.GetEND() == f.GetSize(), listed(f)]))
`;

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT reads the same entries and clusters, and need not recover the file',
  async () => {
    const names = ['merged', 'cycles', 'embedded'];
    const paths: string[] = [];
    for (const name of names) {
      const path = join(folder, `${name}.root`);
      writeFileSync(path, (await rewrite(name, skim)).bytes);
      paths.push(join(fixtureFolder, `${name}.root`), path);
    }
    const out = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', program, ...paths], {
      encoding: 'utf8',
    });
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(paths.length);
    for (const [i, name] of names.entries()) expect(lines[2 * i + 1], name).toBe(lines[2 * i]);
    expect(lines.every((line) => line.startsWith('[false, true'))).toBe(true);
  },
  60_000,
);

test('a branch that has no first entries keeps the end of its last basket', async () => {
  let end = 0;
  const bytes = withTrees(await bothModules(), fixtureBytes('clusters'), (tree) => {
    const { branch } = branchesOf(tree).at(0) ?? {};
    if (!branch) throw new Error('There is no branch.');
    const entry = branch.fBasketEntry as BigInt64Array;
    const first = Number(entry[1]);
    for (const list of ['fBasketSeek', 'fBasketBytes', 'fBasketEntry'])
      (branch[list] as BigInt64Array).copyWithin(0, 1);
    end = Number(branch.fEntries);
    Object.assign(branch, { fFirstEntry: BigInt(first), fEntries: BigInt(end - first) });
    branch.fWriteBasket = Number(branch.fWriteBasket) - 1;
  });
  const info = await reader.open(bufferSpec('late', bytes));
  const sink = memorySink();
  const { verify } = await healFile(reader, info, sink, { ...options, level: 'order' });
  const product = await reader.open(bufferSpec('new', sink.bytes()));
  await verify(product);
  const endOf = async ({ id }: FileInfo) => {
    const { basketStart, firstEntry, entries } = await reader.layout(id, 't');
    const last = (basketStart[1] ?? 0) - 1;
    return (firstEntry[last] ?? 0) + (entries[last] ?? 0);
  };
  expect([await endOf(info), await endOf(product)]).toEqual([end, end]);
});
