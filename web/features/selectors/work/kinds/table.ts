import { argumentError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import type { ResultKind } from './kind';
import {
  MadeRows,
  type RowsResult,
  rowColumn,
  rowsKind,
  rowsOf,
  type TableColumnType,
  type TableValues,
} from './rows';

/** Rows of values, in the order of the entries. */
export interface SelectorTable {
  row(values: Readonly<Record<string, number | bigint | string>>): void;
}

export const table: ResultKind<RowsResult<'table'>, Record<string, TableValues>> = {
  ...rowsKind('table'),
  job: () => ({ table: (columns) => new MadeTable(columns) }),
  help: { table: "({ mass: 'number' })" },
  value: rowsOf,
  lines(value) {
    const [first = []] = Object.values(value);
    return [`${formatCount(first.length)} rows of ${Object.keys(value).join(', ')}`];
  },
};

class MadeTable extends MadeRows<'table'> implements SelectorTable {
  constructor(given: Readonly<Record<string, TableColumnType>>) {
    const columns = Object.entries(Object(given) as object).flatMap(
      ([name, type]) => rowColumn(name, type) ?? wrongColumns(),
    );
    super('table', columns.length > 0 ? columns : wrongColumns());
  }

  row(values: Readonly<Record<string, number | bigint | string>>): void {
    this.put(values);
  }
}

function wrongColumns(): never {
  throw argumentError(
    'A table needs columns of numbers, whole numbers or texts.',
    "Write job.table({ mass: 'number', run: 'whole', name: 'text' }).",
  );
}
