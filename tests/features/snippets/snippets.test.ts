import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { snippetOf, snippets } from '../../../web/features/snippets/work/snippets';
import type { Snippet, ToolId, Use } from '../../../web/features/snippets/work/use';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../../engine/fixtures';
import { treeOf } from './trees';

// Programs of xylem itself are run here; those of uproot and ROOT by matrix.test.ts.

const root = resolve(import.meta.dirname, '../../..');

interface Drawing {
  file: string;
  branch?: string;
  expr: string;
  cut: string;
  axes: { bins: number; low: number; high: number }[];
}

const leafD = { file: 'leaves', expr: 'leaf_D', axes: [{ bins: 10, low: -40, high: 60 }] };
const drawings: Drawing[] = [
  { ...leafD, branch: 'leaf_D', cut: '' },
  { ...leafD, branch: 'leaf_D', cut: 'leaf_I%3==1 && leaf_C!="it\'s"' },
  { ...leafD, expr: 'leaf_D*2+1', cut: 'leaf_I%3' },
  {
    ...{ file: 'leaves', expr: 'leaf_I:leaf_D', cut: '' },
    axes: [
      { bins: 6, low: -40, high: 60 },
      { bins: 4, low: 0, high: 2_000_000 },
    ],
  },
  { file: 'vectors', branch: 'v_float', expr: 'v_float', cut: '', axes: [{ bins: 7, low: -2, high: 9 }] },
];

/** Runs a program of xylem as the user gets it, except that it prints the bins, and returns them. */
function run({ tool, language, text = '' }: Snippet, folder: string): number[] {
  const options = { cwd: folder, encoding: 'utf8' as const };
  if (language === 'js') {
    const entry = pathToFileURL(join(root, 'dist/node.js')).href;
    const script = join(folder, 'snippet.mjs');
    writeFileSync(
      script,
      text
        .replace("'xylem'", `'${entry}'`)
        .replace('await file.close', 'console.log(JSON.stringify([...histogram.counts]));\nawait file.close'),
    );
    const printed = execFileSync(process.execPath, [script], options);
    const list = printed.match(/\[[^\]]*\]\s*$/)?.[0];
    if (list === undefined) throw new Error(`${tool} printed ${printed}`);
    return JSON.parse(list) as number[];
  }
  const line = text
    .trim()
    .replace('npx --no xylem', `"${process.execPath}" "${join(root, 'dist/cli/xylem.js')}"`);
  return within(JSON.parse(execFileSync('sh', ['-c', `${line} --json`], options)) as Histogram);
}

/** The contents of all bins, x running fastest, without under- and overflow. */
function within({ axes: [x, y], sums }: Pick<Histogram, 'axes' | 'sums'>): number[] {
  const width = (x?.bins ?? 0) + 2;
  const rows = Array.from({ length: y?.bins ?? 1 }, (_, j) => (y === undefined ? 0 : j + 1));
  return rows.flatMap((row) => [...sums.slice(row * width + 1, (row + 1) * width - 1)]);
}

describe('programs of xylem', () => {
  for (const { file, ...drawing } of drawings) {
    for (const id of ['library', 'command'] as const) {
      it(`${id} fills the same bins of ${drawing.expr} {${drawing.cut}}`, { timeout: 120_000 }, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'xylem-snippets-'));
        try {
          // A name that has to be quoted.
          const address = `it's "${file}".root`;
          copyFileSync(join(fixtureFolder, `${file}.root`), join(folder, address));
          const engine = await makeEngine();
          const { id: opened } = await engine.open(bufferSpec(file, fixtureBytes(file)));
          const { branch, expr, cut } = drawing;
          const axes = drawing.axes.map(({ bins, low, high }) => ({
            bins,
            range: [low, high] as [number, number],
          }));
          const what = branch === undefined ? { expr } : { branch };
          const drawn = (await engine.draw(opened, { tree: 't', ...what, axes, cut })) as Histogram;
          const contents = within(drawn);
          expect(contents.some((count) => count > 0)).toBe(true);
          const tree = await engine.tree(opened, 't');
          const use: Use = { layers: [{ address, tree, branch, expr, cut }], axes: drawing.axes };
          expect(run(snippetOf(id, use), folder)).toEqual(contents);
        } finally {
          rmSync(folder, { recursive: true });
        }
      });
    }
  }
});

const events = treeOf('Events', [
  ['nMuon', 'nMuon/i', 'uint32_t'],
  ['Muon_pt', 'Muon_pt[nMuon]/F', 'float[]'],
  ['Muon_eta', 'Muon_eta[nMuon]/F', 'float[]'],
  ['Jet_pt', 'Jet_pt', 'vector<float>'],
  ['MET_pt', 'MET_pt/F', 'float'],
  ['weight', 'weight/F', 'float'],
  ['trigger', 'trigger', 'string'],
  ['x', 'x/D', 'double'],
]);
const GEV = [{ bins: 50, low: 0, high: 100 }];

function useOf(expr: string, cut = '', profile = false): Use {
  return { layers: [{ address: 'f.root', tree: events, expr, cut, profile }], axes: GEV };
}

describe('texts of programs', () => {
  it.each([
    ['MET_pt', 'nMuon==2'],
    ['Muon_pt', 'abs(Muon_eta)<1'],
    ['Muon_pt/MET_pt', 'weight*(Sum$(Jet_pt>30)>1)'],
    ['Jet_pt', 'Muon_pt[0]>20 && trigger=="mu"'],
    ['Jet_pt-Muon_pt', ''],
  ])('%s {%s}', (expr, cut) => {
    for (const { id, text } of snippets(useOf(expr, cut))) expect(text, id).toMatchSnapshot(id);
  });

  it('layers, scaled and compared', () => {
    const [layer] = useOf('Muon_pt').layers;
    const other = { ...layer, cut: 'abs(Muon_eta)<1', label: 'central' } as typeof layer;
    const use: Use = { layers: [layer, other], axes: GEV, look: { norm: 'area', below: 'ratio' } };
    for (const { id, text } of snippets(use)) expect(text, id).toMatchSnapshot(id);
  });

  it.each<[ToolId, string, string, string]>([
    ['uproot', 'TMath::Landau(MET_pt)', '', 'numpy has no function TMath::Landau.'],
    ['uproot', 'rndm', 'MET_pt>0', 'Other tools have other random numbers.'],
    ['uproot', 'Sum$(Muon_pt*Jet_pt)', '', 'different lengths'],
    ['rdataframe', 'Muon_pt.size()', '', 'methods of objects'],
    ['rdataframe', 'unknown', '', '"unknown" is not a branch'],
    ['ttree', 'Muon_pt>2 ? Muon_pt : Muon_eta', '', 'behind "?"'],
  ])('%s has no program of %s {%s}, and says why', (id, expr, cut, why) => {
    const snippet = snippetOf(id, useOf(expr, cut));
    expect(snippet.text).toBeUndefined();
    expect(snippet.why).toContain(why);
  });

  it('names no variable of a program as a branch', () => {
    const { text } = snippetOf('rdataframe', useOf('MET_pt*2', 'x>1'));
    expect(text).toContain('.Define("x_", "MET_pt * 2.")');
  });

  it('a stored layer has a command, and all others say why not', () => {
    const [layer] = useOf('Muon_pt').layers;
    const use: Use = { layers: [layer, { address: 'f.root', item: 'hists/pt' }], axes: GEV };
    const [uproot, , , , command] = snippets(use);
    expect(uproot?.why).toBe('"hists/pt" is a stored object, and this program fills its histograms.');
    expect(command?.text).toContain('--layer=hists/pt');
  });

  it('draws profiles as profiles, and puts what begins with a minus behind the options', () => {
    const use = useOf('-MET_pt:nMuon', '', true);
    const text = (id: ToolId) => snippetOf(id, use).text;
    expect(text('ttree')).toContain('new TProfile("h", "-MET_pt:nMuon", 50, 0, 100);');
    expect(text('ttree')).toContain('tree->Draw("-MET_pt:nMuon>>h", "", "prof");');
    expect(text('library')).toContain("{ option: 'prof', bins: 50, range: [0, 100] }");
    expect(text('command')).toBe(
      "npx --no xylem draw --option prof --bins 50 --range=0:100 -- f.root Events '-MET_pt:nMuon'\n",
    );
    expect(text('uproot')).toContain('sums.values() / counts.values()');
    expect(text('rdataframe')).toContain('.Profile1D(');
  });

  it('keeps names from becoming code', () => {
    const hostile = '"); system("x\u0007\n';
    const tree = treeOf(hostile, [[hostile, '', 'float']]);
    const use: Use = {
      layers: [{ address: hostile, tree, branch: hostile, expr: hostile, cut: '', label: hostile }],
      axes: GEV,
    };
    for (const { text, language } of snippets(use)) {
      // Between single quotes a shell reads every sign as it is.
      if (language === 'sh' || text === undefined) continue;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: looked for
      expect(text).not.toMatch(/\u0007/);
      expect(text).not.toMatch(/(?<!\\)"\); system/);
    }
    expect(snippetOf('uproot', use).text).toBeDefined();
    expect(snippetOf('rdataframe', use).why).toContain('not a name of C++');
  });
});
