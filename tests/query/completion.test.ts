import { describe, expect, test } from 'vitest';
import { branchesOfQuery } from '../../web/query/compile/branches-of-query';
import { complete } from '../../web/query/completion';
import { treeOf } from '../tree-info';

const tree = treeOf(['Muon_pt', 'Muon_eta', 'nMuon', 'jet', 'jet/pt', 'jet/mass', 'x.y[3]'], {
  twice: '2*Muon_pt + jet/pt',
  round: 'round + Muon_eta',
});

/** The names for the word before the bar. */
function names(marked: string): string[] {
  return complete(tree, marked.replace('|', ''), marked.indexOf('|')).found.map(({ name }) => name);
}

describe('completion', () => {
  test.each([
    ['Muon|', ['Muon_pt', 'Muon_eta', 'nMuon']],
    ['2*muon_p|', ['Muon_pt']],
    ['Muon_pt:nMu|', ['nMuon']],
    ['Muon_pt/nMu|', ['nMuon']],
    ['sqr|(2)', ['sqrt', 'TMath::Sqrt', 'TMath::Sqrt2']],
    ['TMath::Sqrt2|', []],
    ['twi|', ['twice']],
    ['Muon_pt|', []],
    ['x.|', ['x.y']],
    ['name=="Mu|', []],
    ['2 + |', []],
    ['1e|', []],
  ])('%s', (marked, want) => {
    expect(names(marked).slice(0, Math.max(1, want.length))).toEqual(want.slice(0, 3));
  });

  test('says where the word stands, and opens the bracket of a function', () => {
    const { from, to, found } = complete(tree, '2*cos+1', 5);
    expect([from, to, found[0]?.text]).toEqual([2, 5, 'cos(']);
  });
});

test('friends that a tree names are completed up to the dot before their branches', () => {
  const friend = (name: string, file: string) => ({ name, tree: 'extra', file });
  const withFriends = {
    ...tree,
    friends: [friend('fresh', 'a.root'), friend('fresh', 'b.root'), friend('ix', '')],
  };
  const found = (text: string) =>
    complete(withFriends, text, text.length).found.map(({ name, what }) => [name, what]);
  expect(found('2*fres')).toEqual([['fresh.', 'friend']]);
  expect(found('Muon_pt:ix')).toEqual([['ix.', 'friend']]);
  expect(found('ix.')).toEqual([]);
});

describe('the branches that a query names', () => {
  const paths = (expr: string, cut?: string): string[] =>
    branchesOfQuery(tree, expr, cut).map(({ path }) => path);

  test('are found in expressions, indices, arguments, cuts and aliases', () => {
    expect(paths('Muon_pt[nMuon]>>h(10,0,1)', 'sqrt(Muon_eta) > 2')).toEqual([
      'Muon_pt',
      'Muon_eta',
      'nMuon',
    ]);
    expect(paths('twice')).toEqual(['Muon_pt', 'jet/pt']);
    expect(paths('round')).toEqual(['Muon_eta']);
    expect(paths('@jet.size()')).toEqual(['jet/pt', 'jet/mass']);
    expect(paths('nothing:x.y')).toEqual(['x.y[3]']);
    expect(() => paths('2*(')).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  });
});
