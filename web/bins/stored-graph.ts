import type { PlainObject, PlainValue } from '../api/api';
import { corrupt, unsupported } from '../base/data-errors';
import { numbers, record, text } from '../model/plain-members';

/** A point of a graph, with the lengths of its error bars if the graph has any. */
export interface GraphPoint extends Partial<Record<'left' | 'right' | 'down' | 'up', number>> {
  x: number;
  y: number;
}

/** The points of a stored TGraph. It can be iterated. */
export interface Graph extends Iterable<GraphPoint> {
  kind: 'graph';
  name: string;
  title: string;
  className: string;
  xTitle: string;
  yTitle: string;
  x: Float64Array;
  y: Float64Array;
  /**
   * Lengths of the error bars of the points in each direction. For a TGraphMultiErrors, which has several, the first
   * ones.
   */
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
 * Returns the points and errors of a TGraph or a related class, from the result of `object` of a reader. Throws
 * UNSUPPORTED for an object of another class, and CORRUPT if its members are inconsistent.
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

/** Returns the coordinates of a graph; undefined if x and y have different lengths. */
export function pointsOf(object: PlainObject): Pick<Graph, 'x' | 'y'> | undefined {
  const x = numbers(object.fX);
  const y = numbers(object.fY);
  return x !== undefined && y !== undefined && x.length === y.length ? { x, y } : undefined;
}

/**
 * Returns the titles of a graph and of its axes. Without a frame, the titles of the axes are part of the title of the
 * graph.
 */
export function titlesOf(object: PlainObject): Pick<Graph, 'title' | 'xTitle' | 'yTitle'> {
  const frame = record(object.fHistogram);
  if (!frame) {
    const [title = '', xTitle = '', yTitle = ''] = text(object.fTitle).split(';');
    return { title, xTitle, yTitle };
  }
  const ofAxis = (axis: PlainValue | undefined): string => text(record(axis)?.fTitle);
  return { title: text(object.fTitle), xTitle: ofAxis(frame.fXaxis), yTitle: ofAxis(frame.fYaxis) };
}

/**
 * Returns the error bars: one item for each kind of errors in y (a TGraphMultiErrors has several); empty if there are
 * no errors.
 */
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
