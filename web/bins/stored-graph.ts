import type { PlainObject, PlainValue } from '../api/api';
import { corrupt, unsupported } from '../base/data-errors';
import { numbers, record, text } from '../model/plain-members';

/** A point of a graph, with the lengths of its error bars where the graph has any. */
export interface GraphPoint extends Partial<Record<'left' | 'right' | 'down' | 'up', number>> {
  x: number;
  y: number;
}

/** The points of a stored TGraph, which iterate. */
export interface Graph extends Iterable<GraphPoint> {
  kind: 'graph';
  name: string;
  title: string;
  className: string;
  xTitle: string;
  yTitle: string;
  x: Float64Array;
  y: Float64Array;
  /** Lengths of the error bars of the points, each to its side: the first ones of a TGraphMultiErrors, which has several. */
  errors?: Record<'left' | 'right' | 'down' | 'up', Float64Array> | undefined;
}

export type GraphErrors = NonNullable<Graph['errors']>;

/** Whether objects of this class are points with or without errors. */
export function isGraphClass(className: string): boolean {
  return /^(TGraph(Errors|AsymmErrors|BentErrors|MultiErrors)?|TCutG|Roo(Hist|Curve|Ellipse))$/.test(
    className,
  );
}

/**
 * The points and errors of a TGraph and its kin, as `object` of a reader gives it. Throws UNSUPPORTED for an object of
 * another class, and CORRUPT where its members do not fit together.
 */
export function storedGraph(object: PlainObject): Graph {
  const className = object._typename;
  const name = text(object.fName);
  if (!isGraphClass(className)) {
    throw unsupported(
      `"${name}" is a ${className}: only TGraph, TGraphErrors and their kin are points.`,
      'Its members are in the object itself.',
    );
  }
  const points = pointsOf(object);
  const errors = points && errorsOf(object);
  if (!points || errors?.some((one) => Object.values(one).some(({ length }) => length !== points.x.length))) {
    throw corrupt(
      `The members of the ${className} "${name}" do not fit together: it has other numbers of x than of y or of errors.`,
    );
  }
  const [first] = errors ?? [];
  const graph = { kind: 'graph' as const, name, className, ...titlesOf(object), ...points, errors: first };
  return Object.defineProperty(graph as typeof graph & Iterable<GraphPoint>, Symbol.iterator, {
    value: () => iterate(points, first),
  });
}

function* iterate(
  { x, y }: Pick<Graph, 'x' | 'y'>,
  errors: GraphErrors | undefined,
): Generator<GraphPoint, void, undefined> {
  for (const [i, at] of x.entries()) {
    const point: GraphPoint = { x: at, y: y[i] ?? Number.NaN };
    for (const side of errors ? (['left', 'right', 'down', 'up'] as const) : [])
      point[side] = errors?.[side][i] ?? 0;
    yield point;
  }
}

/** Returns the coordinates of a graph; undefined if the numbers of x and y differ. */
export function pointsOf(object: PlainObject): Pick<Graph, 'x' | 'y'> | undefined {
  const x = numbers(object.fX);
  const y = numbers(object.fY);
  return x !== undefined && y !== undefined && x.length === y.length ? { x, y } : undefined;
}

/** Titles of a graph and of its axes. Without a frame, those of the axes are in that of the graph. */
export function titlesOf(object: PlainObject): Pick<Graph, 'title' | 'xTitle' | 'yTitle'> {
  const frame = record(object.fHistogram);
  if (!frame) {
    const [title = '', xTitle = '', yTitle = ''] = text(object.fTitle).split(';');
    return { title, xTitle, yTitle };
  }
  const ofAxis = (axis: PlainValue | undefined): string => text(record(axis)?.fTitle);
  return { title: text(object.fTitle), xTitle: ofAxis(frame.fXaxis), yTitle: ofAxis(frame.fYaxis) };
}

/** Error bars: one for each kind of errors in y, of which a TGraphMultiErrors has several; none without errors. */
export function errorsOf(object: PlainObject): GraphErrors[] {
  const left = numbers(object.fEXlow ?? object.fExL ?? object.fEX);
  const right = numbers(object.fEXhigh ?? object.fExH ?? object.fEX);
  if (left === undefined || right === undefined) return [];
  const list = (value: PlainValue | undefined) => (Array.isArray(value) ? value.map(numbers) : undefined);
  const lows = list(object.fEyL) ?? [numbers(object.fEYlow ?? object.fEY)];
  const highs = list(object.fEyH) ?? [numbers(object.fEYhigh ?? object.fEY)];
  return lows.flatMap((down, i) => {
    const up = highs[i];
    return down !== undefined && up !== undefined ? [{ left, right, down, up }] : [];
  });
}
