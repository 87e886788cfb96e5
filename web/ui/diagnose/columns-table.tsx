import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../api/api';
import type { ColumnReads } from '../../insight/reads/columns-read';
import { columnTable } from '../../insight/reads/columns-text';
import { MoreRows, NumbersTable } from '../widgets/table-parts';

interface ColumnsProps {
  columns: readonly ColumnReads[];
  layout: TreeLayout;
  /** Branches that were wanted, where others were read over. */
  wanted?: ReadonlySet<number> | undefined;
  onBranch(path: string): void;
}

const FIRST_ROWS = 20;

/** The columns that were read: baskets or pages, and bytes. */
export function ColumnsTable({ columns, layout, wanted, onBranch }: ColumnsProps): JSX.Element | null {
  const most = useSignal(FIRST_ROWS);
  const table = useMemo(() => columnTable(columns, layout, wanted), [columns, layout, wanted]);
  if (columns.length === 0) return null;
  return (
    <>
      <div class="table-box">
        <NumbersTable
          {...table}
          rows={table.rows.slice(0, most.value).map(([path = '', ...cells]) => [
            <button type="button" class="link" key="path" onClick={() => onBranch(path)}>
              {path}
            </button>,
            ...cells,
          ])}
        />
      </div>
      <MoreRows left={table.rows.length - most.value} onMore={() => (most.value += 200)} />
    </>
  );
}
