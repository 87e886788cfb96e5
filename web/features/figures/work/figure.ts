import { unsupported } from '../../../base/data-errors';
import type { Shape } from '../../../plot/drawing/drawing';
import { type AnyPlot, inLook } from '../../../plot/model';
import type { PlotQuery } from '../../../plot/query';
import { type FigureDrawing, type FigureView, figureDrawing } from './drawn/figure-drawing';
import { withPanelOf } from './drawn/figure-model';
import { FontSet } from './fonts/font-set';
import { typeset } from './fonts/typeset';
import { wholeStyle } from './presets';
import { type FigureRecord, recordOf } from './record';
import type { Style } from './style';

/** A figure, and the fonts of its texts. */
export interface Figure {
  drawing: FigureDrawing & { shapes: Shape[] };
  fonts: FontSet;
  record: FigureRecord;
}

/**
 * Draws a plot as a figure. Throws ARGUMENT for layers that do not go with the style, UNSUPPORTED for a plot that cannot be drawn
 * on its axes.
 */
export async function figureOf(
  plot: AnyPlot,
  given: Style,
  view: FigureView,
  query: PlotQuery,
): Promise<Figure> {
  const { palette } = view.look;
  const style = wholeStyle({ ...(palette !== 'own' && { palette }), ...withPanelOf(plot, given) });
  const drawing = figureDrawing(inLook(plot, view.look), style, view);
  if (drawing.why !== undefined) throw unsupported(drawing.why, 'Give the ends of the axes in the style.');
  const fonts = new FontSet(style.font.family === 'serif' ? 'Tinos' : 'Arimo');
  const shapes = await typeset(drawing, fonts);
  return { drawing: { ...drawing, shapes }, fonts, record: recordOf(query, given) };
}
