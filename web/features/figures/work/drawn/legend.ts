import { barUp } from '../../../../plot/draw-graph';
import type { Box } from '../../../../plot/drawing/axes';
import type { Shape } from '../../../../plot/drawing/drawing';
import { fittedName, titleWidth } from '../../../../plot/drawing/latex';
import type { WholeStyle } from '../presets';
import type { Entry } from './figure-model';
import { pixelsPerPoint } from './look';
import { areaShapes, pointShapes } from './paint';

/** Shapes in a rectangle of the frame. */
export interface Block {
  box: Box;
  shapes: Shape[];
}

/** A name that fits exactly is not cut. */
const ROUNDING = 1e-6;

/** Draws the names of layers in a corner of the frame, below `top`. Undefined if there are none. */
export function legendBlock(
  entries: readonly Entry[],
  frame: Box,
  style: WholeStyle,
  margin: number,
  topOf: (left: number, right: number) => number,
): Block | undefined {
  const { place, columns, title = '' } = style.legend;
  if (place === 'none' || (entries.length === 0 && title === '')) return undefined;
  const size = style.font.legend * pixelsPerPoint(style);
  const [pitch, swatch, gap] = [1.28 * size, 1.9 * size, 0.5 * size];
  const rows = Math.ceil(entries.length / columns);
  const across = Math.ceil(entries.length / Math.max(1, rows));
  // Names have all the room of the frame before one is cut.
  const most = (frame.right - frame.left - 2 * margin - (across - 1) * size) / Math.max(1, across);
  const widths = Array.from({ length: across }, (_, column) => {
    const names = entries.slice(column * rows, (column + 1) * rows);
    const widest = Math.max(0, ...names.map((entry) => titleWidth(entry.title) * size));
    return Math.min(most, swatch + gap + widest) + (column + 1 < across ? size : 0);
  });
  const heading = title === '' ? 0 : titleWidth(title) * size;
  const wide = Math.max(
    heading,
    widths.reduce((sum, width) => sum + width, 0),
  );
  const tall = (rows + (title === '' ? 0 : 1)) * pitch;
  const left = place.endsWith('left') ? frame.left + margin : frame.right - margin - wide;
  const top = place.startsWith('top')
    ? Math.max(frame.top + margin, topOf(left, left + wide))
    : frame.bottom - margin - tall;
  const shapes: Shape[] = [];
  const text = (x: number, y: number, words: string, bold = false) =>
    shapes.push({ kind: 'text', x, y, text: words, size, latex: true, ...(bold && { bold }) });
  let start = top;
  if (title !== '') {
    text(left, top + 0.78 * pitch, title, true);
    start += pitch;
  }
  let x = left;
  for (const [column, width] of widths.entries()) {
    for (const [row, entry] of entries.slice(column * rows, (column + 1) * rows).entries()) {
      const y = start + (row + 0.5) * pitch;
      shapes.push(
        ...swatchShapes(entry, { left: x, right: x + swatch, top: y - 0.36 * size, bottom: y + 0.36 * size }),
      );
      text(
        x + swatch + gap,
        y + 0.35 * size,
        fittedName(entry.title, (width - swatch - gap) / size + ROUNDING),
      );
    }
    x += width;
  }
  return { box: { left, right: left + wide, top, bottom: top + tall }, shapes };
}

/** Draws a sample of a layer. */
function swatchShapes({ look, band, hasErrors }: Entry, { left, right, top, bottom }: Box): Shape[] {
  const middle = (top + bottom) / 2;
  const area: [number, number][] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  if (band) return areaShapes([area], band);
  if (look === undefined) return [];
  const { as, colour, fill, opacity, width, dash } = look;
  const d = `M${left} ${middle}H${right}`;
  const line: Shape = { kind: 'path', d, stroke: colour, width, ...(dash && { dash }) };
  if (as === 'line') return [line];
  if (as === 'band')
    return [...areaShapes([area], { colour: fill, form: 'filled', opacity }), ...(width > 0 ? [line] : [])];
  if (as === 'points') {
    const x = (left + right) / 2;
    const bar = {
      kind: 'path',
      d: barUp(x, bottom + 1, top - 1),
      stroke: colour,
      width: Math.max(0.4, width),
    } as const;
    return [...(hasErrors ? [bar] : []), ...pointShapes(look, [[x, middle]])];
  }
  const outline = `M${left} ${bottom}V${top}H${right}V${bottom}Z`;
  return [
    { kind: 'path', d: outline, fill, ...(opacity < 1 && { fillOpacity: opacity }) },
    ...(width > 0
      ? [{ kind: 'path', d: outline, stroke: colour, width, ...(dash && { dash }) } as const]
      : []),
  ];
}
