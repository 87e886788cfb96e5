import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { parseLayers } from '../../../plot/layers/layer-spec';
import type { PlotQuery } from '../../../plot/query';
import type { OwnPlot } from '../../../ui/plot/own-plot';
import type { ShownPlot } from '../../../ui/plot/shown-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { type Figure, figureOf } from '../work/figure';
import { namedStyle } from '../work/presets';
import type { Style } from '../work/style';

/** A figure, or the reason why there is none. */
export interface MadeFigure {
  figure?: Figure | undefined;
  error?: string | undefined;
}

/** Milliseconds without a change before a figure is drawn. */
const PAUSE = 120;

/** Returns the style of a text, or the reason why it is not one. */
export function styleOf(text: string): { style?: Style; error?: string } {
  try {
    return { style: namedStyle(text) };
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return { error: `${message} ${fix ?? ''}`.trim() };
  }
}

/** Draws the shown plot as a figure, again after each change. The last one stays while another is drawn. */
export function useFigure(store: ViewerStore, shown: ShownPlot | null, own: OwnPlot | undefined): MadeFigure {
  const made = useSignal<MadeFigure>({});
  const look = store.plot.look.value;
  const { model, window } = shown ?? {};
  useEffect(() => {
    if (model === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const { style, error } = styleOf(look.figure);
      try {
        if (style === undefined) throw new RangeError(error);
        const figure = await figureOf(model, style, { look, window }, queryOf(store, own));
        if (isCurrent) made.value = { figure };
      } catch (thrown) {
        const { message, fix } = toXylemError(thrown);
        if (isCurrent) made.value = { ...made.value, error: error ?? `${message} ${fix ?? ''}`.trim() };
      }
    }, PAUSE);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [model, look, String(window?.x), String(window?.y)]);
  return made.value;
}

/** Returns what the plot draws, for the record in the figure. */
function queryOf({ session, plot }: ViewerStore, own: OwnPlot | undefined): PlotQuery {
  const open = session.file.peek();
  const file = open?.source.kind === 'url' ? open.source.url : open?.info.name;
  const given = plot.layers.peek();
  const layers = given === '' ? [] : parseLayers(given);
  const { fit } = plot.look.peek();
  const steps = plot.steps.peek();
  return {
    ...{ file, tree: own?.filled?.tree, draw: own?.what },
    ...(own?.cut && { cut: own.cut }),
    ...((fit || steps) && { options: { ...(fit && { fit }), ...(steps && { steps }) } }),
    ...(layers.length > 0 && {
      layers: layers.map(({ src, tree, draw, item, cut }) => ({ file: src, tree, draw: draw ?? item, cut })),
    }),
  };
}
