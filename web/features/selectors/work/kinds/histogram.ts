import type { Histogram } from '../../../../api/api';
import { overBudget } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import { formatCount, formatNumber } from '../../../../base/format';
import type { HistogramShape } from '../../../../bins/filled-histogram';
import { addHistogram, type HistogramSum, histogramOfSum, sumsCount } from '../../../../bins/histogram-sum';
import { scaledSum } from '../../../../bins/scale';
import type { Core } from '../../../../core/core';
import { addFill, type Fill, MOMENTS } from '../../../../core/fill';
import { cellsOf, emptyFill, type FillShape, fillOfValues } from '../../../../core/fill-values';
import { emptySums } from '../../../../core/sums/exact-sums';
import {
  countFrom,
  fillsFrom,
  itemsOf,
  type Json,
  listOf,
  numberOrText,
  sumsFrom,
  sumsJson,
  type Wrong,
} from '../../../../measure/json';
import {
  axesOf,
  binOf,
  checkMembers,
  isBins,
  isCategories,
  MAX_CELLS,
  type NumericAxis,
  type SelectorAxis,
} from './axes';
import { Made, type ResultKind } from './kind';

export interface SelectorTitles {
  title?: string;
  /** Titles of the axes, x first. */
  axes?: readonly string[];
}

type Value = number | bigint | boolean | string;
type Numbers = Value | ArrayLike<Value>;

/** A histogram that a selector fills. A weight of 0 counts as a fill, as in TH1::Fill. */
export interface SelectorHistogram {
  /**
   * Fills one value, or many: `fill(x)`, `fill(x, weight)`; with two axes `fill(x, y, weight)`, and so on. Lists have equal
   * lengths; a number beside them goes with each of their values. undefined, and weights that are NaN or infinite, are errors.
   */
  fill(...values: readonly (Numbers | undefined)[]): void;
}

/** A histogram as plain data that can be added. An empty title is replaced by the name of the result. */
export type HistogramResult = HistogramSum &
  Pick<Histogram, 'kind' | 'title' | 'profile' | 'axes' | 'valueTitle'>;

export const histogram: ResultKind<HistogramResult, Histogram> = {
  job: (core) => ({
    profile: (axis, titles) => {
      checkTitles(titles);
      return new MadeHistogram(core, numericAxes([axis], titles), titles, true);
    },
  }),
  help: { profile: '([bins, low, high])' },
  form: ({ axes, profile, title }) => [axes, profile, title],
  add: addHistogram,
  scaled: (one, scale) => scaledSum(one, one.profile, scale),
  json: ({ title, axes, valueTitle, profile, fills, nan, min, max, exact }) => ({
    title,
    axes: axes.map(({ edges, ...axis }) => ({ ...axis, ...(edges && { edges: [...edges] }) })),
    ...{ valueTitle, profile, fills, nan },
    ...{ min: min.map(numberOrText), max: max.map(numberOrText), exact: sumsJson(exact) },
  }),
  from(given, wrong) {
    const { title, profile, valueTitle } = given;
    if (typeof title !== 'string' || typeof profile !== 'boolean') return wrong('a histogram has no title');
    if (valueTitle !== undefined && typeof valueTitle !== 'string')
      return wrong('the title of the values is not a text');
    const axes = listOf(given.axes, (one) => axisFrom(one, wrong));
    if (!axes || axes.length === 0 || axes.length > MAX_AXES) return wrong('a histogram has no axes');
    const shape = shapeOf({ title, axes, profile, valueTitle });
    return {
      ...{ kind: 'histogram', title, axes, profile, valueTitle, entries: 0 },
      ...fillsFrom(given, shape.dims, wrong),
      integer: Array.from({ length: shape.dims }, () => false),
      exact: sumsFrom(given.exact, sumsCount(shape), wrong),
    };
  },
  value: (one, name, entries) => histogramOfSum(shapeOf(one, name), { ...one, entries }),
  lines({ fills, nan, mean, stdDev }) {
    const numbers = (values: readonly number[]): string =>
      values.map((value) => formatNumber(value)).join(', ');
    const missing = nan > 0 ? `, ${formatCount(nan)} of them NaN` : '';
    return [`${formatCount(fills)} fills${missing}, mean ${numbers(mean)}, std dev ${numbers(stdDev)}`];
  },
};

/** Throws ARGUMENT for titles that a histogram does not have. */
export function checkTitles(titles: SelectorTitles | undefined): void {
  if (typeof titles === 'object') checkMembers(titles, ['title', 'axes']);
}

function shapeOf(
  { title, axes, profile, valueTitle }: Pick<HistogramResult, 'title' | 'axes' | 'profile' | 'valueTitle'>,
  name = '',
): HistogramShape {
  return {
    ...{ title: title === '' ? name : title, name, dims: axes.length + Number(profile) },
    ...{ profile: profile ? '' : undefined, norm: false, axes, valueTitle },
  };
}

export const MAX_AXES = 3;
/** Squared weights are terms of sums, which must be below 2^960: see ExactSums. */
const MAX_WEIGHT = 2 ** 480;
/** Number of values that are collected and filled together. */
const WAITING = 32 * 1024;
/** Number of values of a list that are filled together. */
const TOGETHER = 128 * 1024;
/** Lists of at least this many doubles are filled directly, without being collected. */
const DIRECT = 4096;

/** Reads an axis of bins. Returns undefined if it is none. */
export function axisFrom(given: Json, wrong: Wrong): NumericAxis | undefined {
  const { bins, low, high, title, edges } = given;
  if (typeof low !== 'number' || typeof high !== 'number' || typeof title !== 'string') return undefined;
  const list = edges instanceof Float64Array ? edges : edges === undefined ? undefined : itemsOf(edges);
  if (edges !== undefined && !list?.every((edge) => typeof edge === 'number')) return undefined;
  const own = list && { edges: Float64Array.from(list as number[]) };
  const axis = { bins: countFrom(bins, wrong), low, high, title, ...own };
  return isBins(axis) ? axis : undefined;
}

/** Returns the axes of a histogram with bins only. Throws ARGUMENT for others. */
export function numericAxes(given: readonly SelectorAxis[], titles: SelectorTitles = {}): NumericAxis[] {
  return axesOf(given, titles.axes).map((axis) => {
    if (!isCategories(axis)) return axis;
    throw argumentError('A profile has an axis of bins.', 'Write job.profile([60, 60, 120]).');
  });
}

/** Throws BUDGET for more axes and cells than a histogram of bins has. */
function fillShape(axes: readonly NumericAxis[], profile: boolean): FillShape {
  if (axes.length > MAX_AXES) throw overBudget(`These are more than ${MAX_AXES} axes.`, 'Take fewer.');
  if (cellsOf({ axes, profile }).cells > MAX_CELLS) {
    throw overBudget(
      `A histogram has at most ${MAX_CELLS} cells, with under- and overflow.`,
      'Take fewer bins.',
    );
  }
  return { axes, dims: axes.length + Number(profile), profile, exact: true };
}

/**
 * The shapes by which bins of different widths are filled: the numbers of the bins in place of the values, and one bin for each
 * axis, which has the moments.
 */
interface Uneven {
  places: FillShape;
  whole: FillShape;
  edges: readonly (Float64Array | undefined)[];
}

function unevenOf(axes: readonly NumericAxis[], shape: FillShape): Uneven | undefined {
  if (axes.every(({ edges }) => edges === undefined)) return undefined;
  return {
    places: {
      ...shape,
      axes: axes.map((axis) => (axis.edges ? { bins: axis.bins, low: 0, high: axis.bins } : axis)),
    },
    whole: { ...shape, axes: axes.map(({ low, high }) => ({ bins: 1, low, high })) },
    edges: axes.map(({ edges }) => edges),
  };
}

/** Returns the middle of the number of the bin of each value; NaN stays. */
function placesOf(values: Float64Array, edges: Float64Array): Float64Array {
  const bins = edges.length - 1;
  const axis = { bins, low: edges[0] ?? 0, high: edges[bins] ?? 0, edges };
  return values.map((value) => (Number.isNaN(value) ? value : binOf(axis, value) - 0.5));
}

/** Returns the cells of a fill by places, with the statistics and moments of the values. */
function joinedFill(cells: Fill, whole: Fill): Fill {
  if (!cells.exact || !whole.exact) return cells;
  const count = cells.exact.high.length - MOMENTS;
  const from = whole.exact.high.length - MOMENTS;
  const exact = emptySums(count + MOMENTS);
  for (const name of ['high', 'low'] as const) {
    exact[name].set(cells.exact[name].subarray(0, count));
    exact[name].set(whole.exact[name].subarray(from), count);
  }
  for (const [i, terms] of cells.exact.rest) if (i < count) exact.rest.set(i, terms);
  for (const [i, terms] of whole.exact.rest) if (i >= from) exact.rest.set(i - from + count, terms);
  return { ...whole, exact };
}

/** Returns a list given to fill. Throws ARGUMENT for another object, such as a column of lists. */
function valuesOf(value: object | undefined): ArrayLike<number> {
  const list = value as Partial<ArrayLike<number>> | null;
  if (Number.isSafeInteger(list?.length)) return list as ArrayLike<number>;
  throw argumentError(
    'fill got an object that is neither a number nor a list.',
    'Of a column of lists give its values: fill(pt.values).',
  );
}

/** Returns a coordinate. Throws ARGUMENT for undefined, which a misspelt name gives, and for a text. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  if (value === undefined) throw undefinedError('A value');
  throw argumentError(
    `fill got ${String(value).slice(0, 40)}, which is not a number.`,
    'Give numbers; sums by texts are those of job.labels().',
  );
}

/** Returns a weight. Throws ARGUMENT for undefined, a text, and a number that cannot be added. */
function weightOf(value: unknown): number {
  const weight = value === undefined ? Number.NaN : numberOf(value);
  if (Math.abs(weight) < MAX_WEIGHT) return weight;
  if (value === undefined) throw undefinedError('The weight');
  throw argumentError(
    `The weight that fill got is ${weight}, which is not a number that can be added.`,
    'Give numbers, or leave out the entries without a weight.',
  );
}

function undefinedError(what: string): XylemError {
  return argumentError(
    `${what} that fill got is undefined.`,
    'Look for a misspelt name. A weight that is left out is 1.',
  );
}

/** Throws ARGUMENT if a list has a weight that cannot be added. */
function checkWeights(weights: Float64Array): void {
  for (let i = 0; i < weights.length; i++)
    if (!(Math.abs(weights[i] as number) < MAX_WEIGHT)) weightOf(weights[i]);
}

function isDoubles(value: unknown): value is Float64Array {
  return value instanceof Float64Array;
}

/** A histogram in the thread that fills it. Values are collected here, and the core fills many of them together. */
export class MadeHistogram extends Made<HistogramResult> implements SelectorHistogram {
  /** Coordinates, and last the weights, of collected values; created when needed. */
  #lists: Float64Array[] = [];
  #count = 0;
  /** Whether a collected value has a weight. */
  #weighted = false;
  /** The list of values without weights, if nothing has to be checked before the next one is collected. */
  #ready: Float64Array | undefined;
  #sum: Fill;

  readonly shape: FillShape;
  readonly #uneven: Uneven | undefined;

  /** `waiting` is the number of values that are collected and filled together. */
  constructor(
    readonly core: Core | undefined,
    readonly axes: readonly NumericAxis[],
    readonly titles: SelectorTitles = {},
    profile = false,
    readonly waiting = WAITING,
  ) {
    super();
    this.shape = fillShape(axes, profile);
    this.#uneven = unevenOf(axes, this.shape);
    this.#sum = emptyFill(this.shape);
  }

  fill(...given: readonly (number | ArrayLike<number> | undefined)[]): void {
    const ready = this.#ready;
    if (ready !== undefined && given.length === 1) {
      const value = given[0];
      if (typeof value === 'number') {
        ready[this.#count] = value;
        this.#count += 1;
        if (this.#count === this.waiting) this.#flush();
        return;
      }
      if (isDoubles(value) && value.length < this.waiting - this.#count) {
        for (let i = 0; i < value.length; i++) ready[this.#count + i] = value[i] as number;
        this.#count += value.length;
        return;
      }
    }
    this.#fillAny(given);
  }

  #fillAny(given: readonly (number | ArrayLike<number> | undefined)[]): void {
    const { dims } = this.shape;
    this.checkOwn();
    if (!this.core) {
      throw argumentError(
        'begin makes histograms; it cannot fill them.',
        'Fill in process or entry, which are called with the values.',
      );
    }
    if (given.length < dims || given.length > dims + 1) {
      throw argumentError(
        `fill of a ${this.shape.profile ? 'profile' : 'histogram'} takes ${dims} coordinate${dims > 1 ? 's' : ''} and perhaps a weight; it got ${given.length} value${given.length === 1 ? '' : 's'}.`,
        'For several values give lists: fill([1, 2, 3]).',
      );
    }
    const many = given.find((one) => typeof one === 'object');
    if (many === undefined) {
      this.#fillOne(given as number[]);
      return;
    }
    const { length } = valuesOf(many);
    // undefined beside lists would be treated as a missing weight.
    if (given.length > dims && given[dims] === undefined) throw undefinedError('The weight');
    for (const one of given) {
      if (typeof one !== 'object' || valuesOf(one).length === length) continue;
      throw argumentError(
        `The lists of fill have ${length} and ${one.length} values.`,
        'Give lists of equal lengths.',
      );
    }
    this.#fillMany(given, length);
  }

  #fillOne(given: readonly number[]): void {
    const { dims } = this.shape;
    const lists = this.#room();
    const at = this.#count;
    const isWeighted = given.length > dims;
    if (isWeighted) this.#weigh();
    if (this.#weighted) (lists[dims] as Float64Array)[at] = isWeighted ? weightOf(given[dims]) : 1;
    for (let k = 0; k < dims; k++) (lists[k] as Float64Array)[at] = numberOf(given[k]);
    this.#count += 1;
  }

  #fillMany(given: readonly (number | ArrayLike<number> | undefined)[], length: number): void {
    const { dims } = this.shape;
    const weights = given[dims];
    const coordinates = given.slice(0, dims);
    if (length >= DIRECT && coordinates.every(isDoubles) && (weights === undefined || isDoubles(weights))) {
      // Waiting values are filled first, so that one batch is all weighted or not at all.
      this.#flush();
      if (weights) checkWeights(weights);
      for (let from = 0; from < length; from += TOGETHER) {
        const part = (list: Float64Array) => list.subarray(from, from + TOGETHER);
        this.#add(coordinates.map(part), weights && part(weights));
      }
      return;
    }
    for (let from = 0; from < length; ) {
      const lists = this.#room();
      const count = Math.min(length - from, this.waiting - this.#count);
      if (weights !== undefined) this.#weigh();
      for (let k = 0; k < dims + Number(this.#weighted); k++) {
        const list = lists[k] as Float64Array;
        const isWeight = k === dims;
        const values = isWeight && weights === undefined ? 1 : given[k];
        const one = isWeight ? weightOf : numberOf;
        if (typeof values !== 'object') list.fill(one(values), this.#count, this.#count + count);
        else if (values instanceof Float64Array) {
          const part = values.subarray(from, from + count);
          if (isWeight) checkWeights(part);
          list.set(part, this.#count);
        } else for (let i = 0; i < count; i++) list[this.#count + i] = one(values[from + i]);
      }
      this.#count += count;
      from += count;
    }
  }

  /** Returns the lists of collected values, with space for one more. */
  #room(): Float64Array[] {
    if (this.#count === this.waiting) this.#flush();
    if (this.#lists.length === 0)
      this.#lists = Array.from({ length: this.shape.dims + 1 }, () => new Float64Array(this.waiting));
    if (this.shape.dims === 1 && !this.#weighted) this.#ready = this.#lists[0];
    return this.#lists;
  }

  /** Stores weights from now on. Values collected so far get the weight 1. */
  #weigh(): void {
    if (!this.#weighted) this.#lists[this.shape.dims]?.fill(1, 0, this.#count);
    this.#weighted = true;
    this.#ready = undefined;
  }

  #flush(): void {
    if (this.#count === 0) return;
    const lists = this.#lists.map((list) => list.subarray(0, this.#count));
    const weights = lists.pop();
    this.#add(lists, this.#weighted ? weights : undefined);
    this.#count = 0;
    this.#weighted = false;
  }

  #add(values: Float64Array[], weights: Float64Array | undefined): void {
    if (!this.core) return;
    const fill = (shape: FillShape, lists: Float64Array[]) =>
      fillOfValues(this.core as Core, shape, [{ values: lists, weights }]);
    if (!this.#uneven) {
      addFill(this.#sum, fill(this.shape, values));
      return;
    }
    const { places, whole, edges } = this.#uneven;
    const moved = values.map((list, k) => (edges[k] ? placesOf(list, edges[k]) : list));
    addFill(this.#sum, joinedFill(fill(places, moved), fill(whole, values)));
  }

  protected gathered(): HistogramResult {
    this.#flush();
    this.#ready = undefined;
    const { profile, dims } = this.shape;
    const { axes } = this;
    const { title = '', axes: titles = [] } = this.titles;
    const { stats, exact } = this.#sum;
    const ends = (of: 'min' | 'max') => stats.axes.map((axis) => (axis.finite > 0 ? axis[of] : Number.NaN));
    return {
      kind: 'histogram',
      title: String(title),
      axes: axes.map((axis) => ({ ...axis })),
      valueTitle: titles[axes.length] === undefined ? undefined : String(titles[axes.length]),
      profile,
      ...{ fills: stats.fills, nan: stats.nans, entries: 0 },
      min: ends('min').slice(0, dims),
      max: ends('max').slice(0, dims),
      integer: stats.axes.map(() => false),
      exact: exact ?? emptySums(0),
    };
  }
}
