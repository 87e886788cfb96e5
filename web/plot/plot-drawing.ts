import { ratioModel } from './compare';
import { binShapes } from './draw-bins';
import { curveShapes, graphShapes } from './draw-graph';
import { mapColours, mapParts, mapScale, mapShapes } from './draw-map';
import { type Drawing, type LineInk, lineInk, type Shape, short } from './drawing/drawing';
import { type AxisSpec, type FrameOptions, frameShapes, layFrame, type PlotFrame } from './drawing/frame';
import { fittedTitle, readableLatex, titleWidth } from './drawing/latex';
import type { TimeAxis } from './drawing/time-axis';
import type { AnyPlot, LogAxes, PlotModel, Range, StatLine } from './model';
import { type PlotRanges, type PlotWindow, shownRanges } from './ranges';

export interface PlotOptions {
  log: LogAxes;
  window?: PlotWindow | undefined;
  /** Colours of maps for a dark ground. */
  dark?: boolean | undefined;
  /** With a title above, and beside it the names of what is drawn where that is several things. */
  titled?: boolean | undefined;
  /** With the statistics beside it, where it is titled. */
  stats?: boolean | undefined;
}

/** A drawn plot, and the places of its panels: one, and below it that of the ratio. */
export interface PlotDrawing extends Drawing {
  frames: PlotFrame[];
}

/** Share of the height that the ratio has below the plot, more where that would be too few pixels to see anything. */
const RATIO = 0.3;
const MAX_RATIO = 0.45;
const RATIO_PIXELS = 115;

/**
 * A plot as shapes, the same for a page and for a saved picture: frame, axes, contents, shapes over them, and
 * with overlays the ratio to the first of them in a second frame below.
 */
export function plotDrawing(
  model: AnyPlot,
  { width, height }: { width: number; height: number },
  options: PlotOptions,
): PlotDrawing {
  const { log } = options;
  const shapes: Shape[] = [];
  const area = { left: 6, right: width, top: options.titled ? 40 : 10, bottom: height - 4 };
  if (options.titled) {
    const column = sideColumn(saidOf(model, options.stats === true), area);
    shapes.push(...column.shapes);
    area.right -= column.width;
  }
  const ranges = shownRanges(model, log, options.window);
  const frames: PlotFrame[] = [];
  const axes = axesOf(model, ranges, log);
  if (model.kind === 'map') {
    const tall = area.bottom - area.top;
    const parts = mapParts(model, ranges, Math.ceil(Math.max(width, height) * 0.8), tall - 40, log.y);
    const frame = layFrame(area, axes.x, axes.y, { right: parts.room });
    const colour = mapColours(options.dark === true);
    // The axes lie over the cells, the grid would shine through those that are empty.
    const cells = clipped(frame, mapShapes(parts, frame, log.y, colour));
    shapes.push(...frameShapes(frame), cells, border(frame), ...mapScale(parts, frame, log.y, colour));
    frames.push(frame);
  } else {
    const ratio = model.kind === 'bins' ? ratioModel(model) : undefined;
    const placed =
      ratio === undefined ? [layFrame(area, axes.x, axes.y)] : twoFrames(area, axes, ratio, ranges);
    placed.forEach((frame, i) => {
      const own = i === 0 ? model : (ratio ?? model);
      const drawn = own.kind === 'bins' ? binShapes(own, frame, log.y && i === 0) : graphShapes(own, frame);
      const first = 1 + (own.overlays?.length ?? 0);
      const curves = i === 0 ? curveShapes(own.curves ?? [], frame, first) : [unity(frame)];
      shapes.push(
        ...frameShapes(frame),
        clipped(frame, i === 0 ? [...drawn, ...curves] : [...curves, ...drawn]),
      );
    });
    frames.push(...placed);
  }
  if (options.titled) {
    const left = frames[0]?.box.left ?? area.left;
    const text = fittedTitle(model.title, (width - left - 10) / 16);
    shapes.push({ kind: 'text', x: left, y: 25, text, bold: true, size: 16, latex: true });
  }
  return { width, height, title: readableLatex(model.title), shapes, frames };
}

interface Axes {
  x: AxisSpec;
  y: AxisSpec;
}

function axesOf(model: AnyPlot, { x, y }: PlotRanges, log: LogAxes): Axes {
  const map = model.kind === 'map';
  const edges = model.kind === 'bins' ? model.edges : map ? model.xEdges : undefined;
  const xLabels = model.kind === 'graph' ? undefined : model.xLabels;
  return {
    x: {
      range: x,
      log: log.x && !map,
      title: axisTitle(model.xTitle, model.xTime),
      names: edges && xLabels && { edges, labels: xLabels },
      time: model.xTime,
    },
    y: {
      range: y,
      log: log.y && !map,
      title: axisTitle(model.yTitle, model.yTime),
      names: map && model.yLabels ? { edges: model.yEdges, labels: model.yLabels } : undefined,
      time: model.yTime,
    },
  };
}

/** Times are shown in one time zone, which the title names. */
function axisTitle(title: string, time: TimeAxis | undefined): string {
  return time === undefined ? title : title === '' ? 'UTC' : `${title} (UTC)`;
}

/** The plot above, the ratio below, both from one left edge on. */
function twoFrames(
  area: { left: number; right: number; top: number; bottom: number },
  axes: Axes,
  ratio: PlotModel,
  ranges: PlotRanges,
): PlotFrame[] {
  const tall = area.bottom - area.top;
  const split = area.bottom - Math.min(MAX_RATIO * tall, Math.max(RATIO * tall, RATIO_PIXELS));
  const below = { ...area, top: split + 8 };
  const above = { ...area, bottom: split };
  const y: AxisSpec = { range: ratioRange(ratio, ranges.x), log: false, title: 'Ratio' };
  const put = (options: FrameOptions) => [
    layFrame(above, { ...axes.x, title: '' }, axes.y, { ...options, silent: true }),
    layFrame(below, axes.x, y, options),
  ];
  const left = Math.max(...put({}).map(({ box }) => box.left - area.left));
  return put({ left });
}

/** The range of ratios to show, because those of sparse bins may lie far out. */
function ratioRange(ratio: PlotModel, x: Range): Range {
  const [low, high] = shownRanges(ratio, { x: false, y: false }, { x }).y;
  return [Math.max(low, -1, Math.min(0.5, low)), Math.min(Math.max(high, 1.1), 3)];
}

/** Where both are equal. */
function unity({ box, y }: PlotFrame): Shape {
  const at = short(y.toPixel(1));
  return { kind: 'path', d: `M${box.left} ${at}H${box.right}`, stroke: 'faint', dash: '4 3' };
}

function clipped({ box }: PlotFrame, shapes: Shape[]): Shape {
  const { left, right, top, bottom } = box;
  return { kind: 'clip', x: left, y: top, width: right - left, height: bottom - top + 0.7, shapes };
}

function border({ box: { left, right, top, bottom } }: PlotFrame): Shape {
  return { kind: 'path', d: `M${left} ${bottom}H${right}V${top}H${left}Z`, stroke: 'faint' };
}

/** A part of the column: what is said of one of the things that are drawn. */
interface Said {
  /** Its name; empty where nothing else is drawn. */
  title: string;
  /** The colour of its line; undefined where it is not drawn, or alone. */
  ink?: LineInk | undefined;
  lines: readonly StatLine[];
}

/** The contents, those over them, and the functions, each with its colour and its statistics. */
function saidOf(model: AnyPlot, stats: boolean): Said[] {
  const overlays = model.kind === 'map' ? [] : (model.overlays ?? []);
  const { curves = [], functions = [] } = model;
  const several = model.kind !== 'map' && overlays.length + curves.length > 0;
  const own = several ? { title: model.label ?? model.title, ink: lineInk(0) } : { title: '' };
  const over = overlays.map(({ title, stats: lines = [] }, i) => ({ title, ink: lineInk(1 + i), lines }));
  // Functions with curves come first; others are only described.
  const drawn = Math.max(curves.length, functions.length);
  const below = Array.from({ length: drawn }, (_, i): Said => {
    const ink = i < curves.length ? lineInk(1 + overlays.length + i) : undefined;
    return { title: (functions[i] ?? curves[i])?.title ?? '', ink, lines: functions[i]?.lines ?? [] };
  });
  return [{ ...own, lines: model.stats }, ...over, ...below]
    .map((one) => (stats ? one : { ...one, lines: [] }))
    .filter(({ ink, lines }) => ink !== undefined || lines.length > 0);
}

/** Pixels from line to line, and from one part to the next. */
const LINE = 17;
const PART_GAP = 12;
/** A piece of the line before its name. */
const SWATCH = 18;

/**
 * The names of what is drawn with their colours, and statistics: a column at the right, so that nothing lies over what is
 * drawn. What does not fit is counted in the last line.
 */
function sideColumn(
  said: readonly Said[],
  area: { right: number; top: number; bottom: number },
): { shapes: Shape[]; width: number } {
  if (said.length === 0) return { shapes: [], width: 0 };
  const widest = Math.max(
    ...said.flatMap(({ title, ink, lines }) => [
      titleWidth(title) + (ink === undefined ? 0 : (SWATCH + 7) / 12),
      ...lines.map(({ label, value }) => titleWidth(label) + titleWidth(value) + 1.5),
    ]),
  );
  const inner = Math.min(220, Math.max(110, widest * 12));
  const left = area.right - inner - 8;
  const right = area.right - 8;
  const shapes: Shape[] = [];
  let y = area.top + 10;
  for (const [i, { title, ink, lines }] of said.entries()) {
    const tall = (title === '' ? 0 : LINE) + lines.length * LINE;
    if (i > 0 && y + tall > area.bottom) {
      const more = `and ${said.length - i} more`;
      shapes.push({ kind: 'text', x: left, y: Math.min(y, area.bottom), text: more, fill: 'faint' });
      break;
    }
    if (i > 0 && lines.length > 0) {
      shapes.push({ kind: 'path', d: `M${short(left)} ${y - 8}H${short(right)}`, stroke: 'grid' });
      y += 6;
    }
    if (title !== '') {
      const indent = ink === undefined ? 0 : SWATCH + 7;
      if (ink !== undefined)
        shapes.push({ kind: 'path', d: `M${short(left)} ${short(y - 4)}h${SWATCH}`, stroke: ink, width: 3 });
      const text = fittedTitle(title, (inner - indent) / 12);
      shapes.push({ kind: 'text', x: left + indent, y, text, bold: lines.length > 0, latex: true });
      y += LINE;
    }
    for (const { label, value } of lines) {
      const room = inner / 12 - titleWidth(value) - 0.6;
      shapes.push({ kind: 'text', x: left, y, text: fittedTitle(label, room), fill: 'faint', latex: true });
      shapes.push({ kind: 'text', x: right, y, text: value, anchor: 'end' });
      y += LINE;
    }
    if (lines.length > 0 && i + 1 < said.length) y += PART_GAP - 6;
  }
  return { shapes, width: inner + 16 };
}
