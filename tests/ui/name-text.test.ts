import { describe, expect, it } from 'vitest';
import { cutOf, markedParts, memberOf, sharedLength } from '../../web/ui/widgets/name-text';

describe('a name in a narrow place', () => {
  it.each([
    ['MuonContainerF_p1.', 'MuonContainerF_p1.m_blk0', 'm_blk0'],
    ['MuonContainerF_p1.m_blk0', 'MuonContainerF_p1.m_blk0.m_eta', 'm_eta'],
    ['jets', 'jets.pt', 'pt'],
    ['jets', 'jets', 'jets'],
    ['jets.', 'jets.', 'jets.'],
    ['jet', 'jets.pt', 'jets.pt'],
    ['event', 'tracks', 'tracks'],
  ])('below %s, %s is %s', (holder, name, wanted) => {
    expect(name.slice(sharedLength(holder, name))).toBe(wanted);
  });

  it('of a path is its last member', () => {
    expect(memberOf('jets./jets.obj/jets.obj.pt')).toEqual({ member: 'pt', holder: 'jets./jets.obj' });
    expect(memberOf('dir/h1')).toEqual({ member: 'h1', holder: 'dir' });
    expect(memberOf('h1')).toEqual({ member: 'h1', holder: '' });
  });

  it('marks each word, once where they overlap', () => {
    expect(markedParts('Muon_pt_Muon', ['muon'])).toEqual([
      [0, 4],
      [8, 12],
    ]);
    expect(markedParts('Muon_pt', ['uon_', 'on_p', ''])).toEqual([[1, 6]]);
    expect(markedParts('Muon', ['jet'])).toEqual([]);
    expect(markedParts('İİ_pt', ['pt'])).toEqual([]);
  });
});

it.each([
  ['Electron_pt', 'n_pt'],
  ['Electron_eta', '_eta'],
  ['Muon_mass', 'mass'],
  ['Muon_pfRelIso04_all', 'so04_all'],
  ['HLT_Ele32_WPTight_Gsf_L1DoubleEG', 'L1DoubleEG'],
])('a name is cut before its end, by which it differs from its neighbours: %s', (name, end) => {
  expect(name.slice(cutOf(name))).toMatch(new RegExp(`${end}$`));
  // More than half of it can give way.
  expect(cutOf(name)).toBeGreaterThan(name.length / 2);
});

it('a short name is not cut, nor the part that the row above has', () => {
  expect(cutOf('nMuon')).toBe(5);
  expect(cutOf('jets.jets.obj.pt', 14)).toBe(16);
});
