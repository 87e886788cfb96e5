import type {
  CallOptions,
  EntrySelection,
  FileId,
  FriendTree,
  PartialNote,
  Progress,
  RulesOfRoot,
} from '../../../api/api';
import type { EngineApi, PackedTable } from '../../../api/engine-api';
import { overBudget } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import { chooseEntries, countOf, type EntryChoice, sliceSelection } from '../../../model/entry-choice';
import { parseDraw } from '../../../query/compile/draw-spec';
import { axesOf } from './axes';
import { Board, type BoardAxis, type BoardPlot } from './board';
import { type BoardColumn, ColumnParts, type Values } from './columns';
import { type SampledEntries, sampledEntries } from './sampled';
import { collectionsOf, sharedCollection } from './shapes';

/** Approximate memory of the rows that are read at once, in bytes. */
const BLOCK_BYTES = 32 * 1024 * 1024;
/** Default limit of the memory for values, in bytes. */
export const MAX_BYTES = 1024 * 1024 * 1024;
/** Number of columns, at most: expressions of plots, of brushes, and the weight. */
const MAX_COLUMNS = 64;

export interface BoardRequest {
  tree: string;
  /** The expression of each plot, y:x for a map, and its axes, x first; those that are missing are found from the values. */
  plots: readonly { expr: string; axes?: readonly BoardAxis[] | undefined }[];
  /** Further expressions, on which brushes may be. */
  more?: readonly string[] | undefined;
  /** An expression with one value for each entry. */
  weight?: string | undefined;
  entries?: EntrySelection | undefined;
  friends?: FriendTree[] | undefined;
  rootVersion?: RulesOfRoot | undefined;
  /** Limit of the memory for values, in bytes. If all take more, a sample of the entries is read. */
  maxBytes?: number | undefined;
}

export interface LoadedBoard {
  board: Board;
  /** The expressions of the columns, by which brushes name them. */
  exprs: string[];
  plots: BoardPlot[];
  /** Pairs of first and end of its entries. */
  spans: readonly number[];
  /** The entries that are read, if not all could be kept. */
  sampled?: SampledEntries | undefined;
  partial?: PartialNote | undefined;
}

/** Calls of a reader that a board needs. */
export type BoardReader = Pick<EngineApi, 'tree' | 'scan' | 'layout'>;

export interface LoadOptions extends CallOptions {
  /** Receives boards of the entries that were read so far, a few times. */
  onBoard?: ((board: LoadedBoard, entries: number, total: number) => void) | undefined;
}

/**
 * Reads what a board needs, each byte once. Throws BUDGET if a sample of the entries takes more memory than the limit, ARGUMENT for a
 * weight that has several values for an entry, and the errors of expressions and reading.
 */
export async function loadBoard(
  reader: BoardReader,
  file: FileId,
  request: BoardRequest,
  { signal, onProgress, onBoard }: LoadOptions = {},
): Promise<LoadedBoard> {
  const { weight, more = [] } = request;
  const exprs = [...new Set([...request.plots.flatMap(({ expr }) => exprsOf(expr)), ...more])];
  if (exprs.length > MAX_COLUMNS)
    throw argumentError(`A board has at most ${MAX_COLUMNS} expressions, not ${exprs.length}.`);
  const made = (columns: BoardColumn[], count: number): Omit<LoadedBoard, 'spans'> => {
    const weights = weight === undefined ? undefined : weightsOf(columns.pop(), weight);
    const plots = plotsOf(request, exprs, columns);
    return { board: new Board(columns, plots, count, weights), exprs, plots };
  };
  /** The next number of entries for which a board of those so far is made. */
  let next = 0;
  const read = await readColumns(
    reader,
    file,
    { ...request, exprs: weight === undefined ? exprs : [...exprs, weight] },
    {
      signal,
      onProgress,
      onPart: (columns, count, spans, total) => {
        next ||= Math.max(FIRST_SHARE * total, FIRST_ENTRIES);
        if (!onBoard || count < next || 2 * count > total) return;
        next = 4 * count;
        onBoard({ ...made(columns(), count), spans: [...spans] }, count, total);
      },
    },
  );
  const { columns, count, ...rest } = read;
  return { ...made(columns, count), ...rest };
}

/** The first board of entries so far is made of at least this share of them, and at least this many. */
const FIRST_SHARE = 0.02;
const FIRST_ENTRIES = 20_000;

interface ColumnsRequest extends Omit<BoardRequest, 'plots' | 'more' | 'weight'> {
  exprs: readonly string[];
}

interface ReadColumns {
  columns: BoardColumn[];
  count: number;
  /** Pairs of first and end of the entries that could be read. */
  spans: number[];
  sampled: SampledEntries | undefined;
  partial: PartialNote | undefined;
}

/** Reads the values of expressions. Throws BUDGET if they take more memory than the limit, and the errors of reading. */
export async function readColumns(
  reader: BoardReader,
  file: FileId,
  { exprs, tree, entries: chosen, friends, rootVersion, maxBytes = MAX_BYTES }: ColumnsRequest,
  { signal, onProgress, onPart }: CallOptions & { onPart?: OnPart } = {},
): Promise<ReadColumns> {
  const { entries: all } = await reader.tree(file, tree, { signal });
  let whole: EntrySelection = chosen ?? [0, all];
  let choice: EntryChoice = chooseEntries(whole, all);
  let total = countOf(choice.spans(choice.from, choice.to));
  const parts = exprs.map((expr) => new ColumnParts(expr));
  const bytesSoFar = () => parts.reduce((sum, part) => sum + part.bytes, 0);
  let sampled: SampledEntries | undefined;
  let partial: PartialNote | undefined;
  const spans: number[] = [];
  let count = 0;
  const scan = (from: number, size = BLOCK_BYTES): Promise<PackedTable> => {
    const entries = sliceSelection(whole, from, all);
    const asked = { tree, columns: '', packed: exprs, friends, rootVersion, entries, maxBytes: size };
    return reader.scan(file, asked, { signal });
  };
  let waiting: Promise<PackedTable> | undefined = scan(choice.from, Math.min(BLOCK_BYTES / 16, maxBytes / 8));
  let isFirst = true;
  while (waiting) {
    const table: PackedTable = await waiting;
    const { next } = table;
    // The next part is read while this one is taken. How much all take is known after the first one.
    waiting = next === undefined || isFirst ? undefined : scan(next);
    waiting?.catch(() => {});
    for (const { outputs, lists, first, entries: numbers } of table.packed ?? []) {
      count += numbers.length;
      addSpans(spans, first, numbers);
      for (const [i, output] of outputs.entries())
        parts[i]?.add(output, lists[i] === true, table.columns[i]?.kind === 'integer');
    }
    partial = added(partial, table.partial);
    const bytes = bytesSoFar();
    if (isFirst && next !== undefined) {
      isFirst = false;
      const fits = Math.floor((0.9 * maxBytes * count) / Math.max(1, bytes));
      if (total > fits && fits > count) {
        sampled = await sampledEntries(reader, file, tree, { whole, all, from: next, count, total, fits });
        whole = sampled.rest;
        choice = chooseEntries(whole, all);
        total = sampled.count;
      }
      const from: number = sampled ? choice.from : next;
      waiting = scan(from);
      waiting.catch(() => {});
    }
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes, count, total);
    onPart?.(() => parts.map((part) => part.column()), count, spans, total);
    onProgress?.(progressOf(tree, count, total));
  }
  if (sampled) sampled.count = count;
  return { columns: parts.map((part) => part.column()), count, spans, sampled, partial };
}

/** Adds entries, as pairs of the first one and the end, to pairs before them. */
function addSpans(spans: number[], first: number, numbers: Float64Array): void {
  for (const number of numbers) {
    const entry = first + number;
    if (spans.at(-1) === entry) spans[spans.length - 1] = entry + 1;
    else spans.push(entry, entry + 1);
  }
}

type OnPart = (columns: () => BoardColumn[], count: number, spans: readonly number[], total: number) => void;

const progressOf = (tree: string, entriesDone: number, entriesTotal: number): Progress => ({
  label: `Reading ${tree}`,
  bytesDone: 0,
  bytesTotal: 0,
  entriesDone,
  entriesTotal,
});

/** Returns the plots. Axes that are not given are chosen as TTree::Draw chooses them. Throws UNSUPPORTED as `sharedCollection`. */
function plotsOf(
  { plots }: BoardRequest,
  exprs: readonly string[],
  columns: readonly BoardColumn[],
): BoardPlot[] {
  const collections = collectionsOf(columns);
  return plots.map((plot): BoardPlot => {
    const own = exprsOf(plot.expr).map((expr) => exprs.indexOf(expr));
    const collection = sharedCollection(own, collections, exprs);
    const axes =
      plot.axes ??
      axesOf(
        own.map((i) => columns[i] as BoardColumn),
        collection,
      );
    return { columns: own, axes };
  });
}

/** Returns the expressions of a plot, x first. Throws ARGUMENT for more than two. */
export function exprsOf(text: string): string[] {
  const { expressions } = parseDraw(text);
  if (expressions.length > 2)
    throw argumentError(
      `"${text}" has three axes, and a plot of a board two at most.`,
      'Make two plots of it.',
    );
  return expressions.map(({ text: all, from = 0, to = all.length }) => all.slice(from, to).trim()).reverse();
}

function weightsOf(column: BoardColumn | undefined, weight: string): Values {
  if (column && column.starts === undefined && column.labels === undefined) return column.values;
  throw argumentError(
    `The weight ${weight} does not have one number for each entry.`,
    'Give one that has one value, for example Muon_weight[0].',
  );
}

/** Adds notes of parts of a reading. Each of them names the files of a list that could not be opened. */
function added(sum: PartialNote | undefined, more: PartialNote | undefined): PartialNote | undefined {
  if (!sum || !more) return more ?? sum;
  const known = new Set(sum.errors.map((error) => JSON.stringify(error)));
  const errors = more.errors.filter((error) => !known.has(JSON.stringify(error)));
  const again = more.errors.length - errors.length;
  return {
    failed: sum.failed + more.failed - again,
    total: sum.total + more.total - again,
    errors: [...sum.errors, ...errors],
  };
}

const tooLarge = (bytes: number, maxBytes: number, read: number, total: number) =>
  overBudget(
    `The values of ${read} of ${total} entries take ${formatBytes(bytes)}, and a board keeps ${formatBytes(maxBytes)}.`,
    'Choose fewer plots, or a range or a sample of the entries.',
  );
