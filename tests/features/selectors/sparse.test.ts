// Histograms of more than three axes in ROOT files, as THnSparse.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SparseHistogram } from '../../../web/bins/sparse-histogram';
import { memorySink, openRoot, writeRoot } from '../../../web/node';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();
let folder: string;
const at = (name: string): string => join(folder, name);

const SELECTOR = `export default {
  branches: { pt: 'Muon_pt', eta: 'Muon_eta', phi: 'Muon_phi', charge: 'Muon_charge' },
  begin: (job) => ({
    many: job.hist([40, 0, 60], { edges: [-2.5, -1, 0, 0.5, 2.5] }, [60, -3, 3], { categories: [-1, 1], title: 'charge' },
      { categories: 'text', title: 'side' }, { title: 'Muons', axes: ['p_{T} [GeV]', '#eta', '#phi'] }),
    folder: { wide: job.hist([2, 0, 1], [3, 0, 1], [100000, 0, 1], [100000, 0, 1], [7, 0, 1]) },
    empty: job.hist([2, 0, 1], [3, 0, 1], [4, 0, 1], [5, 0, 1]),
  }),
  entry({ pt, eta, phi, charge }, { many, folder }, { entry }) {
    for (let i = 0; i < pt.length; i++)
      many.fill(pt[i], eta[i], phi[i], charge[i], eta[i] < 0 ? 'left' : 'right', 0.5 + (entry % 7));
    folder.wide.fill((entry % 5) / 4 - 0.1, (entry % 3) / 3, entry / 2400, ((entry * 7919) % 2400) / 2400, 2, 2);
  },
};`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-sparse-'));
  writeFileSync(at('many.mjs'), SELECTOR);
  const made = await run(
    reader,
    'process',
    at('many.mjs'),
    sample,
    'Events',
    '--root',
    at('made.root'),
    '--out',
    at('made.json'),
  );
  expect(made).toMatchObject({ status: 0, err: expect.stringContaining('written') });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function results(): Promise<Record<string, SparseHistogram>> {
  const file = await openRoot(sample, { reader });
  const tree = await file.tree('Events');
  const module = new URL(`file://${at('many.mjs')}`);
  const { results } = await tree.process(module);
  await file.close();
  const { many, 'folder/wide': wide, empty } = results as unknown as Record<string, SparseHistogram>;
  if (!many || !wide || !empty) throw new Error('a result is missing');
  return { many, wide, empty };
}

test('a sparse histogram has the members of a THnSparse, and the reader gives them', async () => {
  const file = await openRoot(at('made.root'), { reader });
  const { wide, many } = await results();
  const object = (await file.object('folder/wide')) as Record<string, never> & {
    fBinContent: { arr: unknown[] };
  };
  expect(object).toMatchObject({
    _typename: 'THnSparseT<TArrayD>',
    fName: 'wide',
    fNdimensions: 5,
    fFilledBins: BigInt(wide?.cells.length ?? 0),
    fEntries: 2400,
  });
  expect((await file.keys()).find(({ path }) => path === 'many')?.className).toBe('THnSparseT<TArrayD>');
  const axes = ((await file.object('many')) as { fAxes: { arr: object[] } }).fAxes.arr;
  expect(axes).toMatchObject([
    { fName: 'axis0', fTitle: 'p_{T} [GeV]', fNbins: 40, fXmin: 0, fXmax: 60 },
    { fName: 'axis1', fTitle: '#eta', fXbins: Float64Array.of(-2.5, -1, 0, 0.5, 2.5) },
    { fName: 'axis2', fTitle: '#phi' },
    { fName: 'axis3', fTitle: 'charge', fLabels: { arr: [{ fString: '-1' }, { fString: '1' }] } },
    { fName: 'axis4', fTitle: 'side', fLabels: { arr: [{ fString: 'left' }, { fString: 'right' }] } },
  ]);
  expect(many?.cells.length).toBeGreaterThan(3000);
  await file.close();
});

test('what does not fit together is refused', async () => {
  const { empty } = await results();
  const good = empty as SparseHistogram;
  const write = (given: unknown) =>
    writeRoot(memorySink(), (file) => file.histogram('h', given as SparseHistogram), { reader });
  await write({ ...good, cells: [{ at: [1, 2, 3, 6], sum: 1, square: 1 }] });
  for (const [cells, why] of [
    [[{ at: [1, 2, 3, 7], sum: 1, square: 1 }], 'is not in the axes'],
    [[{ at: [1, 2, 3], sum: 1, square: 1 }], 'is not in the axes'],
    [[{ at: [1, 2, 3, 4], sum: Number.NaN, square: 1 }], 'has no content'],
    [[1, 2].map(() => ({ at: [1, 2, 3, 4], sum: 1, square: 1 })), 'occurs twice'],
  ] as const)
    await expect(write({ ...good, cells })).rejects.toThrow(why);
});

const PROGRAM = `
import json, math, sys
from array import array
import ROOT
f = ROOT.TFile(sys.argv[1])
def told(h):
    n = h.GetNdimensions()
    at = array('i', [0] * n)
    bins = {}
    for i in range(h.GetNbins()):
        content = h.GetBinContent(i, at)
        bins[','.join(map(str, at))] = [content, math.sqrt(h.GetBinError2(i))]
    axes = [h.GetAxis(i) for i in range(n)]
    one = h.Projection(0)
    two = h.Projection(1, 0)
    # Another filling goes into the same object.
    before, under = h.GetNbins(), array('i', [0] * n)
    h.Fill(array('d', [axis.GetBinCenter(0) for axis in axes]), 3.5)
    h.Fill(array('d', [axis.GetBinCenter(0) for axis in axes]), 3.5)
    return {
        'class': h.ClassName(), 'title': h.GetTitle(), 'entries': h.GetEntries() - 2, 'bins': bins,
        'errors': bool(h.GetCalculateErrors()),
        'titles': [axis.GetTitle() for axis in axes],
        'edges': [[axis.GetBinLowEdge(b + 1) for b in range(axis.GetNbins() + 1)] for axis in axes if axis.GetNbins() < 100],
        'labels': [[l.GetString().Data() for l in axis.GetLabels()] if axis.GetLabels() else None for axis in axes],
        'one': [one.GetBinContent(b) for b in range(one.GetNcells())],
        'two': [two.GetBinError(b) for b in range(two.GetNcells())],
        'more': [h.GetNbins() - before, h.GetBinContent(under)],
    }
print(json.dumps({name: told(f.Get(path)) for name, path in [('many', 'many'), ('wide', 'folder/wide'), ('empty', 'empty')]}))
`;

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT reads the bins, errors, axes and projections, without a message, and fills further',
  async () => {
    const { stdout, stderr } = spawnSync(
      oraclePython ?? '',
      ['-W', 'ignore', '-c', PROGRAM, at('made.root')],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    const told = JSON.parse(stdout);
    for (const [name, { axes, cells, fills, title }] of Object.entries(await results())) {
      const own = told[name];
      const wanted = Object.fromEntries(
        cells.map(({ at, sum, square }) => [at.join(), [sum, Math.sqrt(square)]]),
      );
      expect(own.bins, name).toEqual(wanted);
      expect(own).toMatchObject({
        class: 'THnSparseT<TArrayD>',
        title,
        entries: fills,
        errors: true,
        more: [1, 7],
      });
      expect(own.titles).toEqual(axes.map(({ title }) => title));
      expect(own.labels).toEqual(axes.map(({ labels }) => labels ?? null));
      const [x, y] = axes as [(typeof axes)[number], (typeof axes)[number]];
      const one = Array.from({ length: x.bins + 2 }, () => 0);
      const two = Array.from({ length: (x.bins + 2) * (y.bins + 2) }, () => 0);
      for (const { at, sum, square } of cells) {
        const [i = 0, j = 0] = at;
        one[i] = (one[i] ?? 0) + sum;
        two[i + j * (x.bins + 2)] = (two[i + j * (x.bins + 2)] ?? 0) + square;
      }
      const near = (a: number[], b: number[]) => {
        expect(a).toHaveLength(b.length);
        for (const [k, value] of a.entries()) expect(value).toBeCloseTo(b[k] ?? Number.NaN, 9);
      };
      near(own.one, one);
      near(own.two, two.map(Math.sqrt));
    }
    expect(told.many.edges[1]).toEqual([-2.5, -1, 0, 0.5, 2.5]);
  },
  60_000,
);

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'uproot reads the members',
  () => {
    const program = `
import json, sys, uproot
h = uproot.open(sys.argv[1])["folder/wide"]
print(json.dumps([h.classname, int(h.member("fFilledBins")), len(h.member("fAxes")), h.member("fAxes")[2].member("fNbins")]))
`;
    const { stdout, stderr } = spawnSync(
      oraclePython ?? '',
      ['-W', 'ignore', '-c', program, at('made.root')],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(['THnSparseT<TArrayD>', 2400, 5, 100_000]);
  },
);
