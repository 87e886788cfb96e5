import { expect, test } from 'vitest';
import { documentationOf, unitAtEnd } from '../../web/model/documentation';

/** Titles as ROOT, NanoAOD and other files have them: name, title, and the documentation in it. */
const titles: [name: string, title: string, documentation?: string, unit?: string][] = [
  ['x', ''],
  ['x', 'x'],
  ['x', 'x/F'],
  ['Muon_pt', 'Muon_pt[nMuon]/F'],
  ['vec', 'x/D:y/D:n/I'],
  ['vec', 'x:y:z'],
  ['Particle', 'pt[6]/D :pt_res[6]/D :eta[6]/D :id[6]/I'],
  ['D16', 'D16/f[0,0,16]'],
  ['double32_32', 'double32_32/d[-2.71,10,32]'],
  ['SliD16', 'SliD16[N][2][3][4]/f[0,0,16]'],
  ['VldCharge', 'hasVldCharge/O)'],
  ['a b', 'a b/F'],
  ['tracks', 'tracks_'],
  ['tracks.px', 'px[tracks_]'],
  ['Collection_Twr.', 'Collection_Twr.edm::EDCollection<Tower>.obj_'],
  // A word may be the name of a leaf.
  ['Muon_eta', 'eta'],
  [
    'HTXS_Higgs_pt',
    'pt of the Higgs boson as identified in HTXS',
    'pt of the Higgs boson as identified in HTXS',
  ],
  ['cat', 'HTXS stage-1.1 category(jet pt>25 GeV)', 'HTXS stage-1.1 category(jet pt>25 GeV)'],
  ['mass', 'invariant mass (GeV)', 'invariant mass (GeV)', 'GeV'],
  ['frac', 'ratio a/b', 'ratio a/b'],
  ['id', 'ID: bits 1: loose 2: tight', 'ID: bits 1: loose 2: tight'],
  ['p', '横动量', '横动量'],
  ['t', '  time since the trigger [ns]\n', 'time since the trigger [ns]', 'ns'],
];

test.each(titles)('the branch %j with the title %j', (name, title, documentation, unit) => {
  expect(documentationOf(name, title, 'TTree')).toEqual({
    ...(documentation !== undefined && { documentation }),
    ...(unit !== undefined && { unit }),
  });
});

test('every description of a field is documentation, but its name', () => {
  expect(documentationOf('Muon_eta', 'eta', 'RNTuple')).toEqual({ documentation: 'eta' });
  expect(documentationOf('eta', 'eta', 'RNTuple')).toEqual({});
  expect(documentationOf('eta', '', 'RNTuple')).toEqual({});
});

test.each([
  'GeV',
  'MeV/c',
  'GeV/c^2',
  'GeV/c^{2}',
  'GeV^2',
  '1/GeV',
  'cm',
  'μm',
  'µm',
  'ns',
  'm/s',
  'cm-2',
  'pb^-1',
  'fb-1',
  'mrad',
  'kV',
  '°',
  '%',
  'ADC',
  'kg m^2',
])('%s is a unit', (unit) => {
  expect(unitAtEnd(`a value (${unit})`)).toBe(unit);
  expect(unitAtEnd(`a value [${unit}].`)).toBe(unit);
});

test.each([
  'optional',
  'jet pt>25 GeV',
  '1 = loose',
  'T',
  'K',
  'see the note',
  'pt',
  '',
  'GeV or MeV',
  '0',
  'bits',
])('(%s) is not a unit', (text) => expect(unitAtEnd(`a value (${text})`)).toBeUndefined());

test('a letter in square brackets is a unit, and a plural is not', () => {
  expect(unitAtEnd('field [T]')).toBe('T');
  expect(unitAtEnd('number of jet(s)')).toBeUndefined();
  expect(unitAtEnd('momentum in GeV')).toBeUndefined();
});

test('long titles take no time', () => {
  const start = performance.now();
  for (const part of ['a', ' ', '/', '[', '(', 'x ', '[n]', ':', '/F:', '( '])
    documentationOf('x', part.repeat(200_000), 'TTree');
  expect(performance.now() - start).toBeLessThan(2000);
});
