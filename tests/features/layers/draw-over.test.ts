import { expect, it } from 'vitest';
import { overWay } from '../../../web/features/layers/view/draw-over';
import { parseLayers } from '../../../web/plot/layers/layer-spec';
import { markedItems, markRow } from '../../../web/ui/contents/marked';
import { branchNode, keyNode } from '../../../web/ui/state/contents-model';
import { createViewerStore } from '../../../web/ui/state/store';
import type { ViewerStore } from '../../../web/ui/state/viewer-state';
import { createMockReader } from '../../mock-reader';

async function opened(): Promise<{ store: ViewerStore; tree: number; stored: number[] }> {
  const store = createViewerStore(createMockReader({ branches: 10 }));
  await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' }, { tree: 'Events' });
  const keys = store.session.file.value?.keyTree.keys ?? [];
  const stored = keys.flatMap(({ kind }, i) => (kind === 'histogram' ? [i] : []));
  return { store, tree: keys.findIndex(({ name }) => name === 'Events'), stored };
}

it('draws branches of a tree over each other', async () => {
  const { store, tree } = await opened();
  const paths = store.contents.trees.value.get(tree);
  const names = paths?.state === 'ready' ? paths.tree.branches.map(({ path }) => path) : [];
  markRow(store, branchNode(tree, 0));
  expect(overWay(store, markedItems(store)), 'one alone').toBeUndefined();
  markRow(store, branchNode(tree, 1));
  overWay(store, markedItems(store))?.();
  expect(store.selection.node.value).toBe(branchNode(tree, 0));
  expect(parseLayers(store.plot.layers.value)).toEqual([{ draw: names[1] }]);
  store.dispose();
});

it('draws a branch over a stored object', async () => {
  const { store, tree, stored } = await opened();
  const [one = -1] = stored;
  markRow(store, keyNode(one));
  markRow(store, branchNode(tree, 1));
  overWay(store, markedItems(store))?.();
  expect(store.selection.node.value).toBe(keyNode(one));
  expect(parseLayers(store.plot.layers.value)).toMatchObject([{ tree: 'Events' }]);
  store.dispose();
});
