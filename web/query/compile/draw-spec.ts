import { expressionError, type Place } from '../language/errors';
import type { Source } from '../language/source';

/** One axis as written after ">>". Missing members are computed from the values. */
export interface WrittenAxis {
  bins?: number | undefined;
  range?: [low: number, high: number] | undefined;
}

/** The parts of the first argument of TTree::Draw. */
export interface DrawSpec {
  /** Expressions in the order of the text: y:x draws y over x. Empty if only entries are selected. */
  expressions: Source[];
  /** The name after ">>". */
  target?: string | undefined;
  /** Axes, x first. */
  axes: WrittenAxis[];
}

const MAX_DIMS = 3;

/** Splits "y:x>>h(10,0,1)". Throws ARGUMENT with the place of the mistake. */
export function parseDraw(text: string): DrawSpec {
  const { colons, redirect } = scan(text);
  const end = redirect ?? text.length;
  const target = redirect === undefined ? undefined : parseTarget(text, redirect + 2);
  const given = target?.axes.length ?? 0;
  const blank = text.slice(0, end).trim() === '';
  if (blank && !target) throw expressionError(text, { at: 0, end: text.length }, 'There is nothing to draw.');
  const borders = [-1, ...colons, end];
  const expressions = blank
    ? []
    : borders.slice(1).map((to, i): Source => ({ text, from: (borders[i] ?? -1) + 1, to }));
  for (const { from = 0, to = end } of expressions) {
    if (text.slice(from, to).trim() === '') {
      throw expressionError(text, { at: from, end: to }, 'An expression is missing here.');
    }
  }
  if (expressions.length > MAX_DIMS) {
    const from = expressions[MAX_DIMS]?.from ?? 0;
    throw expressionError(
      text,
      { at: from, end },
      'A histogram has at most three axes; ROOT draws the fourth expression as the colour of points.',
      'Draw three of them, or list all by scan.',
    );
  }
  if (given > Math.max(1, expressions.length)) {
    const place = { at: text.indexOf('(', end) + 1, end: text.lastIndexOf(')') };
    throw expressionError(
      text,
      place,
      `These are numbers of ${given} axes, and there ${expressions.length === 1 ? 'is one expression' : `are ${expressions.length} expressions`}.`,
      'Write bins, low and high for each axis.',
    );
  }
  return { expressions, target: target?.name, axes: target?.axes ?? [] };
}

/**
 * Returns the text without its histogram: "y:x" for "y:x>>h(10,0,1)". Throws ARGUMENT with the place of the mistake.
 */
export function withoutTarget(text: string): string {
  const { redirect } = scan(text);
  return (redirect === undefined ? text : text.slice(0, redirect)).trim();
}

/**
 * Returns the text with these bins and ends written after ">>", for the axes in `axes`, x first. Throws as
 * `parseDraw`.
 */
export function withAxes(text: string, axes: readonly Required<WrittenAxis>[]): string {
  const { target = 'h' } = parseDraw(text);
  const numbers = axes.flatMap(({ bins, range }) => [bins, ...(range ?? [])]);
  return `${withoutTarget(text)}>>${target}(${numbers.join(',')})`;
}

/** Splits "a:b:c" for a table. Here ">>" is only the shift operator. */
export function parseColumns(text: string): Source[] {
  const { colons } = scan(text, false);
  const borders = [-1, ...colons, text.length];
  const parts = borders.slice(1).map((to, i): Source => ({ text, from: (borders[i] ?? -1) + 1, to }));
  for (const { from = 0, to = 0 } of parts) {
    if (text.slice(from, to).trim() === '') {
      throw expressionError(text, { at: from, end: to }, 'An expression is missing here.');
    }
  }
  return parts;
}

/**
 * Finds the colons that separate expressions and the last ">>", which names the histogram. Colons in
 * brackets, in texts, in "::" and in "?:" do not count. A ">>" before the last one is a shift.
 */
function scan(text: string, redirects = true): { colons: number[]; redirect: number | undefined } {
  const colons: number[] = [];
  let redirect: number | undefined;
  let depth = 0;
  let questions = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (character === '"' || character === "'") {
      for (i++; i < text.length && text[i] !== character; i++) if (text[i] === '\\') i++;
    } else if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (depth > 0) continue;
    else if (character === '?') questions++;
    else if (redirects && text.startsWith('>>', i)) redirect = i;
    else if (text.startsWith('::', i)) i++;
    else if (character === ':') {
      if (questions > 0) questions--;
      else colons.push(i);
    }
  }
  const end = redirect ?? text.length;
  return { colons: colons.filter((at) => at < end), redirect };
}

/** Parses "name(bins,low,high,…)". */
function parseTarget(text: string, from: number): { name: string; axes: WrittenAxis[] } {
  const match = /^(\+?)([^\s()+]*)\s*(?:\(([^()]*)\))?$/.exec(text.slice(from).trim());
  const whole: Place = { at: from, end: text.length };
  if (!match) {
    throw expressionError(text, whole, 'This is not a histogram.', 'Write name(bins,low,high) after ">>".');
  }
  const [, plus, name = '', list] = match;
  if (plus) {
    throw expressionError(
      text,
      whole,
      'There is no earlier histogram to add to, because each call makes its own.',
      'Leave the "+" out, draw each with the same bins and add their contents.',
    );
  }
  if (name === '' && list === undefined) throw expressionError(text, whole, 'A name is missing after ">>".');
  return { name: name || 'htemp', axes: list === undefined ? [] : parseAxes(text, from, list) };
}

function parseAxes(text: string, from: number, list: string): WrittenAxis[] {
  const start = text.indexOf('(', from) + 1;
  let at = start;
  const numbers = list.split(',').map((part): number | undefined => {
    const place = { at, end: at + Math.max(1, part.length) };
    at += part.length + 1;
    if (part.trim() === '') return undefined;
    const value = Number(part);
    if (!Number.isFinite(value)) throw expressionError(text, place, `"${part.trim()}" is not a number.`);
    return value;
  });
  const place = { at: start, end: start + list.length };
  if (numbers.length > 3 * MAX_DIMS) throw expressionError(text, place, 'There are too many numbers.');
  const axes: WrittenAxis[] = [];
  for (let i = 0; i < numbers.length; i += 3) {
    const [bins, low, high] = numbers.slice(i, i + 3);
    if (bins !== undefined && !(Number.isInteger(bins) && bins >= 1 && bins <= 1e6)) {
      throw expressionError(
        text,
        place,
        `${bins} bins cannot be drawn.`,
        'Give a whole number from 1 to 1,000,000.',
      );
    }
    // A number that is left out is 0. As in TTree::Draw, a range whose ends are not in order is computed
    // from the values.
    const ends: [number, number] = [low ?? 0, high ?? 0];
    if (!Number.isFinite(ends[1] - ends[0])) {
      throw expressionError(text, place, `The ends ${ends[0]} and ${ends[1]} are too far apart for an axis.`);
    }
    axes.push({ bins, range: ends[0] < ends[1] ? ends : undefined });
  }
  return axes;
}
