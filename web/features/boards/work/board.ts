import {
  ANY,
  type Brush,
  brushKey,
  type Condition,
  checkBrushes,
  elementText,
  entryText,
  halfOpen,
} from './brushes';
import { type Cells, cellsOf } from './cells';
import type { BoardColumn, Values } from './columns';
import { type Collection, collectionsOf, sharedCollection } from './shapes';

/*
 * A board keeps for each entry a number whose bit b says that brush b does not select it, and for elements of lists another one.
 * A plot is filled with the elements whose entry has no other bits than those of the plot's own brushes, and of brushes on the
 * same collection, which select elements in place of entries.
 */

export interface BoardAxis {
  bins: number;
  low: number;
  high: number;
}

/** A plot: the columns of its axes, x first. */
export interface BoardPlot {
  columns: readonly number[];
  axes: readonly BoardAxis[];
}

export interface PlotState {
  /** Sums of weights of all cells with under- and overflow, x varies fastest. */
  sums: Float64Array;
  /** Number of values that were filled. */
  fills: number;
}

export interface BoardState {
  /** Number of entries that all brushes select, and their sum of weights. */
  selected: number;
  weight: number;
  /** For each brush the number of entries that it selects by itself. */
  alone: number[];
  plots: PlotState[];
}

/** The cells of a plot, and what they are filled with. The last filling of a board has one cell, in which entries are counted. */
export interface Filling {
  collection: Collection | undefined;
  /** Undefined: all are in cell 0. */
  cells: Cells | undefined;
  size: number;
  /** Bits of brushes that do not count for its entries, and for its elements. */
  entryFree: number;
  elementFree: number;
}

export interface ActiveBrush extends Brush {
  key: string;
  bit: number;
  collection: Collection | undefined;
  /** Number of entries that it selects. */
  alone: number;
}

export class Board {
  readonly columns: BoardColumn[];
  #collections: (Collection | undefined)[];
  readonly fillings: Filling[];
  /** The bits of entries. */
  readonly fails: Uint32Array;
  /** The bits of elements of collections on which brushes have been. */
  readonly elementFails = new Map<Collection, Uint32Array>();
  #brushes: ActiveBrush[] = [];
  /** Counts the changes of the brushes. */
  version = 0;

  /**
   * Throws UNSUPPORTED for a plot of lists of different lengths. `weights` has a number for each entry; undefined for 1.
   */
  constructor(
    columns: readonly BoardColumn[],
    readonly plots: readonly BoardPlot[],
    readonly entries: number,
    readonly weights?: Values | undefined,
  ) {
    this.columns = [...columns];
    this.#collections = collectionsOf(columns);
    this.fails = new Uint32Array(entries);
    const fillings = plots.map(({ columns: own, axes }): Filling => {
      const collection = this.collectionOf(own);
      const cells = cellsOf(
        own.map((i) => this.columns[i] as BoardColumn),
        axes,
        collection,
        entries,
      );
      return { collection, ...cells, entryFree: 0, elementFree: 0 };
    });
    const entriesAlone = { collection: undefined, cells: undefined, size: 1, entryFree: 0, elementFree: 0 };
    this.fillings = [...fillings, entriesAlone];
  }

  /** Adds columns, on which brushes may be then. */
  extend(columns: readonly BoardColumn[]): void {
    this.columns.push(...columns);
    this.#collections = collectionsOf(this.columns, this.#collections);
  }

  get exprs(): string[] {
    return this.columns.map(({ expr }) => expr);
  }

  /** Returns the collection over whose elements columns run. Throws as `sharedCollection`. */
  collectionOf(columns: readonly number[]): Collection | undefined {
    return sharedCollection(columns, this.#collections, this.exprs);
  }

  /** Returns the text that selects in a plot what its brushes select, as a cut of TTree::Draw; empty for everything. */
  cutOf(plot: number): string {
    const collection = this.fillings[plot]?.collection;
    return this.#texts((brush) => brush.plot !== plot, collection);
  }

  /** Returns the cut that selects entries as a whole. */
  cut(): string {
    return this.#texts(() => true, undefined);
  }

  #texts(counts: (brush: Brush) => boolean, collection: Collection | undefined): string {
    return this.#brushes
      .filter(counts)
      .map((brush) =>
        collection && brush.collection === collection
          ? elementText(brush, this.exprs)
          : entryText(brush, this.exprs, brush.collection !== undefined),
      )
      .map((text) => (text.startsWith('!(') ? text : `(${text})`))
      .join(' && ');
  }

  /** Selects what these brushes select. Throws ARGUMENT and UNSUPPORTED for brushes that have no sense. */
  brush(brushes: readonly Brush[]): void {
    checkBrushes(brushes, this.columns.length);
    const active = brushes.filter(({ off }) => off !== true);
    const known = new Set(this.#brushes);
    const made = active.map((one): ActiveBrush => {
      const key = brushKey(one);
      const before = [...known].find((old) => old.key === key);
      if (before) {
        known.delete(before);
        return { ...one, key, bit: before.bit, collection: before.collection, alone: before.alone };
      }
      const collection = this.collectionOf(one.conditions.map(({ column }) => column));
      return { ...one, key, bit: 0, collection, alone: this.entries };
    });
    this.version++;
    this.#clear(known);
    let used = made.reduce((bits, { bit }) => bits | bit, 0);
    for (const one of made) {
      if (one.bit !== 0) continue;
      one.bit = ~used & (used + 1);
      used |= one.bit;
      this.#apply(one);
    }
    this.#brushes = made;
    for (const [i, filling] of this.fillings.entries()) {
      filling.entryFree = 0;
      filling.elementFree = 0;
      for (const { bit, collection, plot: own } of made) {
        if (own === i) filling.elementFree |= bit;
        if (own === i || (filling.collection && collection === filling.collection)) filling.entryFree |= bit;
      }
    }
  }

  /** Returns the bit of a brush that selects now; 0 if there is none like it. */
  bitOf(brush: Brush): number {
    const key = brushKey(brush);
    return this.#brushes.find((one) => one.key === key)?.bit ?? 0;
  }

  /** Removes the bits of brushes. */
  #clear(brushes: Iterable<ActiveBrush>): void {
    let bits = 0;
    for (const { bit } of brushes) bits |= bit;
    if (bits === 0) return;
    for (const fails of [this.fails, ...this.elementFails.values()])
      for (let i = 0; i < fails.length; i++) fails[i] = (fails[i] as number) & ~bits;
  }

  /** Evaluates a brush for all elements and entries. */
  #apply(brush: ActiveBrush): void {
    const { bit, collection, inverted = false, asks = ANY } = brush;
    const passes = this.#passing(brush);
    const { fails } = this;
    if (!collection) {
      for (let entry = 0; entry < this.entries; entry++) {
        if ((passes[entry] === 1) !== inverted) continue;
        fails[entry] = (fails[entry] as number) | bit;
        brush.alone--;
      }
      return;
    }
    const { starts } = collection;
    const ofElements = this.elementFails.get(collection) ?? new Uint32Array(collection.owners.length);
    this.elementFails.set(collection, ofElements);
    for (let entry = 0; entry < this.entries; entry++) {
      const from = starts[entry] as number;
      const end = starts[entry + 1] as number;
      let count = 0;
      for (let element = from; element < end; element++) {
        if ((passes[element] === 1) !== inverted) count++;
        else ofElements[element] = (ofElements[element] as number) | bit;
      }
      if (asks === 'all' ? count === end - from : count >= asks.least) continue;
      fails[entry] = (fails[entry] as number) | bit;
      brush.alone--;
    }
  }

  /** Returns 1 for each element, or entry, that fulfils all conditions of a brush. */
  #passing({ conditions, collection }: ActiveBrush): Uint8Array {
    const passes = new Uint8Array(collection ? collection.owners.length : this.entries).fill(1);
    for (const condition of conditions) {
      const column = this.columns[condition.column] as BoardColumn;
      // A column with one value for an entry is tested for each element of it.
      const owners = collection && !column.starts ? collection.owners : undefined;
      test(passes, column, condition, owners);
    }
    return passes;
  }

  /** Returns what is selected now. */
  state(): BoardState {
    const states = this.fillings.map((filling) => this.#filled(filling));
    const { sums, fills } = states.pop() as PlotState;
    const selected = this.weights ? this.#selected() : fills;
    const alone = this.#brushes.map((brush) => brush.alone);
    return { selected, weight: sums[0] ?? 0, alone, plots: states };
  }

  #selected(): number {
    let selected = 0;
    for (let entry = 0; entry < this.entries; entry++) if (this.fails[entry] === 0) selected++;
    return selected;
  }

  #filled({ collection, cells, size, entryFree, elementFree }: Filling): PlotState {
    const { fails, weights, entries } = this;
    const [entryMask, elementMask] = [~entryFree, ~elementFree];
    const sums = new Float64Array(size);
    const ofElements = collection && this.elementFails.get(collection);
    let fills = 0;
    for (let entry = 0; entry < entries; entry++) {
      if (((fails[entry] as number) & entryMask) !== 0) continue;
      const weight = weights ? (weights[entry] as number) : 1;
      // As TTree::Draw, which fills nothing for a weight of 0.
      if (weight === 0) continue;
      if (!collection) {
        const cell = cells ? (cells[entry] as number) : 0;
        sums[cell] = (sums[cell] as number) + weight;
        fills++;
        continue;
      }
      const end = collection.starts[entry + 1] as number;
      for (let element = collection.starts[entry] as number; element < end; element++) {
        if (ofElements && ((ofElements[element] as number) & elementMask) !== 0) continue;
        const cell = cells?.[element] as number;
        sums[cell] = (sums[cell] as number) + weight;
        fills++;
      }
    }
    return { sums, fills };
  }
}

/** Sets what does not fulfil a condition to 0. */
function test(
  passes: Uint8Array,
  { values, labels = [] }: BoardColumn,
  condition: Condition,
  owners: Uint32Array | undefined,
): void {
  const valueAt = (at: number): number => values[owners ? (owners[at] as number) : at] as number;
  if ('labels' in condition) {
    const chosen = new Set(condition.labels.map((label) => labels.indexOf(label)));
    for (let at = 0; at < passes.length; at++) if (!chosen.has(valueAt(at))) passes[at] = 0;
    return;
  }
  if ('holds' in condition) {
    for (let at = 0; at < passes.length; at++) if (valueAt(at) === 0) passes[at] = 0;
    return;
  }
  const [low, high] = halfOpen(condition);
  const hasLow = low !== Number.NEGATIVE_INFINITY;
  const hasHigh = high !== Number.POSITIVE_INFINITY;
  for (let at = 0; at < passes.length; at++) {
    const value = valueAt(at);
    if ((hasLow && !(value >= low)) || (hasHigh && !(value < high))) passes[at] = 0;
  }
}
