import { toXylemError } from '../../../base/errors';
import type { PageInsight } from '../../../insight/api';
import { type Brush, brushKey } from '../work/brushes';
import type { DragTables } from '../work/tables';
import type { DragPath } from '../work/toggles';

/** The drag that tables are made for. */
export interface DragWish {
  /** The board in the worker. */
  id: number;
  others: readonly Brush[];
  moved: Brush;
  /** Whether the moved brush is on a list, so that its path counts. */
  isList: boolean;
  grid: Float64Array;
  path: DragPath;
}

/** The tables of the drag that was wanted last. */
export interface DragTablesStore {
  /** Makes the tables in the worker, unless they are there or on their way. */
  want(wish: DragWish): void;
  /** Returns the tables if they are there. */
  have(wish: DragWish): DragTables | undefined;
  forget(): void;
}

/** `onReady` is called when tables have arrived, `onError` for errors except cancelling. */
export function createDragTables(
  insight: PageInsight,
  onReady: () => void,
  onError: (thrown: unknown) => void,
): DragTablesStore {
  let own = { key: '', range: undefined as DragTables | undefined };
  let byPath = { key: '', tables: undefined as DragTables | undefined };
  let asked = '';

  const keyOf = ({ id, others, moved, grid }: DragWish): string => {
    const ends = `${grid.length} ${grid[0]} ${grid.at(-1)} ${grid.reduce((sum, one) => sum + one, 0)}`;
    return [id, ...others.map(brushKey), brushKey(moved), ends].join(' ');
  };
  const pathOf = ({ path, isList }: DragWish): string => (isList ? JSON.stringify(path) : '');

  const have = (wish: DragWish): DragTables | undefined => {
    const key = keyOf(wish);
    if (own.key !== key || !own.range) return undefined;
    if (!wish.isList) return own.range;
    return byPath.key === `${key} ${pathOf(wish)}` ? byPath.tables : undefined;
  };

  async function ask(wish: DragWish): Promise<void> {
    const key = keyOf(wish);
    const name = `${key} ${pathOf(wish)}`;
    if (own.key !== key) own = { key, range: undefined };
    const { range } = own;
    asked = name;
    try {
      const { id, others, moved, grid, path, isList } = wish;
      const made = await insight.dragBoard(id, {
        ...{ others, moved, grid },
        path: isList ? path : undefined,
        hasRanges: range !== undefined,
      });
      if (own.key !== key) return;
      own.range ??= made;
      const { tables, selected } = made;
      byPath = {
        key: name,
        tables: {
          tables: tables.map((table, i) => table ?? range?.tables[i]),
          selected: selected ?? range?.selected,
        },
      };
      onReady();
    } catch (thrown) {
      // A later wish took its place, or the brushes have changed.
      if (toXylemError(thrown).code !== 'ABORTED') onError(thrown);
    } finally {
      if (asked === name) asked = '';
    }
  }

  return {
    have,
    want(wish) {
      if (have(wish) || asked === `${keyOf(wish)} ${pathOf(wish)}`) return;
      void ask(wish);
    },
    forget() {
      own = { key: '', range: undefined };
      asked = '';
    },
  };
}
