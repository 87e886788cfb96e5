import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FlowToolId, namesOfCuts } from '../../../web/features/cutflow/work/code/use';
import type { Cutflow } from '../../../web/features/cutflow/work/flow';
import { program } from '../../cli/program';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

// Programs of "xylem cutflow --code" count what xylem counts: each is run by its tool.

const root = resolve(import.meta.dirname, '../../..');
const judge = join(import.meta.dirname, 'judge/run_flows.py');
const coffeaPython = process.env.COFFEA_PYTHON;
const reader = withReader();
const folder = mkdtempSync(join(tmpdir(), 'xylem-flows-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Case {
  file: 'sample.root' | 'nano.root' | 'vectors_nano.root' | 'fields.root';
  tree: string;
  cuts: string[];
  weight?: string;
  /** The tools that have no program, each with a part of the reason. */
  lacking?: Partial<Record<FlowToolId, string>>;
}

const sample = { file: 'sample.root', tree: 'Events' } as const;
const nano = { file: 'nano.root', tree: 'Events' } as const;
const APART = { root: 'different lengths' };
const CASES: Case[] = [
  { ...sample, cuts: ['nMuon==2', 'Muon_pt[0]>25', 'abs(Muon_eta)<1', 'Jet_pt>30'] },
  {
    ...sample,
    cuts: ['Muon_pt>25', 'Muon_pt>20 && abs(Muon_eta)<1.5', 'Sum$(Jet_pt)>100'],
    weight: 'MET_pt/40',
  },
  { ...sample, cuts: ['nMuon==2', 'Muon_charge[0]!=Muon_charge[1]', 'MET_pt<25'], weight: 'PV_npvs-10' },
  { ...sample, cuts: ['Jet_pt>30'] },
  { ...sample, cuts: ['trigger=="HLT_IsoMu24"', 'PV_npvs%3', '!(Muon_pt[1]>20)', 'nMuon==2'] },
  { ...sample, cuts: ['nMuon==2', 'nMuon==2', 'nMuon==3'] },
  { ...sample, cuts: ['trigger!="a\\"b"', 'nMuon==2'], lacking: { root: 'a backslash' } },
  {
    ...nano,
    cuts: ['HLT_IsoMu24', 'Sum$(Jet_pt>40)>=2', 'MET_pt<100 || nJet>2', 'Muon_tightId'],
    weight: 'genWeight',
  },
  { ...nano, cuts: ['Jet_pt', 'Max$(Jet_pt)>60', 'Muon_pt[0]>5', 'MET_pt/nMuon<30'] },
  {
    ...nano,
    cuts: ['Muon_pt[nMuon-1]>5', 'Jet_pt>30'],
    lacking: { root: 'an index that is computed' },
  },
  { ...nano, cuts: ['Jet_pt-Muon_pt>10', 'Alt$(Muon_pt[1], 0)<20', 'LHEPdfWeight[2]>1'], lacking: APART },
  { ...nano, cuts: ['LocalEntry$%2==0', 'Muon_charge[0]<0'], weight: 'sqrt(PV_npvs)*(1-2*(MET_phi>0))' },
  {
    ...nano,
    cuts: ['nMuon>1', 'DeltaPhi(Muon_phi[0], Muon_phi[1])>2'],
    lacking: { root: 'no function DeltaPhi' },
  },
  {
    file: 'vectors_nano.root',
    tree: 'Vectors',
    cuts: ['hard', 'Length$(muon_pt)>1', 'jet_pt+muon_pt>60'],
    lacking: APART,
  },
  { file: 'fields.root', tree: 'Fields', cuts: ['Muon_pt>20', 'HLT_IsoMu24'], lacking: { root: 'RNTuple' } },
];

const isHere = oraclePython !== undefined;
beforeAll(() => {
  copyFileSync(join(root, 'public/sample.root'), join(folder, 'sample.root'));
  if (!isHere) return;
  const make = join(root, 'tests/features/snippets/judge/make_nano.py');
  execFileSync(oraclePython ?? '', ['-W', 'ignore', make], { cwd: folder, stdio: 'pipe' });
}, 120_000);

interface Counts {
  left: number[];
  others: number[];
  alone?: number[];
  sums?: number[];
  squares?: number[];
  error?: string;
}

/** Runs programs in one process of a Python. */
function judged<T = Counts>(python: string, programs: object[]): T[] {
  const answer = execFileSync(python, ['-W', 'ignore', judge], {
    cwd: folder,
    input: JSON.stringify(programs),
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return JSON.parse(answer.slice(answer.indexOf('['))) as T[];
}

const wordsOf = ({ file, tree, cuts, weight }: Case): string[] => [
  ...(weight === undefined ? [] : ['--weight', weight]),
  join(folder, file),
  tree,
  ...cuts,
];

/** Returns the counts of xylem. */
async function counted(one: Case): Promise<Counts & { flow: Cutflow }> {
  const { out, err } = await run(reader, 'cutflow', '--json', ...wordsOf(one));
  expect(err).toBe('');
  const flow = JSON.parse(out) as Cutflow;
  const [own] = flow.samples;
  if (!own) throw new Error('no flow');
  const left = [own.all, ...own.steps.map((step) => step.left)];
  return {
    flow,
    left: left.map(({ entries }) => entries),
    alone: own.steps.map(({ alone }) => alone.entries),
    others: own.steps.map(({ others }) => others.entries),
    ...(one.weight !== undefined && {
      sums: left.map(({ weight }) => weight),
      squares: left.map(({ error }) => error ** 2),
    }),
  };
}

/** Returns the members of an answer that differ from what xylem counts. */
function differences(answer: Counts, wanted: Counts): string[] {
  if (answer.error !== undefined) return [answer.error];
  return (['left', 'alone', 'others', 'sums', 'squares'] as const).flatMap((name) => {
    const [own, expected] = [answer[name], wanted[name]];
    // coffea has no N-1 of one cut.
    if (own === undefined)
      return name === 'left' || (name === 'others' && wanted.others.length > 1) ? [`no ${name}`] : [];
    const isSame =
      own.length === expected?.length &&
      own.every((value, i) => Math.abs(value - (expected[i] ?? 0)) <= 1e-10 * Math.max(1, Math.abs(value)));
    return isSame ? [] : [`${name}: ${JSON.stringify(own)} instead of ${JSON.stringify(expected)}`];
  });
}

async function codeOf(tool: string, one: Case): Promise<{ out: string; err: string }> {
  const printed = await run(reader, 'cutflow', '--code', tool, ...wordsOf(one));
  return { out: printed.out.replaceAll(`${folder}/`, ''), err: printed.err };
}

/** Runs all programs of a tool. */
async function wrongOf(python: string, tools: readonly FlowToolId[]): Promise<string[]> {
  const wrong: string[] = [];
  const all: { id: string; text: string; cuts: number; weighted: boolean; title: string; wanted: Counts }[] =
    [];
  for (const one of CASES) {
    const wanted = await counted(one);
    expect(wanted.left.at(0)).toBeGreaterThan(0);
    for (const id of tools) {
      const { out, err } = await codeOf(id, one);
      const why = one.lacking?.[id];
      const title = `${id}: ${one.cuts.join(', ')}`;
      if (why === undefined ? err !== '' : !err.includes(why)) wrong.push(`${title}: ${err}`);
      const weighted = one.weight !== undefined;
      if (out !== '') all.push({ id, text: out, cuts: one.cuts.length, weighted, title, wanted });
    }
  }
  const answers = judged(python, all);
  for (const [i, { title, text, wanted }] of all.entries()) {
    const found = differences(answers[i] ?? { left: [], others: [], error: 'no answer' }, wanted);
    if (found.length > 0) wrong.push(`${title}\n${found.join('\n')}\n${text}`);
  }
  return wrong;
}

describe('programs count what xylem counts', () => {
  test.skipIf(lacks('ORACLE_PYTHON', isHere))(
    'of RDataFrame, TTree::Draw and uproot',
    async () => {
      expect(await wrongOf(oraclePython ?? '', ['rdataframe', 'root', 'uproot'])).toEqual([]);
    },
    600_000,
  );

  test.skipIf(lacks('COFFEA_PYTHON', coffeaPython !== undefined && isHere))(
    'of coffea',
    async () => {
      expect(await wrongOf(coffeaPython ?? '', ['coffea'])).toEqual([]);
    },
    600_000,
  );

  test('of xylem: a command, and a selector', async () => {
    const cases = CASES.filter(({ file }) => isHere || file === 'sample.root');
    for (const one of cases) {
      const wanted = await counted(one);
      const { out: line } = await codeOf('xylem', one);
      const command = line
        .trim()
        .replace('npx --no xylem cutflow', `"${process.execPath}" "${program}" cutflow --json`);
      const printed = execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(wanted.flow)));

      const script = join(folder, `selector-${CASES.indexOf(one)}.mjs`);
      writeFileSync(script, (await codeOf('selector', one)).out);
      const made = await run(reader, 'process', script, join(folder, one.file), one.tree, '--json');
      expect(made.err).toBe('');
      const { left, alone, others, squares } = (
        JSON.parse(made.out) as { results: Record<string, Record<string, number>> }
      ).results;
      const numbered = namesOfCuts(one.cuts);
      const valuesOf = (labels: Record<string, number> = {}, all = ['all entries', ...numbered]) =>
        all.map((name) => labels[name] ?? 0);
      const answer: Counts = {
        left: wanted.left,
        others: wanted.others,
        ...(one.weight === undefined
          ? {
              left: valuesOf(left),
              alone: valuesOf(alone, numbered),
              others: valuesOf(others, numbered),
            }
          : { sums: valuesOf(left), squares: valuesOf(squares) }),
      };
      expect(differences(answer, wanted)).toEqual([]);
    }
  }, 300_000);
});

test.skipIf(lacks('ORACLE_PYTHON', isHere))(
  'the plots of variables have the bins of TTree::Draw with entry lists',
  async () => {
    const asked: object[] = [];
    const wanted: { title: string; bins: number[] }[] = [];
    for (const one of CASES.filter(({ lacking }) => lacking === undefined)) {
      const { out } = await run(reader, 'cutflow', '--json', '--plots', ...wordsOf(one));
      const { plots = [] } = JSON.parse(out) as Cutflow;
      expect(plots.length).toBe(one.cuts.length);
      for (const [i, { expr, why, layers }] of plots.entries()) {
        const [layer] = layers;
        if (expr === undefined || layer === undefined) {
          expect(why).toContain('No plot of');
          continue;
        }
        const { axes, sums } = layer.histogram;
        const [axis] = axes;
        const cuts = one.cuts.filter((_, k) => k !== i);
        asked.push({
          ...{ id: 'plot', file: one.file, tree: one.tree, expr, cuts, weight: one.weight ?? '' },
          axis: [axis?.bins, axis?.low, axis?.high],
        });
        // ROOT fills NaN for pairs of lists of different lengths, which xylem leaves out: it counts as overflow.
        wanted.push({ title: `${one.cuts[i]} with ${cuts.join(', ')}`, bins: [...sums].slice(0, -1) });
      }
    }
    expect(wanted.length).toBeGreaterThan(20);
    const answers = judged<{ bins?: number[]; error?: string }>(oraclePython ?? '', asked);
    for (const [i, { title, bins }] of wanted.entries()) {
      const own = answers[i]?.bins?.slice(0, -1) ?? [];
      expect(own.length, `${title}: ${answers[i]?.error}`).toBe(bins.length);
      for (const [k, content] of bins.entries()) expect(own[k], `${title}, bin ${k}`).toBeCloseTo(content, 8);
    }
  },
  300_000,
);

test('programs are refused with a reason', async () => {
  const why = async (...args: string[]) =>
    (await run(reader, 'cutflow', join(folder, 'sample.root'), 'Events', ...args)).err;
  expect(await why('nMuon==2', '--code', 'coffea', '--samples', 'x.json')).toContain(
    '--samples does not go with --code',
  );
  expect(await why('MET_pt>30*rndm', '--code', 'uproot')).toContain('Other tools have other random numbers.');
  expect(await why('nMuon==2', '--code', 'rdataframe', '--weight', 'Muon_pt')).toContain(
    'one value for each entry',
  );
  expect(await why('nMuon==2', '--code', 'pandas')).toContain('It takes rdataframe');
  expect(await why('nMuon==2', '--partial', join(folder, 'p.json'), '--plots')).toContain('have no plots');
  expect(basename(folder)).toContain('xylem-flows-');
});
