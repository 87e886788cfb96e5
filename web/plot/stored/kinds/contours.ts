import type { Places } from '../../drawing/axes';
import { type Shape, short } from '../../drawing/drawing';
import type { MapModel } from '../../model';
import { middleOf } from '../../model';

/** Contents of a map, at its bin centres. */
export type Heights = Pick<MapModel, 'xEdges' | 'yEdges' | 'values'>;
/** The place of a coordinate in a picture, in pixels. */
export type ToPixel = (value: number) => number;

interface Corner {
  x: number;
  y: number;
  height: number;
}

/** How the lines at a level, or with `fill` the areas from it to the next one, are drawn. */
export type LevelLook = Omit<Shape & { kind: 'path' }, 'kind' | 'd' | 'crisp'>;

/** The lines or areas of all levels that have a look. */
export function levelShapes(
  map: Heights,
  levels: readonly number[],
  { x: { toPixel: x }, y: { toPixel: y } }: Places,
  lookOf: (step: number, level: number) => LevelLook | undefined,
): Shape[] {
  return levels.flatMap((level, i): Shape[] => {
    const look = lookOf(i, level);
    if (look === undefined) return [];
    if (look.fill === undefined) return [{ kind: 'path', d: contourLine(map, level, x, y), ...look }];
    const upper = levels[i + 1] ?? Number.POSITIVE_INFINITY;
    return [{ kind: 'path', d: contourArea(map, [level, upper], x, y), ...look, crisp: true }];
  });
}

/** Lines through the squares between the middles of four bins, for a content between the contents of two corners. */
export function contourLine(
  { xEdges, yEdges, values }: Heights,
  level: number,
  x: ToPixel,
  y: ToPixel,
): string {
  const [nx, ny] = [xEdges.length - 1, yEdges.length - 1];
  const xs = middles(xEdges, x);
  const ys = middles(yEdges, y);
  const isAbove = (cell: number) => (values[cell] ?? 0) >= level;
  /**
   * Crossing points on the sides of squares, by side: twice the index of its first cell, plus 1 for vertical sides.
   */
  const places = new Map<number, string>();
  const next = new Map<number, number[]>();
  const crossing = (from: number, to: number, side: number): number[] => {
    if (isAbove(from) === isAbove(to)) return [];
    const [low, high] = [values[from] ?? 0, values[to] ?? 0];
    const share = (level - low) / (high - low);
    const between = (places: Float64Array, a: number, b: number) =>
      (places[a] ?? 0) + ((places[b] ?? 0) - (places[a] ?? 0)) * share;
    const at = [between(xs, from % nx, to % nx), between(ys, Math.floor(from / nx), Math.floor(to / nx))];
    if (!at.every(Number.isFinite)) return [];
    places.set(side, at.map(short).join(' '));
    return [side];
  };
  for (let row = 0; row + 1 < ny; row++) {
    for (let column = 0; column + 1 < nx; column++) {
      const cell = row * nx + column;
      const sides = [
        ...crossing(cell, cell + 1, 2 * cell),
        ...crossing(cell + 1, cell + nx + 1, 2 * (cell + 1) + 1),
        ...crossing(cell + nx, cell + nx + 1, 2 * (cell + nx)),
        ...crossing(cell, cell + nx, 2 * cell + 1),
      ];
      for (let i = 0; i + 1 < sides.length; i += 2) {
        const [one, other] = [sides[i] ?? 0, sides[i + 1] ?? 0];
        next.set(one, [...(next.get(one) ?? []), other]);
        next.set(other, [...(next.get(other) ?? []), one]);
      }
    }
  }
  return joined(next, places);
}

/** Joins pieces with common ends to few long lines, so that dashes are continuous. */
function joined(next: Map<number, number[]>, places: ReadonlyMap<number, string>): string {
  let d = '';
  const follow = (start: number): void => {
    let at = start;
    let line = `M${places.get(at)}`;
    for (;;) {
      const to = next.get(at)?.pop();
      if (to === undefined) break;
      const back = next.get(to) ?? [];
      back.splice(back.indexOf(at), 1);
      line += to === start ? 'Z' : `L${places.get(to)}`;
      at = to;
    }
    if (/[LZ]/.test(line)) d += line;
  };
  // Lines that end at the border first, from their ends.
  for (const [side, others] of next) if (others.length === 1) follow(side);
  for (const side of next.keys()) while ((next.get(side)?.length ?? 0) > 0) follow(side);
  return d;
}

/** Returns the areas with contents from `low` to `high`, between bin centres. */
export function contourArea(
  { xEdges, yEdges, values }: Heights,
  [low, high]: readonly [low: number, high: number],
  x: ToPixel,
  y: ToPixel,
): string {
  const [nx, ny] = [xEdges.length - 1, yEdges.length - 1];
  const xs = middles(xEdges, x);
  const ys = middles(yEdges, y);
  const corner = (column: number, row: number): Corner => ({
    x: xs[column] ?? 0,
    y: ys[row] ?? 0,
    height: values[row * nx + column] ?? 0,
  });
  const isWhole = (column: number, row: number) =>
    [0, 1, nx, nx + 1].every((more) => {
      const height = values[row * nx + column + more] ?? 0;
      return height >= low && height < high;
    });
  let d = '';
  for (let row = 0; row + 1 < ny; row++) {
    for (let column = 0; column + 1 < nx; column++) {
      // Whole squares of a row are one rectangle: few shapes, and no seams.
      let end = column;
      while (end + 1 < nx && isWhole(end, row)) end++;
      if (end > column) {
        const [left, right] = [short(xs[column] ?? 0), short(xs[end] ?? 0)];
        d += `M${left} ${short(ys[row] ?? 0)}H${right}V${short(ys[row + 1] ?? 0)}H${left}Z`;
        column = end - 1;
        continue;
      }
      const square = [
        corner(column, row),
        corner(column + 1, row),
        corner(column + 1, row + 1),
        corner(column, row + 1),
      ];
      if (square.every(({ height }) => height < low) || square.every(({ height }) => height >= high))
        continue;
      const part = cut(cut(square, low, 1), high, -1);
      if (part.length > 2 && part.every((one) => Number.isFinite(one.x) && Number.isFinite(one.y)))
        d += `M${part.map((one) => `${short(one.x)} ${short(one.y)}`).join('L')}Z`;
    }
  }
  return d;
}

/** Returns the part of a polygon above a height; with `sign` -1, below it. */
function cut(polygon: readonly Corner[], level: number, sign: 1 | -1): Corner[] {
  const found: Corner[] = [];
  polygon.forEach((one, i) => {
    const before = polygon[(i + polygon.length - 1) % polygon.length] ?? one;
    const [from, to] = [sign * (before.height - level), sign * (one.height - level)];
    if (from >= 0 !== to >= 0) {
      const share = from / (from - to);
      found.push({
        x: before.x + (one.x - before.x) * share,
        y: before.y + (one.y - before.y) * share,
        height: level,
      });
    }
    if (to >= 0) found.push(one);
  });
  return found;
}

function middles(edges: Float64Array, toPixel: ToPixel): Float64Array {
  return Float64Array.from({ length: edges.length - 1 }, (_, i) => toPixel(middleOf(edges, i)));
}
