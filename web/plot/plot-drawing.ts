import type { Box } from './drawing/axes';
import { type Colour, type Drawing, type Shape, short } from './drawing/drawing';
import { frameShapes, type PlotFrame } from './drawing/frame';
import { fittedTitle, readableLatex, titleWidth } from './drawing/latex';
import type { AnyPlot, StatLine } from './model';
import { clipped, layersOf, type PanelOptions, panelsOf } from './panels';

export interface PlotOptions extends PanelOptions {
  /** With a title above, and beside it the names of what is drawn where that is several things. */
  titled?: boolean | undefined;
  /** With the statistics beside it, where it is titled. */
  stats?: boolean | undefined;
}

/** A drawn plot, and the places of its panels: one, and below it that of the ratio. */
export interface PlotDrawing extends Drawing {
  frames: PlotFrame[];
}

/** The room of a plot without a title within a picture of this size. */
export function plotRoom({ width, height }: { width: number; height: number }): Box {
  return { left: 6, right: width, top: 10, bottom: height - 4 };
}

/** A plot as shapes, for saved pictures and small ones: frame, axes, contents, and what lies over them. */
export function plotDrawing(
  model: AnyPlot,
  { width, height }: { width: number; height: number },
  options: PlotOptions,
): PlotDrawing {
  const shapes: Shape[] = [];
  const area = plotRoom({ width, height });
  if (options.titled) {
    area.top = 40;
    const column = sideColumn(saidOf(model, options.stats === true), area);
    shapes.push(...column.shapes);
    area.right -= column.width;
  }
  const panels = panelsOf(model, area, options);
  for (const { frame, layers, beside } of panels) {
    const drawn = layers.flatMap((layer) => layer.shapes(frame));
    shapes.push(...frameShapes(frame), clipped(frame, drawn), ...beside);
  }
  const frames = panels.map(({ frame }) => frame);
  if (options.titled) {
    const left = frames[0]?.box.left ?? area.left;
    const text = fittedTitle(model.title, (width - left - 10) / 16);
    shapes.push({ kind: 'text', x: left, y: 25, text, bold: true, size: 16, latex: true });
  }
  return { width, height, title: readableLatex(model.title), shapes, frames };
}

/** A part of the column: what is said of one of the things that are drawn. */
interface Said {
  /** Its name; empty where nothing else is drawn. */
  title: string;
  /** The colour of its line; undefined where it is not drawn, or alone. */
  ink?: Colour | undefined;
  lines: readonly StatLine[];
}

/** The contents, those over them, and the functions, each with its colour and its statistics. */
function saidOf(model: AnyPlot, stats: boolean): Said[] {
  const layers = model.kind === 'map' ? [] : layersOf(model, false);
  const overlays = model.kind === 'map' ? [] : (model.overlays ?? []);
  const { functions = [] } = model;
  const first = 1 + overlays.length;
  const several = layers.length > 1;
  // Functions with curves come first; others are only described.
  const parts = Math.max(layers.length, first + functions.length);
  return Array.from({ length: parts }, (_, i): Said => {
    const note = functions[i - first];
    const title = note?.title ?? (several ? layers[i]?.title : undefined) ?? '';
    const lines = i === 0 ? model.stats : (overlays[i - 1]?.stats ?? note?.lines ?? []);
    return { title, ink: several ? layers[i]?.ink : undefined, lines: stats ? lines : [] };
  }).filter(({ ink, lines }) => ink !== undefined || lines.length > 0);
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
