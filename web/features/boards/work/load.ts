import type { CallOptions, EntrySelection, FileId, PartialNote, RulesOfRoot } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { overBudget } from '../../../base/data-errors';
import { argumentError, fromRecord } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import { chooseEntries, countOf, sliceSelection } from '../../../model/entry-choice';
import { parseDraw } from '../../../query/compile/draw-spec';
import { Board, type BoardAxis, type BoardPlot } from './board';
import { type BoardColumn, ColumnParts } from './columns';

/** Approximate memory of the rows that are read at once, in bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024;
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
  rootVersion?: RulesOfRoot | undefined;
  /** Limit of the memory for values, in bytes. */
  maxBytes?: number | undefined;
}

export interface LoadedBoard {
  board: Board;
  /** The expressions of the columns, by which brushes name them. */
  exprs: string[];
  plots: BoardPlot[];
  partial?: PartialNote | undefined;
}

/**
 * Reads what a board needs. Throws BUDGET if the values take more memory than the limit, ARGUMENT for a weight that has several
 * values for an entry, and the errors of expressions and reading.
 */
export async function loadBoard(
  reader: Pick<EngineApi, 'tree' | 'scan' | 'drawAll'>,
  file: FileId,
  request: BoardRequest,
  { signal, onProgress }: CallOptions = {},
): Promise<LoadedBoard> {
  const { tree, weight, more = [], rootVersion, maxBytes = MAX_BYTES } = request;
  const exprs = [...new Set([...request.plots.flatMap(({ expr }) => exprsOf(expr)), ...more])];
  if (exprs.length > MAX_COLUMNS)
    throw argumentError(`A board has at most ${MAX_COLUMNS} expressions, not ${exprs.length}.`);
  const plots = await axesOf(reader, file, request, exprs, { signal });
  const { entries: all } = await reader.tree(file, tree, { signal });
  const choice = chooseEntries(request.entries, all);
  const total = countOf(choice.spans(choice.from, choice.to));
  const whole = request.entries ?? [0, all];
  const packed = weight === undefined ? exprs : [...exprs, weight];
  const parts = packed.map((expr) => new ColumnParts(expr));
  let partial: PartialNote | undefined;
  let count = 0;
  for (let from: number | undefined = choice.from; from !== undefined; ) {
    const entries = sliceSelection(whole, from, all);
    const asked = { tree, columns: '', packed, rootVersion, entries, maxBytes: BLOCK_BYTES };
    const table = await reader.scan(file, asked, { signal });
    for (const { outputs, lists, entries: numbers } of table.packed ?? []) {
      count += numbers.length;
      for (const [i, output] of outputs.entries()) parts[i]?.add(output, lists[i] === true);
    }
    partial = added(partial, table.partial);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes, count, total);
    from = table.next;
    const entriesDone = countOf(choice.spans(choice.from, from ?? choice.to));
    onProgress?.({ label: `Reading ${tree}`, bytesDone: 0, bytesTotal: 0, entriesDone, entriesTotal: total });
  }
  const columns = parts.map((part) => part.column());
  const weights = weight === undefined ? undefined : weightsOf(columns.pop(), weight);
  return { board: new Board(columns, plots, count, weights), exprs, plots, partial };
}

/** The axes of all plots. Those that are not given are chosen as TTree::Draw chooses them. */
async function axesOf(
  reader: Pick<EngineApi, 'drawAll'>,
  file: FileId,
  { tree, plots, rootVersion, entries }: BoardRequest,
  exprs: readonly string[],
  options: CallOptions,
): Promise<BoardPlot[]> {
  const open = plots.filter(({ axes }) => axes === undefined);
  const draws = open.map(({ expr }) => ({ expr }));
  const drawn =
    draws.length === 0 ? [] : await reader.drawAll(file, { tree, draws, rootVersion, entries }, options);
  return plots.map((plot): BoardPlot => {
    const columns = exprsOf(plot.expr).map((expr) => exprs.indexOf(expr));
    if (plot.axes) return { columns, axes: plot.axes };
    const found = drawn[open.indexOf(plot)];
    if (found?.kind === 'error') throw fromRecord(found.error);
    if (found?.kind === 'histogram')
      return { columns, axes: found.axes.map(({ bins, low, high }) => ({ bins, low, high })) };
    // A bin for each text, in the order in which they occur.
    const bins = found?.kind === 'frequencies' ? Math.max(1, found.distinct) : 1;
    return { columns, axes: [{ bins, low: 0, high: bins }] };
  });
}

/** Returns the expressions of a plot, x first. Throws ARGUMENT for more than two. */
function exprsOf(text: string): string[] {
  const { expressions } = parseDraw(text);
  if (expressions.length > 2)
    throw argumentError(
      `"${text}" has three axes, and a plot of a board two at most.`,
      'Make two plots of it.',
    );
  return expressions.map(({ text: all, from = 0, to = all.length }) => all.slice(from, to).trim()).reverse();
}

function weightsOf(column: BoardColumn | undefined, weight: string): BoardColumn['values'] {
  if (column && column.starts === undefined && column.labels === undefined) return column.values;
  throw argumentError(
    `The weight ${weight} does not have one number for each entry.`,
    'Give one that has one value, for example Muon_weight[0].',
  );
}

function added(sum: PartialNote | undefined, more: PartialNote | undefined): PartialNote | undefined {
  if (!sum || !more) return more ?? sum;
  return {
    failed: sum.failed + more.failed,
    total: sum.total + more.total,
    errors: [...sum.errors, ...more.errors],
  };
}

const tooLarge = (bytes: number, maxBytes: number, read: number, total: number) =>
  overBudget(
    `The values of ${read} of ${total} entries take ${formatBytes(bytes)}, and a board keeps ${formatBytes(maxBytes)}.`,
    'Choose fewer plots, or a range or a sample of the entries.',
  );
