import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { BasketPacker, type BasketPart, type BasketRecipe } from '../../../web/core/basket-packer';
import { type Codec, compressionNumber } from '../../../web/core/compression';
import { branchesOf, editTree } from '../../../web/features/writer/work/encode/tree-edit';
import type { BranchPlan, ObjectData, TreePlan } from '../../../web/features/writer/work/encode/types';
import { type BranchForm, branchForms } from '../../../web/features/writer/work/regroup/branch-form';
import { run } from '../../cli/support';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { Appended } from './changed';
import { bothModules, recordsOf, recordWith } from './module';

let modules: Awaited<ReturnType<typeof bothModules>>;
let packer: BasketPacker;
let reader: EngineApi;
let folder = '';
beforeAll(async () => {
  modules = await bothModules();
  packer = await BasketPacker.create(modules.writer.module);
  reader = await makeEngine();
  folder = mkdtempSync(join(tmpdir(), 'xylem-trees-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Change = (plan: TreePlan, layout: TreeLayout) => TreePlan;
/** Gives the records of the new baskets of a branch for its old ones. */
type Regroup = (records: Uint8Array[], branch: { form: BranchForm; compress: number }) => Uint8Array[];

const asTheyAre: Regroup = (records) => records;
const view = (record: Uint8Array): DataView => new DataView(record.buffer, record.byteOffset, record.length);
const entriesOf = (record: Uint8Array): number => view(record).getInt32(view(record).getInt16(14) - 9);

/** A copy of a file in which a tree has moved baskets, in reverse order, and a new record. */
async function rewritten(
  bytes: Uint8Array,
  path: string,
  change: Change = (plan) => plan,
  regroup = asTheyAre,
) {
  const { id } = await reader.open(bufferSpec('t', bytes));
  const layout = await reader.layout(id, path);
  await reader.close(id);
  const { records, classes } = recordsOf(modules, bytes);
  const key = records.find(({ at }) => at === layout.record.offset);
  if (!key) throw new Error('the record of the tree is not there');
  const record = bytes.subarray(key.at, key.at + key.nbytes);
  const data = classes.read(record);
  const forms = branchForms(layout, record, data, classes, new Set());
  const file = new Appended(bytes);
  const branches = layout.tree.branches.map((branch, index): BranchPlan | undefined => {
    const range = Array.from(layout.offset.keys()).slice(
      layout.basketStart[index],
      layout.basketStart[index + 1],
    );
    const stored = range.filter((i) => (layout.offset[i] ?? 0) > 0);
    if (stored.length === 0) return undefined;
    const olds = stored.map((i) => {
      const at = layout.offset[i] ?? 0;
      return bytes.subarray(at, at + (layout.storedBytes[i] ?? 0));
    });
    const form = forms[index] as BranchForm;
    const made = regroup(olds, { form, compress: layout.compress[index] ?? 0 });
    let first = layout.firstEntry[stored[0] ?? 0] ?? 0;
    const firstEntry = made.map((basket) => {
      const own = first;
      first += entriesOf(basket);
      return own;
    });
    const seek = made
      .toReversed()
      .map((basket) => file.append(basket))
      .toReversed();
    return {
      seek,
      bytes: made.map((basket) => basket.length),
      firstEntry,
      entries: branch.entries,
      totalBytes: made.reduce((sum, basket) => sum + view(basket).getInt32(6) + view(basket).getInt16(14), 0),
      storedBytes: made.reduce((sum, basket) => sum + basket.length, 0),
    };
  });
  const plan = change({ branches, entries: layout.tree.entries }, layout);
  const object = classes.write(editTree(data, plan), key.keylen);
  const at = file.append(recordWith(record, key.keylen, object));
  file.replaceKey(record.subarray(0, key.keylen), at);
  classes.free();
  return file.bytes;
}

function saved(name: string, bytes: Uint8Array): string {
  const path = join(folder, `${name}.root`);
  writeFileSync(path, bytes);
  return path;
}

const judge = `
import sys, ROOT
def digest(path, name):
    file = ROOT.TFile(path)
    assert not file.IsZombie() and not file.TestBit(ROOT.TFile.kRecovered), path
    tree = file.Get(name)
    # The values of other leaves need dictionaries; their bytes are counted by GetEntry.
    leaves = [leaf for leaf in tree.GetListOfLeaves() if leaf.ClassName() in ('TLeafF', 'TLeafD', 'TLeafI', 'TLeafS')]
    rows = []
    for entry in range(tree.GetEntries()):
        read = tree.GetEntry(entry)
        assert read >= 0
        rows.append([read] + [[leaf.GetValue(i) for i in range(min(leaf.GetLen(), 20))] for leaf in leaves])
    return repr(rows)
for a, b, name in zip(*[iter(sys.argv[1:])] * 3):
    rows = digest(a, name)
    print('same' if len(rows) > 100 and rows == digest(b, name) else b)
`;
const withRoot = test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined));
/** The verdict of ROOT on pairs of files: `same` for each whose trees have the same values. */
const judged = (cases: readonly (readonly [a: string, b: string, tree: string])[]): string[] =>
  execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', judge, ...cases.flat()], { encoding: 'utf8' })
    .trim()
    .split('\n');

/** Cuts the baskets of a branch to this many entries each, or joins them, in another codec. */
function regroupTo(entries: number, codec: Codec): Regroup {
  return (olds, { form }) => {
    const input = new Uint8Array(Buffer.concat(olds));
    const baskets: BasketRecipe[] = [];
    let parts: BasketPart[] = [];
    let count = 0;
    let at = 0;
    for (const old of olds) {
      for (let from = 0; from < entriesOf(old); ) {
        const to = Math.min(entriesOf(old), from + entries - count);
        parts.push({ at, bytes: old.length, ranges: new Uint32Array([from, to]) });
        count += to - from;
        from = to;
        if (count < entries && (from < entriesOf(old) || old !== olds.at(-1))) continue;
        baskets.push({ parts, compress: compressionNumber(codec), form });
        parts = [];
        count = 0;
      }
      at += old.length;
    }
    const { bytes, lengths } = packer.run({ input, baskets });
    let start = 0;
    return lengths.map((length) => {
      start += length;
      return bytes.subarray(start - length, start);
    });
  };
}

const trees: [fixture: string, tree: string][] = [
  ['clusters', 't'],
  ['merged', 't'],
  ['embedded', 'large'],
  ['objects_split99', 't'],
  ['collections_split99', 't'],
  ['stl', 't'],
];
/** Trees that ROOT reads without dictionaries. */
const plainTrees: [fixture: string, tree: string][] = [
  ['clusters', 't'],
  ['merged', 't'],
  ['embedded', 'large'],
  ['no_offsets', 't'],
  ['leaves', 't'],
  ['arrays', 't'],
  ['vectors', 't'],
];

describe('a record of a tree with baskets at other places', () => {
  test.each([...trees, ...plainTrees.slice(3)])('%s: the values are the same', async (fixture, tree) => {
    const bytes = fixtureBytes(fixture);
    const paths = [saved(`${fixture}-source`, bytes), saved(fixture, await rewritten(bytes, tree))];
    const { status, out, err } = await run(reader, 'diff', ...paths, '--json');
    expect({ status, err, out: out.slice(0, 500) }).toMatchObject({ status: 0, err: '' });
  });

  withRoot('ROOT reads the same', { timeout: 60_000 }, async () => {
    const cases = plainTrees.map(async ([fixture, tree]) => {
      const bytes = fixtureBytes(fixture);
      const paths = [
        saved(`${fixture}-source`, bytes),
        saved(fixture, await rewritten(bytes, tree)),
      ] as const;
      return [...paths, tree] as const;
    });
    expect(judged(await Promise.all(cases))).toEqual(cases.map(() => 'same'));
  });
});

describe('baskets that are cut and joined, in every codec', () => {
  const codecs: Codec[] = [
    { algorithm: 'none', level: 0 },
    { algorithm: 'zlib', level: 6 },
    { algorithm: 'lzma', level: 4 },
    { algorithm: 'lz4', level: 1 },
    { algorithm: 'lz4', level: 9 },
    { algorithm: 'zstd', level: 5 },
  ];
  const cases = codecs.flatMap((codec) => [7, 64].map((entries) => ({ ...codec, entries })));
  const made = async ({ entries, ...codec }: Codec & { entries: number }) => {
    const bytes = fixtureBytes('clusters');
    const setCodec: Change = (plan) => ({
      ...plan,
      branches: plan.branches.map((own) => own && { ...own, compress: compressionNumber(codec) }),
      clusters: { end: [plan.entries - 1], size: [entries] },
    });
    const name = `${codec.algorithm}${codec.level}-${entries}`;
    return [
      saved('source', bytes),
      saved(name, await rewritten(bytes, 't', setCodec, regroupTo(entries, codec))),
    ] as const;
  };

  test.each(cases)('$algorithm $level, $entries entries', async (one) => {
    const paths = await made(one);
    const { status, err } = await run(reader, 'diff', ...paths, '--json');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const { id } = await reader.open({ kind: 'path', path: paths[1] });
    const { clusterStart, entries } = await reader.layout(id, 't');
    await reader.close(id);
    expect(Array.from(clusterStart.subarray(0, 3))).toEqual([0, one.entries, 2 * one.entries]);
    expect(Math.max(...entries)).toBe(one.entries);
  });

  withRoot('ROOT reads them', { timeout: 60_000 }, async () => {
    const files = cases.map(async (one) => [...(await made(one)), 't'] as const);
    expect(judged(await Promise.all(files))).toEqual(cases.map(() => 'same'));
  });
});

test.each([
  ['objects_split0', 't'],
  ['collections_split0', 't'],
  ['edges/lists', 't'],
])('%s: entries with pointers keep them when they move', async (fixture, tree) => {
  const bytes = fixtureBytes(fixture);
  const regroup = regroupTo(3, { algorithm: 'zstd', level: 1 });
  const moved = await rewritten(bytes, tree, (plan) => plan, regroup);
  const paths = [saved('source', bytes), saved('moved', moved)];
  const { status, out, err } = await run(reader, 'diff', ...paths, '--json');
  expect({ status, err, out: out.slice(0, 500) }).toMatchObject({ status: 0, err: '' });
});

withRoot('ROOT reads entries with pointers that moved', { timeout: 60_000 }, async () => {
  const regroup = regroupTo(3, { algorithm: 'zstd', level: 1 });
  const moved = saved('moved', await rewritten(fixtureBytes('edges/lists'), 't', (plan) => plan, regroup));
  const program = `import sys, ROOT
def names(path):
    file = ROOT.TFile(path)
    tree = file.Get('t')
    return [[[o.GetName() for o in c] for c in (tree.l, tree.o)] for _ in tree]
rows = names(sys.argv[1])
print(len(rows), rows[4], rows == names(sys.argv[2]))`;
  const printed = execFileSync(
    oraclePython ?? '',
    ['-W', 'ignore', '-c', program, moved, saved('source', fixtureBytes('edges/lists'))],
    { encoding: 'utf8' },
  );
  const four = "'a4.0', 'a4.1', 'a4.2', 'a4.3'";
  const twice = "'a4.0', 'a4.0', 'a4.1', 'a4.1', 'a4.2', 'a4.2', 'a4.3', 'a4.3'";
  expect(printed.trim()).toBe(`200 [[${four}], [${twice}]] True`);
});

describe('a tree with other branches', () => {
  /** A plan without the branches of these names. */
  const without =
    (dropped: RegExp): Change =>
    (plan, { tree }) => ({
      ...plan,
      name: 'other',
      title: 'of another name',
      branches: plan.branches.map((own, i) => (dropped.test(tree.branches[i]?.name ?? '') ? null : own)),
    });

  test('dropped branches take their leaves along', async () => {
    const bytes = fixtureBytes('clusters');
    const paths = [
      saved('source', bytes),
      saved('dropped', await rewritten(bytes, 't', without(/^[xs]$/))),
    ] as const;
    const printed = await Promise.all(paths.map((path) => run(reader, 'values', path, 't', 'v', '--json')));
    expect(printed[1]).toEqual(printed[0]);
    const { id } = await reader.open({ kind: 'path', path: paths[1] });
    const { tree } = await reader.layout(id, 't');
    await reader.close(id);
    expect(tree.branches.map(({ name }) => name)).toEqual(['n', 'v']);
    expect(tree.title).toBe('of another name');
  });

  withRoot('ROOT reads what is left', { timeout: 60_000 }, async () => {
    const path = saved('dropped', await rewritten(fixtureBytes('clusters'), 't', without(/^[xs]$/)));
    const program = `import sys, ROOT
file = ROOT.TFile(sys.argv[1])
tree = file.Get('t')
tree.GetEntry(3)
print([leaf.GetName() for leaf in tree.GetListOfLeaves()], len(tree.v) == tree.n, tree.GetName())`;
    const printed = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', program, path], {
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe("['n', 'v'] True other");
  });

  test('a TNtuple counts the branches that it keeps', () => {
    const { records, classes } = recordsOf(modules, fixtureBytes('clusters'));
    const key = records.find(({ className }) => className === 'TTree');
    const data = classes.read(
      fixtureBytes('clusters').subarray(key?.at, (key?.at ?? 0) + (key?.nbytes ?? 0)),
    );
    const list = branchesOf(data);
    const plan = { entries: 180, branches: list.map((_, i) => (i === 0 ? undefined : null)) };
    expect(editTree({ ...data, fNvar: list.length }, plan).fNvar).toBe(1);
    classes.free();
  });

  test('a branch below a dropped one is dropped', async () => {
    const bytes = await rewritten(fixtureBytes('objects_split99'), 't', without(/^(event|packed)/));
    const { id } = await reader.open(bufferSpec('t', bytes));
    const { tree } = await reader.layout(id, 't');
    await reader.close(id);
    expect(tree.branches.filter(({ path }) => /^(event|packed)/.test(path))).toEqual([]);
    expect(tree.branches.map(({ path }) => path.split(/[./]/)[0])).toContain('scalars');
    expect(tree.branches.length).toBeGreaterThan(3);
  });

  test.each([
    ['the branch of counts is dropped', without(/^n$/), 'needs the branch that counts its values'],
    [
      'the plan is of another tree',
      (plan: TreePlan) => ({ ...plan, branches: [] }),
      'cannot take the plan of 0',
    ],
    [
      'two baskets begin with one entry',
      (plan: TreePlan) => ({
        ...plan,
        branches: plan.branches.map((own) => own && { ...own, firstEntry: own.firstEntry.map(() => 0) }),
      }),
      'begin with entry 0',
    ],
  ])('it is refused when %s', async (_, change: Change, why) => {
    await expect(rewritten(fixtureBytes('clusters'), 't', change)).rejects.toThrow(why);
  });
});

test('a tree of ROOT before 5.0 has a place for the basket that ROOT looks up after the last one', () => {
  const { records, classes } = recordsOf(modules, fixtureBytes('clusters'));
  const key = records.find(({ className }) => className === 'TTree');
  if (!key) throw new Error('the fixture has no tree');
  const data = classes.read(fixtureBytes('clusters').subarray(key.at, key.at + key.nbytes));
  classes.free();
  const branches = branchesOf(data);
  const plans = branches.map(
    (): BranchPlan => ({
      ...{ seek: [200, 300], bytes: [100, 100], firstEntry: [0, 5] },
      ...{ entries: 10, totalBytes: 200, storedBytes: 200, dropEmbedded: true },
    }),
  );
  const lengths = (tree: ObjectData): number[] =>
    branchesOf(tree).map(({ branch }) => (branch.fBaskets as { arr: unknown[] }).arr.length);
  expect(new Set(lengths(editTree(data, { branches: plans, entries: 10 })))).toEqual(new Set([0]));
  // Branches of these versions have no such member.
  for (const { branch } of branches) delete branch.fFirstEntry;
  expect(new Set(lengths(editTree(data, { branches: plans, entries: 10 })))).toEqual(new Set([3]));
});
