import type { Histogram } from '../../../../api/api';
import { overBudget } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import { formatCount, formatNumber } from '../../../../base/format';
import type { HistogramShape } from '../../../../bins/filled-histogram';
import { addHistogram, type HistogramSum, histogramOfSum, sumsCount } from '../../../../bins/histogram-sum';
import { scaledSum } from '../../../../bins/scale';
import type { Core } from '../../../../core/core';
import { type Axis, addFill, type Fill } from '../../../../core/fill';
import { cellsOf, emptyFill, type FillShape, fillOfValues } from '../../../../core/fill-values';
import { emptySums } from '../../../../core/sums/exact-sums';
import { countFrom, fillsFrom, listOf, numberOrText, sumsFrom, sumsJson } from '../../../../measure/json';
import { Made, type ResultKind } from './kind';

/** An axis of equal bins. */
export type SelectorAxis = readonly [bins: number, low: number, high: number];

export interface SelectorTitles {
  title?: string;
  /** Titles of the axes, x first. */
  axes?: readonly string[];
}

type Numbers = number | bigint | ArrayLike<number | bigint>;

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
    hist: (...given) => new MadeHistogram(core, fillShape(given, false), given.find(isTitles)),
    profile: (axis, titles) => new MadeHistogram(core, fillShape([axis], true), titles),
  }),
  help: { hist: '([bins, low, high], …, { title, axes })', profile: '([bins, low, high])' },
  form: ({ axes, profile, title }) => [axes, profile, title],
  add: addHistogram,
  scaled: (one, scale) => scaledSum(one, one.profile, scale),
  json: ({ title, axes, valueTitle, profile, fills, nan, min, max, exact }) => ({
    ...{ title, axes, valueTitle, profile, fills, nan },
    ...{ min: min.map(numberOrText), max: max.map(numberOrText), exact: sumsJson(exact) },
  }),
  from(given, wrong) {
    const { title, profile, valueTitle } = given;
    if (typeof title !== 'string' || typeof profile !== 'boolean') return wrong('a histogram has no title');
    if (valueTitle !== undefined && typeof valueTitle !== 'string')
      return wrong('the title of the values is not a text');
    const axes = listOf(given.axes, ({ bins, low, high, title: text }) => {
      if (typeof low !== 'number' || typeof high !== 'number' || typeof text !== 'string') return undefined;
      const axis = { bins: countFrom(bins, wrong), low, high, title: text };
      return isAxis(axis) ? axis : undefined;
    });
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

function shapeOf(
  { title, axes, profile, valueTitle }: Pick<HistogramResult, 'title' | 'axes' | 'profile' | 'valueTitle'>,
  name = '',
): HistogramShape {
  return {
    ...{ title: title === '' ? name : title, name, dims: axes.length + Number(profile) },
    ...{ profile: profile ? '' : undefined, norm: false, axes, valueTitle },
  };
}

const MAX_AXES = 3;
/** Squared weights are terms of sums, which must be below 2^960: see ExactSums. */
const MAX_WEIGHT = 2 ** 480;
const MAX_CELLS = 10_000_000;
/** Number of values that are collected and filled together. */
const WAITING = 32 * 1024;
/** Number of values of a list that are filled together. */
const TOGETHER = 128 * 1024;
/** Lists of at least this many doubles are filled directly, without being collected. */
const DIRECT = 4096;

function isAxis({ bins, low, high }: Axis): boolean {
  return Number.isSafeInteger(bins) && bins > 0 && low < high && Number.isFinite(high - low);
}

function isTitles(given: SelectorAxis | SelectorTitles): given is SelectorTitles {
  return !Array.isArray(given);
}

function fillShape(given: readonly (SelectorAxis | SelectorTitles)[], profile: boolean): FillShape {
  const axes = given
    .filter((one): one is SelectorAxis => !isTitles(one))
    .map(([bins, low, high]) => ({ bins, low, high }));
  if (!axes.every(isAxis) || axes.length === 0 || axes.length > MAX_AXES)
    throw argumentError(
      'A histogram needs one to three axes.',
      'Write job.hist([60, 60, 120]): bins, low and high of each.',
    );
  if (cellsOf({ axes, profile }).cells > MAX_CELLS) {
    throw overBudget(
      `A histogram has at most ${MAX_CELLS} cells, with under- and overflow.`,
      'Take fewer bins.',
    );
  }
  return { axes, dims: axes.length + Number(profile), profile, exact: true };
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
class MadeHistogram extends Made<HistogramResult> implements SelectorHistogram {
  /** Coordinates, and last the weights, of collected values; created when needed. */
  #lists: Float64Array[] = [];
  #count = 0;
  /** Whether a collected value has a weight. */
  #weighted = false;
  #sum: Fill;

  constructor(
    readonly core: Core | undefined,
    readonly shape: FillShape,
    readonly titles: SelectorTitles = {},
  ) {
    super();
    this.#sum = emptyFill(shape);
  }

  fill(...given: readonly (number | ArrayLike<number> | undefined)[]): void {
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
        `fill of a ${this.shape.profile ? 'profile' : 'histogram'} takes ${dims} coordinate${dims > 1 ? 's' : ''} and perhaps a weight; it got ${given.length} values.`,
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
      const count = Math.min(length - from, WAITING - this.#count);
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
    if (this.#count === WAITING) this.#flush();
    if (this.#lists.length === 0)
      this.#lists = Array.from({ length: this.shape.dims + 1 }, () => new Float64Array(WAITING));
    return this.#lists;
  }

  /** Stores weights from now on. Values collected so far get the weight 1. */
  #weigh(): void {
    if (!this.#weighted) this.#lists[this.shape.dims]?.fill(1, 0, this.#count);
    this.#weighted = true;
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
    if (this.core) addFill(this.#sum, fillOfValues(this.core, this.shape, [{ values, weights }]));
  }

  protected gathered(): HistogramResult {
    this.#flush();
    const { axes, profile, dims } = this.shape;
    const { title = '', axes: titles = [] } = this.titles;
    const { stats, exact } = this.#sum;
    const ends = (of: 'min' | 'max') => stats.axes.map((axis) => (axis.finite > 0 ? axis[of] : Number.NaN));
    return {
      kind: 'histogram',
      title: String(title),
      axes: axes.map((axis, i) => ({ ...axis, title: String(titles[i] ?? '') })),
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
