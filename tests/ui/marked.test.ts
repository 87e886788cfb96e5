import { expect, it } from 'vitest';
import { parseLayers } from '../../web/plot/layers/layer-spec';
import { parseWallParams } from '../../web/features/walls/view/wall-params';
import { markRow, togetherWays } from '../../web/ui/contents/marked';
import { branchNode, keyNode } from '../../web/ui/state/contents-model';
import { createViewerStore } from '../../web/ui/state/store';
import type { ViewerStore } from '../../web/ui/state/viewer-state';
import { createMockReader } from '../mock-reader';

async function opened(): Promise<{ store: ViewerStore; tree: number; stored: number[] }> {
  const store = createViewerStore(createMockReader({ branches: 10 }));
  await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' }, { tree: 'Events' });
  const keys = store.session.file.value?.keyTree.keys ?? [];
  const stored = keys.flatMap(({ kind }, i) => (kind === 'histogram' ? [i] : []));
  return { store, tree: keys.findIndex(({ name }) => name === 'Events'), stored };
}

it('marks rows that are plots, with the one that is shown, until another one is selected', async () => {
  const { store, tree } = await opened();
  const { marked } = store.selection;
  markRow(store, keyNode(tree));
  expect(marked.value, 'a tree').toEqual([]);
  store.selection.select(branchNode(tree, 0));
  markRow(store, branchNode(tree, 1));
  expect(marked.value).toEqual([branchNode(tree, 0), branchNode(tree, 1)]);
  markRow(store, branchNode(tree, 0));
  expect(marked.value).toEqual([branchNode(tree, 1)]);
  store.selection.select(branchNode(tree, 0));
  expect(marked.value).toEqual([]);
  store.dispose();
});

it('shows branches of a tree side by side in a wall, or over each other', async () => {
  const { store, tree } = await opened();
  const paths = store.contents.trees.value.get(tree);
  const names = paths?.state === 'ready' ? paths.tree.branches.map(({ path }) => path) : [];
  const mark = () => {
    for (const branch of [0, 1]) markRow(store, branchNode(tree, branch));
  };
  mark();
  togetherWays(store).beside?.();
  expect(store.selection.view.value).toBe('wall');
  expect(parseWallParams(store.selection.viewParams.value).items).toBe(`${names[0]} ${names[1]}`);
  expect(store.selection.marked.value).toEqual([]);

  mark();
  togetherWays(store).over?.();
  expect(store.selection.node.value).toBe(branchNode(tree, 0));
  expect(parseLayers(store.plot.layers.value)).toEqual([{ draw: names[1] }]);
  store.dispose();
});

it('shows stored objects together, and a branch with one only over each other', async () => {
  const { store, tree, stored } = await opened();
  const [one = -1, other = -1] = stored;
  const keys = store.session.file.value?.keyTree.keys ?? [];
  for (const key of [one, other]) markRow(store, keyNode(key));
  togetherWays(store).beside?.();
  expect(parseWallParams(store.selection.viewParams.value).items).toBe(
    [keys[one]?.path, keys[other]?.path].join('\n'),
  );

  markRow(store, keyNode(one));
  markRow(store, branchNode(tree, 1));
  const { over, beside } = togetherWays(store);
  expect(beside).toBeUndefined();
  over?.();
  expect(store.selection.node.value).toBe(keyNode(one));
  expect(parseLayers(store.plot.layers.value)).toMatchObject([{ tree: 'Events' }]);
  store.dispose();
});
