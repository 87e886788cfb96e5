import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TreeInfo } from '../../web/api/api';
import { complete } from '../../web/query/completion';
import { examplesOf } from '../../web/query/examples';
import { contentRows, filterTerms, titleThatMatches } from '../../web/ui/contents/rows';
import { matching } from '../../web/ui/palette';
import { buildKeyTree } from '../../web/ui/state/contents-model';
import { SAMPLE, sampleTree } from '../cli/sample';
import { bufferSpec } from '../engine/fixtures';
import { withReader } from '../engine-reader';
import { treeOf } from '../tree-info';

const reader = withReader();

/** The rows of the sample that a filter leaves. */
async function rowsFor(filter: string) {
  const { info, keys } = await sampleTree(reader);
  const state = { state: 'ready' as const, tree: info };
  const rows = contentRows({
    keyTree: buildKeyTree(keys),
    trees: new Map([[keys.findIndex(({ path }) => path === 'Events'), state]]),
    ...{ expanded: new Set<string>(), folded: new Set<string>(), filter },
  });
  return rows.map((row) => [
    row.kind === 'branch' ? row.branch.name : row.kind === 'key' ? row.key.name : row.kind,
    titleThatMatches(row, filterTerms(filter)),
  ]);
}

test('the filter finds words and units in titles, and says that it did', async () => {
  const title = 'invariant mass of the two leading muons (GeV)';
  expect(await rowsFor('leading gev')).toEqual([
    ['Events', undefined],
    ['Dimuon_mass', title],
  ]);
  // A word may be in the name, and another in the title.
  expect(await rowsFor('dimuon_m invariant')).toContainEqual(['Dimuon_mass', title]);
  expect(await rowsFor('dimuon_m')).toContainEqual(['Dimuon_mass', undefined]);
  expect(await rowsFor('upsilon region')).toContainEqual(['upsilon', 'Upsilon region']);
  // A list of leaves is not a title for people, and patterns are for names.
  expect(await rowsFor('[nMuon]/F')).toEqual([]);
  expect(await rowsFor('*leading*')).toEqual([]);
});

test('Find has hits in titles after those in names', async () => {
  const { info } = await sampleTree(reader);
  const commands = info.branches.map(({ path, documentation }) => ({
    ...{ id: path, label: path, kind: '', title: documentation, isPath: true, run() {} },
  }));
  const found = (text: string) => matching(commands, undefined, text).map(({ label }) => label);
  expect(found('invariant mass')).toEqual(['Dimuon_mass']);
  expect(found('muon')).toContain('Dimuon_mass');
  expect(found('leading gev')).toEqual(['Dimuon_mass']);
});

test('completion finds a branch by its documentation, and shows it', async () => {
  const { info } = await sampleTree(reader);
  const found = complete(info, 'invari', 6).found;
  expect(found.map(({ name, about }) => [name, about])).toEqual([
    ['Dimuon_mass', 'invariant mass of the two leading muons (GeV)'],
  ]);
});

test('examples are drawings of branches that the tree has', async () => {
  const { info } = await sampleTree(reader);
  const examples = examplesOf(info);
  expect(examples.map(({ expr, cut }) => [expr, cut])).toEqual([
    ['Dimuon_mass', ''],
    ['Muon_pt', 'Length$(Muon_pt)>1'],
    ['Muon_eta:Muon_pt', ''],
  ]);
  const file = await reader.open(bufferSpec('sample.root', readFileSync(SAMPLE)));
  for (const { expr, cut } of examples) {
    const drawn = await reader.draw(file.id, { tree: 'Events', expr, cut });
    expect(drawn).toMatchObject({ kind: 'histogram' });
    expect(drawn.kind === 'histogram' && drawn.fills).toBeGreaterThan(1000);
  }
});

test.each([
  ['nothing', treeOf([]), []],
  ['one number', treeOf(['x']), ['x']],
  ['two numbers', treeOf(['x', 'y']), ['x', 'y:x']],
  ['numbers within others', treeOf(['jet', 'jet/pt', 'jet/mass']), ['pt', 'mass:pt']],
] as const)('a tree of %s has as many examples as it can', (_, tree: TreeInfo, expected) => {
  expect(examplesOf(tree).map(({ expr }) => expr)).toEqual(expected);
});
