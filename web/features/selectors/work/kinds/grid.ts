import type { Histogram } from '../../../../api/api';
import type { Gathered } from '../../../../api/selector';
import { overBudget } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import type { SparseHistogram } from '../../../../bins/sparse-histogram';
import type { Core } from '../../../../core/core';
import { itemsOf, listOf, recordOf } from '../../../../measure/json';
import {
  type AnyAxis,
  axesOf,
  binOf,
  type CategoryAxis,
  categoryOf,
  inOrder,
  isAxisGiven,
  isCategories,
  MAX_CELLS,
  MAX_DIMS,
  type NumericAxis,
} from './axes';
import {
  axisFrom,
  checkTitles,
  type HistogramResult,
  histogram,
  MAX_AXES,
  MadeHistogram,
  type SelectorHistogram,
  type SelectorTitles,
} from './histogram';
import { Made, type Place, type ResultKind } from './kind';

/**
 * A histogram with axes of categories, or with more axes than three. It has a histogram of the inner axes for each combination of the
 * outer ones: those of categories, and if there are more than three others, all others but the last, by the numbers of their bins.
 */
export interface GridResult extends Gathered {
  kind: 'grid';
  title: string;
  valueTitle: string | undefined;
  axes: AnyAxis[];
  /** By the JSON of the list of the outer coordinates, in the order of the axes. */
  parts: Map<string, HistogramResult>;
}

/** A histogram with more than three axes, as programs get it: its cells that are not empty. */
export interface GridValue extends SparseHistogram {
  nan: number;
}

export type GridAxis = Histogram['axes'][number];

/** An axis that stands for "one cell" if all axes are of categories. */
const ONE: NumericAxis = { bins: 1, low: 0, high: 1, title: '' };
/** Number of values that are collected for each combination of categories. */
const WAITING = 512;

export const grid: ResultKind<GridResult, Histogram | GridValue> = {
  job: (core) => ({
    hist: (...given) => {
      const titles = given.find((one): one is SelectorTitles => !isAxisGiven(one));
      checkTitles(titles);
      const axes = axesOf(given.filter(isAxisGiven), titles?.axes);
      const isPlain = axes.length <= MAX_AXES && !axes.some(isCategories);
      return isPlain
        ? new MadeHistogram(core, axes as NumericAxis[], titles)
        : new MadeGrid(core, axes, titles);
    },
  }),
  help: { hist: '([bins, low, high] or { edges } or { categories }, …, { title, axes })' },
  form: ({ axes, title }) => [axes, title],
  add({ parts }, more) {
    for (const [key, one] of more.parts) {
      const there = parts.get(key);
      if (there) histogram.add(there, one);
      else parts.set(key, one);
    }
  },
  scaled: (one, scale) => ({
    ...one,
    parts: new Map([...one.parts].map(([key, part]) => [key, histogram.scaled(part, scale)])),
  }),
  json: ({ title, valueTitle, axes, parts }) => ({
    ...{ title, valueTitle },
    axes: axes.map((axis) =>
      !isCategories(axis) && axis.edges ? { ...axis, edges: [...axis.edges] } : axis,
    ),
    parts: [...parts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [JSON.parse(key) as unknown, histogram.json(part)]),
  }),
  from({ title, valueTitle, axes: given, parts: listed }, wrong, source) {
    if (typeof title !== 'string') return wrong('a histogram has no title');
    if (valueTitle !== undefined && typeof valueTitle !== 'string')
      return wrong('the title of the values is not a text');
    const axes = listOf(given, (one): AnyAxis | undefined =>
      'type' in one ? categoriesFrom(one) : axisFrom(one, wrong),
    );
    if (!axes || axes.length === 0 || axes.length > MAX_DIMS) return wrong('a histogram has no axes');
    const { outer, inner } = splitOf(axes);
    const pairs =
      itemsOf(listed instanceof Map ? [...listed] : listed) ?? wrong('the parts of a histogram are missing');
    const form = JSON.stringify(inner.map(({ title: _, ...axis }) => axis));
    const parts = pairs.map((pair): [string, HistogramResult] => {
      const [key, one] = itemsOf(pair) ?? wrong('a part of a histogram is missing');
      const at = itemsOf(typeof key === 'string' ? parsed(key) : key);
      if (at?.length !== outer.length || !outer.every((axis, i) => isPlaceOf(axis, at[i])))
        return wrong('a part of a histogram has other categories than its axes');
      const given = recordOf(one) ?? wrong('a part of a histogram is missing');
      if (source && given.kind !== 'histogram') wrong('a part of a histogram is of another kind');
      const part = histogram.from(given, wrong, source);
      if (part.profile || JSON.stringify(part.axes.map(({ title: _, ...axis }) => axis)) !== form)
        return wrong('a part of a histogram has other axes');
      return [JSON.stringify(at), part];
    });
    return { kind: 'grid', title, valueTitle, axes, parts: new Map(parts) };
  },
  value: (one, name, entries) => gridValue(one, name, entries),
  lines: (value) => {
    const sizes = value.axes.map(({ bins }) => formatCount(bins)).join(' x ');
    return [`${formatCount(value.fills)} fills, ${sizes} bins`];
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function categoriesFrom({ type, fixed, title }: Record<string, unknown>): CategoryAxis | undefined {
  if (type !== 'text' && type !== 'whole' && type !== 'boolean') return undefined;
  if (typeof title !== 'string') return undefined;
  if (fixed === undefined) return type === 'boolean' ? undefined : { type, title };
  const list = itemsOf(fixed);
  if (!list || list.length === 0 || !list.every((one) => typeof one === 'string')) return undefined;
  return { type, fixed: list as string[], title };
}

/** Whether a coordinate belongs to an outer axis. */
function isPlaceOf(axis: AnyAxis, at: unknown): boolean {
  if (!isCategories(axis))
    return Number.isSafeInteger(at) && (at as number) >= 0 && (at as number) <= axis.bins + 1;
  if (typeof at !== 'string' || (axis.type === 'whole' && !/^-?\d{1,20}$/.test(at))) return false;
  return !axis.fixed || axis.fixed.includes(at);
}

/** The axes by which parts are found, and those of each part. Indices are those of all axes. */
interface Split {
  outer: AnyAxis[];
  outerAt: number[];
  inner: NumericAxis[];
  innerAt: number[];
}

function splitOf(axes: readonly AnyAxis[]): Split {
  const numeric = axes.flatMap((axis, i) => (isCategories(axis) ? [] : [i]));
  const innerAt = numeric.length <= MAX_AXES ? numeric : numeric.slice(-1);
  const outerAt = axes.flatMap((_, i) => (innerAt.includes(i) ? [] : [i]));
  const inner = innerAt.length === 0 ? [ONE] : innerAt.map((i) => axes[i] as NumericAxis);
  return { outer: outerAt.map((i) => axes[i] as AnyAxis), outerAt, inner, innerAt };
}

class MadeGrid extends Made<GridResult> implements SelectorHistogram {
  readonly #parts = new Map<string, MadeHistogram>();
  readonly #split: Split;
  readonly #cells: number;

  constructor(
    readonly core: Core | undefined,
    readonly axes: AnyAxis[],
    readonly titles: SelectorTitles = {},
  ) {
    super();
    this.#split = splitOf(axes);
    this.#cells = this.#split.inner.reduce((product, { bins }) => product * (bins + 2), 1);
  }

  fill(...given: readonly unknown[]): void {
    this.checkOwn();
    const dims = this.axes.length;
    if (given.length < dims || given.length > dims + 1) {
      throw argumentError(
        `fill of this histogram takes ${dims} coordinates and perhaps a weight; it got ${given.length} values.`,
        'Give a value for each axis.',
      );
    }
    const lists = given.filter((one) => typeof one === 'object' && one !== null) as ArrayLike<unknown>[];
    const [first] = lists;
    if (!first) {
      this.#fillOne(given);
      return;
    }
    const odd = lists.find(({ length }) => length !== first.length || !Number.isSafeInteger(length));
    if (odd) {
      throw argumentError(
        `The lists of fill have ${first.length} and ${odd.length} values.`,
        'Give lists of equal lengths; of a column of lists give its values: fill(pt.values).',
      );
    }
    const isList = given.map((one) => typeof one === 'object' && one !== null);
    for (let i = 0; i < first.length; i++)
      this.#fillOne(given.map((one, k) => (isList[k] ? (one as ArrayLike<unknown>)[i] : one)));
  }

  #fillOne(given: readonly unknown[]): void {
    const { outer, outerAt, innerAt } = this.#split;
    const key = JSON.stringify(
      outer.map((axis, i) => {
        const value = given[outerAt[i] ?? 0];
        return isCategories(axis) ? categoryOf(axis, value) : binOf(axis, numberOf(value));
      }),
    );
    const inner = innerAt.length === 0 ? [0.5] : innerAt.map((i) => given[i]);
    // A weight that is left out differs from undefined.
    const values = [...inner, ...given.slice(this.axes.length)];
    this.#part(key).fill(...(values as number[]));
  }

  #part(key: string): MadeHistogram {
    const there = this.#parts.get(key);
    if (there) return there;
    if ((this.#parts.size + 1) * this.#cells > MAX_CELLS) {
      throw overBudget(
        `A histogram has at most ${MAX_CELLS} cells in all its categories.`,
        'Take fewer bins or categories; a table keeps single values.',
      );
    }
    const made = new MadeHistogram(this.core, this.#split.inner, {}, false, WAITING);
    this.#parts.set(key, made);
    return made;
  }

  protected gathered(): GridResult {
    const { title = '', axes: titles = [] } = this.titles;
    const place: Place = { file: '', tree: '', from: 0 };
    return {
      kind: 'grid',
      title: String(title),
      valueTitle: titles[this.axes.length] === undefined ? undefined : String(titles[this.axes.length]),
      axes: this.axes.map((axis) => ({ ...axis })),
      parts: new Map([...this.#parts].map(([key, part]) => [key, part.take(place)])),
    };
  }
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  throw argumentError(
    `fill got ${value === undefined ? 'undefined' : JSON.stringify(String(value).slice(0, 40))}, which is not a number.`,
    'Look for a misspelt name.',
  );
}

/** Returns the axes with the categories that were filled. */
function shownAxes({ axes, parts }: Pick<GridResult, 'axes' | 'parts'>): GridAxis[] {
  const { outerAt } = splitOf(axes);
  const keys = [...parts.keys()].map((key) => JSON.parse(key) as unknown[]);
  return axes.map((axis, i) => {
    if (!isCategories(axis)) return { ...axis };
    const at = outerAt.indexOf(i);
    const found = inOrder(
      axis,
      keys.map((key) => String(key[at])),
    );
    const labels = found.length > 0 ? found : [''];
    return {
      ...{ title: axis.title, bins: labels.length, low: 0, high: labels.length },
      ...{ labels, category: axis.type, grows: axis.fixed === undefined },
    };
  });
}

/** Calls `take` for each cell of the parts that is not empty, with the numbers of its bins along all axes. */
function eachCell(
  one: Pick<GridResult, 'axes' | 'parts'>,
  axes: readonly GridAxis[],
  take: (at: number[], sum: number, square: number) => void,
): void {
  const { outerAt, inner, innerAt } = splitOf(one.axes);
  const places = axes.map(({ labels }) => new Map(labels?.map((label, i) => [label, i + 1])));
  for (const [key, part] of [...one.parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const outer = JSON.parse(key) as (string | number)[];
    const { sums, squares } = histogram.value(part, '', 0);
    const at = axes.map(() => 1);
    for (const [i, axis] of outerAt.entries()) {
      const value = outer[i] ?? 0;
      at[axis] = typeof value === 'number' ? value : (places[axis]?.get(value) ?? 0);
    }
    for (let cell = 0; cell < sums.length; cell++) {
      const [sum = 0, square = 0] = [sums[cell], squares[cell]];
      if (sum === 0 && square === 0) continue;
      let left = cell;
      for (const [k, { bins }] of inner.entries()) {
        const axis = innerAt[k];
        if (axis !== undefined) at[axis] = left % (bins + 2);
        left = Math.floor(left / (bins + 2));
      }
      take([...at], sum, square);
    }
  }
}

/** A histogram of any number of axes with all of its cells; x runs fastest. */
export interface DenseGrid {
  title: string;
  name: string;
  axes: GridAxis[];
  sums: Float64Array;
  squares: Float64Array;
}

/** Returns all cells. Throws BUDGET if there are too many. */
export function denseOf(one: Pick<GridResult, 'axes' | 'parts' | 'title'>, name: string): DenseGrid {
  const axes = shownAxes(one);
  const cells = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  if (cells > MAX_CELLS)
    throw overBudget(
      `"${name}" has ${formatCount(cells)} cells, which are too many for this form.`,
      '--json, --csv and --parquet have those that are not empty.',
    );
  const [sums, squares] = [new Float64Array(cells), new Float64Array(cells)];
  const strides = axes.map((_, k) => axes.slice(0, k).reduce((product, { bins }) => product * (bins + 2), 1));
  eachCell(one, axes, (at, sum, square) => {
    const cell = at.reduce((place, bin, k) => place + bin * (strides[k] ?? 0), 0);
    sums[cell] = sum;
    squares[cell] = square;
  });
  return { title: one.title === '' ? name : one.title, name, axes, sums, squares };
}

function gridValue(one: GridResult, name: string, entries: number): Histogram | GridValue {
  const [first, ...others] = [...one.parts.values()].map((part) => structuredClone(part));
  for (const part of others) if (first) histogram.add(first, part);
  const whole = first && histogram.value(first, name, entries);
  const { fills = 0, nan = 0, weight = 0, effective = 0 } = whole ?? {};
  const title = one.title === '' ? name : one.title;
  if (one.axes.length > MAX_AXES) {
    const axes = shownAxes(one);
    const cells: GridValue['cells'] = [];
    eachCell(one, axes, (at, sum, square) => cells.push({ at, sum, square }));
    return { kind: 'grid', title, name, axes, fills, nan, cells };
  }
  const { innerAt } = splitOf(one.axes);
  /** Categories have no means. */
  const along = (values: readonly number[] | undefined): number[] =>
    one.axes.map((_, i) => (innerAt.includes(i) ? (values?.[innerAt.indexOf(i)] ?? 0) : Number.NaN));
  const { axes, sums, squares } = denseOf(one, name);
  return {
    ...{ kind: 'histogram', title, name, profile: false, axes, valueTitle: one.valueTitle, sums, squares },
    ...{ fills, nan, entries, weight, effective, covariance: 0 },
    ...{
      mean: along(whole?.mean),
      stdDev: along(whole?.stdDev),
      min: along(whole?.min),
      max: along(whole?.max),
    },
    integer: one.axes.map(() => false),
  };
}

/** Returns variations of a histogram as one with a further axis, the first; undefined if it is not a histogram of bins. */
export function variedGrid(of: ReadonlyMap<string, Gathered>, title: string): GridResult | undefined {
  const names = [...of.keys()];
  const axis: CategoryAxis = { type: 'text', fixed: names, title };
  const found = [...of.values()];
  const [first] = found;
  if (first?.kind === 'grid') {
    const grids = found as GridResult[];
    const parts = grids.flatMap((one, i) =>
      [...one.parts].map(([key, part]): [string, HistogramResult] => [
        JSON.stringify([names[i], ...(JSON.parse(key) as unknown[])]),
        part,
      ]),
    );
    return { ...(first as GridResult), axes: [axis, ...(first as GridResult).axes], parts: new Map(parts) };
  }
  const histograms = found as HistogramResult[];
  if (first?.kind !== 'histogram' || histograms[0]?.profile) return undefined;
  const { axes, valueTitle, title: text } = histograms[0] as HistogramResult;
  return {
    ...{ kind: 'grid', title: text, valueTitle, axes: [axis, ...(axes as NumericAxis[])] },
    parts: new Map(histograms.map((one, i) => [JSON.stringify([names[i]]), one])),
  };
}
