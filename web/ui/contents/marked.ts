import { batch } from '@preact/signals';
import type { BranchInfo, KeyInfo } from '../../api/api';
import { formatLayers, type LayerSpec } from '../../plot/layers/layer-spec';
import { formatWallParams, parseWallParams } from '../../features/walls/view/wall-params';
import { isWallKey } from '../../features/walls/work/items';
import { isTree } from '../../model/keys';
import { FILE_NODE, keyNode, type NodeId, parseNode } from '../state/contents-model';
import { keyPath, type ViewerStore } from '../state/viewer-state';

/** A row of the contents: a key, or a branch of one. */
interface Marked {
  id: NodeId;
  keyIndex: number;
  key: KeyInfo;
  branch?: BranchInfo | undefined;
}

function itemOf({ session, contents }: ViewerStore, id: NodeId): Marked | undefined {
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

/** Whether a row is a plot: a branch of numbers or texts, or a stored object that is drawn. */
function isMarkable(store: ViewerStore, id: NodeId): boolean {
  const item = itemOf(store, id);
  if (item === undefined) return false;
  const { key, branch } = item;
  return branch ? branch.kind === 'number' || branch.kind === 'string' : isWallKey(key);
}

/** Returns the layer of a row, over a plot of the key `own`: a branch, or a stored object. */
export function layerOf(store: ViewerStore, id: NodeId, own: KeyInfo | undefined): LayerSpec | undefined {
  const item = itemOf(store, id);
  if (item === undefined) return undefined;
  const { key, branch } = item;
  if (branch) return { draw: branch.path, ...(key !== own && { tree: key.path }) };
  return isTree(key) || key.kind === 'directory' ? undefined : { item: key.path };
}

/** Returns the ways in which the marked rows can be shown together; undefined for impossible ones. */
export function togetherWays(store: ViewerStore): {
  over: (() => void) | undefined;
  beside: (() => void) | undefined;
} {
  const items = store.selection.marked.value.flatMap((id) => itemOf(store, id) ?? []);
  return { over: overWay(store, items), beside: besideWay(store, items) };
}

/** Draws the others as layers over the first. */
function overWay(store: ViewerStore, [first, ...rest]: readonly Marked[]): (() => void) | undefined {
  if (first === undefined || rest.length === 0) return undefined;
  return () =>
    batch(() => {
      store.selection.select(first.id);
      store.plot.layers.value = formatLayers(rest.flatMap(({ id }) => layerOf(store, id, first.key) ?? []));
    });
}

/** Shows a wall of the branches of one tree, or of stored objects. */
function besideWay(store: ViewerStore, items: readonly Marked[]): (() => void) | undefined {
  const [first] = items;
  if (first === undefined || items.length < 2) return undefined;
  // One step of the browser's history.
  const show = (node: NodeId, words: string) => () =>
    batch(() => {
      store.selection.select(node);
      store.selection.setView('wall', formatWallParams({ ...parseWallParams(''), items: words }));
    });
  const branches = items.flatMap(({ branch, keyIndex }) =>
    branch && keyIndex === first.keyIndex ? [branch.path] : [],
  );
  if (branches.length === items.length) return show(keyNode(first.keyIndex), branches.join(' '));
  if (items.some(({ branch }) => branch)) return undefined;
  const { keyTree } = store.session.file.peek() ?? {};
  return show(FILE_NODE, items.map(({ key, keyIndex }) => keyPath(key, keyTree, keyIndex)).join('\n'));
}
