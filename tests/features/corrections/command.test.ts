import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

// The values are those of correctionlib 2.9: correctionlib.CorrectionSet.from_file(file)[name].evaluate(…).

const TIGHT = 0.96611505;
const RUN = 1.09440343;

const reader = withReader();
const file = join(import.meta.dirname, '../../fixtures/corrections/corrections.json.gz');
const asked = (...words: string[]) => run(reader, 'corrections', file, ...words);
const json = async (...words: string[]) => {
  const { out, err } = await asked(...words, '--json');
  return (out === '' ? err : JSON.parse(out)) as {
    corrections: { name: string; kind: string; inputs: object[]; stack?: string[] }[];
    evaluated: {
      name: string;
      value: number;
      by: string;
      points: { at: number; value?: number; error?: string }[];
    };
  };
};

test('corrections of a file are listed, with what their inputs take', async () => {
  const { corrections } = await json();
  expect(corrections).toHaveLength(101);
  expect(corrections.filter(({ kind }) => kind === 'compound')).toHaveLength(4);
  const [one] = (await json('UL-Electron-ID-SF')).corrections;
  expect(one?.inputs.slice(1)).toEqual([
    { name: 'ValType', type: 'string', description: '', values: ['sf', 'sfup', 'sfdown'], others: false },
    expect.objectContaining({ name: 'WorkingPoint' }),
    { name: 'eta', type: 'real', description: '', range: ['-inf', 'inf'], flow: ['error'] },
    { name: 'pt', type: 'real', description: '', range: [10, 'inf'], flow: ['error'] },
  ]);
  const [compound] = (await json('Summer19UL18_V5_MC_L1L2L3Res_AK4PFchs')).corrections;
  expect(compound?.stack?.[0]).toBe('Summer19UL18_V5_MC_L1FastJet_AK4PFchs');
  const { out } = await asked('NUM_TightID_DEN_TrackerMuons');
  expect(out).toContain('0 to 2.4, outside: an error');
  expect(out).toContain('nominal, stat, syst, systup, systdown');
});

test('a correction is evaluated for values, a list and a range', async () => {
  const name = 'NUM_TightID_DEN_TrackerMuons';
  const words = ['abseta=1.0', 'scale_factors=systup'];
  expect((await json(name, ...words, 'pt=33')).evaluated.value).toBe(TIGHT);
  expect((await asked(name, ...words, 'pt=33')).out).toContain(`${name} = ${TIGHT}`);
  const { evaluated } = await json(name, ...words, 'pt=33,10');
  expect(evaluated.points).toEqual([
    { at: 33, value: TIGHT },
    { at: 10, error: 'The input "pt" is 10, below the bins.' },
  ]);
  expect((await asked(name, ...words, 'pt=33,10')).status).toBe(1);
  const range = (await json(name, ...words, 'pt=15:119.5:4')).evaluated;
  expect(range.points.map(({ at }) => at)).toEqual([15, 15 + 104.5 / 3, 15 + 209 / 3, 119.5]);
  expect((await json('run_dependent', 'run=297051')).evaluated.value).toBe(RUN);
});

test('a range is drawn', async () => {
  const { out } = await asked('top_pt_reweighting', 'gen_top_pt=0:500', 'gen_antitop_pt=100', '--svg', '-');
  expect(out).toContain('<svg');
  expect(out).toContain('gen_antitop_pt = 100');
  const nothing = await asked('top_pt_reweighting', 'gen_top_pt=1', 'gen_antitop_pt=100', '--svg', '-');
  expect(nothing.err).toContain('no input is a range');
});

test('mistakes are told with what would be right', async () => {
  const error = async (...words: string[]) => (await asked(...words)).err;
  expect(await error('NUM_TightID')).toContain('Did you mean');
  const muon = 'NUM_TightID_DEN_TrackerMuons';
  expect(await error(muon, 'abseta=1')).toContain('also needs "pt", "scale_factors"');
  expect(await error(muon, 'absetta=1')).toContain('Did you mean abseta?');
  expect(await error(muon, '7')).toContain('Write abseta=1.5 pt=1.5 scale_factors=TEXT');
  expect(await error(muon, 'abseta=x', 'pt=30', 'scale_factors=stat')).toContain('"x" is not a number');
  expect(await error(muon, 'abseta=1,2', 'pt=30,40', 'scale_factors=stat')).toContain('Only one input');
  expect(await error(muon, 'abseta=1', 'pt=2:1', 'scale_factors=stat')).toContain('is not a range');
  expect(await error(muon, 'abseta=1', 'pt=30', 'scale_factors=sta')).toContain('no category');
  const root = join(import.meta.dirname, '../../../public/sample.root');
  expect((await run(reader, 'corrections', root)).err).toContain('is not JSON');
});
