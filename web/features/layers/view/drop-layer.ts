import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { KeyInfo } from '../../../api/api';
import { formatLayers, type LayerSpec } from '../../../plot/layers/layer-spec';
import { ROW_TYPE } from '../../../ui/contents/rows';
import type { NodeId } from '../../../ui/state/contents-model';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { layerOf } from './draw-over';

/** Adds a layer when a row of the contents is dropped on the panel that holds `within`. */
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
      const layer = layerOf(store, (event.dataTransfer?.getData(ROW_TYPE) ?? '') as NodeId, shownKey(store));
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

function shownKey({ selection }: ViewerStore): KeyInfo | undefined {
  const chosen = selection.chosen.peek();
  return chosen === null || chosen.kind === 'file' ? undefined : chosen.key;
}
