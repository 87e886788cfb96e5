import { expect, it } from 'vitest';
import { besideWay } from '../../../web/features/walls/view/side-by-side';
import { parseWallParams } from '../../../web/features/walls/view/wall-params';
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

it('shows branches of a tree side by side in a wall', async () => {
  const { store, tree } = await opened();
  const paths = store.contents.trees.value.get(tree);
  const names = paths?.state === 'ready' ? paths.tree.branches.map(({ path }) => path) : [];
  for (const branch of [0, 1]) markRow(store, branchNode(tree, branch));
  besideWay(store, markedItems(store))?.();
  expect(store.selection.view.value).toBe('wall');
  expect(parseWallParams(store.selection.viewParams.value).items).toBe(`${names[0]} ${names[1]}`);
  expect(store.selection.marked.value).toEqual([]);
  store.dispose();
});

it('shows stored objects side by side, and no branch with one', async () => {
  const { store, tree, stored } = await opened();
  const [one = -1, other = -1] = stored;
  const keys = store.session.file.value?.keyTree.keys ?? [];
  for (const key of [one, other]) markRow(store, keyNode(key));
  besideWay(store, markedItems(store))?.();
  expect(parseWallParams(store.selection.viewParams.value).items).toBe(
    [keys[one]?.path, keys[other]?.path].join('\n'),
  );

  markRow(store, keyNode(one));
  markRow(store, branchNode(tree, 1));
  expect(markedItems(store)).toHaveLength(2);
  expect(besideWay(store, markedItems(store))).toBeUndefined();
  store.dispose();
});
