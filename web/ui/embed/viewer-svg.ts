import { XylemError } from '../../base/errors';
import { plotSvg } from '../../plot/drawing/svg';
import { modelOfHistogram } from '../../plot/histogram';
import { type AnyPlot, withCountErrors } from '../../plot/model';
import type { ViewerStore } from '../state/viewer-state';

/** The plot that a viewer shows, as SVG. Throws NOT_FOUND when it shows none. */
export function viewerSvg(store: ViewerStore): string {
  const look = store.look.peek();
  const model = shownModel(store);
  if (model === undefined) {
    throw new XylemError({
      code: 'NOT_FOUND',
      message: 'No plot is shown.',
      fix: 'Choose a branch of numbers, or a stored histogram or graph, and wait until it is drawn. Drawings of JSROOT are saved by their buttons.',
    });
  }
  const { range, yRange } = store.settings.peek();
  const stored = store.content.peek().kind === 'object';
  return plotSvg(model.kind === 'bins' && look.errors ? withCountErrors(model) : model, {
    log: look.log,
    // A filled histogram has its range in its bins.
    ...(stored && { window: { x: range, y: yRange } }),
  });
}

function shownModel(store: ViewerStore): AnyPlot | undefined {
  const content = store.content.peek();
  if (content.kind === 'object') return store.shownPlot.peek() ?? undefined;
  if (content.kind !== 'draw' && content.kind !== 'query') return undefined;
  return content.result.kind === 'histogram' ? modelOfHistogram(content.result) : undefined;
}
