import { formatNumber } from '../../base/format';
import type { Colour, Shape } from '../drawing/drawing';
import type { PlotFrame } from '../drawing/frame';
import { textWidth } from '../drawing/text-width';
import { colourIndex } from '../map-cells';
import type { MapModel, Range } from '../model';

/** Writes the content into each cell, if all cells have room for it. */
export function cellNumbers(
  { values, xEdges, yEdges, zeros = false }: MapModel,
  frame: PlotFrame,
  [low, high]: Range,
  log: boolean,
  colour: (index: number) => Colour,
): Shape[] {
  const shapes: Shape[] = [];
  const nx = xEdges.length - 1;
  const size = 12;
  for (let row = 0; row < yEdges.length - 1; row++) {
    const middle = (frame.y.toPixel(yEdges[row] ?? 0) + frame.y.toPixel(yEdges[row + 1] ?? 0)) / 2;
    const tall = frame.y.toPixel(yEdges[row] ?? 0) - frame.y.toPixel(yEdges[row + 1] ?? 0);
    for (let at = 0; at < nx; at++) {
      const value = values[row * nx + at] ?? 0;
      if ((value === 0 && low >= 0 && !zeros) || Number.isNaN(value)) continue;
      const left = frame.x.toPixel(xEdges[at] ?? 0);
      const wide = frame.x.toPixel(xEdges[at + 1] ?? 0) - left;
      const text = formatNumber(value);
      if (tall < size || wide < textWidth(text, size)) continue;
      const index = colourIndex(value, low, high, log, zeros);
      const fill = index < 0 ? 'ink' : isDark(colour(index)) ? '#ffffff' : '#10201a';
      shapes.push({ kind: 'text', x: left + wide / 2, y: middle + 4, text, anchor: 'middle', size, fill });
    }
  }
  return shapes;
}

function isDark(colour: Colour): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 140;
}
