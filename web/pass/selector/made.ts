import type {
  Gathered,
  SelectorAxis,
  SelectorCounter,
  SelectorHistogram,
  SelectorJob,
  SelectorLabels,
  SelectorTable,
  SelectorTitles,
  TableColumnType,
  TablePart,
  TableValues,
} from '../../api/selector';
import { overBudget } from '../../base/data-errors';
import { argumentError, type XylemError } from '../../base/errors';
import type { Core } from '../../core/core';
import { addFill, type Fill } from '../../core/fill';
import { cellsOf, emptyFill, type FillShape, fillOfValues } from '../../core/fill-values';
import { addTerm, type ExactSums, emptySums } from '../../core/sums/exact-sums';
import { isTableType, isWithin, TABLE_ARRAYS } from './forms';

/** An object that `begin` makes with its job: it adds up by itself. */
export abstract class Made {
  #taken = false;

  /** The content, once: a second time it would count twice. Throws ARGUMENT then. */
  take(place: Place): Gathered {
    this.checkOwn();
    this.#taken = true;
    return this.gathered(place);
  }

  /** Throws ARGUMENT where the content was already taken, so that what is filled now would be lost. */
  protected checkOwn(): void {
    if (this.#taken) {
      throw argumentError(
        'An object of the state is there twice, or is one that an earlier call of begin made, so that it would count twice.',
        'Make each object anew each time that begin is called, and keep it under one name.',
      );
    }
  }

  protected abstract gathered(place: Place): Gathered;
}

type Place = Pick<TablePart, 'file' | 'tree' | 'from'>;

export function isMade(value: unknown): value is Made {
  return value instanceof Made;
}

const MAX_AXES = 3;
/** The squares of weights are terms of sums, which must be smaller than 2^960: see ExactSums. */
const MAX_WEIGHT = 2 ** 480;
const MAX_CELLS = 10_000_000;
const MAX_LABELS = 100_000;
/** Rows of a table in one part of the entries. */
const MAX_ROWS = 10_000_000;
/** Number of values that wait to be filled together. */
const WAITING = 32 * 1024;
/** Number of values of a list that are filled together. */
const TOGETHER = 128 * 1024;
/** Lists of at least this many doubles are filled as they are, without waiting. */
const DIRECT = 4096;

/** The job of `begin`. Without a core nothing can be filled. */
export function jobOf(core: Core | undefined, set: Readonly<Record<string, string>>): SelectorJob {
  return {
    hist: (...given) => new Histogram(core, shapeOf(given, false), titlesOf(given)),
    profile: (axis, titles = {}) => new Histogram(core, shapeOf([axis], true), titles),
    counter: () => new Counter(),
    labels: () => new Labels(),
    table: (columns) => new Table(columns),
    set,
  };
}

function isAxis(value: unknown): value is SelectorAxis {
  return Array.isArray(value);
}

function titlesOf(given: readonly (SelectorAxis | SelectorTitles)[]): SelectorTitles {
  return (given.find((one) => !isAxis(one)) as SelectorTitles | undefined) ?? {};
}

function shapeOf(given: readonly (SelectorAxis | SelectorTitles)[], profile: boolean): FillShape {
  const axes = given.filter(isAxis).map(([bins, low, high]) => ({ bins, low, high }));
  const isGood = axes.every(
    ({ bins, low, high }) =>
      Number.isSafeInteger(bins) && bins > 0 && low < high && Number.isFinite(high - low),
  );
  if (!isGood || axes.length === 0 || axes.length > MAX_AXES)
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

/** A value of fill that is a list. Throws ARGUMENT for another object, such as a column of lists. */
function listOf(value: object | undefined): ArrayLike<number> {
  const list = value as Partial<ArrayLike<number>> | null;
  if (Number.isSafeInteger(list?.length)) return list as ArrayLike<number>;
  throw argumentError(
    'fill got an object that is neither a number nor a list.',
    'Of a column of lists give its values: fill(pt.values).',
  );
}

/** A coordinate. Throws ARGUMENT for undefined, which a misspelt name gives, and for a text. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  if (value === undefined) throw undefinedError('A value');
  throw argumentError(
    `fill got ${String(value).slice(0, 40)}, which is not a number.`,
    'Give numbers; sums by texts are those of job.labels().',
  );
}

/** A weight. Throws ARGUMENT for undefined, a text, and a number that cannot be added. */
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

/** Throws ARGUMENT for a weight of a list that cannot be added. */
function checkWeights(weights: Float64Array): void {
  for (let i = 0; i < weights.length; i++)
    if (!(Math.abs(weights[i] as number) < MAX_WEIGHT)) weightOf(weights[i]);
}

function isDoubles(value: unknown): value is Float64Array {
  return value instanceof Float64Array;
}

/** Values wait here, and are filled together by the core. */
class Histogram extends Made implements SelectorHistogram {
  /** Coordinates, and last the weights, of values that wait; made when one does. */
  #lists: Float64Array[] = [];
  #count = 0;
  /** Whether a value that waits has a weight. */
  #weighted = false;
  #sum: Fill;

  constructor(
    readonly core: Core | undefined,
    readonly shape: FillShape,
    readonly titles: SelectorTitles,
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
    const { length } = listOf(many);
    // undefined beside lists would be taken for a weight that was left out.
    if (given.length > dims && given[dims] === undefined) throw undefinedError('The weight');
    for (const one of given) {
      if (typeof one !== 'object' || listOf(one).length === length) continue;
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

  /** The lists with room for one more value that waits. */
  #room(): Float64Array[] {
    if (this.#count === WAITING) this.#flush();
    if (this.#lists.length === 0)
      this.#lists = Array.from({ length: this.shape.dims + 1 }, () => new Float64Array(WAITING));
    return this.#lists;
  }

  /** From now on the values that wait have weights; those before have 1. */
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

  protected gathered(): Gathered {
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
      fills: stats.fills,
      nan: stats.nans,
      min: ends('min').slice(0, dims),
      max: ends('max').slice(0, dims),
      exact: exact ?? emptySums(0),
    };
  }
}

/** Adds whole numbers as they are, and others without rounding. */
class Counter extends Made implements SelectorCounter {
  #whole = 0;
  readonly #sum = emptySums(1);

  /** A rest of no values tells an amount that is left out from one that is undefined. */
  add(...given: readonly number[]): void {
    this.checkOwn();
    const amount = amountOf('add of a counter takes', given);
    const next = this.#whole + amount;
    if (Number.isSafeInteger(amount) && Number.isSafeInteger(next)) this.#whole = next;
    else addTerm(this.#sum, 0, checkedAmount(amount));
  }

  sum(): ExactSums {
    addTerm(this.#sum, 0, this.#whole);
    this.#whole = 0;
    return this.#sum;
  }

  protected gathered(): Gathered {
    return { kind: 'counter', sum: this.sum() };
  }
}

/** The amount, 1 if it is left out. Throws ARGUMENT for undefined, which a misspelt name gives, and for more values than one. */
function amountOf(takes: string, given: readonly number[]): number {
  if (given.length === 0) return 1;
  const [amount] = given as readonly unknown[];
  if (given.length === 1 && typeof amount === 'bigint') return exactNumber(amount);
  if (given.length === 1 && amount !== undefined) return amount as number;
  throw argumentError(
    given.length > 1 ? `${takes} at most one amount.` : 'The amount that add got is undefined.',
    'Look for a misspelt name. An amount that is left out is 1.',
  );
}

/** A whole number of 64 bits as a number. Throws ARGUMENT where that would round it. */
function exactNumber(amount: bigint): number {
  const number = Number(amount);
  if (Number.isSafeInteger(number)) return number;
  throw argumentError(
    `add got ${String(amount).slice(0, 40)}, a whole number that is too large to be added exactly.`,
    'Give Number(amount), if it may be rounded.',
  );
}

/** Terms must be smaller than 2^960: see ExactSums. */
function checkedAmount(amount: unknown): number {
  if (typeof amount === 'number' && Math.abs(amount) < 2 ** 960) return amount;
  throw argumentError(
    `add got ${String(amount).slice(0, 40)}, which is not a number that can be added.`,
    'Give a number.',
  );
}

class Labels extends Made implements SelectorLabels {
  readonly #counters = new Map<string, Counter>();

  add(label: string, ...given: readonly number[]): void {
    this.checkOwn();
    const amount = amountOf('add of labels takes a label and', given);
    if (label === undefined || typeof label === 'object') throw labelError(label);
    const name = String(label);
    let counter = this.#counters.get(name);
    if (!counter) {
      if (this.#counters.size === MAX_LABELS) {
        throw overBudget(
          `There are more than ${MAX_LABELS} different labels.`,
          'Take labels for a table, or put the rare ones together.',
        );
      }
      counter = new Counter();
      this.#counters.set(name, counter);
    }
    counter.add(amount);
  }

  protected gathered(): Gathered {
    return {
      kind: 'labels',
      sums: new Map([...this.#counters].map(([label, counter]) => [label, counter.sum()])),
    };
  }
}

function labelError(label: unknown): XylemError {
  return argumentError(
    `The label that add got is ${label === undefined ? 'undefined' : 'an object'}.`,
    "Give a text: add('trigger', weight).",
  );
}

class Table extends Made implements SelectorTable {
  readonly #columns: { name: string; type: TableColumnType; values: unknown[] }[];
  #rows = 0;

  constructor(columns: Readonly<Record<string, TableColumnType>>) {
    super();
    const given = Object.entries(Object(columns) as Record<string, TableColumnType>);
    if (given.length === 0 || given.some(([name, type]) => !isTableType(type) || name === '__proto__')) {
      throw argumentError(
        'A table needs columns of numbers, whole numbers or texts.',
        "Write job.table({ mass: 'number', run: 'whole', name: 'text' }).",
      );
    }
    this.#columns = given.map(([name, type]) => ({ name, type, values: [] }));
  }

  row(values: Readonly<Record<string, number | bigint | string>>): void {
    this.checkOwn();
    if (this.#rows >= MAX_ROWS) {
      throw overBudget(
        `A table has more than ${MAX_ROWS} rows in one part of the entries.`,
        'Choose fewer rows.',
      );
    }
    // All are checked first, so that a row is there whole or not at all.
    const cells = this.#columns.map((column) => cellOf(column, values[column.name]));
    for (const [i, { values: list }] of this.#columns.entries()) list.push(cells[i]);
    this.#rows += 1;
  }

  protected gathered(place: Place): Gathered {
    const values = this.#columns.map(({ type, values: list }) =>
      (TABLE_ARRAYS[type] as typeof Array<never>).from(list as never[]),
    ) as TableValues[];
    const parts = this.#rows > 0 ? [{ ...place, values }] : [];
    return { kind: 'table', columns: this.#columns.map(({ name, type }) => ({ name, type })), parts };
  }
}

const HELD: Readonly<Record<TableColumnType, string>> = {
  number: 'numbers',
  whole: 'whole numbers of 64 bits',
  unsigned: 'whole numbers from 0 to 2^64 - 1',
  text: 'texts',
};

function cellOf(
  { name, type }: { name: string; type: TableColumnType },
  value: unknown,
): number | bigint | string {
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'number' && (typeof value === 'number' || typeof value === 'bigint')) return Number(value);
  if (
    (type === 'whole' || type === 'unsigned') &&
    (typeof value === 'bigint' || Number.isSafeInteger(value))
  ) {
    const whole = BigInt(value as number | bigint);
    if (isWithin(type, whole)) return whole;
  }
  throw argumentError(
    `The column "${name}" of a table holds ${HELD[type]}; it got ${String(value).slice(0, 40)}.`,
    type === 'whole' && typeof value === 'bigint'
      ? "Numbers from 2^63 on are those of a column that is 'unsigned'."
      : 'Give each row a value of its type for each column.',
  );
}
