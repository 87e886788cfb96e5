import type { PlainValue } from '../../../api/api';
import type { Shape } from '../../drawing/drawing';
import { binAt, type GraphModel, type MapModel, middleOf, statNumber } from '../../model';
import { number, numbers } from '../members';
import { type Colouring, colouredPanel } from './coloured';
import { levelShapes } from './contours';

/** ROOT's default number of contour levels. */
const STEPS = 20;

/** TH1::kUserContour: the levels themselves are stored, not only their number. */
const OWN_LEVELS = 1 << 10;

/** Returns the levels that a histogram sets itself, or as many zeros as it has levels. */
export function storedLevels(object: { [member: string]: PlainValue }): Float64Array {
  const stored = numbers(object.fContour);
  const isOwn = (number(object.fBits) & OWN_LEVELS) !== 0;
  return stored !== undefined && isOwn ? stored : new Float64Array(stored?.length || STEPS);
}

/** Returns the lower ends of contour levels: the levels of the object, or equal steps along the scale. */
export function levelsOf(own: Float64Array, { low, high, log }: Omit<Colouring, 'of'>): number[] {
  const count = own.length || STEPS;
  const isSaid = own.every((level, i) => i === 0 || level > (own[i - 1] ?? 0));
  if (isSaid && count > 1 && count < 1000) return Array.from(own);
  const share = (i: number) => i / Math.min(count, 255);
  return Array.from({ length: Math.min(count, 255) }, (_, i) =>
    log ? low * (high / low) ** share(i) : low + (high - low) * share(i),
  );
}

/** Returns a map as areas of equal content, or with `lines` as contour lines, in the colours of the contents. */
export function contoured(map: MapModel, lines: boolean, own: Float64Array): GraphModel {
  const {
    xEdges,
    yEdges,
    values,
    zTitle,
    kind: _kind,
    numbers: _numbers,
    overlays: _overlays,
    ...shared
  } = map;
  const columns = xEdges.length - 1;
  const shapes = (frame: Parameters<Parameters<typeof colouredPanel>[2]>[0], colours: Colouring): Shape[] => {
    const levels = levelsOf(own, colours);
    return levelShapes(map, levels, frame, (i, level) => {
      const colour = colours.of((level + (levels[i + 1] ?? colours.high)) / 2);
      // Nothing is the lowest step of counts, and has no colour.
      if (colour === undefined || (i === 0 && (lines || level >= 0))) return undefined;
      return lines ? { stroke: colour, width: 1.4 } : { fill: colour };
    });
  };
  return {
    ...shared,
    kind: 'graph',
    x: Float64Array.from({ length: values.length + 2 }, (_, i) =>
      i === 0
        ? (xEdges[0] ?? 0)
        : i > values.length
          ? (xEdges.at(-1) ?? 1)
          : middleOf(xEdges, (i - 1) % columns),
    ),
    y: Float64Array.from({ length: values.length + 2 }, (_, i) =>
      i === 0
        ? (yEdges[0] ?? 0)
        : i > values.length
          ? (yEdges.at(-1) ?? 1)
          : middleOf(yEdges, Math.floor((i - 1) / columns)),
    ),
    dots: false,
    limits: { low: map.yRange?.[0] ?? yEdges[0] ?? 0, high: map.yRange?.[1] ?? yEdges.at(-1) ?? 1 },
    xNames: map.xLabels && { edges: xEdges, labels: map.xLabels },
    right: {
      title: zTitle,
      ink: 'ink',
      panel: colouredPanel(values, map.limits, shapes, (frame, at) => {
        const [column, row] = [binAt(xEdges, frame.x.toValue(at.x)), binAt(yEdges, frame.y.toValue(at.y))];
        return column < 0 || row < 0 ? undefined : { index: row * columns + column + 1, distance: 0 };
      }),
    },
    note: (index) => {
      const cell = index - 1;
      const bin = (edges: Float64Array, i: number) =>
        `[${statNumber(edges[i] ?? 0)}, ${statNumber(edges[i + 1] ?? 0)})`;
      return [
        `x ${bin(xEdges, cell % columns)}`,
        `y ${bin(yEdges, Math.floor(cell / columns))}`,
        statNumber(values[cell] ?? Number.NaN),
      ].join('\n');
    },
  };
}
