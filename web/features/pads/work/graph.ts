import type { PlainObject } from '../../../api/api';
import { errorsOf, pointsOf } from '../../../bins/stored-graph';
import { barAcross, barUp, linePath } from '../../../plot/draw-graph';
import type { Shape } from '../../../plot/drawing/drawing';
import { curveOf } from '../../../plot/stored/functions';
import { splineCurve } from '../../../plot/stored/kinds/spline';
import { number, record } from '../../../plot/stored/members';
import { areaOf, isFilled, lined, open, strokeOf } from '../../../plot/stored/paint/attributes';
import { bandShapes, type Points, smooth } from '../../../plot/stored/paint/bands';
import type { Point } from '../../../plot/stored/paint/ground';
import { markersOf } from '../../../plot/stored/paint/markers';
import { type Members, miss, type Pad, putInFrame, toX, toY } from './pad';

/** Maximum number of points of a graph that get markers. */
const MAX_POINTS = 100_000;

/** Draws a graph in the frame, as its option says. */
export function paintGraph(pad: Pad, object: PlainObject, option: string): void {
  const points = pointsOf(object);
  if (points === undefined) {
    miss(pad, `${object._typename} whose members do not fit together`);
    return;
  }
  const [errors, ...more] = errorsOf(object);
  paintPoints(pad, object, { ...points, errors }, option);
  for (const other of more) paintPoints(pad, object, { ...points, errors: other }, 'errors');
  paintFunctions(pad, object);
}

export function paintPoints(pad: Pad, looks: Members, { x, y, errors }: Points, option: string): void {
  const words = option.toUpperCase().replace(/SAME|Z|PMC|PLC|PFC|A/g, '');
  const onlyErrors = option === 'errors';
  const count = Math.min(x.length, MAX_POINTS);
  if (count < x.length) miss(pad, `points beyond ${MAX_POINTS} of a graph`);
  const at = Array.from(
    { length: count },
    (_, i): Point => [toX(pad, x[i] ?? Number.NaN), toY(pad, y[i] ?? Number.NaN)],
  );
  const shapes: Shape[] = [];
  const has = (letter: string) => words.includes(letter);
  const stroke = strokeOf(pad, looks);
  if (errors !== undefined && /[2345]/.test(words))
    shapes.push(...bandShapes(pad, looks, { x, y, errors }, words));
  else if (errors !== undefined && !has('X'))
    shapes.push({
      kind: 'path',
      d: barsOf(pad, { x, y, errors }, /Z/i.test(option) ? 0 : 2),
      stroke: stroke.stroke,
      width: stroke.width,
    });
  if (onlyErrors) {
    putInFrame(pad, shapes);
    return;
  }
  const base = toY(pad, pad.log.y ? 10 ** (pad.shown?.y1 ?? 0) : Math.max(0, pad.shown?.y1 ?? 0));
  if (has('F')) shapes.push(...areaOf(pad, looks, [at]));
  if (has('B')) {
    const gap = count > 1 ? Math.abs((at[1]?.[0] ?? 0) - (at[0]?.[0] ?? 0)) * 0.36 : 10;
    for (const [px, py] of at)
      shapes.push(
        ...areaOf(pad, looks, [
          [
            [px - gap, base],
            [px - gap, py],
            [px + gap, py],
            [px + gap, base],
          ],
        ]),
      );
  }
  const isLine = has('C') || has('L') || (words.trim() === '' && errors === undefined);
  if (isLine && isFilled(looks)) shapes.push(...zoneShapes(pad, looks, at));
  if (has('C')) shapes.push({ kind: 'path', d: smooth(at), ...stroke });
  else if (isLine) shapes.push({ kind: 'path', d: open(at), ...stroke });
  if (has('*')) shapes.push(...markersOf(pad, { ...looks, fMarkerStyle: 3 }, at));
  else if (has('P')) shapes.push(...markersOf(pad, looks, at));
  putInFrame(pad, shapes);
}

/**
 * Draws the exclusion zone beside a line. The hundreds of the line width are its width; negative for the other side.
 */
function zoneShapes(pad: Pad, looks: Members, line: readonly Point[]): Shape[] {
  const { left, right, top, bottom } = pad.box;
  const side = Math.max(right - left, bottom - top);
  const wide = Math.trunc(number(looks.fLineWidth) / 100) * 0.005 * side;
  const points = line.filter((point) => point.every(Number.isFinite));
  if (wide === 0 || points.length < 2) return [];
  const beside = points.map(([x, y], i): Point => {
    const [before, after] = [points[Math.max(0, i - 1)], points[i + 1] ?? points[i]] as [Point, Point];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const share = wide / (Math.hypot(dx, dy) || 1);
    return [x + dy * share, y - dx * share];
  });
  return areaOf(pad, looks, [[...points, ...beside.toReversed()]]);
}

/** The error bars of points, with small ends. */
function barsOf(pad: Pad, { x, y, errors }: Required<Points>, cap: number): string {
  let d = '';
  for (let i = 0; i < Math.min(x.length, MAX_POINTS); i++) {
    const [vx, vy] = [x[i] ?? Number.NaN, y[i] ?? Number.NaN];
    const [px, py] = [toX(pad, vx), toY(pad, vy)];
    if (!Number.isFinite(px) || !Number.isFinite(py) || errors === undefined) continue;
    d += barAcross(py, toX(pad, vx - (errors.left[i] || 0)), toX(pad, vx + (errors.right[i] || 0)), cap);
    d += barUp(px, toY(pad, vy - (errors.down[i] || 0)), toY(pad, vy + (errors.up[i] || 0)), cap);
  }
  return d;
}

/** TF1::kNotDraw. */
const NOT_DRAWN = 1 << 9;

export function paintFunctions(pad: Pad, object: Members): void {
  const items = record(object.fFunctions)?.arr;
  for (const item of Array.isArray(items) ? items : []) {
    const one = pad.painting.follow(item);
    if (one?._typename === 'TF1' && (number(one.fBits) & NOT_DRAWN) === 0) paintFunction(pad, one);
  }
}

export function paintFunction(pad: Pad, object: PlainObject): void {
  const curve = curveOf(object, pad.painting.samples);
  if (curve === undefined) {
    miss(pad, `the function ${String(object.fName)}, which has no values`);
    return;
  }
  putInFrame(pad, [lined(pad, linePath(curve.x, curve.y, pad.places), object)]);
}

/** Draws a TSpline3 or TSpline5, with markers at its knots if its option has P. */
export function paintSpline(pad: Pad, object: PlainObject, option: string): void {
  const curve = splineCurve(object);
  if (curve === undefined) {
    miss(pad, `the spline ${String(object.fName)}: its members do not fit together`);
    return;
  }
  const knots = curve.knots.map(({ x, terms }): Point => [toX(pad, x), toY(pad, terms[0] ?? Number.NaN)]);
  putInFrame(pad, [
    lined(pad, linePath(curve.x, curve.y, pad.places), object),
    ...(/p/i.test(option.replace(/same/i, '')) ? markersOf(pad, object, knots) : []),
  ]);
}
