import { abortError } from '../../../base/errors';
import type { Board, BoardState, Filling, PlotState } from './board';
import { ANY, type Brush } from './brushes';
import { type Cells, codesOf } from './cells';
import type { Collection } from './shapes';
import { type DragPath, type Moved, Toggles } from './toggles';

/*
 * While a brush is dragged, its ends move over a grid of numbers. A table has for each number of the grid what a plot shows, so that
 * a move is a difference of two of its rows, or one row.
 *
 * - "range": row i has what lies below number i of the grid. The range from i to j selects row j minus row i.
 * - "path": a brush on a list selects entries, which do not add up: an entry with two jets in the range counts once. If one end stays
 *   where it is, or the width, then each entry comes and goes at certain places of the path, and row t has what is selected at place t.
 */

export interface DragRequest {
  /** All brushes that are on besides the one that is moved. The board has to be brushed by them, or by them and that one. */
  others: readonly Brush[];
  /** The brush that is moved. Its range does not matter. */
  moved: Brush;
  /** The numbers that its ends can have, ascending. */
  grid: Float64Array;
  /** How it moves. Without it there are only tables by range. */
  path?: DragPath | undefined;
  /** Whether the tables by range are known already. */
  hasRanges?: boolean | undefined;
}

/** Rows of a plot for each place of the grid. */
export interface PlotTable {
  by: 'range' | 'path';
  size: number;
  /** Sums of weights. */
  rows: Float64Array;
  /** Number of values that are filled. */
  fills: Float64Array;
}

/** The tables of all plots, and at the end that of entries. Undefined for plots that the brush does not change. */
export interface DragTables {
  tables: (PlotTable | undefined)[];
  /** The number of entries that are selected, for weights that are not 1. */
  selected?: PlotTable | undefined;
}

/** Maximum number of numbers in all tables together. */
export const MAX_NUMBERS = 16 * 1024 * 1024;
/** Entries that are filled before the time is looked at. */
const STEP = 16_384;
/** Time after which other calls get their turn, in ms. */
const SLICE = 24;

/**
 * Makes the tables for a drag, in slices. `rest` gives other calls their turn. Throws ABORTED if the brushes of the board are
 * others, or change meanwhile. Tables that would have too many numbers are left out.
 */
export async function dragTables(
  board: Board,
  { others, moved, grid, path, hasRanges = false }: DragRequest,
  rest: () => Promise<void>,
): Promise<DragTables> {
  const { version, weights } = board;
  const [condition] = moved.conditions;
  const column = board.columns[condition?.column ?? -1];
  const collection = column && board.collectionOf([condition?.column ?? -1]);
  const codes = codesOf(column?.values ?? new Float64Array(), grid);
  const { plot, asks = ANY, inverted = false } = moved;
  const own: Moved = { codes, collection, places: grid.length, inverted, asks, path: path ?? { fixed: 0 } };
  const bits = others.reduce((sum, brush) => {
    const bit = board.bitOf(brush);
    if (bit === 0) throw abortError();
    return sum | bit;
  }, 0);
  let numbers = 0;
  const made = board.fillings.map((filling, i): Table | undefined => {
    if (i === plot) return undefined;
    const byRange = !collection || filling.collection === collection;
    if (byRange ? hasRanges : path === undefined) return undefined;
    numbers += filling.size * (grid.length + 2);
    if (numbers > MAX_NUMBERS) return undefined;
    return new Table(board, filling, byRange ? 'range' : 'path', own, bits);
  });
  const counts =
    weights &&
    made.at(-1) &&
    new Table(board, board.fillings.at(-1) as Filling, made.at(-1)?.by ?? 'range', own, bits, false);
  const all = [...made, counts].filter((one) => one !== undefined);
  const hasPath = all.some(({ by }) => by === 'path');
  let since = performance.now();
  for (let from = 0; from < board.entries; from += STEP) {
    const to = Math.min(board.entries, from + STEP);
    const toggles = hasPath ? new Toggles(own, from, to) : undefined;
    for (const table of all) {
      if (table.by === 'range') table.addRange(from, to);
      else if (toggles) table.addPath(from, to, toggles);
    }
    if (performance.now() - since < SLICE) continue;
    await rest();
    if (board.version !== version) throw abortError();
    since = performance.now();
  }
  return { tables: made.map((table) => table?.finish()), selected: counts?.finish() };
}

/** Fills a table. Until it is finished, a row has the difference to the row before. */
class Table {
  readonly #rows: Float64Array;
  /** Numbers of values of weights that are not 1. */
  readonly #counts: Float64Array | undefined;
  readonly #entryMask: number;
  readonly #elementMask: number;
  readonly #weights: ArrayLike<number> | undefined;

  /** `bits` are those of the other brushes. */
  constructor(
    readonly board: Board,
    readonly filling: Filling,
    readonly by: 'range' | 'path',
    readonly moved: Moved,
    bits: number,
    isWeighted = true,
  ) {
    // Also of values above the grid, and of NaN.
    const rows = moved.places + 2;
    this.#weights = isWeighted ? board.weights : undefined;
    this.#rows = new Float64Array(rows * filling.size);
    if (this.#weights) this.#counts = new Float64Array(rows);
    this.#entryMask = bits & ~filling.entryFree;
    this.#elementMask = bits & ~filling.elementFree;
  }

  /** Returns the bits of elements of which some do not count; undefined if all do. */
  #ofElements(collection: Collection): Uint32Array | undefined {
    return this.#elementMask === 0 ? undefined : this.board.elementFails.get(collection);
  }

  /** Adds the entries of a part at the places of their values, or of the values of their elements. */
  addRange(from: number, to: number): void {
    const { cells, collection } = this.filling;
    if (!collection) this.#addEntries(cells, from, to);
    else if (cells) this.#addElements(cells, collection, from, to);
  }

  #addEntries(cells: Cells | undefined, from: number, to: number): void {
    const { size } = this.filling;
    const { codes } = this.moved;
    const { fails } = this.board;
    const [mask, rows, weights, counts] = [this.#entryMask, this.#rows, this.#weights, this.#counts];
    for (let entry = from; entry < to; entry++) {
      if (((fails[entry] as number) & mask) !== 0) continue;
      const code = codes[entry] as number;
      const cell = size * code + (cells ? (cells[entry] as number) : 0);
      if (!weights || !counts) {
        rows[cell] = (rows[cell] as number) + 1;
        continue;
      }
      const weight = weights[entry] as number;
      if (weight === 0) continue;
      rows[cell] = (rows[cell] as number) + weight;
      counts[code] = (counts[code] as number) + 1;
    }
  }

  #addElements(cells: Cells, { starts }: Collection, from: number, to: number): void {
    const { size } = this.filling;
    const { codes } = this.moved;
    const { fails } = this.board;
    const [mask, elementMask, rows] = [this.#entryMask, this.#elementMask, this.#rows];
    const [weights, counts] = [this.#weights, this.#counts];
    const byElement = this.moved.collection !== undefined;
    const ofElements = this.filling.collection && this.#ofElements(this.filling.collection);
    for (let entry = from; entry < to; entry++) {
      if (((fails[entry] as number) & mask) !== 0) continue;
      const weight = weights ? (weights[entry] as number) : 1;
      if (weight === 0) continue;
      const end = starts[entry + 1] as number;
      let code = byElement ? 0 : (codes[entry] as number);
      for (let i = starts[entry] as number; i < end; i++) {
        if (ofElements && ((ofElements[i] as number) & elementMask) !== 0) continue;
        if (byElement) code = codes[i] as number;
        const cell = size * code + (cells[i] as number);
        rows[cell] = (rows[cell] as number) + weight;
        if (counts) counts[code] = (counts[code] as number) + 1;
      }
    }
  }

  /** Adds entries where they come, and takes them off where they go. */
  addPath(from: number, to: number, { starts, places, isFirst }: Toggles): void {
    const { cells, collection, size } = this.filling;
    const { fails } = this.board;
    const [mask, elementMask, rows] = [this.#entryMask, this.#elementMask, this.#rows];
    const [weights, counts] = [this.#weights, this.#counts];
    const ofElements = collection && this.#ofElements(collection);
    const elements = collection?.starts;
    for (let entry = from; entry < to; entry++) {
      if (((fails[entry] as number) & mask) !== 0) continue;
      const weight = weights ? (weights[entry] as number) : 1;
      if (weight === 0) continue;
      const at = entry - from;
      const isIn = isFirst[at] === 1;
      const last = starts[at + 1] as number;
      // The first place counts as a change, if the entry is selected there.
      let sign = isIn ? 1 : -1;
      for (let i = (starts[at] as number) - (isIn ? 1 : 0), isStart = isIn; i < last; i++, isStart = false) {
        const place = isStart ? 0 : (places[i] as number);
        if (!isStart) sign = -sign;
        const row = size * place;
        const by = sign * weight;
        if (!elements) {
          const cell = row + (cells ? (cells[entry] as number) : 0);
          rows[cell] = (rows[cell] as number) + by;
          if (counts) counts[place] = (counts[place] as number) + sign;
          continue;
        }
        const end = elements[entry + 1] as number;
        for (let k = elements[entry] as number; k < end; k++) {
          if (ofElements && ((ofElements[k] as number) & elementMask) !== 0) continue;
          const cell = row + (cells?.[k] as number);
          rows[cell] = (rows[cell] as number) + by;
          if (counts) counts[place] = (counts[place] as number) + sign;
        }
      }
    }
  }

  finish(): PlotTable {
    const { size } = this.filling;
    const rows = this.#rows;
    for (let i = size; i < rows.length; i++) rows[i] = (rows[i] as number) + (rows[i - size] as number);
    const fills = this.#counts ?? new Float64Array(rows.length / size);
    if (this.#counts)
      for (let i = 1; i < fills.length; i++) fills[i] = (fills[i] as number) + (fills[i - 1] as number);
    else
      for (let i = 0; i < rows.length; i++) {
        const row = Math.trunc(i / size);
        fills[row] = (fills[row] as number) + (rows[i] as number);
      }
    return { by: this.by, size, rows, fills };
  }
}

/**
 * The place of a brush in its grid: its ends, and the place on its path. An end that is infinite is -1, or the number of places.
 */
export interface DragPlace {
  from: number;
  to: number;
  at: number;
}

/** Returns what a plot shows at a place of a drag. */
export function shownAt(
  { by, size, rows, fills }: PlotTable,
  place: DragPlace,
  inverted: boolean,
): PlotState {
  const row = (i: number) => rows.subarray(i * size, (i + 1) * size);
  if (by === 'path') return { sums: Float64Array.from(row(place.at)), fills: fills[place.at] ?? 0 };
  const sums = Float64Array.from(row(place.to));
  if (place.from >= 0) {
    const below = row(place.from);
    for (let i = 0; i < size; i++) sums[i] = (sums[i] as number) - (below[i] as number);
  }
  if (inverted) {
    const all = row(fills.length - 1);
    for (let i = 0; i < size; i++) sums[i] = (all[i] as number) - (sums[i] as number);
  }
  const inside = (fills[place.to] ?? 0) - (fills[place.from] ?? 0);
  return { sums, fills: inverted ? (fills.at(-1) ?? 0) - inside : inside };
}

/**
 * Returns what the board shows at a place of a drag in the plot `own`, which stays as it is in `before`. Of plots whose tables were too
 * large nothing is known before the drag ends: their number of fills is NaN.
 */
export function boardAt(
  { tables, selected }: DragTables,
  before: BoardState,
  place: DragPlace,
  { plot: own, inverted = false }: Pick<Brush, 'plot' | 'inverted'>,
): BoardState {
  const plots = before.plots.map((state, i) => {
    const table = tables[i];
    if (table) return shownAt(table, place, inverted);
    return i === own ? state : { sums: new Float64Array(state.sums.length), fills: Number.NaN };
  });
  const last = tables.at(-1);
  if (!last) return { ...before, plots };
  const entries = shownAt(last, place, inverted);
  const count = selected ? shownAt(selected, place, inverted).fills : entries.fills;
  return { ...before, plots, selected: count, weight: entries.sums[0] ?? 0 };
}
