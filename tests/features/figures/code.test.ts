import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { mathtextOf } from '../../../web/features/figures/work/code/mathtext';
import { figurePrograms } from '../../../web/features/figures/work/code/programs';
import type { FigureToolId } from '../../../web/features/figures/work/code/tools';
import { figureDrawing } from '../../../web/features/figures/work/drawn/figure-drawing';
import { withPanelOf } from '../../../web/features/figures/work/drawn/figure-model';
import { wholeStyle } from '../../../web/features/figures/work/presets';
import type { Style } from '../../../web/features/figures/work/style';
import type { UsedLayer } from '../../../web/features/snippets/work/use';
import { modelOfHistogram } from '../../../web/plot/histogram';
import { layered } from '../../../web/plot/layers/layered';
import { plainLook } from '../../../web/plot/look/look';
import { run } from '../../cli/support';
import { bufferSpec, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

// Programs of figures fill the bins of xylem, and write a PDF of the size of the style: each is run by matplotlib with mplhep, and by ROOT.

const reader = withReader();
const root = resolve(import.meta.dirname, '../../..');
const judge = join(import.meta.dirname, 'judge_figures.py');
const kept = process.env.XYLEM_FIGURES;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'xylem-figures-'));
mkdirSync(folder, { recursive: true });
afterAll(() => {
  if (kept === undefined) rmSync(folder, { recursive: true });
});
copyFileSync(join(root, 'public/sample.root'), join(folder, 'sample.root'));

interface Case {
  name: string;
  layers: { expr: string; cut?: string; label?: string; profile?: boolean }[];
  axes: [bins: number, low: number, high: number][];
  style: Style;
  norm?: 'area';
  lacking?: Partial<Record<FigureToolId, string>>;
}

const GEV: [number, number, number][] = [[40, 0, 100]];
const pt = { title: 'p_{T}^{#mu} [GeV]' };
const CASES: Case[] = [
  { name: 'plain', layers: [{ expr: 'MET_pt' }], axes: GEV, style: {} },
  {
    name: 'cms-ratio',
    layers: [
      { expr: 'Muon_pt', label: 'Simulation' },
      { expr: 'Muon_pt', cut: 'abs(Muon_eta)<1', label: 'Data' },
    ],
    axes: GEV,
    style: {
      preset: 'cms',
      x: pt,
      y: { title: 'Muons / 2.5 GeV' },
      label: { text: 'Preliminary', luminosity: 138, energy: 13 },
      ratio: { show: 'ratio', range: [0, 1.2], title: 'Data / Sim.' },
      layers: [
        { as: 'filled', opacity: 0.5 },
        { as: 'points', colour: '#000000' },
      ],
      bands: { statistics: 'hatched', label: 'Stat. unc.' },
    },
  },
  {
    name: 'atlas-stack',
    layers: [
      { expr: 'Muon_pt', cut: 'nMuon==3', label: 'Z#rightarrow#tau#tau' },
      { expr: 'Muon_pt', cut: 'nMuon==2 && MET_pt<20', label: 'Z#rightarrow#mu#mu' },
      { expr: 'Muon_pt', cut: '(nMuon>1)*1.05', label: 'Data' },
    ],
    axes: GEV,
    style: {
      preset: 'atlas',
      x: pt,
      label: { text: 'Internal', luminosity: 139, energy: 13, year: 2018 },
      ratio: { show: 'ratio', band: true },
      y: { log: true, title: 'Events' },
      legend: { title: 'Run 2' },
      layers: [{ as: 'stacked' }, { as: 'stacked' }, { as: 'points', colour: '#000000' }],
      bands: { total: 'hatched', label: 'Uncertainty' },
    },
  },
  {
    name: 'lhcb-lines',
    layers: [
      { expr: 'Muon_eta', label: 'all' },
      { expr: 'Muon_eta', cut: 'Muon_pt>20', label: 'hard' },
      { expr: 'Muon_eta', cut: 'Muon_charge*PV_npvs', label: 'weighted' },
    ],
    axes: [[30, -3, 3]],
    norm: 'area',
    style: {
      preset: 'lhcb',
      width: 120,
      height: 80,
      x: { title: '#eta' },
      label: { text: 'Simulation', luminosity: 9, place: 'lines', year: 2022 },
      layers: [{ line: 'dashed' }, { as: 'band' }, { as: 'points', marker: 'open square' }],
      legend: { place: 'top left', columns: 1 },
      ticks: { inward: false, sides: 'two' },
      grid: true,
    },
  },
  {
    name: 'belle-difference',
    layers: [
      { expr: 'PV_npvs', cut: 'MET_pt<30', label: 'low' },
      { expr: 'PV_npvs', cut: 'MET_pt>=30', label: 'high' },
    ],
    axes: [[30, 0, 60]],
    style: {
      preset: 'belle2',
      column: 'double',
      label: { text: 'Private Work', extra: 'unpublished', right: '362 fb^{-1}', place: 'inside' },
      ratio: { show: 'difference' },
      title: 'Vertices',
    },
  },
  {
    name: 'alice-map',
    layers: [{ expr: 'Muon_eta:Muon_pt', cut: 'nMuon>1' }],
    axes: [...GEV, [20, -3, 3]],
    style: { preset: 'alice', x: pt, label: { text: 'Performance', energy: '5.02' }, palette: 'bird' },
  },
  {
    name: 'profile',
    layers: [{ expr: 'PV_npvs:MET_pt', profile: true }],
    axes: GEV,
    style: { preset: 'plain', y: { title: 'N_{PV}' } },
    lacking: { mplhep: 'profiles' },
  },
  {
    name: 'hostile',
    layers: [
      { expr: 'Sum$(Muon_pt)', cut: 'trigger!="x\\"; system(\'id\'); //"', label: '"); $\\frac{} %s #"' },
    ],
    axes: [[20, 0, 200]],
    style: {
      x: { title: 'x "$$" \\ #{ _a^b %d """\n import os' },
      title: '"); gSystem->Exec("id"); //',
      label: { experiment: "'$x$", text: '\\', right: '$' },
      layers: [{ label: '#frac{1}{2} $\\' }],
    },
  },
];

interface Answer {
  bins?: number[][];
  page?: [number, number];
  seen?: { title?: string; range?: [number, number]; points?: number[] };
  error?: string;
}

/** Runs programs. Returns what they made, and all that they wrote to the standard error. */
function judged(programs: readonly object[]): { answers: Answer[]; err: string } {
  const { stdout, stderr } = spawnSync(oraclePython ?? '', ['-W', 'ignore', judge], {
    cwd: folder,
    input: JSON.stringify(programs),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return { answers: JSON.parse(stdout.slice(stdout.indexOf('[{'))) as Answer[], err: stderr };
}

describe.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))('programs of figures', () => {
  it('fill the bins of xylem, and write a page of the size of the style', { timeout: 600_000 }, async () => {
    const engine = await makeEngine();
    const file = new Uint8Array(readFileSync(join(folder, 'sample.root')));
    const { id } = await engine.open(bufferSpec('sample.root', file));
    const tree = await engine.tree(id, 'Events');
    const programs: object[] = [];
    const wanted: { title: string; bins: number[][]; page: [number, number]; text: string }[] = [];
    const wrong: string[] = [];
    for (const { name, layers, axes, style, norm, lacking } of CASES) {
      const bins: number[][] = [];
      for (const { expr, cut = '', profile } of layers) {
        const drawn = (await engine.draw(id, {
          ...{ tree: 'Events', expr, cut, ...(profile && { option: 'prof' }) },
          axes: axes.map(([count, low, high]) => ({ bins: count, range: [low, high] })),
        })) as Histogram;
        bins.push(within(drawn, norm === 'area'));
      }
      const used = layers.map(({ expr, cut = '', label, profile }): UsedLayer => {
        return { address: 'sample.root', tree, expr, cut, label, profile };
      });
      const [first, ...others] = used as [UsedLayer, ...UsedLayer[]];
      const use = {
        layers: [first, ...others] as const,
        axes: axes.map(([count, low, high]) => ({ bins: count, low, high })),
        look: { norm: norm ?? ('none' as const), below: 'none' as const },
      };
      const { width, height } = wholeStyle(style);
      for (const { id: tool, language, text, why } of figurePrograms(use, style)) {
        const reason = lacking?.[tool];
        if (reason === undefined ? why !== undefined : !why?.includes(reason))
          wrong.push(`${name}: ${tool}: ${why}`);
        if (text === undefined) continue;
        programs.push({ language, text, layers: layers.length, name: `${name}-${tool}` });
        wanted.push({ title: `${name}: ${tool}`, bins, page: [width, height], text });
      }
    }
    const { answers } = judged(programs);
    expect(answers.length).toBe(programs.length);
    for (const [i, { title, bins, page, text }] of wanted.entries()) {
      const found = answers[i] ?? {};
      const isSame =
        found.bins?.length === bins.length &&
        bins.every((all, k) =>
          all.every(
            (one, bin) => Math.abs(one - (found.bins?.[k]?.[bin] ?? Number.NaN)) <= 1e-12 * Math.abs(one),
          ),
        );
      // ROOT's pages have a whole number of points.
      const isPage = page.every((one, k) => Math.abs(one - (found.page?.[k] ?? 0)) < 0.4);
      if (!isSame || !isPage)
        wrong.push(`${title}: ${found.error ?? ''} page ${found.page} of ${page}, bins ${isSame}\n${text}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['ratio', 'area', {}],
    ['difference', 'none', {}],
    ['ratio', 'none', { ratio: { band: true }, x: { range: [20, 60] } }],
  ] as const)(
    'have the title, the range and the points of the figure: %s, %s, %o',
    async (below, norm, style) => {
      const engine = await makeEngine();
      const file = new Uint8Array(readFileSync(join(folder, 'sample.root')));
      const { id } = await engine.open(bufferSpec('sample.root', file));
      const tree = await engine.tree(id, 'Events');
      const cuts = ['', 'Muon_pt>20 && abs(Muon_eta)>1.2 && nMuon==3'];
      const [first, ...others] = cuts.map((cut): UsedLayer => {
        return { address: 'sample.root', tree, expr: 'Muon_pt', cut, label: cut };
      }) as [UsedLayer, ...UsedLayer[]];
      const axes = [{ bins: 40, low: 0, high: 100 }];
      const parts = await Promise.all(
        cuts.map(async (cut) => {
          const drawing = {
            tree: 'Events',
            expr: 'Muon_pt',
            cut,
            axes: [{ bins: 40, range: [0, 100] as [number, number] }],
          };
          return { model: modelOfHistogram((await engine.draw(id, drawing)) as Histogram), label: cut };
        }),
      );
      const { model } = layered(parts, { norm, below });
      const whole = wholeStyle(withPanelOf(model, style));
      const { frames } = figureDrawing(model, whole, { look: plainLook });
      const lower = model.kind === 'bins' ? model.below?.model : undefined;
      const shown = [...(lower?.values ?? [])].filter(
        (value, i) => !Number.isNaN(value) && (value !== 0 || (lower?.errors?.[i] ?? 0) > 0),
      );
      const use = { layers: [first, ...others] as const, axes, look: { norm, below } };
      const programs = figurePrograms(use, style).map(({ id: name, language, text }) => {
        return { language, text, layers: 2, name: `seen-${name}` };
      });
      const { answers, err } = judged(programs);
      expect(err).not.toContain('findfont');
      expect(answers[0]?.seen?.title).toBe(model.kind === 'bins' ? model.yTitle : '');
      expect(answers[0]?.seen?.points).toEqual([shown.length]);
      const [low, high] = frames[1]?.y.spec.range ?? [];
      expect(shown.length).toBeLessThan(40);
      for (const { seen } of answers) {
        expect(seen?.range?.[0]).toBeCloseTo(low ?? Number.NaN, 6);
        expect(seen?.range?.[1]).toBeCloseTo(high ?? Number.NaN, 6);
      }
    },
  );
});

/** The contents of all bins, x fastest, perhaps scaled to the area 1. An empty bin of a profile has the mean 0. */
function within({ axes: [x, y], sums, profile, means }: Histogram, isScaled: boolean): number[] {
  const width = (x?.bins ?? 0) + 2;
  const contents = profile ? (means ?? sums) : sums;
  const rows = Array.from({ length: y?.bins ?? 1 }, (_, j) => (y === undefined ? 0 : j + 1));
  const all = rows.flatMap((row) => [...contents.slice(row * width + 1, (row + 1) * width - 1)]);
  const sum = all.reduce((total, one) => total + one, 0);
  return all.map((one) => (Number.isNaN(one) ? 0 : isScaled && sum > 0 ? one / sum : one));
}

test('draw --style STYLE --code prints programs in the style', async () => {
  const sample = join(folder, 'sample.root');
  const line = [
    'draw',
    sample,
    'Events',
    'Muon_pt',
    '--hist',
    '40,0,100',
    '--layer',
    'cut=nMuon==2; label=two',
  ];
  const drawn = await run(reader, ...line, '--style', 'cms', '--ratio', '--code', 'mplhep');
  expect(drawn.err).toBe('');
  expect(drawn.out).toContain('plt.subplots(2, 1');
  expect(drawn.out).toContain('mplhep.cms.label(');
  const macro = await run(reader, ...line, '--code', 'root');
  expect(macro.out).toContain('gStyle->SetPaperSize(8.6, 6.45);');
  expect(macro.out).not.toContain('lower');
  expect((await run(reader, ...line, '--style', 'cmss', '--code', 'root')).err).toContain(
    'Did you mean cms?',
  );
  expect((await run(reader, ...line, '--code', 'bokeh')).err).toMatch(/uproot.*mplhep/);
  expect((await run(reader, ...line, '--code', 'root', '--svg', 'x.svg')).err).toContain(
    '--svg does not go with --code',
  );
});

test('titles in TLatex become mathematical text of matplotlib', () => {
  expect(mathtextOf('p_{T}^{#mu} [GeV]')).toBe('p$_{T}^{μ}$ [GeV]');
  expect(mathtextOf('Muon_pt')).toBe('Muon_pt');
  expect(mathtextOf('Sum$(x)')).toBe('Sum\\$(x)');
  expect(mathtextOf('#sqrt{s} = 13 TeV')).toBe('$\\sqrt{s}$ = 13 TeV');
  expect(mathtextOf('#it{m}_{#mu#mu}')).toBe('$\\mathit{m}_{μμ}$');
});
