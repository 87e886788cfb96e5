import { isTree } from '../../model/keys';
import type { ViewerStore } from '../state/viewer-state';

/**
 * Maximum bytes of the records of trees that are read only to show their entries and sizes: over the network, and for
 * a local file.
 */
const MAX_SENT = 512 * 1024;
const MAX_LOCAL = 32 * 1024 * 1024;

/** Reads small trees that have not been read yet, to show their entries and sizes. */
export function readSmallTrees({ session, contents }: Pick<ViewerStore, 'session' | 'contents'>): void {
  const open = session.file.peek();
  if (open === null) return;
  const { keys, superseded } = open.keyTree;
  const unread = keys.flatMap((key, i) =>
    isTree(key) && !superseded[i] && !contents.trees.peek().has(i) ? [{ i, bytes: key.storedBytes }] : [],
  );
  let left = open.source.kind === 'url' ? MAX_SENT : MAX_LOCAL;
  for (const { i, bytes } of unread.sort((a, b) => a.bytes - b.bytes)) {
    left -= bytes;
    // The row of the tree shows a failure.
    if (left >= 0) contents.readTree(i).catch(() => undefined);
  }
}
