import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-selection-'));
const reader = withReader();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Copies a part of a fixture, verifies it, and opens it. */
async function skim(name: string, ...choice: string[]) {
  const source = join(fixtureFolder, `${name}.root`);
  const path = join(folder, `${name}${choice.join('').replaceAll(/[^\w]/g, '_')}.root`);
  const done = await run(reader, 'skim', source, path, '--verify', ...choice);
  return { source, path, ...done };
}

const open = (path: string) => reader.open({ kind: 'path', path });

/** Paths and cycles of the keys of a product, and the branches of its first tree. */
async function contents(path: string): Promise<{ keys: string[]; branches: string[] }> {
  const { id } = await open(path);
  const keys = await reader.keys(id);
  const tree = keys.find(({ kind }) => kind === 'tree');
  return {
    keys: keys.map((key) => `${key.path};${key.cycle}`),
    branches: tree ? (await reader.tree(id, tree.path)).branches.map((branch) => branch.path) : [],
  };
}

/** Branches that are named, and all that the product then has. */
const CHOICES = [
  ['arrays', 'counted_D,tagged', ['n', 'nb', 'counted_D', 'tagged'], 'others need n, nb'],
  [
    'arrays',
    'fixed_?,one',
    ['B', 'S', 'I', 'L', 'G', 'F', 'D', 'O'].map((c) => `fixed_${c}`).concat('one'),
    '',
  ],
  ['collections_split99', 'hits.energy', ['hits', 'hits/hits.energy'], 'others need hits'],
  [
    'collections_split99',
    'clones',
    ['clones', ...['fUniqueID', 'fBits', 'fP', 'fE'].map((name) => `clones/clones.${name}`)],
    '',
  ],
  ['embedded', 'v', ['n', 'v'], 'others need n'],
] as const;

test.each(CHOICES)(
  '%s with branches %s has those that they need, too',
  async (name, names, branches, line) => {
    const { status, err, source, path } = await skim(name, '--branches', names);
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining(line) });
    if (line === '') expect(err).not.toContain('others need');
    expect((await contents(path)).branches).toEqual(branches);
    const [before, after] = [await open(source), await open(path)];
    const { findings, counts } = await reader.check(after.id);
    expect([findings, counts.orphanedBytes ?? 0]).toEqual([[], 0]);
    const tree = (await reader.keys(after.id)).find(({ kind }) => kind === 'tree')?.path ?? '';
    const [all, some] = [await reader.tree(before.id, tree), await reader.tree(after.id, tree)];
    for (const branch of some.branches) {
      const old = all.branches.find((one) => one.path === branch.path);
      const [expected] = await reader.arrays(before.id, { tree, branches: [old?.index ?? -1], raw: true });
      const [found] = await reader.arrays(after.id, { tree, branches: [branch.index], raw: true });
      expect(found?.column, branch.path).toEqual(expected?.column);
    }
  },
);

test('trees and objects are chosen by path; directories that hold none of them are left out', async () => {
  const keys = async (...choice: string[]) => (await contents((await skim('cycles', ...choice)).path)).keys;
  const directories = ['a;1', 'a/b;1', 'a/b/c;1'];
  expect(await keys('--tree', 't', '--no-objects')).toEqual(['t;2', 't;1']);
  expect(await keys('--tree', 'a/*', '--objects', '*in?')).toEqual([
    ...directories,
    'a/b/c/deep;1',
    'a/b/inB;1',
    'a/inA;1',
  ]);
  expect(await keys('--objects', 'h')).toEqual([
    't;2',
    't;1',
    'h;3',
    'h;2',
    'h;1',
    ...directories,
    'a/b/c/deep;1',
  ]);
  const { path } = await skim('references', '--objects', 'far');
  expect((await contents(path)).keys).toEqual(['ProcessID0;1', 'far;1']);
});

test('a name that the file does not have is an error, and nothing is written', async () => {
  for (const choice of [
    ['--tree', 'u'],
    ['--branches', 'nothing*'],
    ['--objects', 't'],
  ])
    expect(await skim('cycles', ...choice)).toMatchObject({
      status: 1,
      err: expect.stringContaining('NOT_FOUND'),
    });
  expect(await skim('cycles', '--objects', 'h', '--no-objects')).toMatchObject({ status: 2 });
});

const program = `
import ROOT, sys, json
ROOT.gErrorIgnoreLevel = ROOT.kError
sys.path.insert(0, sys.argv[2])
from classes import load_classes
load_classes()
wrong = []
for source, product in json.loads(sys.argv[1]):
    a, b = ROOT.TFile.Open(source), ROOT.TFile.Open(product)
    if b.TestBit(ROOT.TFile.kRecovered): wrong.append([product, 'recovered'])
    for key in b.GetListOfKeys():
        if key.GetClassName() != 'TTree': continue
        s, t = a.Get(key.GetName()), b.Get(key.GetName())
        if s.GetEntries() != t.GetEntries(): wrong.append([product, 'entries'])
        for i in range(t.GetEntries()):
            if s.GetEntry(i) <= 0 or t.GetEntry(i) <= 0: wrong.append([product, i])
            for leaf in t.GetListOfLeaves():
                old = next(x for x in s.GetListOfLeaves() if x.GetBranch().GetName() == leaf.GetBranch().GetName() and x.GetName() == leaf.GetName())
                values = [[x.GetValue(k) for k in range(x.GetLen())] for x in (old, leaf)]
                if values[0] != values[1]: wrong.append([product, leaf.GetName(), i])
print(json.dumps(wrong))
`;

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT reads the same values of the chosen branches',
  async () => {
    const pairs: string[][] = [];
    for (const [name, names] of CHOICES) {
      const { source, path } = await skim(name, '--branches', names);
      pairs.push([source, path]);
    }
    const out = execFileSync(
      oraclePython ?? '',
      ['-W', 'ignore', '-c', program, JSON.stringify(pairs), join(fixtureFolder, '..')],
      {
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(out)).toEqual([]);
  },
  180_000,
);
