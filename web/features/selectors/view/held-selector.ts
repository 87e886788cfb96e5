import { argumentError } from '../../../base/errors';
import { keyPath, type OpenFile, type ViewerStore } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { textsOf } from '../work/branches';
import { loadParts } from './load-parts';
import { openBox } from './open-box';
import { LIMIT_S, selectorRun } from './selector-run';

/**
 * Returns the branches and the cut of the selector in the Selector tab of a tree. Its text is loaded where it always
 * runs, in the frame without an origin; neither `begin` nor `process` is called with entries. Throws ARGUMENT if
 * there is no text, and the errors of its code.
 */
export async function heldSelector(
  store: ViewerStore,
  open: OpenFile,
  tree: NonNullable<ViewProps['tree']>,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ branches: Record<string, string>; where: string | undefined }> {
  const text = selectorRun(store, open, keyPath(tree.key, open.keyTree, tree.keyIndex)).text.peek();
  const place = store.selectors;
  if (text === undefined || place === undefined) {
    throw argumentError('The tab Selector holds no selector of this tree.', 'Write or open one there first.');
  }
  const { boxScript } = await loadParts(place);
  const box = await openBox(place, { text, script: boxScript, limitMs: 1000 * LIMIT_S, signal });
  box.end();
  return { branches: textsOf(box.branches), where: box.where };
}
