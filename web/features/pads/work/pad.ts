import type { PlainObject, PlainValue } from '../../../api/api';
import type { Box } from '../../../plot/drawing/axes';
import { type Colour, isSound, type Shape } from '../../../plot/drawing/drawing';
import { isScale } from '../../../plot/drawing/frame';
import type { FunctionSamples } from '../../../plot/stored/functions';
import { number } from '../../../plot/stored/members';
import type { Ground, Members } from '../../../plot/stored/paint/ground';
import type { Follow } from '../../../plot/stored/references';
import type { RootColours } from '../../../plot/stored/root-colours';

export type { Members };

/** A canvas while it is being drawn. */
export interface Painting {
  samples: FunctionSamples;
  follow: Follow;
  colours: RootColours;
  /** The colours of maps, the lowest first. */
  palette: readonly Colour[];
  shapes: Shape[];
  /** Pads being drawn, to detect a pad that contains itself. */
  within: Set<PlainValue>;
  /** Descriptions of things that could not be drawn, each with its count. */
  missing: Map<string, number>;
  /** Number of objects that may still be drawn. */
  left: number;
}

/** A pad: its place in the picture, and its coordinates. */
export interface Pad extends Ground {
  painting: Painting;
  members: Members;
  /** Its place in the picture, in pixels. */
  box: Box;
  /** Its frame, in pixels. */
  frame: Box;
  log: { x: boolean; y: boolean; z: boolean };
  /** The pad's coordinates at its edges. On logarithmic axes these are exponents of ten. */
  range: Range4;
  /** The ranges of its frame, if one has been drawn. */
  shown?: Range4 | undefined;
}

export interface Range4 {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** Converts an x value in the coordinates of a pad to pixels. */
export function toX({ box, range, log }: Pad, value: number): number {
  const at = log.x ? Math.log10(Math.max(value, 1e-300)) : value;
  return limited(box.left + ((at - range.x1) / (range.x2 - range.x1)) * (box.right - box.left));
}

export function toY({ box, range, log }: Pad, value: number): number {
  const at = log.y ? Math.log10(Math.max(value, 1e-300)) : value;
  return limited(box.bottom - ((at - range.y1) / (range.y2 - range.y1)) * (box.bottom - box.top));
}

/** Converts a fraction of the width of a pad, from its lower left corner, to pixels. */
export function ndcX({ box }: Pad, share: number): number {
  return limited(box.left + share * (box.right - box.left));
}

export function ndcY({ box }: Pad, share: number): number {
  return limited(box.bottom - share * (box.bottom - box.top));
}

/** Limits a coordinate, because browsers draw huge coordinates wrongly. */
function limited(pixel: number): number {
  return Number.isNaN(pixel) ? pixel : Math.min(1e5, Math.max(-1e5, pixel));
}

/** Returns the shorter side in pixels. ROOT's text sizes are fractions of it. */
export function sideOf({ box }: Pad): number {
  return Math.max(1, Math.min(box.right - box.left, box.bottom - box.top));
}

/** Sets the pad's coordinates so that its frame has this range. */
export function setFrame(pad: Pad, shown: Range4): void {
  const { box, frame } = pad;
  const across = (shown.x2 - shown.x1) / (frame.right - frame.left);
  const up = (shown.y2 - shown.y1) / (frame.bottom - frame.top);
  pad.shown = shown;
  pad.range = {
    x1: shown.x1 - (frame.left - box.left) * across,
    x2: shown.x2 + (box.right - frame.right) * across,
    y1: shown.y1 - (box.bottom - frame.bottom) * up,
    y2: shown.y2 + (frame.top - box.top) * up,
  };
}

/** Whether a range is finite and not empty. */
export function isRange({ x1, x2, y1, y2 }: Range4): boolean {
  return isScale(x1, x2) && isScale(y1, y2);
}

export function put(pad: Pad, ...shapes: Shape[]): void {
  pad.painting.shapes.push(...soundOf(pad, shapes));
}

/** Drops shapes whose coordinates are not finite. Members of a file may have any value. */
function soundOf(pad: Pad, shapes: readonly Shape[]): Shape[] {
  const sound = shapes.filter(isSound);
  if (sound.length < shapes.length) miss(pad, 'what has places that are not numbers');
  return sound.filter((shape) => shape.kind !== 'path' || shape.d !== '');
}

/** Adds shapes, clipped to the frame. */
export function putInFrame(pad: Pad, drawn: Shape[]): void {
  const shapes = soundOf(pad, drawn);
  const { left, right, top, bottom } = pad.frame;
  if (shapes.length > 0)
    put(pad, { kind: 'clip', x: left, y: top - 0.5, width: right - left, height: bottom - top + 1, shapes });
}

/** Notes something that could not be drawn, for the message with the picture. */
export function miss(pad: Pad, what: string): void {
  pad.miss(what);
}

/** Counts what could not be drawn. */
export function noteMissing({ missing }: Painting, what: string): void {
  const key = what.slice(0, 100);
  if (missing.size < 100 || missing.has(key)) missing.set(key, (missing.get(key) ?? 0) + 1);
}

export function colourAt(pad: Pad, index: PlainValue | undefined): Colour {
  return pad.colour(index);
}

/** Four stored numbers. */
export const fourOf = (...values: (PlainValue | undefined)[]): [number, number, number, number] =>
  values.map(number) as [number, number, number, number];

export type Painter = (pad: Pad, object: PlainObject, option: string) => void;
