import { stepsPath } from '../../../../plot/draw-bins';
import { barUp, seriesShapes } from '../../../../plot/draw-graph';
import type { Colour, Shape } from '../../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../../plot/drawing/frame';
import { middleOf, type Series } from '../../../../plot/model';
import { shownBins } from '../../../../plot/ranges';
import { closed, hatch, rectangle } from '../../../../plot/stored/paint/attributes';
import type { Point } from '../../../../plot/stored/paint/ground';
import { markersOf } from '../../../../plot/stored/paint/markers';
import type { Look } from './look';

/** Contents of bins. */
export interface Bins {
  edges: Float64Array;
  values: Float64Array;
  errors?: Float64Array | undefined;
}

/** ROOT's marker styles. */
const MARKERS: Readonly<Record<Look['marker'], number>> = {
  ...{ circle: 20, square: 21, triangle: 22, diamond: 33, cross: 34 },
  ...{ 'open circle': 24, 'open square': 25, 'open triangle': 26, 'open diamond': 27 },
};

/** Draws points at places in pixels. */
export function pointShapes({ marker, size, colour, width }: Look, places: readonly Point[]): Shape[] {
  const ground = {
    colour: () => colour,
    knows: () => true,
    miss: () => undefined,
    log: { x: false, y: false },
    places: { box: { left: 0, right: 0, top: 0, bottom: 0 }, x: { toPixel: Number }, y: { toPixel: Number } },
  };
  // The radius of ROOT's markers is four times their size.
  const shapes = markersOf(ground, { fMarkerStyle: MARKERS[marker], fMarkerSize: size / 8 }, places);
  return shapes.map((shape) =>
    shape.kind === 'path' && shape.stroke ? { ...shape, width: barWidth(width) } : shape,
  );
}

/** Width of error bars and the outlines of points, for a line of a width. */
const barWidth = (width: number): number => Math.max(0.4, width);

function baselineOf({ y }: PlotFrame): number {
  const [low] = y.spec.range;
  return y.toPixel(y.spec.log ? low : Math.max(low, 0));
}

/** Draws bins in a look. */
export function binsInLook(bins: Bins, look: Look, frame: PlotFrame): Shape[] {
  const { edges, values, errors } = bins;
  const { as, colour, fill, opacity, width, dash } = look;
  const [from, to] = shownBins(edges, frame.x.spec.range);
  if (as === 'points') {
    const { bars, places } = barsOf(bins, from, to, frame);
    return [{ kind: 'path', d: bars, stroke: colour, width: barWidth(width) }, ...pointShapes(look, places)];
  }
  const area = stepsPath(edges, values, from, to, frame, baselineOf(frame));
  // Without the line along the axis.
  const line = {
    kind: 'path',
    d: area.replaceAll('Z', ''),
    stroke: colour,
    width,
    ...(dash && { dash }),
  } as const;
  const lines: Shape[] = width > 0 ? [line] : [];
  if (as === 'band') return [...bandInLook(bins, { colour: fill, form: 'filled', opacity }, frame), ...lines];
  const areas: Shape[] =
    as === 'line' ? [] : [{ kind: 'path', d: area, fill, ...(opacity < 1 && { fillOpacity: opacity }) }];
  const { bars } = errors ? barsOf(bins, from, to, frame) : { bars: '' };
  return [...areas, ...lines, { kind: 'path', d: bars, stroke: colour, width: barWidth(width) }];
}

/** Returns error bars, and the places of points. Empty bins without errors have none. */
function barsOf(
  { edges, values, errors }: Bins,
  from: number,
  to: number,
  { x, y }: PlotFrame,
): { bars: string; places: Point[] } {
  const places: Point[] = [];
  let bars = '';
  for (let i = from; i < to; i++) {
    const [value = Number.NaN, error = 0] = [values[i], errors?.[i]];
    if (!Number.isFinite(value) || (value === 0 && !(error > 0))) continue;
    const middle = x.toPixel(middleOf(edges, i));
    places.push([middle, y.toPixel(value)]);
    if (Number.isFinite(error) && error > 0)
      bars += barUp(middle, y.toPixel(value - error), y.toPixel(value + error));
  }
  return { bars, places };
}

/** The form of a band of errors. */
export interface BandLook {
  colour: Colour;
  form: 'hatched' | 'filled';
  opacity?: number | undefined;
}

/** Draws a band from the contents less their errors to the contents and their errors. */
export function bandInLook({ edges, values, errors }: Bins, look: BandLook, frame: PlotFrame): Shape[] {
  const { x, y } = frame;
  const [from, to] = shownBins(edges, x.spec.range);
  const areas: Point[][] = [];
  for (let i = from; i < to; i++) {
    const [value = Number.NaN, error = 0] = [values[i], errors?.[i]];
    if (!Number.isFinite(value) || !(error > 0) || !Number.isFinite(error)) continue;
    const [left, right] = [x.toPixel(edges[i] ?? 0), x.toPixel(edges[i + 1] ?? 0)];
    const [high, low] = [y.toPixel(value + error), y.toPixel(value - error)];
    const [start, , end] = areas.at(-1) ?? [];
    // Bins in the same pixel share an area.
    if (start && end && right - start[0] < 0.5) {
      const [top, bottom] = [Math.min(start[1], high), Math.max(end[1], low)];
      areas.pop();
      areas.push(rectangle(start[0], top, right, bottom));
      continue;
    }
    areas.push(rectangle(left, high, right, low));
  }
  return areaShapes(areas, look);
}

/** Spacing of hatched lines in pixels, and their width. */
const SPACING = 4;
const LINE = 0.6;

export function areaShapes(areas: readonly Point[][], { colour, form, opacity = 0.35 }: BandLook): Shape[] {
  if (form === 'hatched')
    return [
      {
        kind: 'path',
        d: areas.map((area) => hatch([area], 45, SPACING)).join(''),
        stroke: colour,
        width: LINE,
      },
    ];
  return [{ kind: 'path', d: areas.map(closed).join(''), fill: colour, fillOpacity: opacity }];
}

/** Draws the points of a graph, or a function, in a look. */
export function seriesInLook(series: Series, look: Look, frame: PlotFrame): Shape[] {
  const { as, colour, fill, opacity, width, dash, errors: shown } = look;
  const errors = shown === false ? undefined : series.errors;
  const isLine = series.dots === false || as === 'line';
  const isJoined = isLine || as === 'band' || series.joined !== false;
  // The painter of plots gives the line first, then the bars, then the points.
  const drawn = seriesShapes(
    { ...series, errors, more: errors && series.more, dots: isLine ? false : undefined, joined: isJoined },
    colour,
    frame,
  );
  const paths = drawn
    .filter((shape) => shape.kind === 'path')
    .map((shape) => ({ ...shape, width: Math.max(0.4, width), ...(dash && { dash }), opacity: 1 }));
  if (isLine) return width > 0 ? paths : [];
  const [x, y] = [frame.x.toPixel, frame.y.toPixel];
  const at = (i: number, by: number): Point => [
    x(series.x[i] ?? Number.NaN),
    y((series.y[i] ?? Number.NaN) + by),
  ];
  const all = Array.from(series.x.keys()).filter(
    (i) => Number.isFinite(series.x[i]) && Number.isFinite(series.y[i]),
  );
  if (as === 'band') {
    const upper = all.map((i) => at(i, errors?.up[i] || 0));
    const lower = all.map((i) => at(i, -(errors?.down[i] || 0)));
    const line = width > 0 ? paths.slice(0, 1) : [];
    return [
      ...areaShapes([[...upper, ...lower.reverse()]], { colour: fill, form: 'filled', opacity }),
      ...line,
    ];
  }
  const marks = pointShapes(
    look,
    all.map((i) => at(i, 0)),
  );
  return [...paths, ...marks];
}
