import type { BranchInfo, KeyInfo } from '../../api/api';
import { isPlotKey } from '../../plot/stored/classes';
import { type NodeId, parseNode } from '../state/contents-model';
import type { ViewerStore } from '../state/viewer-state';
import { slot } from '../widgets/slot';

/** Buttons for showing the marked plots together. */
export const MarkedButtons = slot('marked');

/** A row of the contents: a key, or a branch of one. */
export interface Marked {
  id: NodeId;
  keyIndex: number;
  key: KeyInfo;
  branch?: BranchInfo | undefined;
}

/** Returns the row of a node; undefined if it is not known, for example while its tree is read. */
export function itemOf({ session, contents }: ViewerStore, id: NodeId): Marked | undefined {
  const place = parseNode(id);
  const key = place && session.file.value?.keyTree.keys[place.key];
  if (place === undefined || key === undefined) return undefined;
  const item = { id, keyIndex: place.key, key };
  if (place.branch === undefined) return item;
  const tree = contents.trees.value.get(place.key);
  const branch = tree?.state === 'ready' ? tree.tree.branches[place.branch] : undefined;
  return branch && { ...item, branch };
}

/** Marks a row, or removes its mark. The first mark also marks the shown item, if both are plots. */
export function markRow(store: ViewerStore, id: NodeId): void {
  const { marked, node, mark } = store.selection;
  if (!isMarkable(store, id)) return;
  const shown = node.peek();
  if (marked.peek().length === 0 && shown !== id && isMarkable(store, shown)) mark(shown);
  mark(id);
}

/** Whether a row is a plot, a branch of numbers or texts or a stored object that is drawn, and plots can be shown together. */
function isMarkable(store: ViewerStore, id: NodeId): boolean {
  const item = itemOf(store, id);
  if (item === undefined || MarkedButtons.isEmpty) return false;
  const { key, branch } = item;
  return branch ? branch.kind === 'number' || branch.kind === 'string' : isPlotKey(key);
}

/** Returns the marked rows, in the order in which they were marked. */
export function markedItems(store: ViewerStore): Marked[] {
  return store.selection.marked.value.flatMap((id) => itemOf(store, id) ?? []);
}
