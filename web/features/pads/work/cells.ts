import type { PlainObject } from '../../../api/api';
import { formatNumber } from '../../../base/format';
import { lastAtMost } from '../../../base/search';
import { cellShapes } from '../../../plot/draw-map';
import type { Colour, Shape } from '../../../plot/drawing/drawing';
import type { MapModel } from '../../../plot/model';
import { candleShapes } from '../../../plot/stored/kinds/candle-shapes';
import { candleParts, candlesOf, sameRandom } from '../../../plot/stored/kinds/candles';
import { levelsOf, storedLevels } from '../../../plot/stored/kinds/contoured';
import { levelShapes } from '../../../plot/stored/kinds/contours';
import { outlinesPath, polygonsOf } from '../../../plot/stored/kinds/polygons';
import { label, number, record } from '../../../plot/stored/members';
import { wordsOf } from '../../../plot/stored/option-words';
import { areaOf, closed, isFilled, lined, rectangle, strokeOf } from '../../../plot/stored/paint/attributes';
import type { Point } from '../../../plot/stored/paint/ground';
import { markersOf } from '../../../plot/stored/paint/markers';
import { modelOfObject } from '../../../plot/stored/stored';
import { textOf } from './attributes';
import { paintAxis } from './axes';
import { paintFunctions } from './graph';
import { angleOf } from './histogram';
import { colourAt, type Members, miss, ndcX, ndcY, type Pad, put, putInFrame, toX, toY } from './pad';

/** Maximum number of cells or dots of a map that are drawn individually. */
const MAX_CELLS = 1_000_000;
const MAX_DOTS = 20_000;

/** Draws a histogram with two axes. */
export function paintCells(pad: Pad, object: PlainObject, option: string): void {
  const model = modelOfObject(object, pad.painting.samples, 'col');
  if (model?.kind !== 'map') {
    miss(pad, `${object._typename} ${label(object.fName)}: its members do not fit together`);
    return;
  }
  const words = wordsOf(option);
  const odd = /LEGO\d?|SURF\d?|ARR|POL|CYL|SPH|PSR|GLTF|LIST/.exec(words);
  if (odd !== null) {
    miss(pad, `the option ${odd[0]} of ${label(object.fName)}`);
    return;
  }
  if (model.values.length > MAX_CELLS) {
    miss(pad, `${label(object.fName)}, which has too many cells`);
    return;
  }
  const scale = scaleOf(pad, object, model.values);
  const contours = /CONT([0-5]?)/.exec(words);
  const isCandle = /CANDLE|VIOLIN/.test(words);
  const isScatter = words.includes('SCAT') || !(contours || isCandle || /COL|BOX|TEXT/.test(words));
  if (isScatter) putInFrame(pad, scatterShapes(pad, object, model));
  if (words.includes('COL')) putInFrame(pad, colourShapes(pad, model, scale));
  if (contours) putInFrame(pad, contourShapes(pad, object, model, scale, contours[1] ?? ''));
  if (isCandle) putInFrame(pad, paintedCandles(pad, object, model, words));
  if (words.includes('BOX')) putInFrame(pad, boxShapes(pad, object, model, scale.high));
  if (words.includes('TEXT')) putInFrame(pad, textShapes(pad, object, model, words));
  if (hasScale(words)) paintScale(pad, object, scale);
  paintFunctions(pad, object);
}

/** Whether options ask for colours with a colour scale. */
function hasScale(words: string): boolean {
  const at = words.search(/COL|CONT/);
  return at >= 0 && words.includes('Z', at);
}

/** The contents for the lowest and the highest colour, and the lower end of each colour step. */
interface Scale {
  low: number;
  high: number;
  levels: number[];
}

function scaleOf(pad: Pad, object: Members, values: Float64Array): Scale {
  const [low, high] = rangeOf(pad, object, values);
  return { low, high, levels: levelsOf(storedLevels(object), { low, high, log: pad.log.z }) };
}

function rangeOf(pad: Pad, object: Members, values: Float64Array): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const [least, most] = [number(object.fMinimum), number(object.fMaximum)];
  if (Number.isFinite(least) && least !== -1111) low = least;
  if (Number.isFinite(most) && most !== -1111) high = most;
  if (!(high > low)) return [0, Math.max(high, 1)];
  return pad.log.z && low <= 0 ? [Math.min(1, 1e-3 * high), high] : [low, high];
}

/** Returns the colour step of a content; -1 if it has no colour. */
function stepOf(pad: Pad, value: number, { low, high, levels }: Scale): number {
  if (!Number.isFinite(value) || (value === 0 && (low >= 0 || pad.log.z)) || value < low) return -1;
  // As in ROOT, contents slightly below a level belong to it.
  const room = pad.log.z ? 1 : (0.01 * (high - low)) / levels.length;
  const at = pad.log.z ? value * (high / low) ** (0.01 / levels.length) : value + room;
  return at < (levels[0] ?? low) ? -1 : lastAtMost(levels, levels.length, at);
}

function colourOfStep({ painting: { palette } }: Pad, step: number, { levels }: Scale): Colour {
  return palette[Math.floor(((step + 0.99) * palette.length) / levels.length)] ?? '#000000';
}

/** Yields cells with their places in pixels. Cells outside the frame are left out. */
function eachCell(
  pad: Pad,
  { xEdges, yEdges, values }: MapModel,
  draw: (value: number, box: [number, number, number, number]) => void,
): void {
  const columns = xEdges.length - 1;
  const xs = Array.from(xEdges, (edge) => toX(pad, edge));
  const ys = Array.from(yEdges, (edge) => toY(pad, edge));
  const { frame } = pad;
  values.forEach((value, cell) => {
    const [i, j] = [cell % columns, Math.floor(cell / columns)];
    const [left = 0, right = 0, bottom = 0, top = 0] = [xs[i], xs[i + 1], ys[j], ys[j + 1]];
    if (right <= frame.left || left >= frame.right || top >= frame.bottom || bottom <= frame.top) return;
    draw(value, [left, top, right, bottom]);
  });
}

function colourShapes(pad: Pad, model: MapModel, scale: Scale): Shape[] {
  return cellShapes(
    model,
    pad.places,
    (value) => stepOf(pad, value, scale),
    (step) => colourOfStep(pad, step, scale),
  );
}

/** Draws contours: areas or lines of equal content, interpolated between the bin centres. */
function contourShapes(pad: Pad, object: Members, model: MapModel, scale: Scale, kind: string): Shape[] {
  const { levels } = scale;
  const isBelow = model.values.some((value) => value < (levels[0] ?? 0));
  return levelShapes(model, levels, pad.places, (i) => {
    const colour = colourOfStep(pad, i, scale);
    // Only CONT4 paints what is below the first level that a line of contents crosses.
    if (!/[123]/.test(kind)) return i === 0 && kind !== '4' && !isBelow ? undefined : { fill: colour };
    const stroke = strokeOf(pad, kind === '2' ? { ...object, fLineStyle: (i % 5) + 1 } : object);
    return { ...stroke, ...(kind === '1' && { stroke: colour }) };
  });
}

function paintedCandles(pad: Pad, object: Members, model: MapModel, words: string): Shape[] {
  const parts = candleParts(words);
  if (parts === undefined) return [];
  const [width, offset] = [number(object.fBarWidth) / 1000, number(object.fBarOffset) / 1000];
  const isFull = isFilled(object);
  const style = number(object.fMarkerStyle);
  const dots = style !== 1 ? style : parts.points === 'scattered' ? 1 : 5;
  return candleShapes(candlesOf(model, parts), parts, pad.places, {
    width: width > 0 && Math.abs(width - 1) > 0.001 ? width : undefined,
    offset,
    area: (polygons) => (isFull ? areaOf(pad, object, polygons) : []),
    line: (d, of) => ({
      ...{ kind: 'path', d, ...strokeOf(pad, of === 'dashed' ? { ...object, fLineStyle: 2 } : object) },
      ...(of === 'outline' && parts.zero && isFull && { stroke: colourAt(pad, object.fFillColor) }),
    }),
    marks: (places, of) =>
      places.length === 0
        ? []
        : markersOf(
            pad,
            { ...object, fMarkerStyle: of === 'centre' ? 24 : dots, fMarkerColor: object.fLineColor ?? 1 },
            places,
          ),
  });
}

function boxShapes(pad: Pad, object: Members, model: MapModel, high: number): Shape[] {
  let d = '';
  let fills: Point[][] = [];
  eachCell(pad, model, (value, [x1, y1, x2, y2]) => {
    const share = Math.sqrt(Math.min(1, Math.abs(value) / high));
    if (!(share > 0)) return;
    const [across, up] = [((x2 - x1) / 2) * share, ((y2 - y1) / 2) * share];
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const box = rectangle(x - across, y - up, x + across, y + up);
    d += closed(box);
    fills.push(box);
  });
  if (!isFilled(object)) fills = [];
  return [...areaOf(pad, object, fills), lined(pad, d, object)];
}

function textShapes(pad: Pad, object: Members, model: MapModel, words: string): Shape[] {
  const shapes: Shape[] = [];
  const size = 0.02 * (number(object.fMarkerSize) || 1) * 1.2;
  eachCell(pad, model, (value, [x1, y1, x2, y2]) => {
    if (value === 0 || !Number.isFinite(value) || shapes.length > 4000) return;
    const place: Point = [(x1 + x2) / 2, (y1 + y2) / 2];
    shapes.push(
      textOf(pad, place, formatNumber(value), {
        font: 62,
        size,
        colour: colourAt(pad, object.fMarkerColor),
        align: 22,
        angle: angleOf(words),
      }),
    );
  });
  return shapes;
}

/** Draws a number of dots in each cell in proportion to its content, at random places that are the same each time. */
function scatterShapes(pad: Pad, object: Members, model: MapModel): Shape[] {
  const dots: Point[] = [];
  const random = sameRandom(7);
  const sum = model.values.reduce((total, value) => total + Math.max(0, value || 0), 0);
  const scale = Math.min(1, MAX_DOTS / Math.max(sum, 1));
  eachCell(pad, model, (value, [x1, y1, x2, y2]) => {
    for (let k = 0; k < Math.round(value * scale) && dots.length < MAX_DOTS; k++)
      dots.push([x1 + random() * (x2 - x1), y1 + random() * (y2 - y1)]);
  });
  return markersOf(pad, object, dots);
}

/** Draws the colour scale to the right of the frame, at the place stored in the file or at ROOT's default place. */
function paintScale(pad: Pad, object: Members, scale: Scale): void {
  const { low, high, levels } = scale;
  const list = record(object.fFunctions)?.arr;
  const own = (Array.isArray(list) ? list : [])
    .map(pad.painting.follow)
    .find((one) => one?._typename === 'TPaletteAxis');
  const wide = pad.box.right - pad.box.left;
  const ndc = own && [own.fX1NDC, own.fX2NDC, own.fY1NDC, own.fY2NDC].map(number);
  const isPlaced = ndc?.every(Number.isFinite) === true && (ndc[1] ?? 0) > (ndc[0] ?? 0);
  const [left, right, bottom, top] = isPlaced
    ? [ndcX(pad, ndc[0] ?? 0), ndcX(pad, ndc[1] ?? 0), ndcY(pad, ndc[2] ?? 0), ndcY(pad, ndc[3] ?? 1)]
    : [pad.frame.right + 0.005 * wide, pad.frame.right + 0.045 * wide, pad.frame.bottom, pad.frame.top];
  const tall = bottom - top;
  const heightOf = (value: number) => {
    const share = pad.log.z ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return bottom - Math.min(1, Math.max(0, share)) * tall;
  };
  levels.forEach((level, step) => {
    const [foot, top] = [heightOf(level), heightOf(levels[step + 1] ?? high)];
    const size = { width: right - left, height: foot - top + 0.4 };
    put(pad, { kind: 'rect', x: left, y: top, ...size, fill: colourOfStep(pad, step, scale) });
  });
  const [members, log] = [record(object.fZaxis) ?? {}, pad.log.z];
  paintAxis(pad, {
    ...{ members, from: [right, bottom], to: [right, top], log, sides: [1], labels: -1 },
    ends: log ? [Math.log10(low), Math.log10(high)] : [low, high],
    length: number(members.fTickLength ?? 0.03) * (pad.frame.right - pad.frame.left),
  });
}

/** Draws the bins of a TH2Poly in the colours of their contents, with their outlines. */
export function paintPolygons(pad: Pad, object: PlainObject, option: string): void {
  const polygons = polygonsOf(object, pad.painting.follow);
  if (polygons === undefined) {
    miss(pad, `${object._typename} ${label(object.fName)}: its members do not fit together`);
    return;
  }
  const words = wordsOf(option);
  const scale = scaleOf(
    pad,
    object,
    Float64Array.from(polygons, ({ content }) => content),
  );
  const isColoured = words.includes('COL');
  const shapes = polygons.flatMap(({ outlines, content }): Shape[] => {
    const d = outlinesPath(outlines, pad.places);
    const step = isColoured ? stepOf(pad, content, scale) : -1;
    return [
      {
        kind: 'path',
        d,
        ...(step >= 0 && { fill: colourOfStep(pad, step, scale) }),
        ...(!isColoured || words.replace(/COLZ?/, '').includes('L') ? strokeOf(pad, object) : {}),
      },
    ];
  });
  putInFrame(
    pad,
    shapes.filter((shape) => shape.kind !== 'path' || shape.fill !== undefined || shape.stroke !== undefined),
  );
  if (hasScale(words)) paintScale(pad, object, scale);
}
