import { expect, test, vi } from 'vitest';
import { createWriter } from '../../web/library/writer';
import { markRow } from '../../web/ui/contents/marked';
import { branchNode } from '../../web/ui/state/contents-model';
import { createViewerStore } from '../../web/ui/state/store';
import { createMockReader } from '../mock-reader';

// The lists of a build without features.
vi.mock('../../web/features/page', () => ({}));
vi.mock('../../web/features/reader', () => ({}));

test('without features nothing offers to save ROOT files or to mark plots', async () => {
  const reader = createMockReader({ branches: 10 });
  const never = () => Promise.reject(new Error('there is nothing to write'));
  const writer = createWriter(reader, never, never);
  const store = createViewerStore(Object.assign(reader, { writer }));
  await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' }, { tree: 'Events' });
  const tree = store.session.file.value?.keyTree.keys.findIndex(({ name }) => name === 'Events') ?? -1;
  store.selection.select(branchNode(tree, 0));
  markRow(store, branchNode(tree, 1));
  expect(store.selection.marked.value).toEqual([]);
  expect(store.writer).toBeUndefined();
  store.dispose();
});
