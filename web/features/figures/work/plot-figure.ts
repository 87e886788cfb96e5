import type { PlotLook } from '../../../plot/look/look';
import type { AnyPlot } from '../../../plot/model';
import type { PlotWindow } from '../../../plot/ranges';
import { figureOf } from './figure';
import { figureSvg } from './forms/figure-svg';
import { namedStyle } from './presets';

/** Returns a plot as a figure in the style of its look. Throws ARGUMENT for a style that is not valid. */
export async function figureSvgOf(plot: AnyPlot, look: PlotLook, window: PlotWindow): Promise<string> {
  return figureSvg(await figureOf(plot, namedStyle(look.figure), { look, window }, {}));
}
