import { type Colour, type Shape, short } from './drawing/drawing';
import { fittedTitle, readableLatex, titleLines, titleWidth } from './drawing/latex';
import type { AnyPlot, StatLine } from './model';
import { type Layer, layersOf, type PanelOptions } from './panels';
import { type PlotDrawing, plotDrawing, plotRoom } from './plot-drawing';

export interface TitledOptions extends PanelOptions {
  /** With the statistics beside it. */
  stats: boolean;
}

/** Returns a plot for a saved picture: its title above; if it has several layers, their names beside it. */
export function titledDrawing(
  model: AnyPlot,
  size: { width: number; height: number },
  options: TitledOptions,
): PlotDrawing {
  const area = { ...plotRoom(size), top: 40 };
  const column = sideColumn(saidOf(model, options), area);
  area.right -= column.width;
  const drawing = plotDrawing(model, size, options, area);
  const left = drawing.frames[0]?.box.left ?? area.left;
  const title = named(model.title, (size.width - left - 10) / 16);
  const above: Shape = { kind: 'text', x: left, y: 25, ...title, bold: true, size: 16, latex: true };
  return { ...drawing, shapes: [...column.shapes, ...drawing.shapes, above] };
}

/** Shortens a text to a width. If it was cut, `title` has the whole text. */
function named(whole: string, room: number): { text: string; title?: string } {
  const text = fittedTitle(whole, room);
  return text === whole ? { text } : { text, title: readableLatex(whole) };
}

/** A part of the column beside the plot: name and statistics of one layer. */
interface Said {
  /** Its name; empty if nothing else is drawn. */
  title: string;
  /** The colour of its line; undefined if it is not drawn, or the only one. */
  ink?: Colour | undefined;
  dash?: string | undefined;
  /** A number on the line of its name. */
  value?: string | undefined;
  lines: readonly StatLine[];
}

/** Returns the parts for the contents, their overlays, and the functions, each with colour and statistics. */
function saidOf(model: AnyPlot, { stats, statbox = false }: TitledOptions): Said[] {
  const { overlays = [] } = model;
  const points = (model.kind === 'bins' && model.points) || [];
  const all: (Pick<Said, 'title' | 'ink' | 'dash'> & Pick<Layer, 'isReference'>)[] =
    model.kind === 'map' ? [{ title: model.label ?? '' }, ...overlays] : layersOf(model, false);
  const layers = all.slice(0, all.length - points.length);
  const { functions = [] } = model;
  const first = 1 + overlays.length;
  const several = all.length > 1;
  // Functions with curves come first; others are only described.
  const parts = Math.max(layers.length, first + functions.length);
  const said = Array.from({ length: parts }, (_, i): Said => {
    const note = functions[i - first];
    const name = note?.title ?? (several ? layers[i]?.title : undefined) ?? '';
    const title = layers[i]?.isReference && name !== '' ? `${name}, reference` : name;
    const own = i === 0 ? model.stats : overlays[i - 1]?.stats;
    // The box in the plot has those of histograms.
    const lines = statbox && model.kind !== 'graph' && own ? [] : (own ?? note?.lines ?? []);
    return {
      title,
      ...(several && { ink: layers[i]?.ink, dash: layers[i]?.dash }),
      lines: stats ? lines : [],
    };
  });
  for (const { title, ink, dash, stats: lines = [] } of points)
    if (title !== '') said.push({ title, ink, dash, lines: stats ? lines : [] });
  const named =
    model.kind === 'graph' && model.stack ? said.map((part) => withValue(part, model.stats)) : said;
  return named.filter(
    ({ title, ink, lines }) => (several && title !== '') || ink !== undefined || lines.length > 0,
  );
}

/** Returns a part of a stack with its sum beside its name. `sums` are the sums of the histograms in the stack, by their names. */
function withValue(part: Said, sums: readonly StatLine[]): Said {
  const own = part.lines.length > 1 || part.lines[0]?.label !== part.title ? sums : part.lines;
  const value = own.find(({ label }) => label === part.title)?.value;
  if (value === undefined) return part;
  return { ...part, value, lines: part.lines.filter((one) => !own.includes(one)) };
}

/** A part with its name on lines that fit into the column. */
interface Placed extends Said {
  names: readonly string[];
}

/** Maximum number of lines of a name. */
const NAME_LINES = 3;
/** Bold letters are wider than others by about this factor. */
const BOLD = 1.12;

/** Distance between lines in pixels, its minimum if there are many names, and distance between parts. */
const LINE = 17;
const MIN_LINE = 13;
const PART_GAP = 12;
/** A sample of the line before its name. */
const SWATCH = 18;

interface Room {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Pixels from line to line. */
  pitch: number;
  /** Returns the last line, if some do not fit. */
  more(count: number): string;
}

/**
 * Draws names with their colours, and statistics, in a column at the right, so that nothing covers the plot. If not
 * everything fits, all names come first, then as many statistics as fit.
 */
function sideColumn(
  said: readonly Said[],
  area: Pick<Room, 'right' | 'top' | 'bottom'>,
): { shapes: Shape[]; width: number } {
  if (said.length === 0) return { shapes: [], width: 0 };
  const widest = Math.max(
    ...said.flatMap(({ title, ink, value, lines }) => [
      titleWidth(title) * BOLD + (ink === undefined ? 0 : (SWATCH + 7) / 12) + valueWidth(value),
      ...lines.map(({ label, value }) => titleWidth(label) + titleWidth(value) + 1.5),
    ]),
  );
  const inner = Math.min(220, Math.max(110, widest * 12));
  const room = { ...area, left: area.right - inner - 8, right: area.right - 8, top: area.top + 10 };
  const across = ({ ink, value, lines }: Said) =>
    ((inner - (ink === undefined ? 0 : SWATCH + 7)) / 12 - valueWidth(value)) / (lines.length > 0 ? BOLD : 1);
  const placed = said.map(
    (part): Placed => ({ ...part, names: titleLines(part.title, across(part), NAME_LINES) }),
  );
  const tall = placed.reduce((sum, part) => sum + heightOf(part), 0);
  const fits = said.length === 1 || room.top + tall - LINE - PART_GAP <= area.bottom;
  const cut = said.map((part): Placed => ({ ...part, names: titleLines(part.title, across(part), 1) }));
  const names = fits ? [] : cut.filter(({ title }) => title !== '');
  const pitch = Math.min(LINE, Math.max(MIN_LINE, (room.bottom - room.top) / names.length));
  const above = partsIn(
    names.map((part) => ({ ...part, lines: [] })),
    { ...room, pitch, more: (count) => `and ${count} more` },
  );
  const below = partsIn(fits ? placed : cut.filter(({ lines }) => lines.length > 0), {
    ...{ ...room, top: above.end + (fits ? 0 : PART_GAP), pitch: LINE },
    more: (count) => `statistics of ${count} not shown`,
  });
  return { shapes: [...above.shapes, ...below.shapes], width: inner + 16 };
}

/** Width of a number beside a name, with the space between, in units of 12 pixels. */
function valueWidth(value: string | undefined): number {
  return value === undefined ? 0 : titleWidth(value) + 1;
}

function heightOf({ names, lines }: Pick<Placed, 'names' | 'lines'>, pitch = LINE): number {
  return (names.length + lines.length) * pitch + (lines.length > 0 ? PART_GAP : 0);
}

/** Returns names with statistics. The last line counts those that do not fit. */
function partsIn(
  said: readonly Placed[],
  { left, right, top, bottom, pitch, more }: Room,
): { shapes: Shape[]; end: number } {
  const shapes: Shape[] = [];
  let y = top;
  for (const [i, { title, names, ink, dash, value, lines }] of said.entries()) {
    const isLast = i + 1 === said.length;
    const end =
      y + heightOf({ names, lines }, pitch) - (isLast ? pitch + PART_GAP * Math.sign(lines.length) : 0);
    if (said.length > 1 && end > bottom) {
      if (y <= bottom) shapes.push({ kind: 'text', x: left, y, text: more(said.length - i), fill: 'faint' });
      break;
    }
    if (i > 0 && lines.length > 0) {
      shapes.push({ kind: 'path', d: `M${short(left)} ${y - 8}H${short(right)}`, stroke: 'grid' });
      y += 6;
    }
    if (names.length > 0) {
      const indent = ink === undefined ? 0 : SWATCH + 7;
      if (ink !== undefined)
        shapes.push({
          ...{ kind: 'path', d: `M${short(left)} ${short(y - 4)}h${SWATCH}`, stroke: ink, width: 3 },
          ...(dash && { dash }),
        });
      if (value !== undefined) shapes.push({ kind: 'text', x: right, y, text: value, anchor: 'end' });
      for (const text of names) {
        shapes.push({
          ...{ kind: 'text', x: left + indent, y, text, bold: lines.length > 0, latex: names.length === 1 },
          ...(names[0] !== title && { title: readableLatex(title) }),
        });
        y += pitch;
      }
    }
    for (const { label, value } of lines) {
      const name = named(label, (right - left) / 12 - titleWidth(value) - 0.6);
      shapes.push({ kind: 'text', x: left, y, ...name, fill: 'faint', latex: true });
      shapes.push({ kind: 'text', x: right, y, text: value, anchor: 'end' });
      y += pitch;
    }
    if (lines.length > 0 && !isLast) y += PART_GAP - 6;
  }
  return { shapes, end: y };
}
