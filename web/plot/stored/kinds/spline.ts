import type { PlainObject } from '../../../api/api';
import { type GraphModel, statNumber } from '../../model';
import { label, number, record } from '../members';

/** More knots of one spline are not drawn. */
const MAX_KNOTS = 100_000;
/** Points of the line between the ends of a spline, besides its knots. */
const POINTS = 600;

/** A piece of a spline: a polynomial of the distance from its knot, with the constant first. */
interface Piece {
  x: number;
  terms: number[];
}

/** Returns the knots of a TSpline3 or TSpline5 and the line through them; undefined if the members do not fit together. */
export function splineCurve(
  object: PlainObject,
): { knots: Piece[]; x: Float64Array; y: Float64Array } | undefined {
  const items = Array.isArray(object.fPoly) ? object.fPoly : [];
  const names =
    object._typename === 'TSpline5' ? ['fY', 'fB', 'fC', 'fD', 'fE', 'fF'] : ['fY', 'fB', 'fC', 'fD'];
  if (items.length < 1 || items.length > MAX_KNOTS || items.length !== number(object.fNp)) return undefined;
  const knots = items.map((item): Piece => {
    const members = record(item);
    return { x: number(members?.fX), terms: names.map((name) => number(members?.[name])) };
  });
  const isSound = knots.every(
    ({ x, terms }, i) => Number.isFinite(x) && terms.every(Number.isFinite) && !(x < (knots[i - 1]?.x ?? x)),
  );
  const [low, high] = [number(object.fXmin), number(object.fXmax)];
  if (!isSound || !(high > low) || !Number.isFinite(high - low)) return undefined;
  const even = Array.from({ length: POINTS + 1 }, (_, i) => low + ((high - low) * i) / POINTS);
  const within = knots.map(({ x }) => x).filter((x) => x > low && x < high);
  const x = Float64Array.from([...even, ...within]).sort();
  let piece = 0;
  const y = x.map((at) => {
    while (piece + 1 < knots.length && (knots[piece + 1]?.x ?? 0) <= at) piece++;
    const { x: from = 0, terms = [] } = knots[piece] ?? {};
    return terms.reduceRight((sum, term) => sum * (at - from) + term, 0);
  });
  return { knots, x, y };
}

/** A spline as the line that it is, with points at its knots. */
export function splineModel(object: PlainObject): GraphModel | undefined {
  const curve = splineCurve(object);
  if (curve === undefined) return undefined;
  const { knots, x, y } = curve;
  const [title = '', xTitle = '', yTitle = ''] = label(object.fTitle).split(';');
  const name = title || label(object.fName);
  return {
    kind: 'graph',
    ...{ title: name, label: 'knots', xTitle, yTitle, joined: false },
    x: Float64Array.from(knots, (knot) => knot.x),
    y: Float64Array.from(knots, ({ terms }) => terms[0] ?? 0),
    curves: [{ title: name, x, y }],
    stats: [{ label: 'Knots', value: statNumber(knots.length) }],
  };
}
