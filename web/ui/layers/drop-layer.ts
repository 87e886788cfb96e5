import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { isTree } from '../../model/key-kind';
import { formatLayers, type LayerSpec } from '../../plot/layers/layer-spec';
import { ROW_TYPE } from '../contents/rows';
import { type NodeId, parseNode } from '../state/contents-model';
import type { ViewerStore } from '../state/viewer-state';

/** Adds a layer where a row of the contents is dropped on the panel that holds `within`. */
export function useLayerDrop(
  within: RefObject<HTMLElement | null>,
  store: ViewerStore,
  list: readonly LayerSpec[],
): void {
  useEffect(() => {
    const panel = within.current?.closest<HTMLElement>('.panel');
    if (!panel) return;
    const controller = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
      panel.addEventListener(type, handle, { signal: controller.signal });
    const show = (over: boolean) => panel.classList.toggle('takes-layer', over);
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes(ROW_TYPE)) return;
      event.preventDefault();
      show(true);
    });
    listen('dragleave', (event) => {
      if (!panel.contains(event.relatedTarget as Node | null)) show(false);
    });
    listen('drop', (event) => {
      show(false);
      const layer = layerOfRow(store, event.dataTransfer?.getData(ROW_TYPE) ?? '');
      if (layer === undefined) return;
      event.preventDefault();
      store.plot.layers.value = formatLayers([...list, layer]);
    });
    return () => {
      show(false);
      controller.abort();
    };
  }, [store, list]);
}

/** The layer that a row of the contents stands for: a branch, or a stored object. */
function layerOfRow({ session, contents, selection }: ViewerStore, row: string): LayerSpec | undefined {
  const place = parseNode(row as NodeId);
  const key = place && session.file.peek()?.keyTree.keys[place.key];
  if (place === undefined || key === undefined) return undefined;
  if (place.branch === undefined)
    return isTree(key) || key.kind === 'directory' ? undefined : { item: key.path };
  const tree = contents.trees.peek().get(place.key);
  const branch = tree?.state === 'ready' ? tree.tree.branches[place.branch] : undefined;
  const chosen = selection.chosen.peek();
  const isOwn = chosen !== null && chosen.kind !== 'file' && chosen.key === key;
  return branch && { draw: branch.path, ...(!isOwn && { tree: key.path }) };
}
