import { type Colour, type Ink, type Shape, short } from '../drawing/drawing';
import type { PlotFrame } from '../drawing/frame';
import { binAt, type MapModel, type MapOverlay, middleOf } from '../model';

/** How a map lies over another one. */
export const overMaps = ['boxes', 'contours'] as const;
export type OverMap = (typeof overMaps)[number];

/** Lines of equal content, at equal steps between nothing and the largest. */
const CONTOURS = 5;

/** A map as boxes in its bins, whose areas are as its contents, or as lines of equal content. */
export function overMap(map: MapModel, how: OverMap, title: string, ink: Ink): MapOverlay {
  const { stats, xEdges, yEdges, values } = map;
  const most = values.reduce((high, value) => (Math.abs(value) > high ? Math.abs(value) : high), 0);
  return {
    ...{ title, ink, stats },
    shapes(frame) {
      if (!(most > 0) || most === Number.POSITIVE_INFINITY) return [];
      const d = how === 'boxes' ? boxes(map, most, frame) : contours(map, most, frame);
      return haloed(d, ink);
    },
    at: (x, y) => values[binAt(yEdges, y) * (xEdges.length - 1) + binAt(xEdges, x)] ?? Number.NaN,
  };
}

/** A line that is seen on cells of any colour. */
function haloed(d: string, stroke: Colour): Shape[] {
  return [
    { kind: 'path', d, stroke: 'paper', width: 3.2, opacity: 0.75 },
    { kind: 'path', d, stroke, width: 1.6 },
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

/** Lines through the squares between the middles of four bins, where a content lies between those of two corners. */
function contours({ xEdges, yEdges, values }: MapModel, most: number, { x, y }: PlotFrame): string {
  const [nx, ny] = [xEdges.length - 1, yEdges.length - 1];
  let d = '';
  for (let k = 1; k <= CONTOURS; k++) {
    const level = (most * k) / (CONTOURS + 1);
    for (let row = 0; row + 1 < ny; row++) {
      for (let at = 0; at + 1 < nx; at++) {
        const corners = [
          [at, row],
          [at + 1, row],
          [at + 1, row + 1],
          [at, row + 1],
        ].map(([i = 0, j = 0]) => ({
          ...{ x: x.toPixel(middleOf(xEdges, i)), y: y.toPixel(middleOf(yEdges, j)) },
          above: (values[j * nx + i] ?? 0) - level,
        }));
        const ends = corners.flatMap((one, i) => {
          const next = corners[(i + 1) % 4] ?? one;
          if (!(one.above >= 0 !== next.above >= 0)) return [];
          const share = one.above / (one.above - next.above);
          return [`${short(one.x + (next.x - one.x) * share)} ${short(one.y + (next.y - one.y) * share)}`];
        });
        for (let i = 0; i + 1 < ends.length; i += 2) d += `M${ends[i]}L${ends[i + 1]}`;
      }
    }
  }
  return d;
}
