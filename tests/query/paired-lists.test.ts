import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BranchInfo, TreeInfo } from '../../web/api/api';
import { pairedListsNote } from '../../web/query/compile/paired-lists';
import { run } from '../cli/support';
import { withReader } from '../engine-reader';

const reader = withReader();
const sample = join(import.meta.dirname, '../../public/sample.root');

test.each([
  ['Jet_pt', 'Muon_pt>20', 'Jet_pt and Muon_pt may be lists of different lengths (Jet_* and nMuon)'],
  ['Jet_pt:Muon_eta', '', 'Muon_eta and Jet_pt'],
  ['Jet_pt*2', 'MET_pt>20 && abs(Muon_eta)<1', 'Jet_pt and Muon_eta'],
])('%s with %s has a hint', async (expr, cut, text) => {
  const said = await run(reader, 'draw', sample, 'Events', expr, ...(cut ? [cut] : []));
  expect(said.err).toContain(`note: ${text}`);
  expect(said.err).toContain('paired by index');
  const { out } = await run(reader, 'draw', sample, 'Events', expr, ...(cut ? [cut] : []), '--json');
  expect(JSON.parse(out).notes).toEqual([expect.stringContaining(text)]);
});

test.each([
  ['Jet_pt', 'Jet_pt>30'],
  ['Muon_pt', 'abs(Muon_eta)<1'],
  ['Jet_pt', 'nMuon==2'],
  ['Jet_pt', 'Muon_pt[0]>20'],
  ['Jet_pt', 'Sum$(Muon_pt>20)>0'],
  ['Jet_pt', 'Length$(Muon_pt)==2'],
  ['MET_pt', 'Muon_pt>20'],
  ['nMuon', ''],
])('%s with %s has none', async (expr, cut) => {
  const said = await run(reader, 'draw', sample, 'Events', expr, ...(cut ? [cut] : []));
  expect(said.status).toBe(0);
  expect(said.err).not.toContain('note:');
});

const branch = (index: number, name: string, more: Partial<BranchInfo>): BranchInfo => ({
  ...{ index, parent: -1, depth: 0, path: name, name, title: '', typeName: 'float', kind: 'number' },
  ...{ entries: 1, baskets: 1, totalBytes: 1, storedBytes: 1, ...more },
});

test('lengths are told by names where titles are documentation, and by collections', () => {
  const tree: TreeInfo = {
    ...{ path: 't', name: 't', title: '', kind: 'TTree', className: 'TTree', entries: 1 },
    ...{ totalBytes: 1, storedBytes: 1 },
    branches: [
      branch(0, 'nMuon', { typeName: 'uint32_t' }),
      branch(1, 'nFatJet', { typeName: 'uint32_t' }),
      branch(2, 'Muon_pfIso_all', { typeName: 'float[]', title: 'isolation' }),
      branch(3, 'FatJet_pt', { typeName: 'float[]', title: 'pt' }),
      branch(4, 'tracks', { kind: 'group', typeName: 'vector<Track>' }),
      branch(5, 'px', { parent: 4, depth: 1, path: 'tracks/px', typeName: 'float[]' }),
      branch(6, 'own', { typeName: 'vector<float>' }),
      branch(7, 'pt_jet', { typeName: 'vector<float>' }),
      branch(8, 'eta_jet', { typeName: 'vector<float>' }),
    ],
  };
  const note = (...texts: string[]) =>
    pairedListsNote(
      tree,
      texts.map((text) => ({ text })),
    );
  expect(note('FatJet_pt', 'Muon_pfIso_all<0.1')).toContain('(nFatJet and nMuon)');
  expect(note('px', 'FatJet_pt>1')).toContain('(tracks and nFatJet)');
  // How long a vector of its own is, is not known before it is read.
  expect(note('own', 'FatJet_pt>1')).toBeUndefined();
  expect(note('FatJet_pt >', 'px')).toBeUndefined();
  expect(note('pt_jet', 'eta_jet>1')).toBeUndefined();
  expect(note('pt_jet', 'FatJet_pt')).toContain('may be lists');
  expect(note('FatJet_pt', 'Muon_pfIso_all')).toContain('are lists');
});
