import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import type { BoardState } from '../work/board';
import type { BrushedBoard, OpenedBoard } from '../work/insight';
import { boardAt, type DragPlace } from '../work/tables';
import { brushesOf, type Chip, exprsOfChip, plotsOfChips } from './board-params';
import type { Hold } from './drag';
import { createDragTables, type DragWish } from './drag-tables';

/** The brushes of a board, and what they select. */
export interface BoardModel {
  readonly board: ReadonlySignal<OpenedBoard>;
  /** All brushes, also one that is being dragged. */
  readonly chips: ReadonlySignal<readonly Chip[]>;
  /** The brushes without the drag that is under way: chips that come meanwhile would move the plots. */
  readonly settled: ReadonlySignal<readonly Chip[]>;
  readonly shown: ReadonlySignal<BrushedBoard>;
  readonly error: ReadonlySignal<ErrorRecord | undefined>;
  readonly canUndo: ReadonlySignal<boolean>;
  /** Whether `shown` is of earlier brushes, because the answer is under way. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Shows another board of the same plots, of which more was read. */
  renew(board: OpenedBoard): void;
  /** Selects by these brushes. */
  set(chips: readonly Chip[]): void;
  /** Selects by the brushes of a link. They cannot be undone. */
  follow(chips: readonly Chip[]): void;
  undo(): void;
  /** Prepares what a drag of the brush of a plot needs. Does nothing if it is there already. */
  prepare(plot: number, chip: Chip, hold: Pick<Hold, 'grid' | 'path'>): void;
  /** Shows a place of a drag, as soon as its tables are there. `since` is the time of the event. */
  move(plot: number, chip: Chip, hold: Hold, place: DragPlace, since: number): void;
  /** Shows brushes during a drag that has no tables. */
  try(chips: readonly Chip[], since: number): void;
  /** Ends a drag: undefined takes back what it did. */
  end(chips: readonly Chip[] | undefined): void;
}

interface Hooks {
  /** Called with brushes that are settled. */
  onChips(chips: readonly Chip[]): void;
  /** Called if the worker does not keep the board any more. */
  onLost(): void;
}

/** Number of changes that can be undone. */
const UNDONE = 50;

export function createBoardModel(
  store: ViewerStore,
  opened: OpenedBoard,
  first: readonly Chip[],
  hooks: Hooks,
): BoardModel {
  const board = signal(opened);
  const chips = signal(first);
  const settled = signal(first);
  const shown = signal<BrushedBoard>({ state: opened.state, cut: '', cuts: [] });
  const error: Signal<ErrorRecord | undefined> = signal(undefined);
  const undone = signal<(readonly Chip[])[]>([]);
  const canUndo = signal(false);
  const isBusy = signal(false);
  let isStale = false;
  /** Counts changes, so that an answer that comes late is not shown over a drag. */
  let turn = 0;
  /** The brushes that the worker has to know. During a drag with tables it does not know the one that is dragged. */
  let wanted = first;

  async function ask(since?: number): Promise<void> {
    isStale = true;
    if (isBusy.peek()) return;
    isBusy.value = true;
    // While one answer is under way, only the last of further changes counts.
    while (isStale) {
      isStale = false;
      const [own, asked] = [turn, wanted];
      try {
        const next = await answered(board.peek(), asked);
        if (own === turn) {
          shown.value = next;
          if (since !== undefined) measured(since);
        } else if (drag && asked === settled.peek()) drag.before = next.state;
        error.value = undefined;
      } catch (thrown) {
        failed(thrown);
      }
    }
    isBusy.value = false;
    // A drag that began meanwhile has waited.
    if (drag) tables.want(drag.wish);
  }

  function failed(thrown: unknown): void {
    const record = toXylemError(thrown).toRecord();
    if (record.code === 'NOT_FOUND' && record.message.includes('not kept')) hooks.onLost();
    else if (record.code !== 'ABORTED') error.value = record;
  }

  /** Reads the columns that brushes need and the board lacks, and selects. */
  async function answered(at: OpenedBoard, own: readonly Chip[]): Promise<BrushedBoard> {
    const missing = own
      .flatMap(exprsOfChip)
      .filter((expr) => !at.columns.some((column) => column.expr === expr));
    if (missing.length > 0) {
      const label = `Reading ${missing.join(', ')}`;
      at.columns = await store.activities.run(`board ${at.id}`, label, (options) =>
        store.insight.extendBoard(at.id, missing, options),
      );
    }
    return store.insight.brushBoard(at.id, brushesOf(own, at));
  }

  function change(next: readonly Chip[]): void {
    turn++;
    wanted = next;
    batch(() => {
      chips.value = next;
      settled.value = next;
    });
    void ask();
    hooks.onChips(next);
  }

  function remember(before: readonly Chip[]): void {
    undone.value = [...undone.peek().slice(-UNDONE), before];
    canUndo.value = true;
  }

  /** The drag that is under way: where it is, and what was shown before. */
  let drag: { wish: DragWish; place: DragPlace; since: number; before: BoardState } | undefined;
  const tables = createDragTables(store.insight, () => showDrag(), failed);

  /** Returns what a drag needs; undefined if a column is still to be read. */
  function wishOf(
    plot: number,
    chip: Chip,
    { grid, path }: Pick<Hold, 'grid' | 'path'>,
  ): DragWish | undefined {
    const at = board.peek();
    const own = settled.peek();
    const on = plotsOfChips(own, at);
    const isKnown = (expr: string) => at.columns.some((column) => column.expr === expr);
    if (!own.every((one) => exprsOfChip(one).every(isKnown))) return undefined;
    const column = at.plots[plot]?.columns[0] ?? -1;
    const { inverted, asks } = chip;
    return {
      id: at.id,
      others: brushesOf(own, at).filter(({ off }, i) => off !== true && on[i] !== plot),
      moved: { name: 'moved', plot, conditions: [{ column, low: 0, high: 0 }], inverted, asks },
      isList: at.columns[column]?.isList === true,
      ...{ grid, path },
    };
  }

  /** Shows the place of the drag, if its tables are there. */
  function showDrag(): void {
    if (!drag) return;
    const { wish, place, since, before } = drag;
    const found = tables.have(wish);
    if (!found) return;
    const state = boardAt(found, before, place, wish.moved);
    shown.value = { ...shown.peek(), state };
    measured(since);
  }

  return {
    ...{ board, chips, settled, shown, error, canUndo, isBusy },
    renew(next) {
      turn++;
      drag = undefined;
      tables.forget();
      board.value = next;
      void ask();
    },
    set(next) {
      remember(settled.peek());
      change(next);
    },
    follow(next) {
      turn++;
      wanted = next;
      batch(() => {
        chips.value = next;
        settled.value = next;
      });
      void ask();
    },
    undo() {
      const last = undone.peek().at(-1);
      if (last === undefined) return;
      undone.value = undone.peek().slice(0, -1);
      canUndo.value = undone.peek().length > 0;
      change(last);
    },
    prepare(plot, chip, hold) {
      // Tables that are asked for while an answer is under way would be for the brushes of before.
      const wish = isBusy.peek() ? undefined : wishOf(plot, chip, hold);
      if (wish) tables.want(wish);
    },
    move(plot, chip, hold, place, since) {
      turn++;
      const own = settled.peek();
      const at = plotsOfChips(own, board.peek()).indexOf(plot);
      chips.value = at < 0 ? [...own, chip] : own.map((one, i) => (i === at ? chip : one));
      const wish = wishOf(plot, chip, hold);
      if (!wish) return;
      drag = { wish, place, since, before: drag?.before ?? shown.peek().state };
      if (!isBusy.peek()) tables.want(wish);
      showDrag();
    },
    try(next, since) {
      turn++;
      wanted = next;
      chips.value = next;
      void ask(since);
    },
    end(next) {
      drag = undefined;
      if (next) {
        remember(settled.peek());
        change(next);
        return;
      }
      turn++;
      wanted = settled.peek();
      chips.value = wanted;
      void ask();
    },
  };
}

/** The time from an event to the pictures that it made, in the browser's timeline. */
export function measured(since: number): void {
  performance.measure('board move', { start: since });
  performance.clearMeasures('board move');
}
