import type { PlainObject } from '../../../api/api';
import { formatNumber } from '../../../base/format';
import { barAcross, barUp } from '../../../plot/draw-graph';
import type { Shape } from '../../../plot/drawing/drawing';
import { middleOf, type PlotModel } from '../../../plot/model';
import { label, number } from '../../../plot/stored/members';
import { asksForErrors, wordsOf } from '../../../plot/stored/option-words';
import { modelOfObject } from '../../../plot/stored/stored';
import { areaOf, isFilled, lined, open, type Point, rectangle, strokeOf, textOf } from './attributes';
import { bandShapes, paintFunctions, smooth } from './graph';
import { markersOf } from './markers';
import { colourAt, type Members, miss, type Pad, putInFrame, toX, toY } from './pad';
import { poissonErrors } from './poisson';

/** Maximum number of bins of one axis that are drawn individually. */
const MAX_BINS = 50_000;

/** Whether bars are horizontal, so that the axis of the bins is vertical. */
export const isLying = (option: string): boolean => /HBAR/i.test(option);

/** Draws a histogram with one axis, or a profile. */
export function paintBins(pad: Pad, object: PlainObject, option: string, given?: PlotModel): void {
  const model = given ?? modelOfObject(object, pad.painting.samples);
  if (model?.kind !== 'bins' || model.values.length > MAX_BINS) {
    miss(
      pad,
      `${object._typename} ${label(object.fName)}: ${model === undefined ? 'its members do not fit together' : 'it has too many bins'}`,
    );
    return;
  }
  // Draw only the axes. A RooPlot draws its frame with FUNC.
  if (/AXIS|AXIG|FUNC/i.test(option)) return;
  const words = wordsOf(option);
  const isHist = words.includes('HIST');
  // A histogram with stored errors is drawn with them, unless its option says otherwise.
  const plain = words.replace('HIST', '').trim() === '';
  const asErrors =
    asksForErrors(option) || (!isHist && plain && (model.mark === 'points' || model.errors !== undefined));
  const others = words.replace(/HIST|TEXT\d*|BAR\d?/g, '');
  const letters = others.replace(/E[0-6]?|X0/g, '');
  const shapes: Shape[] = [];
  const middles = middlesOf(pad, model);
  if (/BAR|B/.test(words.replace(/TEXT/g, '')))
    shapes.push(...barShapes(pad, object, model, isLying(option)));
  else if (/C/.test(letters))
    shapes.push(
      ...(isFilled(object) ? areaOf(pad, object, [[...middles, ...feet(pad, middles)]]) : []),
      lined(pad, smooth(middles), object),
    );
  else if (/L/.test(letters)) shapes.push(lined(pad, open(middles), object));
  else if ((isHist || !asErrors) && !/P|\*/.test(letters)) shapes.push(...stepShapes(pad, object, model));
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
  if (words.includes('TEXT')) putInFrame(pad, numberShapes(pad, object, model, words));
  paintFunctions(pad, object);
}

function middlesOf(pad: Pad, { values, edges }: PlotModel): Point[] {
  return Array.from(values, (value, i) => [toX(pad, middleOf(edges, i)), toY(pad, value)]);
}

/** Returns the content from which bars rise: 0, or the lower end of the axis. */
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

/** Paints the background of the frame behind the bins. */
export function eraseBins(pad: Pad, model: PlotModel): void {
  const ground = { fFillColor: pad.members.fFrameFillColor ?? 0, fFillStyle: 1001 };
  putInFrame(pad, areaOf(pad, ground, [cornersOf(pad, model).filter((one) => one.every(Number.isFinite))]));
}

function stepShapes(pad: Pad, object: Members, model: PlotModel): Shape[] {
  const corners = cornersOf(pad, model);
  return [
    ...(isFilled(object) ? areaOf(pad, object, [corners.filter((one) => one.every(Number.isFinite))]) : []),
    lined(pad, open(corners), object),
  ];
}

function cornersOf(pad: Pad, { values, edges }: PlotModel): Point[] {
  const base = baseOf(pad);
  const corners: Point[] = [[toX(pad, edges[0] ?? 0), base]];
  for (let i = 0; i < values.length; i++) {
    const y = toY(pad, values[i] ?? Number.NaN);
    corners.push([toX(pad, edges[i] ?? 0), y], [toX(pad, edges[i + 1] ?? 0), y]);
  }
  corners.push([toX(pad, edges.at(-1) ?? 0), base]);
  return corners;
}

function barShapes(pad: Pad, object: Members, { values, edges }: PlotModel, lying: boolean): Shape[] {
  const low = pad.shown?.x1 ?? 0;
  const foot = pad.log.x ? 10 ** low : Math.min(Math.max(0, low), pad.shown?.x2 ?? 0);
  const base = lying ? toX(pad, foot) : baseOf(pad);
  const [offset, width] = [number(object.fBarOffset) / 1000, number(object.fBarWidth) / 1000];
  return Array.from(values, (value, i) => {
    const to = lying ? toY : toX;
    const [left, right] = [to(pad, edges[i] ?? 0), to(pad, edges[i + 1] ?? 0)];
    const from = left + offset * (right - left);
    if (lying) return rectangle(base, from, toX(pad, value), from + width * (right - left));
    return rectangle(from, toY(pad, value), from + width * (right - left), base);
  }).flatMap((bar) => areaOf(pad, object, [bar]));
}

function errorShapes(pad: Pad, object: Members, model: PlotModel, words: string): Shape[] {
  const { values, edges } = model;
  const poisson = model.mark === 'steps' ? poissonErrors(object) : undefined;
  const withZeros = words.includes('E0');
  // The error interval of an empty bin has an upper end.
  const shown = Array.from(values.keys()).filter(
    (i) => Number.isFinite(values[i]) && (values[i] !== 0 || withZeros || poisson !== undefined),
  );
  const of = (value: (i: number) => number) => Float64Array.from(shown, value);
  const error = (i: number) => model.errors?.[i] ?? Math.sqrt(Math.abs(values[i] ?? 0));
  const half = of((i) => ((edges[i + 1] ?? 0) - (edges[i] ?? 0)) / 2);
  const points = { x: of((i) => middleOf(edges, i)), y: of((i) => values[i] ?? 0) };
  const down = of((i) => poisson?.(values[i] ?? 0).down ?? error(i));
  const up = of((i) => poisson?.(values[i] ?? 0).up ?? error(i));
  const errors = { left: half, right: half, down, up };
  if (/E[2-6]/.test(words)) {
    const looks = isFilled(object)
      ? object
      : { ...object, fFillColor: object.fLineColor ?? 1, fFillStyle: 3002 };
    return bandShapes(pad, looks, { ...points, errors }, /E[3-6]/.test(words) ? '3' : '2');
  }
  const cap = words.includes('E1') ? 3 : 0;
  let d = '';
  const places: Point[] = [];
  for (let k = 0; k < shown.length; k++) {
    const [x, y, wide] = [points.x[k] ?? 0, points.y[k] ?? 0, half[k] ?? 0];
    const [px, py] = [toX(pad, x), toY(pad, y)];
    if (y !== 0 || withZeros) places.push([px, py]);
    d += barUp(px, toY(pad, y - (errors.down[k] ?? 0)), toY(pad, y + (errors.up[k] ?? 0)), cap);
    if (!words.includes('X0')) d += barAcross(py, toX(pad, x - wide), toX(pad, x + wide), cap);
  }
  const { stroke, width } = strokeOf(pad, object);
  return [{ kind: 'path', d, stroke, width }, ...markersOf(pad, object, places)];
}

/** Returns the angle in degrees of numbers in bins: 45 for TEXT45. */
export function angleOf(words: string): number {
  return Math.min(90, Number(/TEXT(\d{1,3})/.exec(words)?.[1] ?? 0));
}

function numberShapes(pad: Pad, object: Members, { values, edges }: PlotModel, words: string): Shape[] {
  // ROOT's default angle here is 90.
  const angle = /TEXT\d/.test(words) ? angleOf(words) : 90;
  const size = 0.02 * (number(object.fMarkerSize) || 1) * 1.4;
  return Array.from(values.keys()).flatMap((i) => {
    const value = values[i] ?? Number.NaN;
    if (value === 0 || !Number.isFinite(value) || values.length > 500) return [];
    const place: Point = [toX(pad, middleOf(edges, i)), toY(pad, value) - 3];
    return [
      textOf(pad, place, formatNumber(value), {
        font: 62,
        size,
        colour: colourAt(pad, object.fMarkerColor),
        align: angle > 0 ? 12 : 21,
        angle,
      }),
    ];
  });
}
