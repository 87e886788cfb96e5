import type { Box } from './drawing/axes';
import type { Drawing, Shape } from './drawing/drawing';
import { frameShapes, type PlotFrame } from './drawing/frame';
import { readableLatex } from './drawing/latex';
import type { AnyPlot } from './model';
import { clipped, type PanelOptions, panelsOf } from './panels';

/** A drawn plot, and the places of its panels: the plot, and the ratio below it. */
export interface PlotDrawing extends Drawing {
  frames: PlotFrame[];
  /** Reason why nothing is drawn. It is shown instead. */
  why?: string | undefined;
}

/** Returns the area for a plot without a title in a picture of this size. */
export function plotRoom({ width, height }: { width: number; height: number }): Box {
  return { left: 6, right: width, top: 10, bottom: height - 4 };
}

const isGrid = (shape: Shape): boolean => shape.kind === 'path' && shape.stroke === 'grid';

/** Returns a plot as shapes: frame, axes, contents and overlays. `area` is its room within the picture. */
export function plotDrawing(
  model: AnyPlot,
  { width, height }: { width: number; height: number },
  options: PanelOptions,
  area = plotRoom({ width, height }),
): PlotDrawing {
  const panels = panelsOf(model, area, options);
  const shapes = panels.flatMap(({ frame, layers, beside }): Shape[] => {
    const axes = frameShapes(frame);
    const contents = clipped(
      frame,
      layers.flatMap((layer) => layer.shapes(frame)),
    );
    if (!options.axes) return [...axes, contents, ...beside];
    // Ticks inside the frame are over the contents.
    return [...axes.filter(isGrid), contents, ...axes.filter((shape) => !isGrid(shape)), ...beside];
  });
  const frames = panels.map(({ frame }) => frame);
  return { width, height, title: readableLatex(model.title), shapes, frames, why: panels[0]?.why };
}
