import { XylemError } from '../base/errors';
import { binShapes } from './draw-bins';
import { curveShapes, seriesShapes } from './draw-graph';
import { mapColours, mapParts, mapScale, mapShapes } from './draw-map';
import { type AxisStyle, type Box, titleRoom } from './drawing/axes';
import { type Colour, isSound, type LineInk, lineInk, type Shape } from './drawing/drawing';
import { type AxisSpec, layFrame, type PlacedAxis, type PlotFrame } from './drawing/frame';
import { readableLatex } from './drawing/latex';
import { noteShapes } from './drawing/notes';
import { reasonShapes } from './drawing/reason';
import type { Ticks } from './drawing/ticks';
import type { TimeAxis } from './drawing/time-axis';
import type { PlotLook } from './look/look';
import {
  type AnyPlot,
  type GraphModel,
  type LogAxes,
  middleOf,
  type PlotModel,
  type Range,
  type Series,
  uniformEdges,
} from './model';
import { type PlotRanges, type PlotWindow, shownRanges } from './ranges';
import { statBoxes } from './stat-box';

/** One layer of a panel: contents of bins, points, a function, or the cells of a map. */
export interface Layer {
  /** Empty for a layer that cannot be hidden. */
  title: string;
  ink: Colour;
  dash?: string | undefined;
  /** Whether others are compared with it. */
  isReference?: boolean | undefined;
  /** x of the items that can be pointed at: bin centres, or points; empty for the cells of a map. */
  x: Float64Array;
  y: Float64Array;
  /**
   * Whether it is a line, which can be pointed at from any height. Points have their own height, and bars extend to
   * their ends.
   */
  isLine?: boolean | undefined;
  ends?: Float64Array | undefined;
  /** The edges of its bins, if they differ from the edges of the plot. */
  edges?: Float64Array | undefined;
  shapes(frame: PlotFrame): Shape[];
  /** Finds the item below the pointer, if it is not the nearest point. */
  near?(frame: PlotFrame, at: { x: number; y: number }): { index: number; distance: number } | undefined;
}

/** Lays out the panel of a graph with an axis or a colour scale on the right. */
export type RightPanel = (
  model: GraphModel,
  area: Box,
  axes: Axes,
  options: Pick<PanelOptions, 'log' | 'dark' | 'palette'> & { x: Range },
) => Panel;

/** A pair of axes, and the layers that are drawn in it. */
export interface Panel {
  frame: PlotFrame;
  layers: Layer[];
  /** Shapes at the edge of the frame and beside it. */
  beside: Shape[];
  /** Reason why the plot is not drawn. It is shown instead. */
  why?: string | undefined;
}

export interface PanelOptions extends Partial<PlotLook> {
  log: LogAxes;
  window?: PlotWindow | undefined;
  /** Whether the window may extend beyond the contents. */
  free?: boolean | undefined;
  /** Whether maps use colours for a dark background. */
  dark?: boolean | undefined;
  /** How axes are drawn in a figure for print. */
  axes?: AxisStyle | undefined;
}

export const NOWHERE = new Float64Array();

/**
 * Returns the panels of a plot: one, and possibly one below with ratios or differences. A plot whose values cannot be
 * shown on axes gives one panel with the reason.
 */
export function panelsOf(model: AnyPlot, area: Box, options: PanelOptions): Panel[] {
  try {
    return layPanels(model, area, options).map((panel) => ({
      ...panel,
      layers: panel.layers.map((layer) => ({ ...layer, shapes: (frame) => soundShapes(layer, frame) })),
    }));
  } catch (thrown) {
    if (!(thrown instanceof XylemError)) throw thrown;
    return [refusedPanel(model, area, options, thrown.message)];
  }
}

/** Returns the shapes of a layer; if they have invalid coordinates, a message instead. */
function soundShapes(layer: Layer, frame: PlotFrame): Shape[] {
  const shapes = layer.shapes(frame);
  if (shapes.every(isSound)) return shapes;
  const name = readableLatex(layer.title);
  return reasonIn(frame, `${name === '' ? 'A part' : name} is not drawn: its places are not numbers.`);
}

function reasonIn({ box }: PlotFrame, why: string): Shape[] {
  return reasonShapes(why, { left: box.left + 12, top: box.top + 20, width: box.right - box.left - 24 });
}

/** A panel without axes. */
function refusedPanel(model: AnyPlot, area: Box, { log }: PanelOptions, why: string): Panel {
  const axis = (isLog: boolean): AxisSpec => ({
    ...{ range: [1, 10], title: '' },
    log: isLog && model.kind !== 'map',
  });
  const laid = layFrame(area, axis(log.x), axis(log.y));
  const ticks: Ticks = { values: [], labels: [] };
  const frame: PlotFrame = { ...laid, x: { ...laid.x, ticks }, y: { ...laid.y, ticks } };
  const layer: Layer = {
    ...{ title: '', ink: 'faint', x: NOWHERE, y: NOWHERE },
    shapes: (placed) => reasonIn(placed, why),
  };
  return { frame, layers: [layer], beside: [], why };
}

function layPanels(model: AnyPlot, area: Box, options: PanelOptions): Panel[] {
  const [first, ...others] = panelsIn(model, area, options);
  if (first === undefined) return [];
  const { statbox = false, notes = [] } = options;
  if (!statbox && notes.length === 0) return [first, ...others];
  const inks = first.layers.map(({ ink }) => ink);
  const boxes = statbox ? statBoxes(model, first.frame, inks) : [];
  const over = [...boxes, ...noteShapes(notes, first.frame)];
  return [{ ...first, beside: [...first.beside, ...over] }, ...others];
}

function panelsIn(model: AnyPlot, area: Box, options: PanelOptions): Panel[] {
  const { log } = options;
  const ranges = shownRanges(model, log, options.window, options.free);
  const axes = axesOf(model, ranges, options);
  if (model.kind === 'map') {
    const tall = area.bottom - area.top;
    const pixels = Math.ceil(Math.max(area.right, area.bottom) * 0.8);
    const parts = mapParts(model, ranges, pixels, tall - 40, log.y);
    const frame = layFrame(area, axes.x, axes.y, {
      ...{
        right: parts.room + titleRoom(options.axes) - titleRoom(),
        factor: parts.ticks.factor !== undefined,
      },
    });
    const colour = mapColours({ ...options, log: log.y }, parts.range);
    const cells = (placed: PlotFrame) => mapShapes(parts, placed, log.y, colour);
    const more = model.overlays ?? [];
    const layers = [{ title: '', ink: lineInk(0), shapes: cells }, ...more].map((one) => ({
      ...{ ...one, x: NOWHERE, y: NOWHERE },
    }));
    const beside = [...(options.axes ? [] : [border(frame)]), ...mapScale(parts, frame, log.y, colour)];
    return [{ frame, layers, beside }];
  }
  if (model.kind === 'graph' && model.right)
    return [model.right.panel(model, area, axes, { ...options, x: ranges.x })];
  const layers = layersOf(model, log.y);
  if (model.below) return model.below.panels(area, axes, ranges, layers);
  return [{ frame: layFrame(area, axes.x, axes.y), layers, beside: [] }];
}

/** Returns all layers of a plot, the lowest first. */
export function layersOf(
  model: PlotModel | GraphModel,
  log: boolean,
  beside?: { frame: PlotFrame; right: PlacedAxis },
): Layer[] {
  const { curves = [] } = model;
  const name = model.label ?? model.title;
  const isBins = model.kind === 'bins';
  const own = isBins
    ? binLayers(model, name, log)
    : seriesLayers([{ ...model, title: name, stats: undefined }, ...(model.overlays ?? [])], beside);
  const inks = curveInks(model);
  const functions = curves.map((curve, i): Layer => {
    const ink = inks[i] ?? 'ink';
    return { ...curve, ink, isLine: true, shapes: (frame) => curveShapes(curve, ink, frame) };
  });
  return [...own, ...functions, ...(isBins ? seriesLayers(model.points ?? []) : [])];
}

/** Returns the colours of the functions over a plot: line colours not used otherwise, as far as there are any. */
export function curveInks(model: AnyPlot): LineInk[] {
  const { curves = [], overlays = [] } = model;
  const own = model.kind === 'map' ? undefined : model.ink;
  const points = (model.kind === 'bins' && model.points) || [];
  const used = new Set<Colour>([own ?? lineInk(0)]);
  // Those without a name belong to others, whose colour they have.
  const isNamed = ({ title }: { title: string }) => title !== '';
  for (const [i, { ink }] of [...overlays.filter(isNamed), ...points.filter(isNamed)].entries())
    used.add(ink ?? lineInk(i + 1));
  let next = 1 + overlays.filter(isNamed).length;
  return curves.map(() => {
    for (let tries = 0; tries < 6 && used.has(lineInk(next)); tries++) next++;
    const ink = lineInk(next++);
    used.add(ink);
    return ink;
  });
}

function binLayers(model: PlotModel, name: string, log: boolean): Layer[] {
  return [model, ...(model.overlays ?? [])].map((one, i): Layer => {
    const { ink = lineInk(i), edges = model.edges } = one;
    const x = one.values.map((_, bin) => middleOf(edges, bin));
    const { paint } = one;
    const shapes = (frame: PlotFrame) =>
      paint ? paint(model, frame, log) : binShapes(model, one, ink, frame, log);
    return {
      title: i === 0 ? name : one.title,
      isReference: i === 0 && model.isReference,
      ink,
      dash: one.dash,
      x,
      y: one.values,
      edges: one.edges,
      shapes,
    };
  });
}

function seriesLayers(series: readonly Series[], beside?: { frame: PlotFrame; right: PlacedAxis }): Layer[] {
  return series.map((one, i): Layer => {
    const ink = one.ink ?? lineInk(i);
    const right = one.onRight ? beside?.right : undefined;
    const { title, dash, x, errors } = one;
    return {
      ...{ title, ink, dash },
      x,
      // Where it would lie along the axis at the left.
      y: right ? one.y.map((value) => beside?.frame.y.toValue(right.toPixel(value)) ?? value) : one.y,
      isLine: one.dots === false,
      ends: one.shapes && one.dots !== false ? x.map((from, k) => from + (errors?.right[k] ?? 0)) : undefined,
      shapes: (frame) => (one.shapes ?? seriesShapes)(one, ink, right ? { ...frame, y: right } : frame),
    };
  });
}

export interface Axes {
  x: AxisSpec;
  y: AxisSpec;
}

function axesOf(model: AnyPlot, { x, y }: PlotRanges, { log, axes: style }: PanelOptions): Axes {
  const map = model.kind === 'map';
  const edges = model.kind === 'bins' ? model.edges : map ? model.xEdges : undefined;
  const xLabels = model.kind === 'graph' ? undefined : model.xLabels;
  const rows = model.kind === 'graph' ? model.rows : undefined;
  const rowNames = rows && { edges: uniformEdges(rows.length, -0.5, rows.length - 0.5), labels: rows };
  const xNames = model.kind === 'graph' ? model.xNames : edges && xLabels && { edges, labels: xLabels };
  const yNames = map && model.yLabels ? { edges: model.yEdges, labels: model.yLabels } : rowNames;
  return {
    x: {
      range: x,
      log: log.x && !map,
      title: axisTitle(model.xTitle, model.xTime),
      names: xNames,
      bare: xNames !== undefined,
      time: model.xTime,
      style,
    },
    y: {
      range: y,
      log: log.y && !map,
      title: axisTitle(model.yTitle, model.yTime),
      names: yNames,
      bare: yNames !== undefined,
      time: model.yTime,
      style,
    },
  };
}

/** Adds the time zone to the title of an axis with times, because all are shown in one zone. */
function axisTitle(title: string, time: TimeAxis | undefined): string {
  return time === undefined ? title : title === '' ? 'UTC' : `${title} (UTC)`;
}

function border({ box: { left, right, top, bottom } }: PlotFrame): Shape {
  return { kind: 'path', d: `M${left} ${bottom}H${right}V${top}H${left}Z`, stroke: 'faint' };
}

/** Clips shapes to the axes. */
export function clipped({ box }: PlotFrame, shapes: Shape[]): Shape {
  const { left, right, top, bottom } = box;
  return { kind: 'clip', x: left, y: top, width: right - left, height: bottom - top + 0.7, shapes };
}
