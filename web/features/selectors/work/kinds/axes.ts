import { overBudget } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import { firstAbove } from '../../../../base/search';
import type { Axis } from '../../../../core/fill';
import { meantBy } from '../misspelt';

/** An axis of equal bins. */
export type EqualBins = readonly [bins: number, low: number, high: number];

/** An axis of bins whose widths differ. */
export interface EdgeBins {
  /** Ascending, one more than bins. */
  edges: ArrayLike<number>;
  title?: string | undefined;
}

/**
 * An axis of categories: "text" and "whole" (numbers) take each value that is filled, "boolean" has false and true. A list has
 * these values only.
 */
export interface Categories {
  categories: 'text' | 'whole' | 'boolean' | readonly (string | number)[];
  title?: string | undefined;
}

export type SelectorAxis = EqualBins | EdgeBins | Categories;

/** A numeric axis. */
export interface NumericAxis extends Axis {
  title: string;
  edges?: Float64Array | undefined;
}

/** An axis of categories. */
export interface CategoryAxis {
  type: 'text' | 'whole' | 'boolean';
  /** Its values, if no others can be filled. */
  fixed?: string[] | undefined;
  title: string;
}

export type AnyAxis = NumericAxis | CategoryAxis;

export const MAX_CELLS = 10_000_000;
/** Axes of a histogram. */
export const MAX_DIMS = 12;

export function isCategories(axis: AnyAxis): axis is CategoryAxis {
  return 'type' in axis;
}

/** Whether an argument of `job.hist` is an axis; others are titles. */
export function isAxisGiven(given: unknown): given is SelectorAxis {
  return (
    Array.isArray(given) ||
    (typeof given === 'object' && given !== null && ('edges' in given || 'categories' in given))
  );
}

/** Throws ARGUMENT for a member that an object of titles, or an axis, does not have. */
export function checkMembers(given: object | undefined, names: readonly string[]): void {
  const odd = Object.keys(given ?? {}).find((name) => !names.includes(name));
  if (odd === undefined) return;
  throw argumentError(`A histogram has no use for "${odd}".`, meantBy(odd, names));
}

/** Whether these can be bins. Edges are finite and ascending. */
export function isBins({ bins, low, high, edges }: Axis & Pick<NumericAxis, 'edges'>): boolean {
  if (!Number.isSafeInteger(bins) || bins <= 0 || !(low < high) || !Number.isFinite(high - low)) return false;
  if (!edges) return true;
  return (
    edges.length === bins + 1 &&
    edges[0] === low &&
    edges[bins] === high &&
    edges.every((edge, i) => i === 0 || edge > (edges[i - 1] ?? 0))
  );
}

/** Reads the axes that `job.hist` got. `titles` are those of the axes. Throws ARGUMENT and BUDGET. */
export function axesOf(given: readonly SelectorAxis[], titles: readonly unknown[] = []): AnyAxis[] {
  if (given.length === 0) throw noAxes();
  if (given.length > MAX_DIMS)
    throw overBudget(`A histogram has ${MAX_DIMS} axes at most.`, 'Make several histograms.');
  return given.map((one, i) => {
    if (!Array.isArray(one)) checkMembers(one, ['edges' in one ? 'edges' : 'categories', 'title']);
    const title = String((one as { title?: unknown }).title ?? titles[i] ?? '');
    if ('categories' in one) return categoriesOf(one.categories, title);
    const axis = 'edges' in one ? edgeBins(one.edges, title) : equalBins(one, title);
    if (!isBins(axis)) throw noAxes(whyNoBins(one));
    return axis;
  });
}

function equalBins([bins, low, high, ...more]: EqualBins, title: string): NumericAxis {
  if (more.length > 0)
    throw noAxes('A list of more than three numbers is not an axis: edges need { edges }.');
  return { bins, low, high, title };
}

function edgeBins(given: ArrayLike<number>, title: string): NumericAxis {
  const edges = Float64Array.from(given);
  return {
    bins: edges.length - 1,
    low: edges[0] ?? Number.NaN,
    high: edges.at(-1) ?? Number.NaN,
    title,
    edges,
  };
}

function categoriesOf(given: Categories['categories'], title: string): CategoryAxis {
  if (given === 'text' || given === 'whole') return { type: given, title };
  if (given === 'boolean') return { type: given, fixed: ['false', 'true'], title };
  const list: unknown = given;
  if (!Array.isArray(list) || list.length === 0) throw noAxes();
  const isWhole = list.every((one) => Number.isSafeInteger(one));
  if (!isWhole && !list.every((one) => typeof one === 'string')) throw noAxes();
  const fixed = list.map(String);
  if (new Set(fixed).size < fixed.length) throw argumentError('A category occurs twice.', 'Name each once.');
  return { type: isWhole ? 'whole' : 'text', fixed, title };
}

/** Returns a sentence about an axis that is none. */
function whyNoBins(given: EqualBins | EdgeBins): string {
  if ('edges' in given) {
    const edges = Array.from(given.edges);
    const at = edges.findIndex(
      (edge, i) => !(Number.isFinite(edge) && (i === 0 || edge > (edges[i - 1] ?? 0))),
    );
    return at < 0
      ? 'An axis needs two edges or more.'
      : `The edges of an axis ascend, and ${edges[at]} comes after ${edges[at - 1] ?? 'nothing'}.`;
  }
  const [bins, low, high] = given;
  if (!Number.isSafeInteger(bins) || bins <= 0) return `An axis has a whole number of bins, not ${bins}.`;
  return `An axis goes from a low number to a higher one, not from ${low} to ${high}.`;
}

function noAxes(why = ''): XylemError {
  return argumentError(
    `A histogram needs axes: of bins, or of categories. ${why}`.trim(),
    "Write job.hist([60, 60, 120]): bins, low and high of each axis; or { edges: [0, 20, 50] }, or { categories: 'text' }.",
  );
}

/** Returns the text of a category. Throws ARGUMENT for a value of another type, and one that the axis does not have. */
export function categoryOf({ type, fixed, title }: CategoryAxis, value: unknown): string {
  const text = textOf(type, value);
  if (text !== undefined && (!fixed || fixed.includes(text))) return text;
  const axis = title === '' ? 'an axis of categories' : `the axis "${title}"`;
  throw argumentError(
    `fill got ${value === undefined ? 'undefined' : JSON.stringify(String(value).slice(0, 40))} for ${axis}, which takes ${
      fixed ? fixed.slice(0, 10).join(', ') : type === 'whole' ? 'whole numbers' : 'texts'
    }.`,
    text === undefined
      ? 'Look for a misspelt name.'
      : "Name all categories, or take { categories: 'text' }, which grows.",
  );
}

function textOf(type: CategoryAxis['type'], value: unknown): string | undefined {
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  if (type === 'boolean')
    return value === true || value === 1 ? 'true' : value === false || value === 0 ? 'false' : undefined;
  if (typeof value === 'bigint') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Returns categories in the order in which they are shown. Numbers ascend, texts by their characters. */
export function inOrder({ type, fixed }: CategoryAxis, found: Iterable<string>): string[] {
  if (fixed) return [...fixed];
  const all = [...new Set(found)];
  if (type !== 'whole') return all.sort((a, b) => (a < b ? -1 : 1));
  return all.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}

/** Returns the number of the bin of a value: 0 below, bins + 1 above and for NaN. */
export function binOf({ bins, low, high, edges }: Axis & Pick<NumericAxis, 'edges'>, value: number): number {
  if (value < low) return 0;
  if (!(value < high)) return bins + 1;
  return edges
    ? firstAbove(edges, value, bins + 1)
    : 1 + Math.min(bins - 1, Math.floor((bins * (value - low)) / (high - low)));
}
