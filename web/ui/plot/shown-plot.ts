import { useEffect } from 'preact/hooks';
import type { Histogram } from '../../api/api';
import type { AnyPlot } from '../../plot/model';
import type { PlotWindow } from '../../plot/ranges';
import type { ViewerStore } from '../state/viewer-state';

/** The plot as it is shown, for saving it. */
export interface ShownPlot {
  /** Its origin: a result of drawing, or a stored object. */
  of: object;
  /** Undefined for a drawing by JSROOT, which has a picture instead. */
  model: AnyPlot | undefined;
  svg?: string | undefined;
  /** The visible part, if it is zoomed. */
  window?: PlotWindow | undefined;
  /** The histograms of its layers, if it has several and all have bins. */
  layers?: readonly Histogram[] | undefined;
}

/**
 * Registers in the store which plot is shown. Returns a function that removes it, unless another one is shown by then: the
 * next view may be there before the last one is removed.
 */
export function showPlot({ plot: { shown } }: ViewerStore, own: ShownPlot): () => void {
  shown.value = own;
  return () => {
    if (shown.peek() === own) shown.value = null;
  };
}

/** Registers in the store which plot is shown, until the component is removed; undefined if there is none yet. */
export function useShownPlot(
  store: ViewerStore,
  of: object,
  model: AnyPlot | undefined,
  window?: PlotWindow | undefined,
  layers?: readonly Histogram[] | undefined,
): void {
  useEffect(() => {
    if (model !== undefined) return showPlot(store, { of, model, window, layers });
    store.plot.shown.value = null;
    return undefined;
  }, [store, of, model, String(window?.x), String(window?.y)]);
}
