import { describe, expect, it } from 'vitest';
import type { KeyInfo, TreeInfo } from '../../web/api/api';
import { contentRows, holdersOf, parentRow } from '../../web/ui/contents/rows';
import { buildKeyTree, parseNode, type TreeState } from '../../web/ui/state/contents-model';
import { createMockReader } from '../mock-reader';

const reader = createMockReader({ branches: 200 });

async function input(filter = '', expanded: string[] = [], folded: string[] = []) {
  const keyTree = buildKeyTree(await reader.keys(1));
  const trees = new Map<number, TreeState>([[0, { state: 'ready', tree: await reader.tree(1, 'Events') }]]);
  return { keyTree, trees, expanded: new Set(expanded), folded: new Set(folded), filter };
}

const ids = (rows: { id: string }[]) => rows.map((row) => row.id);

function key(path: string, kind: KeyInfo['kind'], cycle = 1): KeyInfo {
  const name = path.split('/').pop() ?? '';
  return { path, name, title: '', className: 'X', cycle, kind, storedBytes: 1, objectBytes: 1, offset: 1 };
}

describe('contentRows', () => {
  it('shows only the top level when nothing is expanded', async () => {
    const rows = contentRows(await input());
    expect(ids(rows)).toEqual(['k0', 'k2', 'k8', 'k11', 'c-1']);
    expect(rows.map((row) => [row.posInSet, row.setSize])).toEqual([1, 2, 3, 4, 5].map((i) => [i, 5]));
  });

  it('folds older cycles into one row, which a link to one of them opens', async () => {
    const folded = contentRows(await input());
    expect(folded.at(-1)).toMatchObject({ kind: 'cycles', count: 1, expandable: true, expanded: false });
    const opened = contentRows(await input('', ['c-1']));
    expect(ids(opened)).toEqual(['k0', 'k2', 'k8', 'k11', 'c-1', 'k1']);
    expect(opened.at(-1)).toMatchObject({ kind: 'key', superseded: true, depth: 2, posInSet: 1, setSize: 1 });
    expect(holdersOf(await input(), 'k1')).toEqual(['c-1']);
    expect(holdersOf(await input(), 'k4')).toEqual(['k2', 'k3']);
    // A filter looks for what is there now.
    expect(ids(contentRows(await input('Events', ['c-1'])))).not.toContain('k1');
  });

  it('groups many branches by their collections, in the order of their first ones', () => {
    const names = ['run', 'nMuon', 'nJet', ...['pt', 'eta', 'phi'].map((name) => `Muon_${name}`), 'MET_pt'];
    const all = [...names, ...Array.from({ length: 50 }, (_, i) => `${i < 25 ? 'Jet' : 'Tau'}_${i}`)];
    const branches = all.map((name, index) => ({
      ...{ index, name, path: name, parent: -1, depth: 0, kind: 'number', storedBytes: 10 },
    }));
    const tree = { path: 't', name: 't', entries: 7, branches } as unknown as TreeInfo;
    const given = (filter: string, ...expanded: string[]) => ({
      keyTree: buildKeyTree([key('t', 'tree')]),
      trees: new Map<number, TreeState>([[0, { state: 'ready', tree }]]),
      ...{ expanded: new Set(['k0', ...expanded]), folded: new Set<string>(), filter },
    });
    const rows = contentRows(given(''));
    expect(ids(rows)).toEqual(['k0', 'k0b0', 'k0gMuon', 'k0gJet', 'k0b6', 'k0gTau']);
    expect(rows[2]).toMatchObject({
      kind: 'group',
      branches: 4,
      entries: 7,
      storedBytes: 40,
      posInSet: 2,
      setSize: 5,
    });
    expect(parseNode('k0gMuon')).toBeUndefined();
    const opened = contentRows(given('', 'k0gMuon'));
    expect(ids(opened).slice(2, 7)).toEqual(['k0gMuon', 'k0b1', 'k0b3', 'k0b4', 'k0b5']);
    expect(opened[4]).toMatchObject({ depth: 3, posInSet: 2, setSize: 4 });
    expect(parentRow(opened, 4)).toBe(2);
    expect(ids(contentRows(given('eta')))).toEqual(['k0', 'k0gMuon', 'k0b4']);
    expect(holdersOf(given(''), 'k0b4')).toEqual(['k0', 'k0gMuon']);
    expect(holdersOf(given(''), 'k0b0')).toEqual(['k0']);
    expect(holdersOf({ ...given(''), trees: new Map() }, 'k0b0')).toBeUndefined();
    // A name that nearly all have tells nothing apart.
    const alike = {
      ...tree,
      branches: branches.map((one, i) => ({ ...one, name: `Jet_${i}` })),
    } as unknown as TreeInfo;
    const wide = { ...given(''), trees: new Map<number, TreeState>([[0, { state: 'ready', tree: alike }]]) };
    expect(contentRows(wide)).toHaveLength(1 + branches.length);
    // Few branches are seen at once without it.
    const few = { ...tree, branches: tree.branches.slice(0, 20) };
    const flat = { ...given(''), trees: new Map<number, TreeState>([[0, { state: 'ready', tree: few }]]) };
    expect(contentRows(flat)).toHaveLength(21);
  });

  it('expands directories and trees, and only the requested ones', async () => {
    const rows = contentRows(await input('', ['k0', 'k0b4', 'k2']));
    expect(ids(rows).slice(0, 8)).toEqual(['k0', 'k0b0', 'k0b1', 'k0b2', 'k0b3', 'k0b4', 'k0b5', 'k0b6']);
    expect(ids(rows)).not.toContain('k0b15');
    expect(rows.find((row) => row.id === 'k0b5')).toMatchObject({ depth: 3, posInSet: 1, setSize: 9 });
    expect(ids(rows)).toContain('k3');
    expect(ids(rows)).not.toContain('k4');
  });

  it('shows a line under a tree that is being read or failed', async () => {
    const reading = await input('', ['k11']);
    expect(contentRows(reading).at(-2)).toMatchObject({ kind: 'note', failed: false });
    reading.trees.set(11, { state: 'failed', message: 'no such basket' });
    expect(contentRows(reading).at(-2)).toMatchObject({ kind: 'note', failed: true, text: 'no such basket' });
  });

  it('keeps what matches all terms of a filter, and what holds it', async () => {
    const rows = contentRows(await input('ELECTRON1 pt'));
    expect(rows.map((row) => (row.kind === 'branch' ? row.branch.path : row.id))).toEqual([
      'k0',
      'Electron1',
      'Electron1/Electron1_pt',
    ]);
    expect(ids(contentRows(await input('muons')))).toEqual(['k2', 'k3', 'k4', 'k5']);
    expect(contentRows(await input('nowhere'))).toEqual([]);
  });

  it('folds by hand while a filter is set', async () => {
    expect(ids(contentRows(await input('muons', [], ['k3'])))).toEqual(['k2', 'k3']);
  });
});

describe('buildKeyTree', () => {
  it('finds the directory of a key whose name contains a slash', () => {
    const odd = { ...key('dir/a/b', 'object'), name: 'a/b' };
    const tree = buildKeyTree([key('dir', 'directory'), odd, key('x/y', 'object')]);
    expect(tree.children.get(0)).toEqual([1]);
    expect(tree.children.get(-1)).toEqual([0, 2]);
  });

  it('marks all but the newest cycle', () => {
    const tree = buildKeyTree([key('h', 'histogram', 3), key('h', 'histogram', 12), key('g', 'graph')]);
    expect(tree.superseded).toEqual([true, false, false]);
  });
});

it('parentRow finds the row that holds another', async () => {
  const rows = contentRows(await input('', ['k0', 'k0b4']));
  const at = (id: string) => rows.findIndex((row) => row.id === id);
  expect(parentRow(rows, at('k0b5'))).toBe(at('k0b4'));
  expect(parentRow(rows, at('k0b4'))).toBe(at('k0'));
  expect(parentRow(rows, at('k0'))).toBe(-1);
});

it('parseNode accepts keys and branches only', () => {
  expect(parseNode('k3')).toEqual({ key: 3 });
  expect(parseNode('k3b14')).toEqual({ key: 3, branch: 14 });
  for (const id of ['file', 'k', 'k3n', 'b3', '']) expect(parseNode(id)).toBeUndefined();
});
