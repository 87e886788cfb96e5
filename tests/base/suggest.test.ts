import { expect, test } from 'vitest';
import { didYouMean, notFound, similar } from '../../web/base/suggest';

test('names that contain the text come before those that are nearest, and those with the same beginning', () => {
  const there = ['Muon', 'Muon/Muon_pt', 'Muon/Muon_phi', 'dir/Events', 'Jet_pt'];
  expect(similar('muon_p', there)).toEqual(['Muon/Muon_pt', 'Muon/Muon_phi']);
  expect(similar('Jte_pt', there)).toEqual(['Jet_pt']);
  expect(similar('Muonium_candidates', there)).toEqual(['Muon', 'Muon/Muon_pt', 'Muon/Muon_phi']);
  expect(similar('qqq', there)).toEqual([]);
});

test('the question names each of them, or is not asked', () => {
  expect(didYouMean(['a', 'b'])).toBe('Did you mean "a" or "b"?');
  expect(didYouMean(['--range'], '')).toBe('Did you mean --range?');
  expect(didYouMean([])).toBeUndefined();
  expect(notFound('key', 'qqq', ['a', 'b']).fix).toBe('Did you mean "a" or "b"?');
});
