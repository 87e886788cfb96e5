import { ANY, type Brush, type Condition, checkBrushes, elementText, entryText } from './brushes';
import type { BoardColumn } from './columns';
import { type Collection, collectionsOf, sharedCollection } from './shapes';
import { SortedValues } from './sorted-values';

/*
 * A board keeps for each entry a number whose bit b says that brush b does not select it, and for elements of lists another one.
 * A plot is filled with the elements whose entry has no other bits than those of the plot's own brushes, and of brushes on the
 * same collection, which select elements in place of entries. When a brush moves, only what it selects now and did not before,
 * or the reverse, is added to the bins or taken off them.
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

interface Plot {
  collection: Collection | undefined;
  /** The cell of each element, or of each entry. */
  cells: Uint32Array;
  sums: Float64Array;
  fills: number;
  /** Bits of brushes that do not count for its entries, and for its elements. */
  entryFree: number;
  elementFree: number;
}

interface ActiveBrush extends Brush {
  bit: number;
  collection: Collection | undefined;
  /** For a list: the number of elements of each entry that pass. */
  passing: Int32Array | undefined;
  /** Number of entries that it selects. */
  alone: number;
  /** The values in order, made when the brush is moved for the first time. */
  sorted: SortedValues | undefined;
  tests: Test[];
}

/** Whether the value of an element fulfils a condition. */
type Test = (element: number, entry: number) => boolean;

export class Board {
  readonly #collections: (Collection | undefined)[];
  readonly #exprs: string[];
  readonly #plots: Plot[];
  readonly #fails: Uint32Array;
  readonly #elementFails = new Map<Collection, Uint32Array>();
  #brushes: ActiveBrush[] = [];
  #selected = 0;

  /**
   * Throws UNSUPPORTED for a plot of lists of different lengths. `weights` has a number for each entry; undefined for 1.
   */
  constructor(
    readonly columns: readonly BoardColumn[],
    plots: readonly BoardPlot[],
    readonly entries: number,
    readonly weights?: BoardColumn['values'] | undefined,
  ) {
    this.#collections = collectionsOf(columns);
    this.#exprs = columns.map(({ expr }) => expr);
    this.#fails = new Uint32Array(entries);
    for (const collection of this.#collections)
      if (collection) this.#elementFails.set(collection, new Uint32Array(collection.owners.length));
    this.#plots = plots.map((plot) => this.#plotOf(plot));
    this.#fill();
  }

  #plotOf({ columns, axes }: BoardPlot): Plot {
    const collection = sharedCollection(columns, this.#collections, this.#exprs);
    const cells = new Uint32Array(collection ? collection.owners.length : this.entries);
    let stride = 1;
    for (const [i, { bins, low, high }] of axes.entries()) {
      const { values = new Float64Array(), starts } = this.columns[columns[i] ?? 0] ?? {};
      const owners = collection && !starts ? collection.owners : undefined;
      for (let at = 0; at < cells.length; at++) {
        const value = values[owners ? (owners[at] ?? 0) : at] ?? Number.NaN;
        // As TAxis::FindFixBin: a NaN is an overflow.
        const bin =
          value < low
            ? 0
            : !(value < high)
              ? bins + 1
              : 1 + Math.trunc((bins * (value - low)) / (high - low));
        cells[at] = (cells[at] ?? 0) + stride * bin;
      }
      stride *= bins + 2;
    }
    return { collection, cells, sums: new Float64Array(stride), fills: 0, entryFree: 0, elementFree: 0 };
  }

  /** Returns the text that selects in a plot what its brushes select, as a cut of TTree::Draw; empty for everything. */
  cutOf(plot: number): string {
    const collection = this.#plots[plot]?.collection;
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
          ? elementText(brush, this.#exprs)
          : entryText(brush, this.#exprs, brush.collection !== undefined),
      )
      .map((text) => (text.startsWith('!(') ? text : `(${text})`))
      .join(' && ');
  }

  /**
   * Selects what these brushes select. If only a range of one brush has changed, the bins are changed by what came and went. Throws
   * ARGUMENT and UNSUPPORTED for brushes that have no sense.
   */
  brush(brushes: readonly Brush[]): void {
    checkBrushes(brushes, this.columns.length);
    const active = brushes.filter(({ off }) => off !== true);
    const moved = movedBrush(this.#brushes, active);
    if (moved !== undefined) {
      const [brush, now] = [this.#brushes[moved], active[moved]];
      if (brush && now) this.#move(brush, now);
      return;
    }
    const before = new Map(this.#brushes.map((one) => [columnKey(one), one.sorted]));
    this.#brushes = active.map((one, i): ActiveBrush => {
      const columns = one.conditions.map(({ column }) => column);
      const collection = sharedCollection(columns, this.#collections, this.#exprs);
      return {
        ...one,
        bit: 1 << i,
        collection,
        passing: undefined,
        alone: this.entries,
        sorted: before.get(columnKey(one)),
        tests: one.conditions.map((condition) => this.#testOf(condition, collection)),
      };
    });
    this.#fails.fill(0);
    for (const fails of this.#elementFails.values()) fails.fill(0);
    for (const one of this.#brushes) this.#apply(one);
    for (const [i, plot] of this.#plots.entries()) {
      plot.entryFree = 0;
      plot.elementFree = 0;
      for (const { bit, collection, plot: own } of this.#brushes) {
        if (own === i) plot.elementFree |= bit;
        if (own === i || (plot.collection && collection === plot.collection)) plot.entryFree |= bit;
      }
    }
    this.#fill();
  }

  /** Returns what is selected now. The sums are those of the board, which the next brush changes. */
  state(): BoardState {
    let weight = this.#selected;
    if (this.weights) {
      weight = 0;
      for (let entry = 0; entry < this.entries; entry++)
        if (this.#fails[entry] === 0) weight += this.weights[entry] ?? 0;
    }
    return {
      selected: this.#selected,
      weight,
      alone: this.#brushes.map(({ alone }) => alone),
      plots: this.#plots.map(({ sums, fills }) => ({ sums, fills })),
    };
  }

  /** Returns the test of a condition; a column with one value for an entry is tested for each element of it. */
  #testOf(condition: Condition, collection: Collection | undefined): Test {
    const { values = new Float64Array(), starts, labels = [] } = this.columns[condition.column] ?? {};
    const byEntry = collection !== undefined && starts === undefined;
    if ('labels' in condition) {
      const chosen = new Set(condition.labels.map((label) => labels.indexOf(label)));
      return (element, entry) => chosen.has(values[byEntry ? entry : element] ?? Number.NaN);
    }
    const { low, high } = condition;
    // An end that is infinite is no condition, so that a NaN passes, as in the text of the cut.
    const isAbove = low === Number.NEGATIVE_INFINITY ? () => true : (value: number) => value >= low;
    const isBelow = high === Number.POSITIVE_INFINITY ? () => true : (value: number) => value < high;
    return (element, entry) => {
      const value = values[byEntry ? entry : element] ?? Number.NaN;
      return isAbove(value) && isBelow(value);
    };
  }

  /** Evaluates a brush for all elements and entries. */
  #apply(brush: ActiveBrush): void {
    const { bit, collection, tests, inverted = false } = brush;
    const passes = (element: number, entry: number) =>
      tests.every((test) => test(element, entry)) !== inverted;
    if (!collection) {
      for (let entry = 0; entry < this.entries; entry++)
        if (!passes(entry, entry)) this.#leaveOut(brush, entry);
      return;
    }
    const fails = this.#elementFails.get(collection) ?? new Uint32Array();
    const passing = new Int32Array(this.entries);
    brush.passing = passing;
    for (let entry = 0; entry < this.entries; entry++) {
      const end = collection.starts[entry + 1] ?? 0;
      for (let element = collection.starts[entry] ?? 0; element < end; element++) {
        if (passes(element, entry)) passing[entry] = (passing[entry] ?? 0) + 1;
        else fails[element] = (fails[element] ?? 0) | bit;
      }
      if (!isSelected(brush, entry)) this.#leaveOut(brush, entry);
    }
  }

  #leaveOut(brush: ActiveBrush, entry: number): void {
    brush.alone--;
    this.#fails[entry] = (this.#fails[entry] ?? 0) | brush.bit;
  }

  /** Fills all plots. */
  #fill(): void {
    this.#selected = 0;
    for (let entry = 0; entry < this.entries; entry++) if (this.#fails[entry] === 0) this.#selected++;
    for (const plot of this.#plots) {
      plot.sums.fill(0);
      plot.fills = 0;
      const { collection, cells } = plot;
      for (let entry = 0; entry < this.entries; entry++) {
        if (((this.#fails[entry] ?? 0) & ~plot.entryFree) !== 0) continue;
        if (collection) this.#addEntry(plot, entry, 1);
        else this.#add(plot, cells[entry] ?? 0, entry, 1);
      }
    }
  }

  #add(plot: Plot, cell: number, entry: number, sign: number): void {
    plot.sums[cell] = (plot.sums[cell] ?? 0) + (this.weights ? sign * (this.weights[entry] ?? 0) : sign);
    // As TTree::Draw, which fills nothing for a weight of 0.
    if (this.weights?.[entry] !== 0) plot.fills += sign;
  }

  /** Adds the elements of an entry that pass, or its one value. */
  #addEntry(plot: Plot, entry: number, sign: number): void {
    const { collection, cells, elementFree } = plot;
    if (!collection) {
      this.#add(plot, cells[entry] ?? 0, entry, sign);
      return;
    }
    const fails = this.#elementFails.get(collection);
    const end = collection.starts[entry + 1] ?? 0;
    for (let element = collection.starts[entry] ?? 0; element < end; element++)
      if (((fails?.[element] ?? 0) & ~elementFree) === 0) this.#add(plot, cells[element] ?? 0, entry, sign);
  }

  /** Moves the range of a brush with one condition. */
  #move(brush: ActiveBrush, now: Brush): void {
    const [before] = brush.conditions;
    const [after] = now.conditions;
    if (!before || !after || !('low' in before) || !('low' in after)) return;
    const { values = new Float64Array() } = this.columns[after.column] ?? {};
    brush.sorted ??= new SortedValues(values);
    const [test = () => true] = [this.#testOf(after, brush.collection)];
    Object.assign(brush, { conditions: now.conditions, tests: [test] });
    const change = (element: number): void => this.#change(brush, element, test);
    brush.sorted.between(before.low, after.low, change);
    brush.sorted.between(before.high, after.high, change);
    // Weights are added anew, because adding and taking off rounds.
    if (this.weights) this.#fill();
  }

  /** Tests an element anew, and changes the plots if it passes now and did not before, or the reverse. */
  #change(brush: ActiveBrush, element: number, test: Test): void {
    const { bit, collection, inverted = false } = brush;
    const entry = collection ? (collection.owners[element] ?? 0) : element;
    const fails = collection ? this.#elementFails.get(collection) : this.#fails;
    if (!fails) return;
    const passes = test(element, entry) !== inverted;
    const passed = ((fails[element] ?? 0) & bit) === 0;
    if (passes === passed) return;
    if (!collection) {
      this.#turn(brush, entry);
      return;
    }
    fails[element] = (fails[element] ?? 0) ^ bit;
    for (const plot of this.weights ? [] : this.#plots) {
      if (plot.collection !== collection || (plot.elementFree & bit) !== 0) continue;
      if (((this.#fails[entry] ?? 0) & ~plot.entryFree) !== 0) continue;
      if (((fails[element] ?? 0) & ~plot.elementFree & ~bit) !== 0) continue;
      this.#add(plot, plot.cells[element] ?? 0, entry, passes ? 1 : -1);
    }
    const wasSelected = ((this.#fails[entry] ?? 0) & bit) === 0;
    if (brush.passing) brush.passing[entry] = (brush.passing[entry] ?? 0) + (passes ? 1 : -1);
    if (isSelected(brush, entry) !== wasSelected) this.#turn(brush, entry);
  }

  /** Selects an entry that was not selected, or the reverse. */
  #turn(brush: ActiveBrush, entry: number): void {
    const { bit } = brush;
    const fails = (this.#fails[entry] ?? 0) ^ bit;
    this.#fails[entry] = fails;
    const others = fails & ~bit;
    const sign = (fails & bit) === 0 ? 1 : -1;
    brush.alone += sign;
    if (others === 0) this.#selected += sign;
    for (const plot of this.weights ? [] : this.#plots)
      if ((plot.entryFree & bit) === 0 && (others & ~plot.entryFree) === 0) this.#addEntry(plot, entry, sign);
  }
}

/** Whether a brush on a list selects an entry. */
function isSelected({ collection, passing, asks = ANY }: ActiveBrush, entry: number): boolean {
  const count = passing?.[entry] ?? 0;
  if (asks !== 'all') return count >= asks.least;
  const length = (collection?.starts[entry + 1] ?? 0) - (collection?.starts[entry] ?? 0);
  return count === length;
}

const columnKey = ({ conditions }: Brush): string => conditions.map(({ column }) => column).join();

/** Returns the number of the only brush of which nothing but the ends of its one range has changed; undefined if there is none. */
function movedBrush(before: readonly ActiveBrush[], now: readonly Brush[]): number | undefined {
  if (before.length !== now.length) return undefined;
  const changed = now.flatMap((brush, i) => {
    const old = before[i];
    return old && textOf(old) === textOf(brush) ? [] : [i];
  });
  const [i] = changed;
  if (i === undefined || changed.length > 1) return undefined;
  const isRange = ({ conditions }: Brush) => conditions.length === 1 && 'low' in (conditions[0] ?? {});
  const [one, other] = [before[i], now[i]];
  if (!one || !other || !isRange(one) || !isRange(other)) return undefined;
  // A NaN passes an end that is infinite, and is not among the values in order.
  if (infiniteEnds(one) !== infiniteEnds(other)) return undefined;
  const without = (brush: Brush) =>
    textOf({ ...brush, conditions: [{ column: 0, labels: [columnKey(brush)] }] });
  return without(one) === without(other) ? i : undefined;
}

const infiniteEnds = ({ conditions: [one] }: Brush): string =>
  one && 'low' in one ? `${Number.isFinite(one.low)} ${Number.isFinite(one.high)}` : '';

/** A text that is equal for brushes that select the same. JSON has no infinite numbers. */
const textOf = ({ plot, conditions, inverted = false, asks = ANY }: Brush): string =>
  JSON.stringify([plot, conditions, inverted, asks], (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
