import type { CallOptions, FileId, PartialNote } from '../../../api/api';
import { XylemError } from '../../../base/errors';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import type { BoardPlot, BoardState } from './board';
import type { Brush } from './brushes';
import { type BoardRequest, type LoadedBoard, loadBoard } from './load';

/** A board that is kept in the worker, and its plots without brushes. */
export interface OpenedBoard {
  id: number;
  entries: number;
  /** The expressions of the columns, by which brushes name them, and the texts of those that have texts. */
  columns: { expr: string; labels?: string[] | undefined; isList: boolean }[];
  plots: BoardPlot[];
  state: BoardState;
  partial?: PartialNote | undefined;
}

/** The selection of brushes, and the texts of their cuts: for entries, and for each plot. */
export interface BrushedBoard {
  state: BoardState;
  cut: string;
  cuts: string[];
}

declare module '../../../insight/api' {
  interface PageInsight {
    /** Reads the values of a board. The worker keeps the boards that were used last. Throws as `loadBoard`. */
    openBoard(file: FileId, request: BoardRequest, options?: CallOptions): Promise<OpenedBoard>;
    /** Selects by brushes. Throws NOT_FOUND for a board that is not kept any more, and ARGUMENT for a brush without sense. */
    brushBoard(id: number, brushes: readonly Brush[]): Promise<BrushedBoard>;
  }
}

/** Number of boards that are kept. */
const KEPT = 2;
const boards = new Map<number, LoadedBoard>();
let last = 0;

export async function openBoard(
  { reader }: InsightHost,
  ...[file, request, options]: Parameters<PageInsight['openBoard']>
): Promise<OpenedBoard> {
  checkOptions('openBoard', options, CALL);
  const loaded = await loadBoard(reader, file, request, options);
  const { board, plots, partial } = loaded;
  const id = ++last;
  boards.set(id, loaded);
  for (const [oldest] of boards) {
    if (boards.size <= KEPT) break;
    boards.delete(oldest);
  }
  return {
    id,
    entries: board.entries,
    columns: board.columns.map(({ expr, labels, starts }) => ({
      expr,
      labels,
      isList: starts !== undefined,
    })),
    plots,
    state: structuredClone(board.state()),
    partial,
  };
}

export async function brushBoard(
  _: InsightHost,
  ...[id, brushes]: Parameters<PageInsight['brushBoard']>
): Promise<BrushedBoard> {
  const loaded = boards.get(id);
  if (!loaded)
    throw new XylemError({ code: 'NOT_FOUND', message: 'The values of this board are not kept any more.' });
  // It was used last.
  boards.delete(id);
  boards.set(id, loaded);
  const { board, plots } = loaded;
  board.brush(brushes);
  return {
    state: structuredClone(board.state()),
    cut: board.cut(),
    cuts: plots.map((_plot, i) => board.cutOf(i)),
  };
}
