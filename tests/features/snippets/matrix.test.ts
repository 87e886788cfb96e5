import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Histogram, TreeInfo } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { snippets } from '../../../web/features/snippets/work/snippets';
import type { Snippet, UsedLayer } from '../../../web/features/snippets/work/use';
import { bufferSpec, makeEngine } from '../../engine/fixtures';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

// Programs of "Use this in" fill the bins that xylem fills: each is run by uproot, awkward and hist, and by ROOT.

const root = resolve(import.meta.dirname, '../../..');
const judge = join(import.meta.dirname, 'judge/run_programs.py');
const isHere = oraclePython !== undefined;

interface Case {
  file: string;
  tree: string;
  expr: string;
  cut?: string;
  profile?: boolean;
  axes?: [bins: number, low: number, high: number][];
  /** The tools that have no program, each with a part of the reason. */
  lacking?: Partial<Record<'uproot' | 'rdataframe' | 'ttree', string>>;
}

const sample = { file: 'public/sample.root', tree: 'Events' };
const GEV: [number, number, number][] = [[50, 0, 100]];
const SMALL: [number, number, number][] = [[40, -10, 10]];
const WIDE: [number, number, number][] = [[60, -200, 400]];

const EXPRESSIONS: [expr: string, axes: [number, number, number][]][] = [
  ['MET_pt', GEV],
  ['nMuon', SMALL],
  ['Muon_pt', GEV],
  ['Muon_pt*Muon_charge', WIDE],
  ['Sum$(Muon_pt)', [[80, 0, 400]]],
  ['Muon_pt[0]', GEV],
];
const CUTS = [
  '',
  'nMuon==2',
  'abs(Muon_eta)<1',
  'Muon_tightId && Muon_pfRelIso<0.15 || Muon_pt>60',
  'nMuon>1 && Muon_charge[0]*Muon_charge[1]<0',
  'Sum$(Muon_pt>20)>=2',
  '(abs(Muon_eta)<2.1)*2',
  '(MET_pt>20)*(1+nMuon)*0.5',
  '!(Muon_pt<30) && trigger=="HLT_IsoMu24"',
];
const MATRIX: Case[] = EXPRESSIONS.flatMap(([expr, axes]) =>
  CUTS.map((cut) => ({ ...sample, expr, cut, axes })),
);
const nano = { file: 'nano.root', tree: 'Events' };
const vectors = { file: 'vectors_nano.root', tree: 'Vectors' };
const fields = { file: 'fields.root', tree: 'Fields' };
const leaves = { file: 'tests/fixtures/files/leaves.root', tree: 't' };
const stl = { file: 'tests/fixtures/files/vectors.root', tree: 't' };
const PHI: [number, number, number][] = [[32, -3.2, 3.2]];
const UNIT: [number, number, number][] = [[50, -2, 3]];
const COUNT: [number, number, number][] = [[20, 0, 20]];
const NO_NTUPLE = { lacking: { ttree: 'RNTuple' } };
const APART = { lacking: { ttree: 'different lengths' } };

const OTHERS: Case[] = [
  // Lists of other lengths, in one loop.
  { ...sample, expr: 'Muon_pt', cut: 'Jet_pt>30', axes: GEV, ...APART },
  { ...nano, expr: 'Muon_pt', cut: 'Jet_pt>30', axes: GEV, ...APART },
  { ...nano, expr: 'Jet_pt-Muon_pt', axes: WIDE },
  { ...nano, expr: 'Jet_pt-Muon_pt', cut: 'Jet_eta>0 && Sum$(Jet_pt)>50', axes: WIDE },
  { ...vectors, expr: 'jet_pt', cut: 'abs(jet_eta)<1', axes: GEV },
  { ...vectors, expr: 'jet_pt+muon_pt', cut: 'jet_eta>0', axes: WIDE },
  // One value an entry.
  { ...nano, expr: 'MET_pt', cut: 'genWeight', axes: GEV },
  { ...nano, expr: 'MET_pt*cos(MET_phi)', cut: 'HLT_IsoMu24*genWeight', axes: WIDE },
  { ...nano, expr: 'PV_npvs/10', axes: COUNT },
  { ...nano, expr: 'PV_npvs%7', axes: COUNT },
  { ...nano, expr: '-PV_npvs%7', axes: UNIT },
  { ...nano, expr: 'PV_npvs/nMuon', axes: COUNT },
  { ...nano, expr: 'int(PV_npvs/7)', axes: COUNT },
  { ...nano, expr: 'event%1000', axes: [[50, 0, 1000]] },
  { ...nano, expr: 'run', axes: [[10, 316230, 316240]] },
  { ...nano, expr: 'HLT_IsoMu24+HLT_IsoMu24', axes: COUNT },
  { ...nano, expr: '(PV_npvs>10)+(nMuon>1)-(nJet>2)', axes: UNIT },
  { ...nano, expr: 'HLT_IsoMu24 ? MET_pt : -MET_pt', axes: WIDE },
  { ...nano, expr: 'nMuon>1 ? Muon_pt : MET_pt', axes: GEV },
  { ...nano, expr: 'log(nMuon)', axes: UNIT },
  { ...nano, expr: 'log10(MET_pt)+exp(-MET_pt/50)', axes: UNIT },
  { ...nano, expr: 'sqrt(PV_npvs-10)', cut: 'PV_npvs>=10', axes: UNIT },
  { ...nano, expr: 'MET_pt^2', axes: [[50, 0, 5000]] },
  { ...nano, expr: '2**nMuon', axes: COUNT },
  { ...nano, expr: '(PV_npvs & 5) | 2', axes: COUNT },
  { ...nano, expr: '(PV_npvs>>2)', axes: COUNT },
  { ...nano, expr: '1<<nMuon', axes: COUNT },
  { ...nano, expr: 'min(MET_pt, 50)', axes: GEV },
  { ...nano, expr: 'TMath::Max(MET_pt, PV_npvs)', axes: GEV },
  { ...nano, expr: 'TMath::Gaus(MET_phi, 0, 1, 1)', axes: [[40, 0, 1]] },
  { ...nano, expr: 'TMath::Nint(MET_pt/3)', axes: COUNT },
  { ...nano, expr: 'round(MET_phi*2)', axes: UNIT },
  { ...nano, expr: 'sign(MET_phi)*TMath::Abs(MET_phi)', axes: PHI },
  { ...nano, expr: 'erf(MET_phi)', axes: UNIT, lacking: { uproot: 'numpy has no function erf' } },
  { ...nano, expr: 'TMath::ATan2(MET_pt, MET_phi)', axes: PHI },
  { ...nano, expr: 'fmod(MET_pt, 7)', axes: COUNT },
  { ...nano, expr: 'Entry$', cut: 'nMuon%2==0', axes: [[70, 0, 700]] },
  { ...nano, expr: 'Entry$', axes: [[70, 0, 700]], lacking: { uproot: 'name no branch' } },
  { ...nano, expr: 'MET_pt', cut: '!HLT_IsoMu24 || !(nMuon)', axes: GEV },
  { ...nano, expr: 'MET_pt', cut: '(nMuon==1)+(nMuon==2)*2', axes: GEV },
  { ...nano, expr: 'Entries$-Entry$', cut: 'nMuon>0', axes: [[70, 0, 700]] },
  // Lists.
  { ...nano, expr: 'Muon_pt*cosh(Muon_eta)', cut: 'Muon_tightId', axes: WIDE },
  { ...nano, expr: 'Muon_pt', cut: 'Muon_highPtId==2 && HLT_IsoMu24', axes: GEV },
  { ...nano, expr: 'Muon_pt', cut: 'Muon_charge*genWeight', axes: GEV },
  { ...nano, expr: 'Muon_pt', cut: 'genWeight', axes: GEV },
  { ...nano, expr: 'Muon_pt', cut: '(Muon_tightId+1)/(Muon_highPtId)', axes: GEV },
  { ...nano, expr: 'Muon_tightId', axes: UNIT },
  { ...nano, expr: 'Muon_highPtId', axes: UNIT },
  { ...nano, expr: 'Muon_charge', cut: 'Muon_pt>Muon_eta', axes: UNIT },
  { ...nano, expr: 'MET_pt', cut: 'Muon_pt>20', axes: GEV },
  { ...nano, expr: 'DeltaPhi(Muon_phi, MET_phi)', axes: PHI, lacking: { ttree: 'no function DeltaPhi' } },
  { ...nano, expr: 'Muon_pt > 20 ? Muon_eta : -Muon_phi', axes: PHI, lacking: { ttree: 'behind "?"' } },
  { ...nano, expr: 'Iteration$', cut: 'Muon_pt>10', axes: COUNT },
  { ...nano, expr: 'Muon_pt', cut: 'Iteration$==1', axes: GEV },
  { ...nano, expr: 'Length$(Muon_pt)', axes: COUNT },
  { ...nano, expr: 'Sum$(Muon_pt>20 && abs(Muon_eta)<2.4)', axes: COUNT },
  { ...nano, expr: 'Max$(Jet_pt)', cut: 'nJet>0', axes: GEV },
  { ...nano, expr: 'Min$(Jet_pt*Jet_eta)', axes: WIDE },
  { ...nano, expr: 'MaxIf$(Jet_pt, abs(Jet_eta)<1)', axes: GEV },
  { ...nano, expr: 'Muon_pt/Sum$(Muon_pt)', axes: UNIT },
  { ...nano, expr: 'Muon_pt-Max$(Muon_pt)', cut: 'Muon_charge>0', axes: WIDE },
  { ...nano, expr: 'Muon_pt[1]', cut: 'Muon_pt[0]>20', axes: GEV },
  { ...nano, expr: 'Muon_pt', cut: 'Muon_pt[1]>10', axes: GEV },
  { ...nano, expr: 'Muon_pt[nMuon-1]', cut: 'nMuon>0', axes: GEV },
  { ...nano, expr: 'Muon_pt[Jet_muonIdx1]', cut: 'Jet_muonIdx1>=0 && Jet_muonIdx1<nMuon', axes: GEV },
  { ...nano, expr: 'Jet_pt', cut: 'Jet_muonIdx1>=0', axes: GEV },
  { ...nano, expr: 'Alt$(Muon_pt[1], -5)', axes: WIDE },
  { ...nano, expr: 'Jet_pt+Alt$(Muon_pt, 0)', axes: WIDE, lacking: { uproot: 'Alt$ of a whole list' } },
  { ...nano, expr: 'Jet_pt', cut: '(Jet_jetId & 4) != 0', axes: GEV },
  { ...nano, expr: 'LHEPdfWeight', cut: 'LHEPdfWeight>1', axes: UNIT },
  { ...nano, expr: 'LHEPdfWeight[2]*LHEPdfWeight', axes: UNIT },
  { ...nano, expr: 'Muon_pt*LHEPdfWeight', axes: GEV },
  { ...vectors, expr: 'jet_pt', cut: 'hard', axes: GEV },
  { ...vectors, expr: 'Length$(jet_pt)-Length$(muon_pt)', axes: SMALL },
  // More axes, and means.
  { ...nano, expr: 'Muon_eta:Muon_pt', cut: 'Muon_tightId', axes: [...GEV, [20, -3, 3]] },
  { ...nano, expr: 'MET_pt:Muon_pt', axes: [...GEV, [20, 0, 100]] },
  { ...nano, expr: 'PV_npvs:MET_pt', cut: 'genWeight*(nMuon>0)', axes: [...GEV, [20, 0, 60]] },
  { ...nano, expr: 'PV_npvs:MET_pt', axes: GEV, profile: true },
  { ...nano, expr: 'Muon_charge:Muon_pt', cut: 'Muon_tightId', axes: GEV, profile: true },
  { ...nano, expr: 'nMuon:nJet', cut: 'genWeight', axes: COUNT, profile: true },
  // RNTuples.
  { ...fields, expr: 'Muon_pt', cut: 'abs(Muon_eta)<1', axes: GEV, ...NO_NTUPLE },
  { ...fields, expr: 'MET_pt', cut: 'nMuon==2 && HLT_IsoMu24', axes: GEV, ...NO_NTUPLE },
  { ...fields, expr: 'Jet_pt+Muon_pt', axes: WIDE, ...NO_NTUPLE },
  // Types of numbers and of lists.
  ...['leaf_B', 'leaf_ub', 'leaf_S', 'leaf_us', 'leaf_O', 'leaf_F'].map((expr) => ({
    ...leaves,
    expr,
    axes: WIDE,
  })),
  {
    ...leaves,
    expr: 'leaf_D',
    cut: 'leaf_I%3==1 && leaf_C!="it\'s"',
    axes: [[10, -40, 60]],
    lacking: { rdataframe: 'array of characters' },
  },
  { ...leaves, expr: '-leaf_ub/2', cut: 'leaf_I<leaf_ui', axes: WIDE },
  ...['v_bool', 'v_short', 'v_unsigned_char', 'v_float', 'v_double'].map((expr) => ({
    ...stl,
    expr,
    axes: WIDE,
  })),
  { ...stl, expr: 'v_short*2', cut: 'v_float>-1000', axes: [[50, -70000, 70000]] },
  {
    ...stl,
    expr: 'vv_short',
    axes: WIDE,
    lacking: { uproot: 'vector<vector<short> >', rdataframe: 'vector' },
  },
];

const folder = mkdtempSync(join(tmpdir(), 'xylem-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of the repository, or one that make_nano.py has written. */
const pathOf = (file: string): string => (file.includes('/') ? join(root, file) : join(folder, file));

const engines = new Map<string, Promise<{ engine: EngineApi; id: number }>>();
function opened(file: string): Promise<{ engine: EngineApi; id: number }> {
  const made =
    engines.get(file) ??
    makeEngine().then(async (engine) => {
      const { id } = await engine.open(
        bufferSpec(basename(file), new Uint8Array(readFileSync(pathOf(file)))),
      );
      return { engine, id };
    });
  engines.set(file, made);
  return made;
}

/** The contents of all bins, x running fastest, without under- and overflow. */
function within({ axes: [x, y], sums, profile, means }: Histogram): number[] {
  const width = (x?.bins ?? 0) + 2;
  const contents = profile ? (means ?? sums) : sums;
  const rows = Array.from({ length: y?.bins ?? 1 }, (_, j) => (y === undefined ? 0 : j + 1));
  return rows.flatMap((row) => [...contents.slice(row * width + 1, (row + 1) * width - 1)]);
}

async function programsOf(one: Case): Promise<{ expected: number[]; programs: Snippet[]; tree: TreeInfo }> {
  const { engine, id } = await opened(one.file);
  const { tree: path, expr, cut = '', profile, axes = GEV } = one;
  const tree = await engine.tree(id, path);
  const option = profile ? { option: 'prof' } : {};
  const drawn = (await engine.draw(id, {
    tree: path,
    expr,
    cut,
    ...option,
    axes: axes.map(([bins, low, high]) => ({ bins, range: [low, high] })),
  })) as Histogram;
  const programs = snippets({
    layers: [{ address: basename(one.file), tree, expr, cut, profile }],
    axes: axes.map(([bins, low, high]) => ({ bins, low, high })),
  });
  return { expected: within(drawn), programs, tree };
}

/** Runs programs in one process. Returns the bins of their histograms. */
function run(programs: { language: string; text: string; names: string[] }[]): (number | null)[][][] {
  const answer = execFileSync(oraclePython ?? '', ['-W', 'ignore', judge], {
    cwd: folder,
    input: JSON.stringify(programs),
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return JSON.parse(answer.slice(answer.indexOf('[')));
}

/** Layers of one plot: their bins, scaled, then what is drawn below them. */
interface LayerCase {
  layers: (Pick<Case, 'file' | 'tree' | 'expr' | 'cut'> & { label?: string })[];
  axes: [bins: number, low: number, high: number][];
  norm?: 'area' | 'max' | 'first';
  below?: 'ratio' | 'difference';
}

const LAYERS: LayerCase[] = [
  {
    layers: [
      { ...sample, expr: 'Muon_pt' },
      { ...sample, expr: 'Muon_pt', cut: 'abs(Muon_eta)<1' },
      { ...sample, expr: 'Jet_pt', cut: 'nMuon==2', label: 'jets' },
    ],
    axes: GEV,
  },
  {
    layers: [
      { ...nano, expr: 'Muon_pt', cut: 'Muon_charge>0' },
      { ...nano, expr: 'Muon_pt', cut: 'Muon_charge<0', label: 'it\'s "minus"; label' },
    ],
    axes: GEV,
    norm: 'area',
    below: 'ratio',
  },
  {
    layers: [
      { ...nano, expr: 'Muon_pt[0]' },
      { ...sample, expr: 'Muon_pt[0]', cut: 'MET_pt>20' },
      { ...vectors, expr: 'jet_pt+muon_pt' },
    ],
    axes: GEV,
    norm: 'first',
    below: 'difference',
  },
  {
    layers: [
      { ...nano, expr: 'MET_pt', cut: 'genWeight' },
      { ...nano, expr: 'Max$(Jet_pt)' },
    ],
    axes: GEV,
    norm: 'max',
    below: 'ratio',
  },
  {
    layers: [
      { ...nano, expr: 'Jet_eta:Jet_pt' },
      { ...nano, expr: 'Jet_eta:Jet_pt', cut: 'Jet_jetId>3' },
    ],
    axes: [...GEV, [10, -5, 5]],
    below: 'ratio',
  },
];

/** The contents as web/plot/layers draws them. */
function layersOf({ norm, below }: LayerCase, bins: readonly number[][]): (number | null)[][] {
  const sum = (all: readonly number[] = []): number => all.reduce((total, one) => total + one, 0);
  const scaled = bins.map((all) => {
    const factor =
      norm === undefined
        ? 1
        : norm === 'max'
          ? 1 / Math.max(...all)
          : (norm === 'first' ? sum(bins[0]) : 1) / sum(all);
    return all.map((one) => one * factor);
  });
  const [first = [], ...others] = scaled;
  if (below === undefined) return scaled;
  const compared = others.map((all) =>
    all.map((one, i) => {
      const by = first[i] ?? 0;
      if (below === 'difference') return one - by;
      return by === 0 ? null : one / by;
    }),
  );
  return [...scaled, ...compared];
}

/** Whether bins are equal but for the last digits of a scale. A ratio to nothing is 0 in ROOT. */
function areEqual(bins: readonly (number | null)[], wanted: readonly (number | null)[]): boolean {
  return (
    bins.length === wanted.length &&
    wanted.every((one, i) => {
      const own = bins[i] ?? 0;
      return Math.abs(own - (one ?? 0)) <= 1e-13 * Math.abs(own) + (one === null ? 1e300 : 0);
    })
  );
}

describe.skipIf(lacks('a Python with ROOT, uproot and pyarrow', isHere))('programs', () => {
  beforeAll(() => {
    execFileSync(oraclePython ?? '', ['-W', 'ignore', join(import.meta.dirname, 'judge/make_nano.py')], {
      cwd: folder,
    });
  }, 120_000);
  for (const [name, cases] of [
    ['the matrix', MATRIX],
    ['others', OTHERS],
  ] as const) {
    it(`fill the same bins: ${name}`, { timeout: 900_000 }, async () => {
      const all: {
        language: string;
        text: string;
        names: string[];
        title: string;
        expected: number[];
        isProfile: boolean;
      }[] = [];
      const wrong: string[] = [];
      for (const one of cases) {
        if (one.file.includes('/')) copyFileSync(pathOf(one.file), join(folder, basename(one.file)));
        const { expected, programs } = await programsOf(one);
        const title = `${one.expr} {${one.cut ?? ''}}`;
        expect(
          expected.some((count) => count !== 0),
          title,
        ).toBe(true);
        for (const { id, language, text, why } of programs) {
          if (language !== 'python' && language !== 'cpp') continue;
          const wanted = one.lacking?.[id as 'uproot'];
          const isRight = wanted === undefined ? why === undefined : why?.includes(wanted);
          if (!isRight) wrong.push(`${id}: ${title}: ${why}`);
          if (text !== undefined)
            all.push({
              language,
              text,
              names: ['h'],
              title: `${id}: ${title}`,
              expected,
              isProfile: one.profile === true,
            });
        }
      }
      const answers = run(all);
      for (const [i, { title, expected, text, isProfile }] of all.entries()) {
        const answer = answers[i] as unknown as { error?: string } & (number | null)[][];
        // An empty bin has the mean 0 in ROOT and none in numpy.
        const filled = answer[0]?.map((content) => (isProfile ? (content ?? 0) : content));
        const bins = JSON.stringify(answer.error ?? filled);
        const own = JSON.stringify(expected);
        if (bins !== own) wrong.push(`${title}\n${bins}\n${own}\n${text}`);
      }
      expect(wrong).toEqual([]);
    });
  }

  it('fill and scale layers', { timeout: 900_000 }, async () => {
    const all: {
      language: string;
      text: string;
      names: string[];
      title: string;
      wanted: (number | null)[][];
    }[] = [];
    for (const one of LAYERS) {
      const bins: number[][] = [];
      const layers: UsedLayer[] = [];
      for (const { label, ...layer } of one.layers) {
        if (layer.file.includes('/')) copyFileSync(pathOf(layer.file), join(folder, basename(layer.file)));
        const { expected, tree } = await programsOf({ ...layer, axes: one.axes });
        bins.push(expected);
        const { expr, cut = '' } = layer;
        layers.push({ address: basename(layer.file), tree, expr, cut, label });
      }
      const [first, ...others] = layers as [UsedLayer, ...UsedLayer[]];
      const { norm = 'none', below = 'none' } = one;
      const axes = one.axes.map(([bins, low, high]) => ({ bins, low, high }));
      const names = one.layers.map((_, i) => `h${i + 1}`);
      const more = below === 'none' ? [] : others.map((_, i) => `${below}${i + 2}`);
      for (const { id, language, text, why } of snippets({
        layers: [first, ...others],
        axes,
        look: { norm, below },
      })) {
        expect(why, id).toBeUndefined();
        if (text !== undefined && (language === 'python' || language === 'cpp'))
          all.push({ language, text, names: [...names, ...more], title: id, wanted: layersOf(one, bins) });
      }
    }
    const answers = run(all);
    const wrong = all.flatMap(({ title, wanted, text }, i) => {
      const bins = answers[i] ?? [];
      const isRight = bins.length === wanted.length && wanted.every((one, k) => areEqual(bins[k] ?? [], one));
      return isRight ? [] : [`${title}\n${JSON.stringify(bins)}\n${JSON.stringify(wanted)}\n${text}`];
    });
    expect(wrong).toEqual([]);
  });
});
