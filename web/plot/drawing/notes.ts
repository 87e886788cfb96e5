import type { PlotNote } from '../look/notes';
import { type Shape, short, TEXT_SIZE } from './drawing';
import type { PlacedAxis, PlotFrame } from './frame';
import { titleLines, titleWidth } from './latex';

interface Point {
  x: number;
  y: number;
}

/** A note that is seen, with its places in CSS pixels. */
export interface PlacedNote {
  /** Its place in the list of notes. */
  index: number;
  lines: readonly string[];
  /** The rectangle behind the text. It lies in the frame. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** The point of the arrow. */
  to?: Point | undefined;
}

const LINE = 15;
const PADDING = 4;
/** Maximum part of the width of the plot that a text takes, and its maximum number of lines. */
const MAX_PART = 0.5;
const MAX_LINES = 5;
/** Length and half of the width of the head of an arrow. */
const HEAD = 8;
const HALF_HEAD = 3.5;

/**
 * Returns where the notes are that belong to the visible part: those whose text or whose point lies in it. Their texts
 * are moved into the frame.
 */
export function placeNotes(notes: readonly PlotNote[], frame: PlotFrame): PlacedNote[] {
  const { box } = frame;
  // Values that a logarithmic axis does not have are nowhere.
  const along = ({ spec, toPixel }: PlacedAxis, value: number) =>
    spec.log && value <= 0 ? Number.NaN : toPixel(value);
  const place = (x: number, y: number): Point => ({ x: along(frame.x, x), y: along(frame.y, y) });
  const isSeen = ({ x, y }: Point) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  return notes.flatMap((note, index): PlacedNote[] => {
    const at = place(note.x, note.y);
    const to = note.to && place(...note.to);
    if (![at, to ?? at].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) return [];
    if (!isSeen(at) && !(to && isSeen(to))) return [];
    const most = Math.max(60, (box.right - box.left) * MAX_PART);
    const lines = titleLines(note.text, most / TEXT_SIZE, MAX_LINES);
    const width = Math.ceil(Math.max(...lines.map(titleWidth)) * TEXT_SIZE) + 2 * PADDING;
    const height = lines.length * LINE + 2 * PADDING - 2;
    const left = within(at.x - width / 2, box.left, box.right - width);
    const top = within(at.y - height / 2, box.top, box.bottom - height);
    return [{ index, lines, left, top, width, height, to }];
  });
}

const within = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(value, Math.max(least, most)));

/** Draws notes on a plot: texts on a ground of paper, and their arrows. */
export function noteShapes(notes: readonly PlotNote[], frame: PlotFrame): Shape[] {
  const placed = placeNotes(notes, frame);
  const { left, top, right, bottom } = frame.box;
  const arrows = placed.flatMap(arrowOf);
  const clip = { kind: 'clip', x: left, y: top, width: right - left, height: bottom - top } as const;
  return [...(arrows.length > 0 ? [{ ...clip, shapes: arrows }] : []), ...placed.flatMap(textOf)];
}

function textOf({ left, top, width, height, lines }: PlacedNote): Shape[] {
  const ground = `M${short(left)} ${short(top)}h${short(width)}v${short(height)}h${short(-width)}Z`;
  const texts = lines.map(
    (text, i): Shape => ({
      ...{ kind: 'text', text, anchor: 'middle', latex: lines.length === 1 },
      ...{ x: left + width / 2, y: top + PADDING + 11 + i * LINE },
    }),
  );
  return [{ kind: 'path', d: ground, fill: 'paper', fillOpacity: 0.85 }, ...texts];
}

/** Returns the arrow from the edge of the text to its point. A point below the text has none. */
function arrowOf({ left, top, width, height, to }: PlacedNote): Shape[] {
  if (to === undefined) return [];
  const middle = { x: left + width / 2, y: top + height / 2 };
  const [dx, dy] = [to.x - middle.x, to.y - middle.y];
  const far = Math.hypot(dx, dy);
  const edge = Math.min(width / 2 / Math.abs(dx || 1e-9), height / 2 / Math.abs(dy || 1e-9));
  if (edge >= 1 || far === 0) return [];
  const [ux, uy] = [dx / far, dy / far];
  const point = (along: number, aside: number) =>
    `${short(to.x - ux * along - uy * aside)} ${short(to.y - uy * along + ux * aside)}`;
  const from = `${short(middle.x + dx * edge)} ${short(middle.y + dy * edge)}`;
  const head = `M${point(HEAD, HALF_HEAD)}L${point(0, 0)}L${point(HEAD, -HALF_HEAD)}Z`;
  return [
    { kind: 'path', d: `M${from}L${point(HEAD - 1, 0)}`, stroke: 'ink', width: 1.2 },
    { kind: 'path', d: head, fill: 'ink' },
  ];
}
