import type { PlainObject } from '../../api/api';
import { formatNumber } from '../../base/format';
import type { Shape } from '../drawing/drawing';
import { short } from '../drawing/drawing';
import { type MapModel, middleOf, type PlotModel } from '../model';
import { polygonsOf } from '../stored/kinds/polygons';
import { label, number, record } from '../stored/members';
import { modelOfObject } from '../stored/stored';
import {
  areaOf,
  closed,
  isFilled,
  markersOf,
  open,
  type Point,
  rectangle,
  strokeOf,
  textOf,
} from './attributes';
import { bandShapes, paintFunctions, smooth } from './graph';
import { colourAt, type Members, miss, ndcX, ndcY, type Pad, put, putInFrame, toX, toY } from './pad';

/** Bins of one axis, and cells of a map, that are drawn one by one. */
const MAX_BINS = 50_000;
const MAX_CELLS = 40_000;
const MAX_DOTS = 20_000;

/** The words of an option in capitals, without those that say where and not what. */
export const wordsOf = (option: string): string =>
  option.toUpperCase().replace(/SAMES?|PLC|PMC|PFC|AXIS|NOSTACKB?|NOSTACK/g, ' ');

/** A histogram of one axis, or a profile. */
export function paintBins(pad: Pad, object: PlainObject, option: string, given?: PlotModel): void {
  const model = given ?? modelOfObject(object, pad.painting.samples);
  if (model?.kind !== 'bins' || model.values.length > MAX_BINS) {
    miss(
      pad,
      `${object._typename} ${label(object.fName)}: ${model === undefined ? 'its members do not fit together' : 'it has too many bins'}`,
    );
    return;
  }
  const words = wordsOf(option);
  const isHist = words.includes('HIST');
  // With errors of its own a histogram is drawn with them, where its option says nothing else.
  const plain = words.replace('HIST', '').trim() === '';
  const asErrors =
    !isHist &&
    (/E/.test(words.replace('TEXT', '')) ||
      (plain && (model.mark === 'points' || model.errors !== undefined)));
  const others = words.replace(/HIST|TEXT\d*|BAR\d?/g, '');
  const letters = others.replace(/E[0-6]?|X0/g, '');
  const shapes: Shape[] = [];
  const middles = middlesOf(pad, model);
  if (/BAR|B/.test(words.replace(/TEXT/g, ''))) shapes.push(...barShapes(pad, object, model));
  else if (/C/.test(letters))
    shapes.push(...(isFilled(object) ? areaOf(pad, object, [[...middles, ...feet(pad, middles)]]) : []), {
      kind: 'path',
      d: smooth(middles),
      ...strokeOf(pad, object),
    });
  else if (/L/.test(letters)) shapes.push({ kind: 'path', d: open(middles), ...strokeOf(pad, object) });
  else if (!asErrors && !/P|\*/.test(letters)) shapes.push(...stepShapes(pad, object, model));
  if (asErrors) shapes.push(...errorShapes(pad, object, model, others));
  if (/P/.test(letters))
    shapes.push(
      ...markersOf(
        pad,
        object,
        middles.filter((_, i) => letters.includes('P0') || model.values[i] !== 0),
      ),
    );
  else if (/\*/.test(letters)) shapes.push(...markersOf(pad, { ...object, fMarkerStyle: 3 }, middles));
  putInFrame(pad, shapes);
  if (words.includes('TEXT')) putInFrame(pad, numberShapes(pad, object, model));
  paintFunctions(pad, object);
}

function middlesOf(pad: Pad, { values, edges }: PlotModel): Point[] {
  return Array.from(values, (value, i) => [toX(pad, middleOf(edges, i)), toY(pad, value)]);
}

/** Where contents begin: 0, or the lower end of the axis. */
function baseOf(pad: Pad): number {
  const low = pad.shown?.y1 ?? 0;
  return toY(pad, pad.log.y ? 10 ** low : Math.min(Math.max(0, low), pad.shown?.y2 ?? 0));
}

function feet(pad: Pad, points: readonly Point[]): Point[] {
  const base = baseOf(pad);
  return [
    [points.at(-1)?.[0] ?? 0, base],
    [points[0]?.[0] ?? 0, base],
  ];
}

function stepShapes(pad: Pad, object: Members, { values, edges }: PlotModel): Shape[] {
  const base = baseOf(pad);
  const corners: Point[] = [[toX(pad, edges[0] ?? 0), base]];
  for (let i = 0; i < values.length; i++) {
    const y = toY(pad, values[i] ?? Number.NaN);
    corners.push([toX(pad, edges[i] ?? 0), y], [toX(pad, edges[i + 1] ?? 0), y]);
  }
  corners.push([toX(pad, edges.at(-1) ?? 0), base]);
  return [
    ...(isFilled(object) ? areaOf(pad, object, [corners.filter((one) => one.every(Number.isFinite))]) : []),
    { kind: 'path', d: open(corners), ...strokeOf(pad, object) },
  ];
}

function barShapes(pad: Pad, object: Members, { values, edges }: PlotModel): Shape[] {
  const base = baseOf(pad);
  const [offset, width] = [number(object.fBarOffset) / 1000, number(object.fBarWidth) / 1000];
  return Array.from(values, (value, i) => {
    const [left, right] = [toX(pad, edges[i] ?? 0), toX(pad, edges[i + 1] ?? 0)];
    const from = left + offset * (right - left);
    return rectangle(from, toY(pad, value), from + width * (right - left), base);
  }).flatMap((bar) => areaOf(pad, object, [bar]));
}

function errorShapes(pad: Pad, object: Members, model: PlotModel, words: string): Shape[] {
  const { values, edges } = model;
  const shown = Array.from(values.keys()).filter(
    (i) => Number.isFinite(values[i]) && (values[i] !== 0 || words.includes('E0')),
  );
  const of = (value: (i: number) => number) => Float64Array.from(shown, value);
  const error = (i: number) => model.errors?.[i] ?? Math.sqrt(Math.abs(values[i] ?? 0));
  const half = of((i) => ((edges[i + 1] ?? 0) - (edges[i] ?? 0)) / 2);
  const points = { x: of((i) => middleOf(edges, i)), y: of((i) => values[i] ?? 0) };
  const errors = { left: half, right: half, down: of(error), up: of(error) };
  if (/E[2-6]/.test(words)) {
    const looks = isFilled(object)
      ? object
      : { ...object, fFillColor: object.fLineColor ?? 1, fFillStyle: 3002 };
    return bandShapes(pad, looks, { ...points, errors }, /E[3-6]/.test(words) ? '3' : '2');
  }
  const caps = words.includes('E1');
  let d = '';
  const places: Point[] = [];
  for (let k = 0; k < shown.length; k++) {
    const [x, y] = [points.x[k] ?? 0, points.y[k] ?? 0];
    const [px, py] = [toX(pad, x), toY(pad, y)];
    places.push([px, py]);
    const [low, high] = [toY(pad, y - (errors.down[k] ?? 0)), toY(pad, y + (errors.up[k] ?? 0))];
    const [left, right] = [toX(pad, x - (half[k] ?? 0)), toX(pad, x + (half[k] ?? 0))];
    d += `M${short(px)} ${short(low)}V${short(high)}`;
    if (!words.includes('X0')) d += `M${short(left)} ${short(py)}H${short(right)}`;
    if (caps) d += `M${short(px - 3)} ${short(low)}h6M${short(px - 3)} ${short(high)}h6`;
  }
  const { stroke, width } = strokeOf(pad, object);
  return [{ kind: 'path', d, stroke, width }, ...markersOf(pad, object, places)];
}

function numberShapes(pad: Pad, object: Members, { values, edges }: PlotModel): Shape[] {
  const size = 0.02 * (number(object.fMarkerSize) || 1) * 1.4;
  return Array.from(values.keys()).flatMap((i) => {
    const value = values[i] ?? Number.NaN;
    if (value === 0 || !Number.isFinite(value) || values.length > 500) return [];
    const place: Point = [toX(pad, middleOf(edges, i)), toY(pad, value) - 3];
    return [
      textOf(pad, place, formatNumber(Number(value.toPrecision(4))), {
        font: 42,
        size,
        colour: colourAt(pad, object.fMarkerColor),
        align: 21,
      }),
    ];
  });
}

/** A histogram of two axes. */
export function paintCells(pad: Pad, object: PlainObject, option: string): void {
  const model = modelOfObject(object, pad.painting.samples);
  if (model?.kind !== 'map') {
    miss(pad, `${object._typename} ${label(object.fName)}: its members do not fit together`);
    return;
  }
  const words = wordsOf(option);
  const odd = /LEGO\d?|SURF\d?|CONT\d?|ARR|CANDLE\w*|VIOLIN\w*|POL|CYL|SPH|PSR|GLTF|LIST/.exec(words);
  if (odd !== null) {
    miss(pad, `the option ${odd[0]} of ${label(object.fName)}`);
    return;
  }
  if (model.values.length > MAX_CELLS * 25) {
    miss(pad, `${label(object.fName)}, which has too many cells`);
    return;
  }
  const [low, high] = rangeOf(pad, object, model.values);
  const isScatter = words.includes('SCAT') || !/COL|BOX|TEXT/.test(words);
  if (isScatter) putInFrame(pad, scatterShapes(pad, object, model));
  if (words.includes('COL')) putInFrame(pad, colourShapes(pad, model, low, high));
  if (words.includes('BOX')) putInFrame(pad, boxShapes(pad, object, model, high));
  if (words.includes('TEXT')) putInFrame(pad, textShapes(pad, object, model));
  if (hasScale(words)) paintScale(pad, object, low, high);
  paintFunctions(pad, object);
}

/** Whether options ask for colours with their scale. */
function hasScale(words: string): boolean {
  const at = words.indexOf('COL');
  return at >= 0 && words.includes('Z', at);
}

/** The contents that the lowest and the highest colour stand for. */
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

/** ROOT's colours of contents: twenty steps of the palette. */
const STEPS = 20;

function colourIndexOf(pad: Pad, value: number, low: number, high: number): number {
  if (!Number.isFinite(value) || (value === 0 && (low >= 0 || pad.log.z)) || value < low) return -1;
  const share = pad.log.z ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(STEPS - 1, Math.floor(0.01 + share * STEPS));
}

const colourOfStep = (pad: Pad, step: number) =>
  pad.painting.palette[Math.floor(((step + 0.99) * pad.painting.palette.length) / STEPS)] ?? '#000000';

/** Cells with their places in pixels, those outside of the frame left out. */
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

function colourShapes(pad: Pad, model: MapModel, low: number, high: number): Shape[] {
  const paths = new Map<number, string>();
  let left = MAX_CELLS * 25;
  eachCell(pad, model, (value, [x1, y1, x2, y2]) => {
    const step = colourIndexOf(pad, value, low, high);
    if (step < 0 || left-- <= 0) return;
    paths.set(
      step,
      `${paths.get(step) ?? ''}M${short(x1)} ${short(y1)}H${short(x2)}V${short(y2)}H${short(x1)}Z`,
    );
  });
  return [...paths].map(([step, d]) => ({ kind: 'path', d, fill: colourOfStep(pad, step), crisp: true }));
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
  return [...areaOf(pad, object, fills), { kind: 'path', d, ...strokeOf(pad, object) }];
}

function textShapes(pad: Pad, object: Members, model: MapModel): Shape[] {
  const shapes: Shape[] = [];
  const size = 0.02 * (number(object.fMarkerSize) || 1) * 1.2;
  eachCell(pad, model, (value, [x1, y1, x2, y2]) => {
    if (value === 0 || !Number.isFinite(value) || shapes.length > 4000) return;
    const place: Point = [(x1 + x2) / 2, (y1 + y2) / 2];
    shapes.push(
      textOf(pad, place, formatNumber(Number(value.toPrecision(4))), {
        font: 42,
        size,
        colour: colourAt(pad, object.fMarkerColor),
        align: 22,
      }),
    );
  });
  return shapes;
}

/** As many dots in a cell as its content says, at places that are the same each time. */
function scatterShapes(pad: Pad, object: Members, model: MapModel): Shape[] {
  const dots: Point[] = [];
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const sum = model.values.reduce((total, value) => total + Math.max(0, value || 0), 0);
  const scale = Math.min(1, MAX_DOTS / Math.max(sum, 1));
  eachCell(pad, model, (value, [x1, y1, x2, y2]) => {
    for (let k = 0; k < Math.round(value * scale) && dots.length < MAX_DOTS; k++)
      dots.push([x1 + random() * (x2 - x1), y1 + random() * (y2 - y1)]);
  });
  return markersOf(pad, object, dots);
}

/** The scale of colours at the right of the frame, where the file has its place, or where ROOT puts it. */
function paintScale(pad: Pad, object: Members, low: number, high: number): void {
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
  for (let step = 0; step < STEPS; step++)
    put(pad, {
      kind: 'rect',
      x: left,
      y: bottom - ((step + 1) * tall) / STEPS,
      width: right - left,
      height: tall / STEPS + 0.4,
      fill: colourOfStep(pad, step),
    });
  const axis = record(object.fZaxis) ?? {};
  const size = number(axis.fLabelSize) || 0.035;
  const count = 6;
  const step = (high - low) / count;
  const nice = 10 ** Math.floor(Math.log10(step));
  const by = [1, 2, 5, 10].map((k) => k * nice).find((k) => k >= step) ?? step;
  const ticks = pad.log.z
    ? Array.from({ length: 40 }, (_, i) => 10 ** (i - 20)).filter((at) => at >= low && at <= high)
    : Array.from({ length: 60 }, (_, i) => (Math.ceil(low / by) + i) * by).filter(
        (at) => at <= high + 1e-9 * by,
      );
  for (const at of ticks) {
    const share = pad.log.z ? Math.log(at / low) / Math.log(high / low) : (at - low) / (high - low);
    const text = formatNumber(Number(at.toPrecision(6))).replace('-', '−');
    put(
      pad,
      textOf(pad, [right + 4, bottom - share * tall], text, {
        font: number(axis.fLabelFont) || 42,
        size,
        colour: colourAt(pad, axis.fLabelColor ?? 1),
        align: 12,
      }),
    );
  }
  const title = label(axis.fTitle);
  if (title !== '')
    put(
      pad,
      textOf(pad, [Math.min(pad.box.right - 4, right + size * 80), top], title, {
        font: 42,
        size,
        colour: '#000000',
        align: 33,
        angle: 90,
      }),
    );
}

/** The bins of a TH2Poly in the colours of their contents, with their outlines. */
export function paintPolygons(pad: Pad, object: PlainObject, option: string): void {
  const polygons = polygonsOf(object, pad.painting.follow);
  if (polygons === undefined) {
    miss(pad, `${object._typename} ${label(object.fName)}: its members do not fit together`);
    return;
  }
  const words = wordsOf(option);
  const [low, high] = rangeOf(
    pad,
    object,
    Float64Array.from(polygons, ({ content }) => content),
  );
  const isColoured = words.includes('COL');
  const shapes = polygons.flatMap(({ outlines, content }): Shape[] => {
    const d = outlines
      .map(({ x, y }) => closed(Array.from(x, (at, i): Point => [toX(pad, at), toY(pad, y[i] ?? 0)])))
      .join('');
    const step = isColoured ? colourIndexOf(pad, content, low, high) : -1;
    return [
      {
        kind: 'path',
        d,
        ...(step >= 0 && { fill: colourOfStep(pad, step) }),
        ...(!isColoured || words.replace(/COLZ?/, '').includes('L') ? strokeOf(pad, object) : {}),
      },
    ];
  });
  putInFrame(
    pad,
    shapes.filter((shape) => shape.kind !== 'path' || shape.fill !== undefined || shape.stroke !== undefined),
  );
  if (hasScale(words)) paintScale(pad, object, low, high);
}
