import type { CallOptions, EntryRange, FileId, PartialNote, Progress } from '../../../api/api';
import { delay } from '../../../base/abort';
import { abortError, argumentError, XylemError } from '../../../base/errors';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import type { BoardPlot, BoardState } from './board';
import type { Brush } from './brushes';
import { type BoardRequest, type LoadedBoard, loadBoard, readColumns } from './load';
import type { SampledEntries } from './sampled';
import { type DragRequest, type DragTables, dragTables } from './tables';

/** A board that is kept in the worker, and its plots without brushes. */
export interface OpenedBoard {
  id: number;
  entries: number;
  /** The expressions of the columns, by which brushes name them, and the texts of those that have texts. */
  columns: OpenedColumn[];
  plots: BoardPlot[];
  state: BoardState;
  /** Number of entries that are still to be read. */
  left?: number | undefined;
  sampled?: SampledEntries | undefined;
  partial?: PartialNote | undefined;
}

export interface OpenedColumn {
  expr: string;
  labels?: string[] | undefined;
  isList: boolean;
}

/** Progress of the first pass; a few times with a board of the entries so far. */
export interface BoardProgress extends Progress {
  board?: OpenedBoard | undefined;
}

/** The selection of brushes, and the texts of their cuts: for entries, and for each plot. */
export interface BrushedBoard {
  state: BoardState;
  cut: string;
  cuts: string[];
}

declare module '../../../insight/api' {
  interface PageInsight {
    /**
     * Reads the values of a board. The worker keeps the boards that were used last. Progress is `BoardProgress`. Throws as
     * `loadBoard`.
     */
    openBoard(file: FileId, request: BoardRequest, options?: CallOptions): Promise<OpenedBoard>;
    /** Reads further expressions of a board, and returns all columns. Throws NOT_FOUND as `brushBoard`, and as `openBoard`. */
    extendBoard(id: number, exprs: readonly string[], options?: CallOptions): Promise<OpenedColumn[]>;
    /** Selects by brushes. Throws NOT_FOUND for a board that is not kept any more, and ARGUMENT for a brush without sense. */
    brushBoard(id: number, brushes: readonly Brush[]): Promise<BrushedBoard>;
    /** Returns for each expression whether it has a value for each element of a list. Reads the first entries. */
    loopsOf(file: FileId, tree: string, exprs: readonly string[]): Promise<boolean[]>;
    /** Makes tables for the drag of a brush: see `dragTables`. A later call ends an earlier one with ABORTED. */
    dragBoard(id: number, request: DragRequest): Promise<DragTables>;
  }
}

interface KeptBoard extends LoadedBoard {
  file: FileId;
  request: BoardRequest;
}

/** Number of boards that are kept. */
const KEPT = 2;
const boards = new Map<number, KeptBoard>();
let last = 0;

function keep(board: KeptBoard): number {
  const id = ++last;
  boards.set(id, board);
  for (const [oldest] of boards) {
    if (boards.size <= KEPT) break;
    boards.delete(oldest);
  }
  return id;
}

function keptBoard(id: number): KeptBoard {
  const kept = boards.get(id);
  if (!kept)
    throw new XylemError({ code: 'NOT_FOUND', message: 'The values of this board are not kept any more.' });
  // It was used last.
  boards.delete(id);
  boards.set(id, kept);
  return kept;
}

export async function openBoard(
  { reader }: InsightHost,
  ...[file, request, options]: Parameters<PageInsight['openBoard']>
): Promise<OpenedBoard> {
  checkOptions('openBoard', options, CALL);
  const { signal, onProgress } = options ?? {};
  let before: number | undefined;
  const opened = (loaded: LoadedBoard, left?: number): OpenedBoard => {
    if (before !== undefined) boards.delete(before);
    const id = keep({ ...loaded, file, request });
    before = id;
    const { board, plots, sampled, partial } = loaded;
    return {
      ...{ id, entries: board.entries, columns: columnsOf(loaded), plots, state: board.state() },
      ...{ left, sampled, partial },
    };
  };
  const loaded = await loadBoard(reader, file, request, {
    signal,
    onProgress,
    onBoard: (soFar, entries, total) => {
      const progress: BoardProgress = {
        ...{ label: `Reading ${request.tree}`, bytesDone: 0, bytesTotal: 0 },
        ...{ entriesDone: entries, entriesTotal: total, board: opened(soFar, total - entries) },
      };
      onProgress?.(progress);
    },
  });
  return opened(loaded);
}

const columnsOf = ({ board }: LoadedBoard): OpenedColumn[] =>
  board.columns.map(({ expr, labels, starts }) => ({ expr, labels, isList: starts !== undefined }));

export async function extendBoard(
  { reader }: InsightHost,
  ...[id, exprs, options]: Parameters<PageInsight['extendBoard']>
): Promise<OpenedColumn[]> {
  checkOptions('extendBoard', options, CALL);
  const kept = keptBoard(id);
  const { board, file, request, spans } = kept;
  const missing = [...new Set(exprs)].filter((expr) => !board.exprs.includes(expr));
  if (missing.length > 0) {
    // The same entries as before, of which damaged parts and a sample leave some out.
    const entries = Array.from(
      { length: spans.length / 2 },
      (_, i): EntryRange => [spans[2 * i] ?? 0, spans[2 * i + 1] ?? 0],
    );
    const asked = { ...request, entries, exprs: missing };
    const { columns, count, spans: found } = await readColumns(reader, file, asked, options);
    if (found.join() !== spans.join())
      throw argumentError(
        `"${missing[0]}" can be read for ${count} of ${board.entries} entries of the board only.`,
      );
    // Another call may have read the same meanwhile.
    board.extend(columns.filter(({ expr }) => !board.exprs.includes(expr)));
  }
  return columnsOf(kept);
}

export async function brushBoard(
  _: InsightHost,
  ...[id, brushes]: Parameters<PageInsight['brushBoard']>
): Promise<BrushedBoard> {
  const { board, plots } = keptBoard(id);
  board.brush(brushes);
  return { state: board.state(), cut: board.cut(), cuts: plots.map((_plot, i) => board.cutOf(i)) };
}

export async function loopsOf(
  { reader }: InsightHost,
  ...[file, tree, exprs]: Parameters<PageInsight['loopsOf']>
): Promise<boolean[]> {
  const asked = { tree, columns: '', packed: exprs, entries: [0, 1] as [number, number], maxBytes: 1 };
  const { packed = [] } = await reader.scan(file, asked);
  return exprs.map((_, i) => packed[0]?.lists[i] === true);
}

/** Counts the calls of `dragBoard`, so that the last one is known. */
let drags = 0;

export async function dragBoard(
  _: InsightHost,
  ...[id, request]: Parameters<PageInsight['dragBoard']>
): Promise<DragTables> {
  const { board } = keptBoard(id);
  const own = ++drags;
  return dragTables(board, request, async () => {
    await delay(0);
    if (own !== drags) throw abortError();
  });
}
