// Needs features: layers.
import { expect, it } from 'vitest';
import { markedItems, markRow } from '../../web/ui/contents/marked';
import { branchNode, keyNode } from '../../web/ui/state/contents-model';
import { createViewerStore } from '../../web/ui/state/store';
import type { ViewerStore } from '../../web/ui/state/viewer-state';
import { createMockReader } from '../mock-reader';

async function opened(): Promise<{ store: ViewerStore; tree: number }> {
  const store = createViewerStore(createMockReader({ branches: 10 }));
  await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' }, { tree: 'Events' });
  const keys = store.session.file.value?.keyTree.keys ?? [];
  return { store, tree: keys.findIndex(({ name }) => name === 'Events') };
}

it('marks rows that are plots, with the one that is shown, until another one is selected', async () => {
  const { store, tree } = await opened();
  const { marked } = store.selection;
  markRow(store, keyNode(tree));
  expect(marked.value, 'a tree').toEqual([]);
  store.selection.select(branchNode(tree, 0));
  markRow(store, branchNode(tree, 1));
  expect(marked.value).toEqual([branchNode(tree, 0), branchNode(tree, 1)]);
  expect(markedItems(store).map(({ branch }) => branch?.index)).toEqual([0, 1]);
  markRow(store, branchNode(tree, 0));
  expect(marked.value).toEqual([branchNode(tree, 1)]);
  store.selection.select(branchNode(tree, 0));
  expect(marked.value).toEqual([]);
  store.dispose();
});
