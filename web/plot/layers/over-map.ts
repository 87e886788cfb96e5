import { type Colour, type Ink, type Shape, short } from '../drawing/drawing';
import type { PlotFrame } from '../drawing/frame';
import { binAt, type MapModel, type MapOverlay } from '../model';
import { contourLine } from '../stored/kinds/contours';
import type { OverMap } from './choices';

/** Number of contour lines. */
const CONTOURS = 5;

/** Colour and dashes of a line. */
export interface LayerLook {
  ink: Ink;
  dash?: string | undefined;
}

/** Draws a map as boxes with areas in proportion to its contents, or as contour lines. */
export function overMap(map: MapModel, how: OverMap, title: string, { ink, dash }: LayerLook): MapOverlay {
  const { stats, xEdges, yEdges, values } = map;
  const most = values.reduce((high, value) => (Math.abs(value) > high ? Math.abs(value) : high), 0);
  return {
    ...{ title, ink, dash: how === 'contours' ? dash : undefined, stats },
    shapes(frame) {
      if (!(most > 0) || most === Number.POSITIVE_INFINITY) return [];
      const d = how === 'boxes' ? boxes(map, most, frame) : contours(map, most, frame);
      return haloed(d, ink, how === 'contours' ? dash : undefined);
    },
    at: (x, y) => values[binAt(yEdges, y) * (xEdges.length - 1) + binAt(xEdges, x)] ?? Number.NaN,
  };
}

/** Draws a line that is visible on cells of any colour. */
function haloed(d: string, stroke: Colour, dash: string | undefined): Shape[] {
  return [
    { kind: 'path', d, stroke: 'paper', width: 3.2, opacity: 0.75 },
    { kind: 'path', d, stroke, width: 1.6, ...(dash && { dash }) },
  ];
}

function boxes({ xEdges, yEdges, values }: MapModel, most: number, { x, y }: PlotFrame): string {
  const nx = xEdges.length - 1;
  let d = '';
  values.forEach((value, i) => {
    const share = Math.sqrt(Math.abs(value) / most);
    const [left, right] = [i % nx, (i % nx) + 1].map((at) => x.toPixel(xEdges[at] ?? 0)) as [number, number];
    const row = Math.floor(i / nx);
    const [low, high] = [row, row + 1].map((at) => y.toPixel(yEdges[at] ?? 0)) as [number, number];
    const [wide, tall] = [(right - left) * share, (low - high) * share];
    if (!(wide > 0.3) && !(tall > 0.3)) return;
    d += `M${short((left + right - wide) / 2)} ${short((low + high - tall) / 2)}h${short(wide)}v${short(tall)}h${short(-wide)}Z`;
  });
  return d;
}

/** Returns contour lines at equal steps between zero and the maximum. */
function contours(map: MapModel, most: number, { x, y }: PlotFrame): string {
  return Array.from({ length: CONTOURS }, (_, k) =>
    contourLine(map, (most * (k + 1)) / (CONTOURS + 1), x.toPixel, y.toPixel),
  ).join('');
}
