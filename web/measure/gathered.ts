import type { Histogram } from '../api/api';
import type {
  Gathered,
  GatheredHistogram,
  GatheredState,
  GatheredTable,
  ProcessResult,
  TablePart,
  TableValues,
} from '../api/selector';
import { argumentError } from '../base/errors';
import type { HistogramShape } from '../bins/filled-histogram';
import { addHistogram, histogramOfSum } from '../bins/histogram-sum';
import { addSums, roundedSum } from '../core/sums/exact-sums';
import { checkForms, TABLE_ARRAYS } from '../pass/selector/forms';

/** Merges members that a selector itself merges. */
export type OwnMerge = (one: object, other: object) => object;

/**
 * Adds what parts of the entries gathered. Changes and returns `sum`, or returns `more` where there is no sum yet. Throws
 * ARGUMENT, and what the selector's merge throws, and changes nothing, where both do not add up.
 */
export function addState(
  sum: GatheredState | undefined,
  more: GatheredState,
  merge: OwnMerge | undefined,
): GatheredState {
  if (!sum) return more;
  checkForms(sum, more);
  const merged = mergedOwn(sum, more, merge);
  for (const [name, one] of Object.entries(more)) {
    const there = sum[name];
    if (there && one.kind !== 'own') addOne(there, one);
  }
  return Object.assign(sum, merged);
}

/** The members of a state that the selector itself merges. */
export function ownOf(state: GatheredState): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, one]) => (one.kind === 'own' ? [[name, one.value]] : [])),
  );
}

function mergedOwn(sum: GatheredState, more: GatheredState, merge: OwnMerge | undefined): GatheredState {
  const names = Object.keys(ownOf(more));
  if (names.length === 0) return {};
  const merged: unknown = merge?.(ownOf(sum), ownOf(more));
  return Object.fromEntries(
    names.map((name) => {
      if (Object.hasOwn(Object(merged) as object, name))
        return [name, { kind: 'own', value: (merged as Record<string, unknown>)[name] }];
      throw argumentError(
        merge
          ? `The selector's merge returned no "${name}".`
          : `"${name}" is merged by the selector itself, and does not add up here.`,
        merge
          ? `Return all members that begin did not make with its job: ${names.join(', ')}.`
          : 'Make it with the job of begin.',
      );
    }),
  );
}

/** The sum of parts of one file, which come in any order: what adds up by itself does so at once, and the rest waits. */
export class PartSum {
  #sum: GatheredState | undefined;
  /** Members that the selector itself merges, by the numbers of their parts. */
  readonly #own: GatheredState[] = [];
  passed = 0;
  #names: readonly string[] = [];

  constructor(readonly merge: OwnMerge | undefined) {}

  add({ state, passed }: { state: GatheredState; passed: number }, number: number): void {
    const own: GatheredState = {};
    const made: GatheredState = {};
    this.#names = Object.keys(state);
    for (const [name, one] of Object.entries(state)) (one.kind === 'own' ? own : made)[name] = one;
    this.#sum = addState(this.#sum, made, undefined);
    if (Object.keys(own).length > 0) this.#own[number] = own;
    this.passed += passed;
  }

  /** Undefined without parts. */
  result(): GatheredState | undefined {
    // The list has holes, where parts could not be read.
    const own = this.#own.reduce<GatheredState | undefined>(
      (sum, one) => addState(sum, one, this.merge),
      undefined,
    );
    const all = this.#sum && { ...this.#sum, ...own };
    // In the order of begin.
    return all && Object.fromEntries(this.#names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
  }
}

/** Adds members of one form. */
function addOne(sum: Gathered, more: Gathered): void {
  if (sum.kind === 'histogram' && more.kind === 'histogram') {
    const all = whole(sum);
    addHistogram(all, whole(more));
    Object.assign(sum, { fills: all.fills, nan: all.nan, min: all.min, max: all.max });
  } else if (sum.kind === 'counter' && more.kind === 'counter') addSums(sum.sum, more.sum);
  else if (sum.kind === 'table' && more.kind === 'table') sum.parts.push(...more.parts);
  else if (sum.kind === 'labels' && more.kind === 'labels') {
    for (const [label, one] of more.sums) {
      const there = sum.sums.get(label);
      if (there) addSums(there, one);
      else sum.sums.set(label, one);
    }
  }
}

/** The part of a histogram that adds up. */
function whole({ fills, nan, min, max, exact, axes, profile }: GatheredHistogram) {
  const integer = Array.from({ length: axes.length + Number(profile) }, () => false);
  return { fills, nan, entries: 0, min, max, integer, exact };
}

/** A histogram as `draw` gives it; `entries` is the number of those that were read. */
export function histogramOf(name: string, gathered: GatheredHistogram, entries: number): Histogram {
  const { title, axes, profile, valueTitle } = gathered;
  const shape: HistogramShape = {
    ...{ title: title === '' ? name : title, name, dims: axes.length + Number(profile) },
    ...{ profile: profile ? '' : undefined, norm: false, axes, valueTitle },
  };
  return histogramOfSum(shape, { ...whole(gathered), entries });
}

/** A table of all parts, in the order of files and entries. */
export function tableOf({ columns, parts }: GatheredTable): Record<string, TableValues> {
  const sorted = [...parts].sort(byPlace);
  const table: Record<string, TableValues> = {};
  for (const [i, { name, type }] of columns.entries()) {
    const lists = sorted.map(({ values }) => values[i] ?? []);
    if (type === 'text') table[name] = (lists as string[][]).flat();
    else table[name] = joined(TABLE_ARRAYS[type] as typeof Float64Array, lists as Float64Array[]);
  }
  return table;
}

/** The lists may be those of whole numbers, whose type is that of `make`, too. */
function joined(make: new (length: number) => Float64Array, lists: readonly Float64Array[]): Float64Array {
  const all = new make(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

export function byPlace(a: TablePart, b: TablePart): number {
  const [x, y] = [JSON.stringify([a.file, a.tree]), JSON.stringify([b.file, b.tree])];
  return x < y ? -1 : x > y ? 1 : a.from - b.from;
}

/** A member of a state as people and programs take it. */
export type Processed = Histogram | number | Record<string, number> | Record<string, TableValues> | unknown;

/** The members of a state: histograms, numbers, numbers by label, and columns of tables. */
export function processedOf({
  state,
  entries,
}: Pick<ProcessResult, 'state' | 'entries'>): Record<string, Processed> {
  const all: Record<string, Processed> = {};
  for (const [name, one] of Object.entries(state)) all[name] = processed(name, one, entries);
  return all;
}

function processed(name: string, one: Gathered, entries: number): Processed {
  switch (one.kind) {
    case 'histogram':
      return histogramOf(name, one, entries);
    case 'counter':
      return roundedSum(one.sum, 0);
    case 'labels':
      return Object.fromEntries(
        [...one.sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, sum]) => [label, roundedSum(sum, 0)]),
      );
    case 'table':
      return tableOf(one);
    case 'own':
      return one.value;
  }
}
