import { type Colour, type Shape, short } from '../../drawing/drawing';
import { number } from '../members';
import type { Ground, Members, Point } from './ground';

/** ROOT's line styles 2 to 10: lengths of dashes and gaps in pixels. */
const DASHES = [
  '3 3',
  '1 2',
  '3 4 1 4',
  '5 3 1 3',
  '5 3 1 3 1 3 1 3',
  '5 5',
  '5 3 1 3 1 3',
  '20 5',
  '20 10 1 10',
];

/** Returns the stroke of a line with ROOT's colour, width and style. */
export function strokeOf(ground: Ground, object: Members): { stroke: Colour; width: number; dash?: string } {
  const dash = DASHES[number(object.fLineStyle) - 2];
  // The hundreds of the width are the width of a zone beside the line: see zoneShapes in graph.ts.
  const width = Math.min(50, Math.max(0.5, Math.abs(number(object.fLineWidth)) % 100 || 1));
  return { stroke: ground.colour(object.fLineColor), width, ...(dash && { dash }) };
}

export function hasLine(object: Members): boolean {
  return number(object.fLineWidth) > 0 && number(object.fLineColor) >= 0;
}

export function isFilled(object: Members): boolean {
  const style = number(object.fFillStyle);
  return number(object.fFillColor) !== 0 && style > 0 && style !== 4000;
}

/** Fills polygons with ROOT's colour and style: solid, transparent, or hatched. */
export function areaOf(ground: Ground, object: Members, polygons: readonly Point[][]): Shape[] {
  const style = number(object.fFillStyle);
  const fill = ground.colour(object.fFillColor, true);
  if (style === 0 || style === 4000 || polygons.length === 0) return [];
  if (!ground.knows(object.fFillColor)) {
    ground.miss('areas in a colour that is not stored with the canvas');
    return [];
  }
  const d = polygons.map(closed).join('');
  if (style > 4000 && style <= 4100) return [{ kind: 'path', d, fill, fillOpacity: (style - 4000) / 100 }];
  if (style >= 3001 && style <= 3003)
    return [{ kind: 'path', d, fill, fillOpacity: [0.55, 0.35, 0.2][style - 3001] ?? 0.5 }];
  const lines = hatchesOf(style);
  if (lines === undefined) return [{ kind: 'path', d, fill }];
  return lines.map(({ angle, spacing }) => ({
    ...{ kind: 'path', d: hatch(polygons, angle, spacing), stroke: fill, width: 1 },
  }));
}

export function closed(points: readonly Point[]): string {
  return points.length < 2 ? '' : `${open(points)}Z`;
}

export function open(points: readonly Point[]): string {
  let pen = false;
  let d = '';
  for (const [x, y] of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) d += `${pen ? 'L' : 'M'}${short(x)} ${short(y)}`;
    pen = Number.isFinite(x) && Number.isFinite(y);
  }
  return d;
}

export const rectangle = (left: number, top: number, right: number, bottom: number): Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** Returns the lines of a hatched style. 3004 to 3025 are fixed; 3ijk has the spacing i and the angles j and k. */
function hatchesOf(style: number): { angle: number; spacing: number }[] | undefined {
  if (style < 3004 || style > 3999) return undefined;
  const known: Record<number, number[]> = {
    ...{ 3004: [45], 3005: [-45], 3006: [90], 3007: [0], 3013: [45, -45], 3019: [0, 90] },
    ...{ 3008: [30, -30, 90], 3009: [0, 60], 3010: [0, 90], 3011: [0, 45, -45], 3012: [60, -60] },
  };
  if (style < 3100) return (known[style] ?? [45, -45]).map((angle) => ({ angle, spacing: 6 }));
  const spacing = 2.8 * Math.max(1, Math.floor((style - 3000) / 100));
  const [first, second] = [HATCH_ANGLES[Math.floor(style / 10) % 10], HATCH_ANGLES[style % 10]];
  return [...(first === undefined ? [] : [180 - first]), ...(second === undefined ? [] : [second])].map(
    (angle) => ({ angle, spacing }),
  );
}

/** Angles for the digits of a hatched style; 5 means no lines. */
const HATCH_ANGLES = [0, 10, 20, 30, 45, undefined, 60, 70, 80, 90];

/** Maximum number of lines of a hatching. */
const MAX_LINES = 2000;

/**
 * Returns the SVG path of parallel lines within polygons. Each line is drawn between pairs of crossings with their
 * sides.
 */
export function hatch(polygons: readonly Point[][], degrees: number, spacing: number): string {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const turned = polygons.map((points) =>
    points
      .filter((point) => point.every(Number.isFinite))
      .map(([x, y]): Point => [x * cos - y * sin, x * sin + y * cos]),
  );
  const heights = turned.flatMap((points) => points.map(([, y]) => y));
  const low = heights.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = heights.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const step = Math.max(spacing, (high - low) / MAX_LINES);
  let d = '';
  for (let y = Math.ceil(low / step) * step + 1e-6; y < high; y += step) {
    const crossings: number[] = [];
    for (const points of turned) {
      for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
        const [a, b] = [points[i] as Point, points[j] as Point];
        if (a[1] > y !== b[1] > y) crossings.push(a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]));
      }
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const ends = [crossings[i] ?? 0, crossings[i + 1] ?? 0].map(
        (x) => `${short(x * cos + y * sin)} ${short(y * cos - x * sin)}`,
      );
      d += `M${ends.join('L')}`;
    }
  }
  return d;
}

/** A line with ROOT's colour, width and style. */
export function lined(ground: Ground, d: string, object: Members): Shape {
  return { kind: 'path', d, ...strokeOf(ground, object) };
}
