import { barAcross, barUp } from '../../draw-graph';
import type { Shape } from '../../drawing/drawing';
import { middleOf, type PlotModel } from '../../model';
import { number } from '../members';
import { asksForErrors, wordsOf } from '../option-words';
import { areaOf, isFilled, lined, open, rectangle, strokeOf } from './attributes';
import { bandShapes, smooth } from './bands';
import type { Ground, Members, Point } from './ground';
import { markersOf } from './markers';
import { poissonErrors } from './poisson';

/** Whether bars are horizontal, so that the axis of the bins is vertical. */
export const isLying = (option: string): boolean => /HBAR/i.test(option);

/** Draws the bins of a histogram with one axis, or of a profile, by its attributes and by ROOT's option. */
export function binsShapes(ground: Ground, object: Members, option: string, model: PlotModel): Shape[] {
  const words = wordsOf(option);
  const isHist = words.includes('HIST');
  // A histogram with stored errors is drawn with them, unless its option says otherwise.
  const plain = words.replace('HIST', '').trim() === '';
  const asErrors =
    asksForErrors(option) || (!isHist && plain && (model.mark === 'points' || model.errors !== undefined));
  const others = words.replace(/HIST|TEXT\d*|BAR\d?/g, '');
  const letters = others.replace(/E[0-6]?|X0/g, '');
  const shapes: Shape[] = [];
  const middles = middlesOf(ground, model);
  if (/BAR|B/.test(words.replace(/TEXT/g, '')))
    shapes.push(...barShapes(ground, object, model, isLying(option)));
  else if (/C/.test(letters))
    shapes.push(
      ...(isFilled(object) ? areaOf(ground, object, [[...middles, ...feet(ground, middles)]]) : []),
      lined(ground, smooth(middles), object),
    );
  else if (/L/.test(letters)) shapes.push(lined(ground, open(middles), object));
  else if ((isHist || !asErrors) && !/P|\*/.test(letters)) shapes.push(...stepShapes(ground, object, model));
  if (asErrors) shapes.push(...errorShapes(ground, object, model, others));
  if (/P/.test(letters))
    shapes.push(
      ...markersOf(
        ground,
        object,
        middles.filter((_, i) => letters.includes('P0') || model.values[i] !== 0),
      ),
    );
  else if (/\*/.test(letters)) shapes.push(...markersOf(ground, { ...object, fMarkerStyle: 3 }, middles));
  return shapes;
}

function middlesOf(ground: Ground, { values, edges }: PlotModel): Point[] {
  return Array.from(values, (value, i) => [
    ground.places.x.toPixel(middleOf(edges, i)),
    ground.places.y.toPixel(value),
  ]);
}

/** Returns the place from which bars rise: 0, or the lower end of the axis. */
function baseOf({ places: { box, y }, log }: Ground): number {
  return log.y ? box.bottom : Math.min(box.bottom, Math.max(box.top, y.toPixel(0)));
}

/** Returns the place from which lying bars go to the right. */
function footOf({ places: { box, x }, log }: Ground): number {
  return log.x ? box.left : Math.max(box.left, Math.min(box.right, x.toPixel(0)));
}

function feet(ground: Ground, points: readonly Point[]): Point[] {
  const base = baseOf(ground);
  return [
    [points.at(-1)?.[0] ?? 0, base],
    [points[0]?.[0] ?? 0, base],
  ];
}

function stepShapes(ground: Ground, object: Members, model: PlotModel): Shape[] {
  const corners = cornersOf(ground, model);
  return [
    ...(isFilled(object)
      ? areaOf(ground, object, [corners.filter((one) => one.every(Number.isFinite))])
      : []),
    lined(ground, open(corners), object),
  ];
}

/** Returns the outline of the bins, from the foot of the first to that of the last. */
export function cornersOf(ground: Ground, { values, edges }: PlotModel): Point[] {
  const base = baseOf(ground);
  const corners: Point[] = [[ground.places.x.toPixel(edges[0] ?? 0), base]];
  for (let i = 0; i < values.length; i++) {
    const y = ground.places.y.toPixel(values[i] ?? Number.NaN);
    corners.push(
      [ground.places.x.toPixel(edges[i] ?? 0), y],
      [ground.places.x.toPixel(edges[i + 1] ?? 0), y],
    );
  }
  corners.push([ground.places.x.toPixel(edges.at(-1) ?? 0), base]);
  return corners;
}

function barShapes(ground: Ground, object: Members, { values, edges }: PlotModel, lying: boolean): Shape[] {
  const base = lying ? footOf(ground) : baseOf(ground);
  const [offset, width] = [number(object.fBarOffset) / 1000, number(object.fBarWidth) / 1000];
  return Array.from(values, (value, i) => {
    const to = lying ? ground.places.y.toPixel : ground.places.x.toPixel;
    const [left, right] = [to(edges[i] ?? 0), to(edges[i + 1] ?? 0)];
    const from = left + offset * (right - left);
    if (lying) return rectangle(base, from, ground.places.x.toPixel(value), from + width * (right - left));
    return rectangle(from, ground.places.y.toPixel(value), from + width * (right - left), base);
  }).flatMap((bar) => areaOf(ground, object, [bar]));
}

function errorShapes(ground: Ground, object: Members, model: PlotModel, words: string): Shape[] {
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
    return bandShapes(ground, looks, { ...points, errors }, /E[3-6]/.test(words) ? '3' : '2');
  }
  const cap = words.includes('E1') ? 3 : 0;
  let d = '';
  const places: Point[] = [];
  for (let k = 0; k < shown.length; k++) {
    const [x, y, wide] = [points.x[k] ?? 0, points.y[k] ?? 0, half[k] ?? 0];
    const [px, py] = [ground.places.x.toPixel(x), ground.places.y.toPixel(y)];
    if (y !== 0 || withZeros) places.push([px, py]);
    d += barUp(
      px,
      ground.places.y.toPixel(y - (errors.down[k] ?? 0)),
      ground.places.y.toPixel(y + (errors.up[k] ?? 0)),
      cap,
    );
    if (!words.includes('X0'))
      d += barAcross(py, ground.places.x.toPixel(x - wide), ground.places.x.toPixel(x + wide), cap);
  }
  const { stroke, width } = strokeOf(ground, object);
  return [{ kind: 'path', d, stroke, width }, ...markersOf(ground, object, places)];
}
