import type { Places } from '../../drawing/axes';
import { type Colour, type Shape, short } from '../../drawing/drawing';
import { type GraphModel, type MapModel, statNumber } from '../../model';
import { type Candle, type CandleParts, candleDots, candleOutline, candlesOf, type Place } from './candles';

/** Default fractions of a bin for the width of candles and of the widest outline. */
const CANDLE = 0.66;
const OUTLINE = 0.8;

/** The look of the parts of candles; places are pixels. */
export interface CandleLook {
  /** Fraction of a bin that is used, and shift of its middle, in bins. */
  width?: number | undefined;
  offset?: number | undefined;
  area(polygons: Place[][], of: 'box' | 'outline'): Shape[];
  line(d: string, of: 'solid' | 'dashed' | 'outline'): Shape;
  marks(places: Place[], of: 'centre' | 'dot'): Shape[];
}

/** All candles of a map. */
export function candleShapes(
  candles: readonly Candle[],
  parts: CandleParts,
  { x: { toPixel: toX }, y: { toPixel: toY } }: Places,
  look: CandleLook,
): Shape[] {
  const most = candles.reduce((high, one) => Math.max(high, one.most), 0);
  const pixel = ([beside, along]: Place): Place =>
    parts.horizontal ? [toX(along), toY(beside)] : [toX(beside), toY(along)];
  const path = (places: Place[], end = '') =>
    `M${places
      .map(pixel)
      .map((one) => one.map(short).join(' '))
      .join('L')}${end}`;
  const shapes: Shape[] = [];
  for (const one of candles) {
    const candle = { ...one, middle: one.middle + (look.offset ?? 0) * one.width };
    const { middle, median, mean, notch, box, whiskers, edges } = candle;
    const wide = candle.width * (look.width ?? CANDLE);
    const [left, right] = [middle - wide / 2, middle + wide / 2];
    let [solid, dashed] = ['', ''];
    const across = (at: number, from = left, to = right) =>
      path([
        [from, at],
        [to, at],
      ]);
    if (parts.zero)
      shapes.push(
        look.line(
          path([
            [middle, edges[0] ?? 0],
            [middle, edges.at(-1) ?? 0],
          ]),
          'outline',
        ),
      );
    if (parts.outline !== 'none') {
      const reach =
        (candle.width * (look.width ?? OUTLINE) * (parts.outline === 'both' ? 0.5 : 1) * candle.most) / most;
      const outline = candleOutline(candle, parts.outline, reach);
      shapes.push(...look.area([outline.map(pixel)], 'outline'), look.line(path(outline, 'Z'), 'outline'));
    }
    if (parts.box) {
      const third = wide / 3;
      const corners: Place[] =
        parts.median === 'notched'
          ? [
              ...([
                [left, box[0]],
                [left, median - notch],
                [left + third, median],
                [left, median + notch],
              ] as Place[]),
              ...([
                [left, box[1]],
                [right, box[1]],
                [right, median + notch],
                [right - third, median],
              ] as Place[]),
              ...([
                [right, median - notch],
                [right, box[0]],
              ] as Place[]),
            ]
          : [
              [left, box[0]],
              [left, box[1]],
              [right, box[1]],
              [right, box[0]],
            ];
      shapes.push(...look.area([corners.map(pixel)], 'box'));
      solid += path(corners, 'Z');
    }
    if (parts.anchors) solid += across(whiskers[0]) + across(whiskers[1]);
    if (parts.whiskers !== 'none') {
      const lines =
        path([
          [middle, whiskers[1]],
          [middle, box[1]],
        ]) +
        path([
          [middle, box[0]],
          [middle, whiskers[0]],
        ]);
      if (parts.whiskers === 'all' && !parts.zero) dashed += lines;
      else solid += lines;
    }
    if (parts.median === 'line') solid += across(median);
    if (parts.median === 'notched') solid += across(median, left + wide / 3, right - wide / 3);
    if (parts.mean === 'line') dashed += across(mean);
    shapes.push(look.line(solid, 'solid'), look.line(dashed, 'dashed'));
    const centres: Place[] = [
      ...(parts.median === 'circle' ? [[middle, median] as Place] : []),
      ...(parts.mean === 'circle' ? [[middle, mean] as Place] : []),
    ];
    shapes.push(...look.marks(centres.map(pixel), 'centre'));
    shapes.push(...look.marks(candleDots(candle, parts.points, wide).map(pixel), 'dot'));
  }
  return shapes.filter((shape) => shape.kind !== 'path' || shape.d !== '');
}

/**
 * Returns a map as candles: the distribution along one axis in each bin of the other. Undefined for another option.
 */
export function candleModel(map: MapModel, parts: CandleParts): GraphModel {
  const {
    xEdges,
    yEdges,
    values: _values,
    kind: _kind,
    numbers: _numbers,
    overlays: _overlays,
    ...shared
  } = map;
  const { horizontal } = parts;
  const candles = candlesOf(map, parts);
  const beside = horizontal ? yEdges : xEdges;
  const ends = (edges: Float64Array): [number, number] => [edges[0] ?? 0, edges.at(-1) ?? 1];
  const [low, high] = map.yRange ?? ends(yEdges);
  // The ends of the axes have no value: the axes show all bins.
  const padded = (of: (candle: Candle) => number, edges: Float64Array) =>
    Float64Array.from([edges[0] ?? 0, ...candles.map(of), edges.at(-1) ?? 1]);
  const middle = (candle: Candle) => candle.middle;
  const median = (candle: Candle) => candle.median;
  const y = padded(horizontal ? middle : median, yEdges);
  y[0] = Number.NaN;
  y[y.length - 1] = Number.NaN;
  return {
    ...shared,
    kind: 'graph',
    x: padded(horizontal ? median : middle, xEdges),
    y,
    xRange: map.xRange ?? ends(xEdges),
    limits: { low, high },
    dots: horizontal ? undefined : false,
    xNames: map.xLabels && { edges: xEdges, labels: map.xLabels },
    shapes: (_, ink, frame) => themedShapes(candles, parts, frame, ink),
    note: (index) => {
      const one = candles[index - 1];
      if (one === undefined) return '';
      const { bin, box, whiskers } = one;
      return [
        `[${statNumber(beside[bin] ?? 0)}, ${statNumber(beside[bin + 1] ?? 0)})`,
        `median ${statNumber(one.median)}`,
        `mean ${statNumber(one.mean)}`,
        `quartiles ${box.map(statNumber).join(' to ')}`,
        `whiskers ${whiskers.map(statNumber).join(' to ')}`,
        `sum ${statNumber(one.sum)}`,
      ].join('\n');
    },
  };
}

function themedShapes(candles: readonly Candle[], parts: CandleParts, frame: Places, ink: Colour): Shape[] {
  return candleShapes(candles, parts, frame, {
    area: (polygons, of) =>
      polygons.map((places) => ({
        ...{ kind: 'path', d: `M${places.map((one) => one.map(short).join(' ')).join('L')}Z`, fill: ink },
        fillOpacity: of === 'box' ? 0.15 : 0.3,
      })),
    line: (d, of) => ({
      ...{ kind: 'path', d, stroke: ink, width: of === 'outline' ? 0.8 : 1.3 },
      ...(of === 'dashed' && { dash: '3 3' }),
    }),
    marks: (points, of) => [
      {
        kind: 'dots',
        points,
        radius: of === 'dot' ? 1.2 : 3,
        fill: of === 'dot' ? ink : 'ink',
        open: of !== 'dot',
      },
    ],
  });
}
