// Needs features: layers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeEngine } from '../engine/fixtures';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';
import { run } from './support';

const sample = resolve('public/sample.root');
const pairs = ['before', 'after'].map((name) => resolve(`tests/fixtures/files/pairs/${name}.root`));
const folder = mkdtempSync(join(tmpdir(), 'xylem-layers-'));
const at = (name: string) => join(folder, name);
const reader = withReader(makeEngine);
afterAll(() => rmSync(folder, { recursive: true }));

interface Bins {
  label: string;
  axes: { bins: number; low: number; high: number }[];
  sums: number[];
}

/** The layers that `draw --json` prints. */
async function layersOf(...args: string[]): Promise<Bins[]> {
  const { out, err, status } = await run(reader, 'draw', ...args, '--json');
  expect(status, err).toBe(0);
  const { kind, layers } = JSON.parse(out) as { kind: string; layers: Bins[] };
  expect(kind).toBe('layers');
  return layers;
}

const CUTS = ['Muon_pt', 'nMuon==2', '--layer', 'cut=nMuon>2;label=more', '--layer', 'Jet_pt'];

test('cuts and branches are filled with the same bins', async () => {
  const layers = await layersOf(sample, 'Events', ...CUTS);
  expect(layers.map(({ label }) => label)).toEqual(['Muon_pt {nMuon==2}', 'more', 'Jet_pt']);
  const [named] = await layersOf(sample, 'Events', ...CUTS, '--label', 'two muons');
  expect(named?.label).toBe('two muons');
  const [axis] = layers[0]?.axes ?? [];
  for (const [i, words] of [['Muon_pt', 'nMuon==2'], ['Muon_pt', 'nMuon>2'], ['Jet_pt']].entries()) {
    const { bins, low, high } = layers[i]?.axes[0] ?? { bins: 0, low: 0, high: 0 };
    expect({ bins, low, high }).toMatchObject({ bins: axis?.bins, low: axis?.low, high: axis?.high });
    const hist = ['--hist', [bins, low, high].join(','), '--json'];
    const alone = await run(reader, 'draw', sample, 'Events', ...words, ...hist);
    expect(layers[i]?.sums).toEqual((JSON.parse(alone.out) as Bins).sums);
  }
});

test('the same in another file has one axis; filled layers have the bins of a stored one', async () => {
  const [before = '', after = ''] = pairs;
  const both = await layersOf(before, 't', 'many', '--layer', `file=${after}`);
  expect(both[0]?.axes[0]).toMatchObject({ bins: both[1]?.axes[0]?.bins, high: both[1]?.axes[0]?.high });
  expect(both.map(({ label }) => label)).toEqual(['before.root', 'after.root']);
  const [counts, filled] = await layersOf(before, 'counts', '--layer', 'many;tree=t');
  const { bins, low, high } = counts?.axes[0] ?? { bins: 0, low: 0, high: 0 };
  expect(filled?.axes[0]).toMatchObject({ bins, low, high });
});

test('pictures have names, statistics and a ratio; tables and files have all layers', async () => {
  const svg = await run(
    reader,
    'draw',
    sample,
    'Events',
    ...CUTS,
    '--ratio',
    '--normalise',
    'area',
    '--svg',
    '-',
  );
  for (const text of ['more', 'Jet_pt', '>608<', '>Ratio<', 'divided by their sum'])
    expect(svg.out).toContain(text);
  const text = await run(reader, 'draw', sample, 'Events', ...CUTS, '--difference');
  for (const part of ['█ Muon_pt {nMuon==2}', '● more', '○ Jet_pt', 'Entries 608', 'Difference: more'])
    expect(text.out).toContain(part);
  const csv = (await run(reader, 'draw', sample, 'Events', ...CUTS, '--csv', '-')).out.trim().split('\n');
  expect(csv).toHaveLength(301);
  expect(csv[0]).toBe('layer,x_low,x_high,content,error');
  expect(csv[101]).toMatch(/^more,/);
  const uhi = JSON.parse((await run(reader, 'draw', sample, 'Events', ...CUTS, '--uhi', '-')).out) as object;
  expect(Object.keys(uhi)).toEqual(['Muon_pt_nMuon_2', 'more', 'Jet_pt']);
});

test('data lie over a stack, with the ratio to its sum; values of a tree with its bins', async () => {
  const zoo = resolve('tests/fixtures/files/page/zoo.root');
  const svg = await run(reader, 'draw', zoo, 'stack', '--layer', 'h1; label=Data', '--ratio', '--svg', '-');
  expect(svg.err).toMatch(/The bins differ: 20 from .* in stack, .* in Data/);
  const args = [zoo, 'stack', '--layer', `Muon_pt; tree=Events; file=${sample}; label=Data`, '--ratio'];
  const drawn = await run(reader, 'draw', ...args, '--svg', '-');
  expect(drawn.err).toBe('');
  for (const text of ['>Data<', '>Ratio<']) expect(drawn.out).toContain(text);
  const apart = await run(reader, 'draw', zoo, 'stack', '--option', 'nostack', '--layer', 'h1', '--svg', '-');
  expect(apart.err).toContain('Nothing can lie over stack as it is drawn.');
  const scaled = await run(reader, 'draw', ...args, '--normalise', 'area', '--svg', '-');
  expect(scaled.err).toContain('--normalise first');
  // In a terminal it is its sum.
  const { out } = await run(reader, 'draw', ...args);
  expect(out).toMatch(/█ stack, zoo.root\n[\s\S]*● Data\n[\s\S]*Ratio of Data to stack/);
});

test('maps lie over each other with the same bins', async () => {
  const layers = ['--layer', 'cut=Muon_pt>20; label=hard', '--layer', 'plots/muonEtaPhi; as=contours'];
  const args = ['draw', sample, 'Events', 'Muon_phi:Muon_eta', ...layers];
  const { layers: found } = JSON.parse((await run(reader, ...args, '--json')).out) as {
    layers: { label: string; fills: number; axes: { bins: number; low: number; high: number }[] }[];
  };
  expect(found.map(({ label }) => label)).toEqual(['Muon_phi:Muon_eta', 'hard', 'plots/muonEtaPhi']);
  const bins = found.map(({ axes }) => axes.map(({ bins, low, high }) => [bins, low, high]));
  expect(new Set(bins.map((one) => JSON.stringify(one))).size).toBe(1);
  const svg = await run(reader, ...args, '--svg', '-');
  for (const text of ['hard', 'plots/muonEtaPhi', '>1,390<']) expect(svg.out).toContain(text);
  const lines = (await run(reader, ...args)).out.split('\n');
  const titles = ['Muon_phi:Muon_eta', 'hard', 'plots/muonEtaPhi'].map((name) => lines.indexOf(name));
  expect(titles[0]).toBe(0);
  expect(titles).toEqual(titles.toSorted((a, b) => a - b));
  expect(lines.filter((line) => line.includes('x: '))).toHaveLength(3);
  const ratio = await run(reader, ...args.slice(0, 6), '--ratio', '--svg', '-');
  expect(ratio.out).toContain('Ratio of hard to all values');
  expect((await run(reader, ...args.slice(0, 6), '--ratio')).out).toMatch(/^Ratio of hard to all values\n/);
  const less = await run(reader, ...args.slice(0, 6), '--difference');
  expect(less.err).toContain('no difference of maps');
});

test('what cannot be drawn is refused with the reason', async () => {
  const why = async (...args: string[]) => (await run(reader, 'draw', sample, ...args)).err;
  expect(await why('plots/dimuonMass', '--layer', 'plots/upsilon', '--ratio')).toMatch(
    /The bins differ: 150 from 2/,
  );
  expect(await why('plots/dimuonMass', '--layer', 'plots/muonEtaPhi')).toContain('different kinds');
  expect(await why('Events', 'Muon_phi:Muon_eta', '--layer', 'MET_pt')).toContain('cannot have the axes');
  expect(await why('Events', 'Muon_phi:Muon_eta', '--layer', 'cut=nMuon>2; as=hills')).toContain('as');
  expect(await why('plots/dimuonMass', '--layer', 'cut=a>1')).toContain('has no cut');
  expect(await why('Events', 'MET_pt', '--layer', 'MET_pt:Jet_pt')).toContain('2 expressions');
  expect(await why('Events', 'MET_pt', '--layer', 'trigger')).toContain('is no histogram');
  expect(await why('Events', 'MET_pt', '--layer', 'MET_p')).toContain('MET_pt');
  expect(await why('Events', 'MET_pt', '--ratio')).toContain('--layer');
  expect(await why('Events', 'MET_pt', '--layer', 'Jet_pt', '--ratio', '--difference')).toContain('not both');
});

const ROOT_LAYERS = `
import json, sys, ROOT
sample, made, linked, draws = json.loads(sys.argv[1])
file, out = ROOT.TFile.Open(sample), ROOT.TFile.Open(made)
tree = file.Get("Events")
listed = ROOT.TBufferJSON.ConvertFromJSON(open(linked).read())
worst, seen = 0, 0
for i, (name, expr, cut) in enumerate(draws):
    got = out.Get(name)
    want = ROOT.TH1D("want", "", got.GetNbinsX(), got.GetXaxis().GetXmin(), got.GetXaxis().GetXmax())
    tree.Draw(expr + ">>want", cut, "goff")
    for one in (got, listed.At(i)):
        assert one.GetEntries() == want.GetEntries() > 0, name
        for cell in range(want.GetNbinsX() + 2):
            worst = max(worst, abs(one.GetBinContent(cell) - want.GetBinContent(cell)))
            seen += want.GetBinContent(cell) != 0
print(json.dumps([worst, seen]))
`;

import { withReader } from '../engine-reader';

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT fills the same bins as each layer of the file that is written',
  async () => {
    const [made, json] = [at('layers.root'), at('layers.json')];
    for (const form of [
      ['--root', made],
      ['--root-json', json],
    ])
      expect((await run(reader, 'draw', sample, 'Events', ...CUTS, ...form)).status).toBe(0);
    const draws = [
      ['Muon_pt_nMuon_2', 'Muon_pt', 'nMuon==2'],
      ['more', 'Muon_pt', 'nMuon>2'],
      ['Jet_pt', 'Jet_pt', ''],
    ];
    const words = ['-c', ROOT_LAYERS, JSON.stringify([sample, made, json, draws])];
    const ran = spawnSync(oraclePython ?? '', words, { encoding: 'utf8' });
    expect(ran.status, ran.stderr).toBe(0);
    const [worst = 1, seen = 0] = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '[]') as number[];
    expect(worst).toBe(0);
    expect(seen).toBeGreaterThan(100);
    expect(readFileSync(json, 'utf8')).toContain('"_typename":"TList"');
  },
);
