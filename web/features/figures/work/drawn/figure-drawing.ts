import type { AxisStyle } from '../../../../plot/drawing/axes';
import type { Colour, Drawing, Ink, Shape } from '../../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../../plot/drawing/frame';
import { titleWidth } from '../../../../plot/drawing/latex';
import type { PlotLook } from '../../../../plot/look/look';
import type { AnyPlot, LogAxes, Range } from '../../../../plot/model';
import { type PlotDrawing, plotDrawing } from '../../../../plot/plot-drawing';
import type { PlotWindow } from '../../../../plot/ranges';
import type { WholeStyle } from '../presets';
import { type FigureModel, figureModel } from './figure-model';
import { labelBlocks, roomAbove } from './label';
import { type Block, legendBlock } from './legend';
import { pixelsPerPoint } from './look';

/** Millimetres in a point. */
const MM = 25.4 / 72;

/** A figure as shapes. Its size on paper is in mm; text is still TLatex. */
export interface FigureDrawing extends Drawing {
  paper: { width: number; height: number };
  frames: PlotFrame[];
  /** The names of the layers, in the order of the layers of a style. */
  layers: string[];
  /** Reason why nothing is drawn. */
  why?: string | undefined;
}

/** How a plot is shown, besides its style: its look, and the part that was zoomed. */
export interface FigureView {
  look: PlotLook;
  window?: PlotWindow | undefined;
}

/** Draws a plot in a style. Throws ARGUMENT for layers that do not go with it. */
export function figureDrawing(plot: AnyPlot, given: WholeStyle, view: FigureView): FigureDrawing {
  const isMap = plot.kind === 'map';
  const style = isMap ? labelAbove(given) : given;
  const unit = pixelsPerPoint(style);
  const size = { width: (style.width / MM) * unit, height: (style.height / MM) * unit };
  const made = figureModel(plot, style);
  const log = logOf(made.model, style, view.look.log);
  const axes: AxisStyle = {
    ...{ title: style.font.titles * unit, width: style.frame * unit, grid: style.grid },
    ...{ tick: style.ticks.length * unit, inward: style.ticks.inward, four: style.ticks.sides === 'four' },
    minor: style.ticks.minor,
  };
  const window = windowOf(style, view);
  const free = style.x?.range !== undefined;
  const { notes } = view.look;
  const title = style.title ?? '';
  const heading = title === '' ? 0 : 1.5 * axes.title;
  const above = roomAbove(style);
  // A smaller line stands at the right edge.
  const edge = style.label.place === 'above' && style.label.extra ? 0.5 * axes.title : 0;
  const laid = (window: PlotWindow, top: number): PlotDrawing =>
    plotDrawing(
      made.model,
      size,
      { log, axes, notes, palette: style.palette, window, free },
      { left: 4, right: size.width - edge, top: 8 + heading + top, bottom: size.height - 4 },
    );
  // The power of ten above y stands in the line of the label.
  const hasFactor = (drawing: PlotDrawing) => drawing.frames.some(({ y }) => y.ticks.factor !== undefined);
  const rough = laid(window, above);
  const top = hasFactor(rough) ? Math.max(0, above - 14) : above;
  const first = hasFactor(rough) ? laid(window, top) : rough;
  const decorated = decorate(first, made, style, axes);
  const range =
    !isMap && window.y === undefined ? roomyRange(first, made, decorated.blocks, style, log) : undefined;
  const drawing = range ? laid({ ...window, y: range }, top) : first;
  const { shapes } = range ? decorate(drawing, made, style, axes) : decorated;
  const left = drawing.frames[0]?.box.left ?? 0;
  const headline: Shape[] =
    heading === 0
      ? []
      : [
          {
            kind: 'text',
            x: left,
            y: 4 + axes.title,
            text: title,
            size: axes.title,
            bold: true,
            latex: true,
          },
        ];
  const inks = inksOf(style);
  return {
    ...{ ...size, frames: drawing.frames, layers: made.layers, why: drawing.why },
    title: plot.title,
    paper: { width: style.width, height: style.height },
    shapes: [...drawing.shapes, ...headline, ...shapes].map((shape) => coloured(shape, inks)),
  };
}

/** Over the colours of a map nothing can be read. */
function labelAbove(style: WholeStyle): WholeStyle {
  return { ...style, label: { ...style.label, place: 'above' } };
}

function logOf(model: AnyPlot, { x, y, z }: WholeStyle, log: LogAxes): LogAxes {
  return { x: x?.log ?? log.x, y: (model.kind === 'map' ? z?.log : y.log) ?? log.y };
}

function windowOf({ x, y }: WholeStyle, { window }: FigureView): PlotWindow {
  const range = (given: readonly [number, number] | undefined, seen: Range | undefined): Range | undefined =>
    given ? [...given] : seen;
  return { x: range(x?.range, window?.x), y: range(y.range, window?.y) };
}

/** Draws label and legend on a drawn plot. */
function decorate(
  drawing: PlotDrawing,
  made: FigureModel,
  style: WholeStyle,
  axes: AxisStyle,
): { shapes: Shape[]; blocks: Block[] } {
  const [frame] = drawing.frames;
  if (frame === undefined || drawing.why !== undefined) return { shapes: [], blocks: [] };
  const { box } = frame;
  const margin = Math.max(
    (axes.inward ? axes.tick : 0) + 4,
    0.035 * Math.min(box.right - box.left, box.bottom - box.top),
  );
  const { factor = '' } = frame.y.ticks;
  const wide = 1.1 * titleWidth(factor) * 12;
  // The factor ends at the axis, or begins at the edge if there is no room.
  const shift = factor === '' ? 0 : Math.max(8, wide > box.left ? wide + 8 - box.left : 0);
  const label = labelBlocks(style, box, margin, shift);
  const inside = label.inside;
  const below = (left: number, right: number) =>
    inside && left < inside.box.right + 6 && right > inside.box.left ? inside.box.bottom : box.top;
  const legend = legendBlock(made.entries, box, style, margin, below);
  const blocks = [...(inside ? [inside] : []), ...(legend ? [legend] : [])];
  return { shapes: [...label.above, ...blocks.flatMap(({ shapes }) => shapes)], blocks };
}

/** Distance between contents and what stands above them, in pixels. */
const CLEAR = 6;

/** Returns the range of y in which nothing covers contents; undefined if the present one is such. */
function roomyRange(
  drawing: PlotDrawing,
  { bins, model }: FigureModel,
  blocks: readonly Block[],
  { y, legend }: WholeStyle,
  log: LogAxes,
): Range | undefined {
  const [frame] = drawing.frames;
  if (frame === undefined || drawing.why !== undefined) return undefined;
  const { box } = frame;
  const [low, high] = frame.y.spec.range;
  const isLog = log.y && low > 0;
  const place = (value: number) => (isLog ? Math.log(value / low) : value - low);
  const value = (place: number) => (isLog ? low * Math.exp(place) : low + place);
  if (y.room !== undefined) return [low, value(place(high) * y.room)];
  const tall = box.bottom - box.top;
  let top = place(high);
  for (const block of blocks) {
    if (legend.place.startsWith('bottom') && block.box.bottom > box.bottom - tall / 4) continue;
    const content = highestIn(block, frame, bins, model);
    const share = (box.bottom - block.box.bottom - CLEAR) / tall;
    if (content > low && share > 0.15) top = Math.max(top, place(content) / share);
  }
  return top > place(high) ? [low, value(top)] : undefined;
}

/** The largest content below or above a block. */
function highestIn(
  { box: { left, right } }: Block,
  { x }: PlotFrame,
  bins: FigureModel['bins'],
  model: AnyPlot,
): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const { edges, values } of bins)
    values.forEach((content, bin) => {
      const [from, to] = [x.toPixel(edges[bin] ?? 0), x.toPixel(edges[bin + 1] ?? 0)];
      if (to > left && from < right && Number.isFinite(content)) most = Math.max(most, content);
    });
  const series =
    model.kind === 'graph'
      ? [model, ...(model.overlays ?? [])]
      : model.kind === 'bins'
        ? (model.points ?? [])
        : [];
  for (const one of series)
    one.x.forEach((place, i) => {
      const content = (one.y[i] ?? Number.NaN) + (one.errors?.up[i] || 0);
      const at = x.toPixel(place);
      if (at > left - 4 && at < right + 4 && Number.isFinite(content)) most = Math.max(most, content);
    });
  return most;
}

/** Colours on paper: text and lines are black, lines of layers have the colours of the style. */
function inksOf({ colours }: WholeStyle): Partial<Record<Ink, Colour>> {
  const lines = [1, 2, 3, 4, 5, 6].map((i) => [`line${i}`, colours[(i - 1) % colours.length]]);
  return {
    ink: '#000000',
    faint: '#000000',
    grid: '#d8dcd8',
    paper: '#ffffff',
    ...Object.fromEntries(lines),
  };
}

function coloured(shape: Shape, inks: Partial<Record<Ink, Colour>>): Shape {
  const own = <C extends Colour | undefined>(colour: C): C =>
    ((colour && inks[colour as Ink]) || colour) as C;
  if (shape.kind === 'clip') return { ...shape, shapes: shape.shapes.map((one) => coloured(one, inks)) };
  if (shape.kind === 'path')
    return {
      ...shape,
      ...(shape.stroke && { stroke: own(shape.stroke) }),
      ...(shape.fill && { fill: own(shape.fill) }),
    };
  return shape.kind === 'text'
    ? { ...shape, fill: own(shape.fill ?? 'ink') }
    : { ...shape, fill: own(shape.fill) };
}
