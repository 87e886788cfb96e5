import type { Shape } from '../../drawing/drawing';
import { number } from '../members';
import { closed } from './attributes';
import type { Ground, Members, Point } from './ground';

/** Marker styles as polygons and lines: x and y of their corners in turn, in halves of the radius, y downwards. */
const FORMS: Readonly<Record<number, readonly number[][]>> = (() => {
  const upright = [0, -2, 0, 2];
  const level = [-2, 0, 2, 0];
  const three = [
    [0, 0, -1, -2, -2, 0],
    [0, 0, 1, -2, 2, 0],
    [0, 0, -1, 2, 1, 2],
  ];
  const turned = [
    [0, 0, -1, -2, -2, -1],
    [0, 0, 1, -2, 2, -1],
    [0, 0, 2, 1, 1, 2],
    [0, 0, -2, 1, -1, 2],
  ];
  const plus = [upright, level];
  const slanted = [
    [-1.4, -1.4, 1.4, 1.4],
    [1.4, -1.4, -1.4, 1.4],
  ];
  const square = [[-2, -2, 2, -2, 2, 2, -2, 2]];
  const upward = [[-2, 2, 0, -2, 2, 2]];
  const downward = [[-2, -2, 0, 2, 2, -2]];
  const high = [[0, -2, 1.5, 0, 0, 2, -1.5, 0]];
  const third = 2 / 3;
  const arms = [-third, -2, third, -2, third, -third, 2, -third, 2, third, third, third];
  const straight = [[...arms, third, 2, -third, 2, -third, third, -2, third, -2, -third, -third, -third]];
  const five = [
    Array.from({ length: 10 }, (_, i) => {
      const [at, far] = [(i * Math.PI) / 5, i % 2 === 0 ? 2 : 0.76];
      return [far * Math.sin(at), -far * Math.cos(at)];
    }).flat(),
  ];
  const star = [[0, -2, 0.5, -0.5, 2, 0, 0.5, 0.5, 0, 2, -0.5, 0.5, -2, 0, -0.5, -0.5]];
  const cross = [[0, -1, 1, -2, 2, -1, 1, 0, 2, 1, 1, 2, 0, 1, -1, 2, -2, 1, -1, 0, -2, -1, -1, -2]];
  const diamond = (x: number, y: number) => [x, y - 1, x + 1, y, x, y + 1, x - 1, y];
  const small = (x: number, y: number) =>
    [-third, -third, third, -third, third, third, -third, third].map((at, i) => at + (i % 2 ? y : x));
  return {
    ...{ 2: plus, 3: [...plus, ...slanted], 5: slanted, 31: [...plus, ...slanted] },
    ...{ 21: square, 25: square, 22: upward, 26: upward, 23: downward, 32: downward },
    ...{ 27: high, 33: high, 28: straight, 34: straight, 29: five, 30: five },
    35: [[0, -2, 2, 0, 0, 2, -2, 0], upright, level],
    36: [
      [-2, -2, 2, -2, 2, 2, -2, 2],
      [-2, -2, 2, 2],
      [2, -2, -2, 2],
    ],
    37: three,
    38: [[-1, -2, 1, -2, 2, -1, 2, 1, 1, 2, -1, 2, -2, 1, -2, -1], upright, level],
    39: three,
    40: turned,
    41: turned,
    42: star,
    43: star,
    44: [
      [0, 0, -1, -2, 1, -2],
      [0, 0, 2, -1, 2, 1],
      [0, 0, 1, 2, -1, 2],
      [0, 0, -2, 1, -2, -1],
    ],
    45: [
      [-1, -2, 1, -2, 0.4, -0.4, 2, -1, 2, 1, 0.4, 0.4, 1, 2, -1, 2, -0.4, 0.4, -2, 1, -2, -1, -0.4, -0.4],
    ],
    46: cross,
    47: cross,
    48: [diamond(-1, -1), diamond(1, -1), diamond(1, 1), diamond(-1, 1)],
    49: [small(0, -2 * third), small(2 * third, 0), small(0, 2 * third), small(-2 * third, 0)],
  };
})();

/** Marker styles that are filled; of the others the lines are drawn. */
const FULL = [21, 22, 23, 29, 33, 34, 39, 41, 43, 45, 47, 48, 49];

/** ROOT's markers at places in pixels. */
export function markersOf(ground: Ground, object: Members, points: readonly Point[]): Shape[] {
  const style = number(object.fMarkerStyle);
  const fill = ground.colour(object.fMarkerColor);
  const seen = points.filter((point) => point.every(Number.isFinite));
  if (seen.length === 0) return [];
  if (style === 6 || style === 7 || !(style > 1) || (style > 8 && style < 20))
    return [{ kind: 'dots', points: seen, radius: style === 7 ? 1.5 : style === 6 ? 1 : 0.5, fill }];
  const size = Math.min(200, Math.max(0, number(object.fMarkerSize)));
  const radius = Math.max(0.5, 4 * size);
  const form = FORMS[style];
  if (form === undefined) {
    if (style > 49) ground.miss('the shapes of marker styles above 49: these are circles');
    const isOpen = style === 4 || style === 24 || style > 49;
    return [{ kind: 'dots', points: seen, radius, fill, ...(isOpen && { open: true }) }];
  }
  const half = radius / 2;
  const outline = (corners: readonly number[], [x, y]: Point): Point[] =>
    Array.from({ length: corners.length / 2 }, (_, i) => [
      x + (corners[2 * i] ?? 0) * half,
      y + (corners[2 * i + 1] ?? 0) * half,
    ]);
  const d = seen.flatMap((at) => form.map((corners) => closed(outline(corners, at)))).join('');
  return [{ kind: 'path', d, ...(FULL.includes(style) ? { fill } : { stroke: fill }) }];
}
