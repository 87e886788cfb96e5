import { XylemError } from '../../base/errors';
import { modelOfHistogram } from '../../plot/histogram';
import { filledWindow } from '../../plot/ranges';
import { plotSvg } from '../../plot/svg';
import type { ShownPlot } from '../plot/shown-plot';
import type { ViewerStore } from '../state/viewer-state';

/** Returns the shown plot as SVG. Throws NOT_FOUND if there is none. */
export function viewerSvg(store: ViewerStore): string {
  const { model, window, svg } = shownPlot(store) ?? {};
  if (svg !== undefined) return svg;
  if (model === undefined) {
    throw new XylemError({
      code: 'NOT_FOUND',
      message: 'No plot is shown.',
      fix: 'Choose a branch of numbers, an expression or a stored object that can be drawn, and wait for the event xylem-plot.',
    });
  }
  return plotSvg(model, { ...store.plot.look.peek(), window });
}

/** Returns the plot on the page; for a result that arrived but is not drawn yet, its own plot. */
function shownPlot(store: ViewerStore): Omit<ShownPlot, 'of'> | undefined {
  const content = store.selection.content.peek();
  const shown = store.plot.shown.peek();
  if (content.kind === 'object') return shown ?? undefined;
  if ((content.kind !== 'draw' && content.kind !== 'query') || content.mistake !== undefined)
    return undefined;
  if (content.result.kind !== 'histogram') return undefined;
  if (shown?.of === content.result) return shown;
  const model = modelOfHistogram(content.result);
  const { range, yRange } = store.plot.settings.peek();
  const isChosen = content.kind === 'draw' || range !== undefined || yRange !== undefined;
  return { model, window: isChosen || content.query.expr.includes('>>') ? undefined : filledWindow(model) };
}
