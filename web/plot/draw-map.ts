import { colourAxis, labelsWidth, type Places, shareOf } from './drawing/axes';
import { type Palette, scaleOf } from './drawing/colour-scale';
import { type Colour, type Shape, short } from './drawing/drawing';
import { checkRange, type PlotFrame } from './drawing/frame';
import { axisTicks, type Ticks } from './drawing/ticks';
import { type Cells, cellsOf, colourIndex, contentRange, windowOf } from './map-cells';
import type { MapModel, Range } from './model';
import { type PlotRanges, shownBins } from './ranges';

/** The parts that a map is drawn of: the visible bins, and the colour scale. */
export interface MapParts {
  shown: MapModel;
  cells: Cells;
  range: Range;
  ticks: Ticks;
  /** Width of the colour scale at the right. */
  room: number;
}

/** Returns the visible part of a map, reduced so that every cell is visible in a picture of that size. */
export function mapParts(
  model: MapModel,
  { x, y }: PlotRanges,
  pixels: number,
  tall: number,
  log: boolean,
): MapParts {
  const shown = windowOf(model, { x: shownBins(model.xEdges, x), y: shownBins(model.yEdges, y) });
  const cells = cellsOf(shown, Math.max(50, pixels));
  const found = contentRange(cells.values, log);
  const low = log ? found[0] : (model.limits?.low ?? found[0]);
  const high = model.limits?.high ?? found[1];
  const range: Range = high > low ? [low, high] : found;
  checkRange(range, log);
  const ticks = axisTicks(...range, Math.max(2, Math.round(tall / 50)), log);
  return { shown, cells, range, ticks, room: 40 + labelsWidth(ticks) + (model.zTitle === '' ? 0 : 18) };
}

/** The look of colours, and the contents that they stand for. */
export interface ColourLook {
  palette?: Palette | undefined;
  dark?: boolean | undefined;
  log: boolean;
}

/**
 * Returns the colours of contents by index, from 0 for the low end of the range to 255 for the high end. Contents of both
 * signs have two colours, which meet at 0, unless a palette of one direction was chosen.
 */
export function mapColours(
  { palette = 'own', dark = false, log }: ColourLook,
  [low, high]: Range,
): (index: number) => Colour {
  const isSigned = palette === 'diverging' || (palette === 'own' && low < 0 && high > 0);
  const scale = scaleOf(isSigned ? 'diverging' : palette, dark);
  const far = Math.max(Math.abs(low), Math.abs(high));
  const place = (index: number) => {
    const share = log ? index / 255 : (low + (index / 255) * (high - low)) / far;
    return Math.round(127.5 * (1 + share));
  };
  return (index) => {
    const at = 3 * (isSigned ? place(index) : index);
    const hex = [0, 1, 2].map((part) => (scale[at + part] ?? 0).toString(16).padStart(2, '0'));
    return `#${hex.join('')}`;
  };
}

/** Draws the cells of a map, and the numbers in them if it has any. */
export function mapShapes(
  { shown, cells, range: [low, high] }: MapParts,
  frame: PlotFrame,
  log: boolean,
  colour: (index: number) => Colour,
): Shape[] {
  const indexOf = (value: number) => colourIndex(value, low, high, log, shown.zeros);
  return [
    ...cellShapes(cells, frame, indexOf, colour),
    ...(shown.numbers?.(shown, frame, [low, high], log, colour) ?? []),
  ];
}

/**
 * One path for all the cells of a colour, neighbours in a row as one rectangle: small and without seams. `indexOf` gives the
 * index of the colour of a content, negative for none.
 */
export function cellShapes(
  { xEdges, yEdges, values }: Cells,
  { x: { toPixel: toX }, y: { toPixel: toY } }: Places,
  indexOf: (value: number) => number,
  colour: (index: number) => Colour,
): Shape[] {
  const paths = new Map<number, string[]>();
  const nx = xEdges.length - 1;
  for (let row = 0; row < yEdges.length - 1; row++) {
    const top = toY(yEdges[row + 1] ?? 0);
    const tall = toY(yEdges[row] ?? 0) - top;
    for (let at = 0; at < nx; ) {
      const index = indexOf(values[row * nx + at] ?? 0);
      let end = at + 1;
      while (end < nx && indexOf(values[row * nx + end] ?? 0) === index) end++;
      if (index >= 0) {
        const left = toX(xEdges[at] ?? 0);
        const path = paths.get(index) ?? [];
        path.push(
          `M${short(left)} ${short(top)}H${short(toX(xEdges[end] ?? 0))}v${short(tall)}H${short(left)}Z`,
        );
        paths.set(index, path);
      }
      at = end;
    }
  }
  return [...paths].map(
    ([index, path]): Shape => ({ kind: 'path', d: path.join(''), fill: colour(index), crisp: true }),
  );
}

/** The scale of colours at the right of the frame. */
export function mapScale(
  { range: [low, high], ticks, shown }: MapParts,
  frame: PlotFrame,
  log: boolean,
  colour: (index: number) => Colour,
): Shape[] {
  const share = (value: number) => shareOf(value, low, high, log);
  return colourAxis(frame.box, colour, ticks, share, shown.zTitle, frame.y.spec.style);
}
