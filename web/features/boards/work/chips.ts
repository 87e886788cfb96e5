import { type Expr, parseExpression } from '../../../query/language/parser';
import type { Asks, ValueRange } from './brushes';

/*
 * The text of a cut as chips. The text of each chip is that of `elementText` and `entryText`, so that what a board writes is read
 * again as the same chips.
 */

/** The selection of a chip. */
export type ChipSelection =
  | { kind: 'ranges'; exprs: readonly string[]; ranges: readonly ValueRange[] }
  | { kind: 'labels'; exprs: readonly [string]; labels: readonly string[] }
  | { kind: 'text'; text: string };

export interface CutChip {
  selects: ChipSelection;
  inverted: boolean;
  asks: Asks;
}

/** Returns what a text selects, as a cut of an element; undefined for a text with a mistake. */
export function chipOfText(text: string): ChipSelection | undefined {
  try {
    return text.trim() === '' ? undefined : selectionOf(parseExpression(text), text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the chips of a cut. `loops` tells which of several expressions have a value for each element of a list: two conditions on
 * lists belong to the same element, and stay one chip. `maps` has the pairs of expressions that are plots, x first. Throws ARGUMENT
 * with the place of a mistake.
 */
export async function chipsOfCut(
  text: string,
  loops: (exprs: readonly string[]) => Promise<readonly boolean[]>,
  maps: readonly (readonly string[])[] = [],
): Promise<CutChip[]> {
  if (text.trim() === '') return [];
  const terms = termsOf(parseExpression(text)).map((term) => text.slice(term.at, term.end));
  const isLoop = await loops(terms);
  const looping = terms.filter((_, i) => isLoop[i]);
  const others = terms.filter((_, i) => !isLoop[i]);
  const ranges = joined(others.map((term) => chipOfTerm(term)));
  return [...ranges, ...(looping.length > 0 ? [ofElement(looping, maps)] : [])];
}

/** The conditions on an element of a list: a chip of a plot if there is one for them, else a text. */
function ofElement(terms: readonly string[], maps: readonly (readonly string[])[]): CutChip {
  const [only] = terms;
  if (only !== undefined && terms.length === 1) return chipOfTerm(only);
  const text = terms.map(bracketed).join(' && ');
  const found = joined(terms.map((term) => chipOfTerm(term)));
  const [first] = found;
  if (first && found.length === 1) return first;
  const map = maps.find(
    (exprs) => found.length === 2 && exprs.every((expr) => found.some((one) => isRangeOf(one, expr))),
  );
  const ranges = map?.flatMap((expr) => found.flatMap((one) => rangesOf(one, expr)));
  const selects: ChipSelection =
    map && ranges?.length === 2 ? { kind: 'ranges', exprs: map, ranges } : { kind: 'text', text };
  return { selects, inverted: false, asks: { least: 1 } };
}

const isRangeOf = ({ selects, inverted }: CutChip, expr: string): boolean =>
  !inverted && selects.kind === 'ranges' && selects.exprs.length === 1 && selects.exprs[0] === expr;

const rangesOf = (chip: CutChip, expr: string): readonly ValueRange[] =>
  isRangeOf(chip, expr) && chip.selects.kind === 'ranges' ? chip.selects.ranges : [];

/** Joins ranges of one expression, of which each has only one end. */
function joined(chips: readonly CutChip[]): CutChip[] {
  const made: CutChip[] = [];
  for (const chip of chips) {
    const at = made.findIndex(
      ({ selects, inverted, asks }) =>
        selects.kind === 'ranges' &&
        selects.exprs.length === 1 &&
        isRangeOf(chip, selects.exprs[0] ?? '') &&
        !inverted &&
        asks !== 'all' &&
        asks.least === 1,
    );
    const other = made[at];
    const both = other && intersection(other.selects, chip.selects);
    if (other && both) made[at] = { ...other, selects: both };
    else made.push(chip);
  }
  return made;
}

function intersection(a: ChipSelection, b: ChipSelection): ChipSelection | undefined {
  if (a.kind !== 'ranges' || b.kind !== 'ranges') return undefined;
  const [one, other] = [a.ranges[0], b.ranges[0]];
  if (!one || !other) return undefined;
  const hasLow = ({ low }: ValueRange) => low !== Number.NEGATIVE_INFINITY;
  const hasHigh = ({ high }: ValueRange) => high !== Number.POSITIVE_INFINITY;
  const lower = hasLow(one) && !hasHigh(one) ? one : hasLow(other) && !hasHigh(other) ? other : undefined;
  const upper = hasHigh(one) && !hasLow(one) ? one : hasHigh(other) && !hasLow(other) ? other : undefined;
  if (!lower || !upper || !(lower.low <= upper.high)) return undefined;
  const range = {
    low: lower.low,
    high: upper.high,
    ...(lower.above && { above: true }),
    ...(upper.upTo && { upTo: true }),
  };
  return { kind: 'ranges', exprs: a.exprs, ranges: [range] };
}

/** Returns the operands of "&&", from left to right. */
const termsOf = (expr: Expr): Expr[] =>
  expr.kind === 'binary' && expr.op === 'and' ? [...termsOf(expr.left), ...termsOf(expr.right)] : [expr];

/** A term of a cut: "Sum$(…)>=2" and "Sum$(!(…))==0" say how many elements pass, "!(…)" that it is inverted. */
function chipOfTerm(text: string): CutChip {
  const inner = withoutBrackets(text);
  const expr = parseExpression(inner);
  const asked = askedOf(expr);
  if (asked) {
    const { selects, inverted } = invertedOf(withoutBrackets(inner.slice(asked.what.at, asked.what.end)));
    return { selects, inverted, asks: asked.asks };
  }
  return { ...invertedOf(inner), asks: { least: 1 } };
}

function invertedOf(text: string): Pick<CutChip, 'selects' | 'inverted'> {
  const expr = parseExpression(text);
  if (expr.kind === 'unary' && expr.op === 'not') {
    const inner = withoutBrackets(text.slice(expr.operand.at, expr.operand.end));
    return { selects: selectionOf(parseExpression(inner), inner), inverted: true };
  }
  return { selects: selectionOf(expr, text), inverted: false };
}

/** Returns what is asked of elements by "Sum$(what)>=k" with k of at least 1, or "Sum$(!(what))==0". */
function askedOf(expr: Expr): { what: Expr; asks: Asks } | undefined {
  if (expr.kind !== 'binary' || expr.left.kind !== 'call' || expr.left.name !== 'Sum$') return undefined;
  const [what] = expr.left.args;
  const number = numberOf(expr.right);
  if (!what || number === undefined) return undefined;
  if (expr.op === 'ge' && Number.isSafeInteger(number) && number >= 1)
    return { what, asks: { least: number } };
  if (expr.op === 'eq' && number === 0 && what.kind === 'unary' && what.op === 'not')
    return { what: what.operand, asks: 'all' };
  return undefined;
}

/** Returns a condition as ranges or texts, if it is one; else as a text. */
function selectionOf(expr: Expr, text: string): ChipSelection {
  const labels = labelsOf(expr, text);
  if (labels) return { kind: 'labels', exprs: [labels.expr], labels: labels.texts };
  // A cut as it was written is "(cut)!=0" in the text of a board.
  if (expr.kind === 'binary' && expr.op === 'ne' && numberOf(expr.right) === 0)
    return { kind: 'text', text: sourceOf(expr.left, text) };
  const found = termsOf(expr).map((term) => comparisonOf(term, text));
  const known = found.filter((one) => one !== undefined);
  if (known.length === found.length) {
    const chips = joined(
      known.map(
        ({ expr: name, range }): CutChip => ({
          selects: { kind: 'ranges', exprs: [name], ranges: [range] },
          inverted: false,
          asks: { least: 1 },
        }),
      ),
    );
    const exprs = chips.flatMap(({ selects }) => (selects.kind === 'ranges' ? selects.exprs : []));
    const ranges = chips.flatMap(({ selects }) => (selects.kind === 'ranges' ? selects.ranges : []));
    if (ranges.length <= 2 && new Set(exprs).size === exprs.length) return { kind: 'ranges', exprs, ranges };
  }
  return { kind: 'text', text: withoutBrackets(text.trim()) };
}

const MIRRORED = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq' } as const;

/** Returns the range of "expr>=number" and the like. */
function comparisonOf(expr: Expr, text: string): { expr: string; range: ValueRange } | undefined {
  if (expr.kind !== 'binary' || !Object.hasOwn(MIRRORED, expr.op)) return undefined;
  const op = expr.op as keyof typeof MIRRORED;
  const [right, left] = [numberOf(expr.right), numberOf(expr.left)];
  if (right !== undefined && left === undefined)
    return { expr: sourceOf(expr.left, text), range: rangeOf(op, right) };
  if (left === undefined || right !== undefined) return undefined;
  return { expr: sourceOf(expr.right, text), range: rangeOf(MIRRORED[op], left) };
}

function rangeOf(op: keyof typeof MIRRORED, value: number): ValueRange {
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  switch (op) {
    case 'gt':
      return { low: value, high, above: true };
    case 'ge':
      return { low: value, high };
    case 'lt':
      return { low, high: value };
    case 'le':
      return { low, high: value, upTo: true };
    case 'eq':
      return { low: value, high: value, upTo: true };
  }
}

/** Returns the texts of "expr=="a" || expr=="b"". */
function labelsOf(expr: Expr, text: string): { expr: string; texts: string[] } | undefined {
  if (expr.kind !== 'binary') return undefined;
  if (expr.op === 'or') {
    const [left, right] = [labelsOf(expr.left, text), labelsOf(expr.right, text)];
    if (!left || !right || left.expr !== right.expr) return undefined;
    return { expr: left.expr, texts: [...left.texts, ...right.texts] };
  }
  if (expr.op !== 'eq' || expr.right.kind !== 'string') return undefined;
  return { expr: sourceOf(expr.left, text), texts: [expr.right.value] };
}

function numberOf(expr: Expr): number | undefined {
  if (expr.kind === 'number') return expr.value;
  if (expr.kind !== 'unary' || expr.op !== 'neg') return undefined;
  const value = numberOf(expr.operand);
  return value === undefined ? undefined : -value;
}

const sourceOf = ({ at, end }: Expr, text: string): string => withoutBrackets(text.slice(at, end));

/** Returns a text without brackets around all of it. */
function withoutBrackets(text: string): string {
  const inner = text.trim();
  if (!inner.startsWith('(') || !inner.endsWith(')')) return inner;
  try {
    const expr = parseExpression(inner);
    const bare = inner.slice(1, -1);
    // "(a)+(b)" begins and ends with brackets, too: without them it is not an expression, or another one.
    if (expr.at !== 0 || expr.end !== inner.length) return inner;
    return JSON.stringify(shapeOf(parseExpression(bare))) === JSON.stringify(shapeOf(expr))
      ? withoutBrackets(bare)
      : inner;
  } catch {
    return inner;
  }
}

/** An expression without its places. */
const shapeOf = (expr: Expr): unknown =>
  JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => (key === 'at' || key === 'end' ? undefined : value)),
  );

const bracketed = (text: string): string => (/^\(.*\)$/s.test(text) ? text : `(${text})`);
