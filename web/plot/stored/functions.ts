import type { PlainObject, PlainValue } from '../../api/api';
import type { FunctionRequest, FunctionValues, GridAxis } from '../../api/engine-api';
import type { Curve, FunctionNote, GraphModel, MapModel, StatLine } from '../model';
import { statNumber } from '../model';
import { label, number, numbers, record } from './members';

/**
 * Values of stored functions, by object: on evenly spaced points; for a wide range of x, on points even in its
 * logarithm.
 */
export type FunctionSamples = ReadonlyMap<PlainObject, readonly FunctionValues[]>;

/** Maximum number of functions of one object that are drawn. */
const MAX_FUNCTIONS = 1000;
/** TF1::kNotDraw: the function belongs to the object but is not drawn with it. */
const NOT_DRAWN = 1 << 9;

/** Returns the functions in an object, including the object itself, in stored order. */
export function functionsWithin(object: PlainValue): PlainObject[] {
  const found: PlainObject[] = [];
  const seen = new Set<PlainValue>();
  const walk = (value: PlainValue, depth: number): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > 60) return;
    if (seen.has(value) || found.length >= MAX_FUNCTIONS) return;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1);
      return;
    }
    if (isFunction(value)) found.push(value);
    else for (const name in value) walk(value[name] ?? null, depth + 1);
  };
  walk(object, 0);
  return found;
}

function isFunction(value: { [member: string]: PlainValue }): value is PlainObject {
  return typeof value._typename === 'string' && /^TF[123]$/.test(value._typename);
}

/** The requests for values that are needed to draw these functions on any axis. */
export function samplesWanted(functions: readonly PlainObject[]): FunctionRequest[] {
  return functions.flatMap((one): FunctionRequest[] => {
    const even: FunctionRequest = { function: one };
    const wide =
      one._typename === 'TF1' && number(one.fXmin) > 0 && number(one.fXmax) > 10 * number(one.fXmin);
    return wide ? [even, { function: one, log: true, points: [401] }] : [even];
  });
}

/** The answers to `samplesWanted`, by function. */
export function samplesOf(
  requests: readonly FunctionRequest[],
  answers: readonly FunctionValues[],
): Map<PlainObject, FunctionValues[]> {
  const samples = new Map<PlainObject, FunctionValues[]>();
  requests.forEach((request, i) => {
    const answer = answers[i];
    if (answer === undefined) return;
    const known = samples.get(request.function) ?? [];
    known.push(answer);
    samples.set(request.function, known);
  });
  return samples;
}

/** Returns the values of all functions within objects. `values` computes them; it is not called if there are none. */
export async function samplesWithin(
  objects: readonly PlainObject[],
  values: (requests: FunctionRequest[]) => Promise<readonly FunctionValues[]>,
): Promise<FunctionSamples> {
  const requests = objects.flatMap((one) => samplesWanted(functionsWithin(one)));
  return samplesOf(requests, requests.length > 0 ? await values(requests) : []);
}

/** Places of the points of an axis. */
export function gridPoints({ low, high, points, log }: GridAxis): Float64Array {
  return Float64Array.from({ length: points }, (_, i) => {
    const share = i / (points - 1);
    return log ? low * (high / low) ** share : low + (high - low) * share;
  });
}

/** Returns the line of a function of x; undefined if it has no values. */
export function curveOf(object: PlainObject, samples: FunctionSamples): Curve | undefined {
  let points: [x: number, y: number][] = [];
  for (const sampled of samples.get(object) ?? []) {
    const [axis, other] = sampled.error ? [] : sampled.axes;
    if (sampled.error || axis === undefined || other !== undefined) continue;
    gridPoints(axis).forEach((x, i) => {
      points.push([x, sampled.values[i] ?? Number.NaN]);
    });
  }
  if (points.length === 0) return undefined;
  points.sort(([a], [b]) => a - b);
  // A single place without a value, as 0 of sin(x)/x, is no gap of the line.
  points = points.filter(
    ([, y], i) => !(Number.isNaN(y) && hasValue(points[i - 1]) && hasValue(points[i + 1])),
  );
  return {
    title: functionTitle(object),
    x: Float64Array.from(points, ([x]) => x),
    y: Float64Array.from(points, ([, y]) => y),
  };
}

const hasValue = (point: readonly number[] | undefined): boolean => Number.isFinite(point?.[1]);

function functionTitle(object: PlainObject): string {
  return label(object.fName) || (label(object.fTitle).split(';')[0] ?? '');
}

/** The functions that are stored with a histogram or graph: their lines, and a description of each. */
export function storedFunctions(
  list: PlainValue | undefined,
  samples: FunctionSamples,
): { curves: Curve[]; functions: FunctionNote[] } {
  const items = record(list)?.arr;
  const curves: Curve[] = [];
  const drawn: FunctionNote[] = [];
  const others: FunctionNote[] = [];
  for (const item of Array.isArray(items) ? items : []) {
    const object = record(item);
    if (object === undefined || !isFunction(object)) continue;
    const note: FunctionNote = { title: functionTitle(object), lines: functionLines(object) };
    const curve = curveOf(object, samples);
    if (curve !== undefined && (number(object.fBits) & NOT_DRAWN) === 0) {
      curves.push(curve);
      drawn.push(note);
    } else others.push({ ...note, why: whyNot(object, samples) });
  }
  return { curves, functions: [...drawn, ...others] };
}

function whyNot(object: PlainObject, samples: FunctionSamples): string {
  const failed = samples.get(object)?.find(({ error }) => error !== undefined)?.error;
  if (failed) return failed.message;
  if ((number(object.fBits) & NOT_DRAWN) !== 0) return 'The file says that it is not drawn.';
  if (object._typename !== 'TF1') return 'A function of more than one coordinate is not drawn over others.';
  return 'It has no values.';
}

/** Returns the fit quality and the parameters with errors, as in ROOT's box. */
export function functionLines(object: PlainObject): StatLine[] {
  const lines: StatLine[] = [];
  const { names, values } = parametersOf(object);
  const errors = numbers(object.fParErrors) ?? new Float64Array(0);
  const low = numbers(object.fParMin) ?? new Float64Array(0);
  const high = numbers(object.fParMax) ?? new Float64Array(0);
  const fitted = number(object.fNpfits) > 0 || number(object.fNDF) > 0 || number(object.fChisquare) > 0;
  if (fitted) {
    lines.push({
      label: 'χ² / ndf',
      value: `${statNumber(number(object.fChisquare))} / ${number(object.fNDF)}`,
    });
  }
  values.forEach((value, i) => {
    // TF1::IsParFixed.
    const fixed = (low[i] ?? 0) * (high[i] ?? 0) !== 0 && (low[i] ?? 0) >= (high[i] ?? 0);
    const shown = fixed ? `${statNumber(value)} (fixed)` : withError(value, errors[i] ?? 0);
    lines.push({ label: names[i] ?? `p${i}`, value: shown });
  });
  return lines;
}

/** A value with as many digits as its error justifies: three digits of the error. */
export function withError(value: number, error: number): string {
  if (!(error > 0) || !Number.isFinite(error) || !Number.isFinite(value)) return statNumber(value);
  const decimals = 2 - Math.floor(Math.log10(error));
  const size = Math.max(Math.abs(value), error);
  if (size >= 1e6 || size < 1e-4) return `${statNumber(value)} ± ${statNumber(Number(error.toPrecision(3)))}`;
  const digits = Math.min(20, Math.max(0, decimals));
  return `${value.toFixed(digits).replace('-', '−')} ± ${error.toFixed(digits)}`;
}

/**
 * Returns the parameters of a function. Until ROOT 5 they are members of the function; later of its formula, or of a
 * list if it is code.
 */
function parametersOf(object: PlainObject): { names: string[]; values: Float64Array } {
  const formula = record(object.fFormula);
  const own = record(object.fParams);
  if (formula !== undefined) {
    const names: string[] = [];
    for (const pair of Array.isArray(formula.fParams) ? formula.fParams : []) {
      const entry = record(pair);
      const index = number(entry?.second);
      if (Number.isInteger(index) && index >= 0 && index < 10_000) names[index] = label(entry?.first);
    }
    return { names, values: numbers(formula.fClingParameters) ?? new Float64Array(0) };
  }
  const names = own?.fParNames ?? object.fNames;
  return {
    names: Array.isArray(names) ? names.map((name, i) => label(name) || `p${i}`) : [],
    values: numbers(own?.fParameters ?? (own ? undefined : object.fParams)) ?? new Float64Array(0),
  };
}

/** Returns a stored function as a plot: a line, or a map for two coordinates. Undefined if it has no values. */
export function functionModel(
  object: PlainObject,
  samples: FunctionSamples,
): GraphModel | MapModel | undefined {
  const [title = '', xTitle = '', yTitle = '', zTitle = ''] = label(object.fTitle).split(';');
  const shared = { title: title || label(object.fName), xTitle, yTitle, stats: functionLines(object) };
  const limits = limitsOf(object);
  if (object._typename === 'TF1') {
    const curve = curveOf(object, samples);
    return curve && { kind: 'graph', ...shared, x: curve.x, y: curve.y, dots: false, limits };
  }
  const sampled = samples.get(object)?.[0];
  if (sampled === undefined || sampled.error || sampled.axes.length !== 2) return undefined;
  const [xEdges, yEdges] = sampled.axes.map(cellEdges);
  if (xEdges === undefined || yEdges === undefined) return undefined;
  return {
    kind: 'map',
    ...shared,
    zTitle: zTitle || 'f(x, y)',
    xEdges,
    yEdges,
    values: sampled.values,
    limits,
  };
}

/** Returns the limits that an object sets itself (SetMinimum, SetMaximum); -1111 means none. */
export function limitsOf(object: {
  [member: string]: PlainValue;
}): { low?: number; high?: number } | undefined {
  const low = number(object.fMinimum);
  const high = number(object.fMaximum);
  const said = (value: number) => Number.isFinite(value) && value !== -1111;
  if (!said(low) && !said(high)) return undefined;
  return { ...(said(low) && { low }), ...(said(high) && { high }) };
}

/**
 * Returns the edges of cells around points. The first and the last are half as wide, so that all are within the
 * range.
 */
function cellEdges(axis: GridAxis): Float64Array {
  const step = (axis.high - axis.low) / (axis.points - 1);
  return Float64Array.from({ length: axis.points + 1 }, (_, i) =>
    Math.min(axis.high, Math.max(axis.low, axis.low + (i - 0.5) * step)),
  );
}
