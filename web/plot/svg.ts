import type { Histogram } from '../api/api';
import { drawingSvg } from './drawing/drawing';
import { modelOfHistogram } from './histogram';
import type { PlotLook } from './look/look';
import { type AnyPlot, inLook, type LogAxes } from './model';
import type { PlotDrawing } from './plot-drawing';
import type { PlotWindow } from './ranges';
import { titledDrawing } from './titled-drawing';

export interface SvgOptions extends Partial<Omit<PlotLook, 'log'>> {
  /** Size of the picture in CSS pixels. Default 720 by 480. */
  width?: number;
  height?: number;
  /** Logarithmic axes; of a map, `y` is the scale of colours. */
  log?: Partial<LogAxes>;
  /** The visible part, if the plot was zoomed. */
  window?: PlotWindow | undefined;
  /** Replaces the title of the model. */
  title?: string;
  xTitle?: string;
  yTitle?: string;
  /** Whether statistics are shown beside the plot. Default: true. */
  stats?: boolean;
}

/**
 * A plot as a self-contained SVG document: title, axes with labels, content, error bars, stored
 * functions, statistics beside it. Pure text, no DOM; all text is escaped.
 */
export function plotSvg(plot: Histogram | AnyPlot, options: SvgOptions = {}): string {
  return drawingSvg(plotPicture(plot, options));
}

/** Returns the same as shapes. */
export function plotPicture(plot: Histogram | AnyPlot, options: SvgOptions = {}): PlotDrawing {
  const made = plot.kind === 'histogram' ? modelOfHistogram(plot) : plot;
  const { title = made.title, xTitle = made.xTitle, yTitle = made.yTitle } = options;
  const model = inLook({ ...made, title, xTitle, yTitle }, options);
  const tall = model.kind !== 'map' && model.below !== undefined;
  const size = { width: options.width ?? 720, height: options.height ?? (tall ? 600 : 480) };
  const log: LogAxes = { x: options.log?.x ?? false, y: options.log?.y ?? false };
  return titledDrawing(model, size, { ...options, log, stats: options.stats ?? true });
}
