import type { PlainObject, PlainValue } from '../api/api';
import { unsupported } from '../base/data-errors';
import { argumentError, XylemError } from '../base/errors';
import { COORDINATES, expandShapes, queryText } from '../query/language/formula-text';

/** A TF1, TF2 or TF3 of a file: its domain, and the source of its values. */
export interface StoredFunction {
  /** Ranges of its coordinates, x first: one to three. */
  ranges: [low: number, high: number][];
  /**
   * Expression of x, y and z that computes the values; undefined if there is none, and then `why` has the
   * reason.
   */
  expression?: string | undefined;
  why?: string | undefined;
  /** Number by which the values of the expression are divided. */
  norm: number;
  /** Values that ROOT saved on an even grid that includes the ends of the ranges; x varies fastest. */
  saved?: { ranges: [low: number, high: number][]; points: number[]; values: Float64Array } | undefined;
}

/** Maximum length of a formula. Programs that write functions do not write longer ones. */
const MAX_LENGTH = 100_000;

/**
 * Reads the members of a stored function. Throws ARGUMENT for other objects, or for members that do not
 * fit together.
 */
export function storedFunction(object: PlainObject): StoredFunction {
  const dimensions = Number(/^TF([123])$/.exec(object._typename)?.[1] ?? Number.NaN);
  const ranges = COORDINATES.slice(0, dimensions).map((name): [number, number] => {
    const axis = name.toUpperCase();
    return [Number(object[`f${axis}min`]), Number(object[`f${axis}max`])];
  });
  if (ranges.length === 0 || !ranges.every(([low, high]) => high > low && Number.isFinite(high - low))) {
    throw argumentError(`This ${object._typename} has no range.`);
  }
  const norm = object.fNormalized === true ? Number(object.fNormIntegral) || 1 : 1;
  const saved = savedValues(object, dimensions);
  try {
    return { ranges, norm, saved, expression: expressionOf(object) };
  } catch (thrown) {
    if (!(thrown instanceof XylemError)) throw thrown;
    return { ranges, norm, saved, why: thrown.message };
  }
}

/**
 * Returns the formula with numbers in place of its parameters. Throws UNSUPPORTED with the reason if there
 * is none.
 */
function expressionOf(object: PlainObject): string {
  const formula = members(object.fFormula);
  // Until ROOT 5 a function had its formula as its base class: its title is the text, and it has the
  // parameters.
  const old = typeof object.fExpr === 'object' && Array.isArray(object.fExpr);
  const text = old ? object.fTitle : formula?.fFormula;
  if (typeof text !== 'string' || text === '') {
    throw unsupported(
      Number(object.fType) === 5
        ? 'It combines other functions, which ROOT does in C++.'
        : 'It is a C++ function, whose code is not in the file.',
    );
  }
  if (text.length > MAX_LENGTH) throw unsupported('Its formula is too long.');
  const parameters = numbers(old ? object.fParams : formula?.fClingParameters);
  const index = new Map<string, number>();
  for (const pair of list(formula?.fParams)) {
    const entry = members(pair);
    if (typeof entry?.first === 'string') index.set(entry.first, Number(entry.second));
  }
  return queryText(withNumbers(old ? expandShapes(text) : plainBody(text), parameters, index), !old);
}

/** Returns the expression in "[](double *x, double *p) { return …; }". Throws for other C++ code. */
function plainBody(text: string): string {
  if (!/^\s*\[[^\]]*\]\s*\(/.test(text)) return text;
  const head = /^[^(]*\(([^()]*)\)/.exec(text);
  const names = (head?.[1] ?? '')
    .split(',')
    .map((one) => /^(?:const\s+)?double\s*\*\s*(\w+)$/.exec(one.trim())?.[1]);
  const [x, p] = names;
  const code = text.slice(head?.[0].length).trim();
  const inner = code.slice(1, -1).trim();
  const single = code.startsWith('{') && code.endsWith('}') && /^return\b[^;{}]*;$/.test(inner);
  if (names.length !== 2 || !x || !p || !single)
    throw unsupported('Its formula is C++ code of several statements.');
  const body = inner.slice('return'.length, -1);
  // Use the names of formulas: coordinates are x[0], parameters are [0].
  return body.replace(
    /(?<![\w.])([A-Za-z_]\w{0,50})\s{0,9}\[\s{0,9}(\d{1,4})\s{0,9}\]/g,
    (whole, name, at) => (name === x ? `x[${at}]` : name === p ? `[${at}]` : whole),
  );
}

/** Replaces the parameters "[2]", "[p2]" and "[Sigma]" by numbers; "x[1]" is a coordinate. */
function withNumbers(text: string, parameters: number[], index: ReadonlyMap<string, number>): string {
  return text
    .replace(/\bx\s*\[\s*([0-3])\s*\]/g, (_, at: string) => COORDINATES[Number(at)] ?? 'x')
    .replace(/\[([^[\]]{1,200})\]/g, (_, name: string) => {
      const number = /^\s*p?(\d+)\s*$/.exec(name)?.[1];
      const value = parameters[index.get(name) ?? (number === undefined ? -1 : Number(number))];
      if (value === undefined) throw unsupported(`Its parameter [${name}] has no value.`);
      if (!Number.isFinite(value)) throw unsupported(`Its parameter [${name}] is ${value}.`);
      const written = String(value);
      return `(${/[.e]/.test(written) ? written : `${written}.0`})`;
    });
}

/**
 * Reads the data of TF1::Save, TF2::Save and TF3::Save: the values, the ranges and, for TF2 and TF3, the
 * numbers of steps.
 */
function savedValues(object: PlainObject, dimensions: number): StoredFunction['saved'] {
  const all = Float64Array.from(numbers(object.fSave));
  const tail = dimensions === 1 ? 2 : 3 * dimensions;
  const count = all.length - tail;
  if (count < 2) return undefined;
  const ranges = Array.from({ length: dimensions }, (_, i): [number, number] => [
    all[count + 2 * i] ?? Number.NaN,
    all[count + 2 * i + 1] ?? Number.NaN,
  ]);
  const points =
    dimensions === 1
      ? [count]
      : Array.from({ length: dimensions }, (_, i) => (all[count + 2 * dimensions + i] ?? 0) + 1);
  const fits = points.reduce((product, one) => product * one, 1) === count;
  if (!fits || !ranges.every(([low, high]) => high > low)) return undefined;
  return { ranges, points, values: all.slice(0, count) };
}

function members(value: PlainValue | undefined): { [member: string]: PlainValue } | undefined {
  const plain =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
  return plain ? value : undefined;
}

function list(value: PlainValue | undefined): PlainValue[] {
  return Array.isArray(value) ? value : [];
}

function numbers(value: PlainValue | undefined): number[] {
  return Array.isArray(value) || ArrayBuffer.isView(value)
    ? Array.from(value as ArrayLike<PlainValue>, Number)
    : [];
}
