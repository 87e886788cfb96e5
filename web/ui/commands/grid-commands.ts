import type { KeyedCommand } from '../../plot/command';

/** The table of entries, or a wall of plots, as controlled by keys, which move the active cell or plot. */
export interface GridCursor {
  /** Whether the rows are sorted. Only the rows of one page exist then. */
  sorted: boolean;
  /** Moves by rows, pages or columns. */
  move(by: { rows?: number; pages?: number; columns?: number }): void;
  /** Shows the entry of the active cell as a card; undefined if there is no such view. */
  open?: (() => void) | undefined;
  /** Moves to the first or last column, or entry. */
  toEnd(of: 'row' | 'table', end: 'first' | 'last'): void;
}

type By = Parameters<GridCursor['move']>[0];

const steps: Record<string, By> = {
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
  ArrowLeft: { columns: -1 },
  ArrowRight: { columns: 1 },
  PageUp: { pages: -1 },
  PageDown: { pages: 1 },
};
const isUnsorted = ({ sorted }: GridCursor) => !sorted;

export const gridCommands: readonly KeyedCommand<GridCursor>[] = [
  {
    id: 'table.move',
    label: 'Move the active cell, or among plots of a wall',
    kind: 'Table',
    keys: Object.keys(steps),
    when: isUnsorted,
    run: (grid, key = '') => grid.move(steps[key] ?? {}),
  },
  {
    id: 'table.row-end',
    label: 'To the first or last column',
    kind: 'Table',
    keys: ['Home', 'End'],
    when: isUnsorted,
    run: (grid, key) => grid.toEnd('row', key === 'Home' ? 'first' : 'last'),
  },
  {
    id: 'table.end',
    label: 'To the first or last entry',
    kind: 'Table',
    keys: ['Control+Home', 'Control+End'],
    when: isUnsorted,
    run: (grid, key) => grid.toEnd('table', key === 'Control+Home' ? 'first' : 'last'),
  },
  {
    id: 'table.open',
    label: 'Show the active entry as a card',
    kind: 'Table',
    keys: ['Enter'],
    when: ({ open }) => open !== undefined,
    run: (grid) => grid.open?.(),
  },
];
