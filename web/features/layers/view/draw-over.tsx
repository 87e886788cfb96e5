import { batch } from '@preact/signals';
import type { KeyInfo } from '../../../api/api';
import { isTree } from '../../../model/keys';
import { formatLayers, type LayerSpec } from '../../../plot/layers/layer-spec';
import { itemOf, type Marked } from '../../../ui/contents/marked';
import type { Places } from '../../../ui/part';
import type { NodeId } from '../../../ui/state/contents-model';
import type { ViewerStore } from '../../../ui/state/viewer-state';

/** Returns the layer of a row, over a plot of the key `own`: a branch, or a stored object. */
export function layerOf(store: ViewerStore, id: NodeId, own: KeyInfo | undefined): LayerSpec | undefined {
  const item = itemOf(store, id);
  if (item === undefined) return undefined;
  const { key, branch } = item;
  if (branch) return { draw: branch.path, ...(key !== own && { tree: key.path }) };
  return isTree(key) || key.kind === 'directory' ? undefined : { item: key.path };
}

/** Draws the others as layers over the first; undefined if there are no others. */
export function overWay(store: ViewerStore, [first, ...rest]: readonly Marked[]): (() => void) | undefined {
  if (first === undefined || rest.length === 0) return undefined;
  return () =>
    batch(() => {
      store.selection.select(first.id);
      store.plot.layers.value = formatLayers(rest.flatMap(({ id }) => layerOf(store, id, first.key) ?? []));
    });
}

/** A button that draws the marked plots over each other. */
export function DrawOver({ store, items }: Places['marked']): JSX.Element {
  const over = overWay(store, items);
  return (
    <button type="button" disabled={!over} onClick={over}>
      Over each other
    </button>
  );
}
