import type { GraphErrors } from '../../../bins/stored-graph';
import { type Shape, short } from '../../drawing/drawing';
import { areaOf, open } from './attributes';
import type { Ground, Members, Point } from './ground';

/** Points, and the lengths of their error bars. */
export interface Points {
  x: Float64Array;
  y: Float64Array;
  errors?: GraphErrors | undefined;
}

/** Maximum number of points whose errors are drawn. */
const MAX_POINTS = 100_000;

/** Draws errors as boxes (options 2 and 5) or as a band (options 3 and 4). */
export function bandShapes(
  ground: Ground,
  looks: Members,
  { x, y, errors }: Required<Points>,
  words: string,
): Shape[] {
  if (errors === undefined) return [];
  const upper: Point[] = [];
  const lower: Point[] = [];
  const boxes: Point[][] = [];
  for (let i = 0; i < Math.min(x.length, MAX_POINTS); i++) {
    const [vx, vy] = [x[i] ?? 0, y[i] ?? 0];
    const [low, high] = [
      ground.places.y.toPixel(vy - (errors.down[i] || 0)),
      ground.places.y.toPixel(vy + (errors.up[i] || 0)),
    ];
    const [left, right] = [
      ground.places.x.toPixel(vx - (errors.left[i] || 0)),
      ground.places.x.toPixel(vx + (errors.right[i] || 0)),
    ];
    boxes.push([
      [left, low],
      [right, low],
      [right, high],
      [left, high],
    ]);
    upper.push([ground.places.x.toPixel(vx), high]);
    lower.push([ground.places.x.toPixel(vx), low]);
  }
  const areas = /[34]/.test(words) ? [[...upper, ...lower.toReversed()]] : boxes;
  return areas.flatMap((area) => areaOf(ground, looks, [area]));
}

/**
 * Returns a smooth curve through points. Its slope at a point is that of the line between the two neighbouring
 * points.
 */
export function smooth(points: readonly Point[]): string {
  if (points.length < 3) return open(points);
  let d = '';
  for (let i = 0; i < points.length; i++) {
    const [x, y] = points[i] as Point;
    if (i === 0) {
      d = `M${short(x)} ${short(y)}`;
      continue;
    }
    const [before, from, after] = [
      points[i - 2] ?? points[i - 1],
      points[i - 1],
      points[i + 1] ?? points[i],
    ] as [Point, Point, Point];
    const one = [from[0] + (x - before[0]) / 6, from[1] + (y - before[1]) / 6];
    const two = [x - (after[0] - from[0]) / 6, y - (after[1] - from[1]) / 6];
    d += `C${[...one, ...two, x, y].map(short).join(' ')}`;
  }
  return d;
}
