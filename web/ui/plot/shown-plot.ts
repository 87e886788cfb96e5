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

/** Registers in the store which plot is shown, until the component is removed; undefined if there is none yet. */
export function useShownPlot(
  store: ViewerStore,
  of: object,
  model: AnyPlot | undefined,
  window?: PlotWindow | undefined,
  layers?: readonly Histogram[] | undefined,
): void {
  useEffect(() => {
    store.plot.shown.value = model === undefined ? null : { of, model, window, layers };
    return () => {
      store.plot.shown.value = null;
    };
  }, [store, of, model, String(window?.x), String(window?.y)]);
}
