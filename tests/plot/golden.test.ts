import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../cli/support';
import { withReader } from '../engine-reader';

// Twenty plots as the command line writes them. Someone looked at each file in golden/; look at those that change before
// you keep them with `npx vitest run tests/plot/golden.test.ts -u`.
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'xylem-golden-'));

const reader = withReader();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const EVENTS = ['draw', 'public/sample.root', 'Events'];
const stored = (file: string, path: string) => ['draw', `tests/fixtures/files/${file}.root`, path];

test.each([
  ['branch', ...EVENTS, 'Muon_pt'],
  ['logarithmic', ...EVENTS, 'MET_pt', '--log', '--hist', '40,0,200'],
  ['weighted', ...EVENTS, 'Dimuon_mass', 'MET_pt/20*(nMuon>1)', '--hist', '30,2,5'],
  ['errors-of-weights', ...stored('histograms', 'weighted')],
  ['map', ...EVENTS, 'Muon_eta:Muon_phi', '--hist', '16,-3.2,3.2,12,-2.4,2.4'],
  ['mean', ...EVENTS, 'MET_pt:PV_npvs', '--option', 'prof', '--hist', '20,0,60'],
  ['whole-numbers', ...EVENTS, 'nMuon'],
  ['nothing', ...EVENTS, 'MET_pt', 'nMuon>100', '--hist', '10,0,1'],
  ['one-value', ...EVENTS, 'run', '--entries', '0:1'],
  ['unequal-bins', ...stored('histograms', 'edges')],
  ['labels', ...stored('page/plots', 'h_labels')],
  ['fit', ...stored('page/plots', 'h_two_fits')],
  ['time', ...stored('page/plots', 'h_time')],
  ['not-a-number', ...stored('page/plots', 'h_nan')],
  ['range-of-the-axis', ...stored('page/plots', 'h_range')],
  ['uneven-map', ...stored('histograms', 'uneven')],
  ['profile', ...stored('histograms', 'profile')],
  ['errors', ...stored('graphs', 'asymmetric')],
  ['function', ...stored('page/plots', 'functions/crystalball')],
  ['stored-map', ...stored('histograms', 'plane')],
])('%s', async (name, verb, file, ...words) => {
  const svg = join(folder, `${name}.svg`);
  expect(await run(reader, verb, join(root, file), ...words, '--svg', svg)).toMatchObject({ status: 0 });
  await expect(readFileSync(svg, 'utf8')).toMatchFileSnapshot(`golden/${name}.svg`);
});
