import type { Colour, Shape } from '../../../plot/drawing/drawing';
import { formulaShapes, hasLevels } from '../../../plot/drawing/formula';
import { lined, open } from '../../../plot/stored/paint/attributes';
import type { Point } from '../../../plot/stored/paint/ground';
import { colourAt, type Members, type Pad, sideOf } from './pad';

/** A line from one place to another, with ROOT's colour, width and style. */
export const lineBetween = (pad: Pad, from: Point, to: Point, object: Members): Shape =>
  lined(pad, open([from, to]), object);

/** ROOT's font, size, colour, alignment and angle of a text. */
interface RootText {
  font: number;
  size: number;
  colour: Colour;
  align?: number;
  angle?: number;
}

/** Draws a text on one line. The place is in pixels. */
export function textOf(pad: Pad, [x, y]: Point, text: string, how: RootText): Shape & { kind: 'text' } {
  const { align = 11, angle = 0, font, colour } = how;
  const size = pixelsOf(pad, how);
  const turn = (angle * Math.PI) / 180;
  const down = DOWN[align % 10] ?? 0;
  return {
    kind: 'text',
    x: x + Math.sin(turn) * down * size,
    y: y + Math.cos(turn) * down * size,
    text: text.slice(0, 1000),
    size,
    fill: colour,
    anchor: (['start', 'start', 'middle', 'end'] as const)[Math.floor(align / 10)] ?? 'start',
    latex: true,
    ...(angle !== 0 && { angle: -angle }),
    ...faceOf(font),
  };
}

/** Draws a text that may contain fractions, roots, two lines, and parts in other colours and fonts. */
export function textsOf(pad: Pad, [x, y]: Point, text: string, how: RootText): Shape[] {
  if (!hasLevels(text)) return [textOf(pad, [x, y], text, how)];
  const { align = 11, angle = 0, font, colour } = how;
  const look = { size: pixelsOf(pad, how), fill: colour, ...faceOf(font) };
  const across = [0, 0, 0.5, 1][Math.floor(align / 10)] ?? 0;
  const upward = [0, 0, 0.5, 1][align % 10] ?? 0;
  const place = { x, y, look, across, upward, angle: (angle * Math.PI) / 180 };
  return formulaShapes(text, place, (name, value, before) =>
    name === 'color'
      ? { ...before, fill: colourAt(pad, value) }
      : { size: before.size, fill: before.fill ?? colour, ...faceOf(value) },
  );
}

/** Distance from the place of a text down to its baseline, in heights of the text, by vertical alignment. */
const DOWN = [0, 0, 0.36, 0.74];

/** Converts a size of ROOT, the height of a line, to one of CSS, the size of the letters. In pixels. */
function pixelsOf(pad: Pad, { font, size }: RootText): number {
  const pixels = Math.min(500, 0.93 * (font % 10 === 3 ? size : size * sideOf(pad)));
  return Math.round(pixels * 100) / 100;
}

function faceOf(font: number): { bold?: true; italic?: true; font: 'sans' | 'serif' | 'mono' } {
  const family = Math.floor(font / 10);
  return {
    ...([2, 3, 6, 7, 10, 11].includes(family) && { bold: true as const }),
    ...([1, 3, 5, 7, 9, 11].includes(family) && { italic: true as const }),
    font: [1, 2, 3, 13].includes(family) ? 'serif' : [8, 9, 10, 11].includes(family) ? 'mono' : 'sans',
  };
}
