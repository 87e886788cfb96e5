import type { Source } from './compile';
import { expressionError, type Place } from './errors';

/** An axis as it is asked for: what is left out is found from the values. */
export interface AxisWish {
  bins?: number | undefined;
  range?: [low: number, high: number] | undefined;
}

/** What the first argument of TTree::Draw says. */
export interface DrawSpec {
  /** In the order in which they stand: y:x is drawn over x. Empty where only entries are selected. */
  expressions: Source[];
  /** Name behind ">>". */
  target?: string | undefined;
  /** x first. */
  axes: AxisWish[];
}

const MAX_DIMS = 3;

/** Divides "y:x>>h(10,0,1)". Throws ARGUMENT with the place of what is wrong. */
export function parseDraw(text: string): DrawSpec {
  const { colons, redirect } = scan(text);
  const end = redirect ?? text.length;
  const target = redirect === undefined ? undefined : parseTarget(text, redirect + 2);
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
    throw expressionError(text, { at: from, end }, 'At most three expressions can be drawn.', 'Draw z:y:x.');
  }
  return { expressions, target: target?.name, axes: target?.axes ?? [] };
}

/** The parts of "a:b:c" without more, for a table. */
export function parseColumns(text: string): Source[] {
  const { colons, redirect } = scan(text);
  if (redirect !== undefined) {
    throw expressionError(text, { at: redirect, end: redirect + 2 }, 'A table has no histogram to fill.');
  }
  const borders = [-1, ...colons, text.length];
  const parts = borders.slice(1).map((to, i): Source => ({ text, from: (borders[i] ?? -1) + 1, to }));
  for (const { from = 0, to = 0 } of parts) {
    if (text.slice(from, to).trim() === '') {
      throw expressionError(text, { at: from, end: to }, 'An expression is missing here.');
    }
  }
  return parts;
}

/** Colons that divide expressions, and where ">>" begins; not those in brackets, texts, "::" and "?:". */
function scan(text: string): { colons: number[]; redirect: number | undefined } {
  const colons: number[] = [];
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
    else if (text.startsWith('>>', i)) return { colons, redirect: i };
    else if (text.startsWith('::', i)) i++;
    else if (character === ':') {
      if (questions > 0) questions--;
      else colons.push(i);
    }
  }
  return { colons, redirect: undefined };
}

/** "name(bins,low,high,…)" */
function parseTarget(text: string, from: number): { name: string; axes: AxisWish[] } {
  const match = /^\s*(\+?)([^\s()+]*)\s*(?:\(([^()]*)\))?\s*$/.exec(text.slice(from));
  const whole: Place = { at: from, end: text.length };
  if (!match) {
    throw expressionError(text, whole, 'This is no histogram.', 'Write name(bins,low,high) behind ">>".');
  }
  const [, plus, name = '', list] = match;
  if (plus) {
    throw expressionError(text, whole, 'There is no earlier histogram to add to.', 'Leave the "+" out.');
  }
  if (name === '' && list === undefined) throw expressionError(text, whole, 'A name is missing behind ">>".');
  return { name: name || 'htemp', axes: list === undefined ? [] : parseAxes(text, from, list) };
}

function parseAxes(text: string, from: number, list: string): AxisWish[] {
  const start = text.indexOf('(', from) + 1;
  let at = start;
  const numbers = list.split(',').map((part): number | undefined => {
    const place = { at, end: at + Math.max(1, part.length) };
    at += part.length + 1;
    if (part.trim() === '') return undefined;
    const value = Number(part);
    if (!Number.isFinite(value)) throw expressionError(text, place, `"${part.trim()}" is no number.`);
    return value;
  });
  const place = { at: start, end: start + list.length };
  if (numbers.length > 3 * MAX_DIMS) throw expressionError(text, place, 'There are too many numbers.');
  const axes: AxisWish[] = [];
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
    const range =
      low !== undefined && high !== undefined && low < high ? ([low, high] as [number, number]) : undefined;
    axes.push({ bins, range });
  }
  return axes;
}
