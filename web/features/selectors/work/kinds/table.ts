import { argumentError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import type { RowSpool } from '../rows/spool';
import type { TableColumnType, TableValues } from '../rows/types';
import type { ResultKind } from './kind';
import { countRows, MadeRows, type RowsResult, rowColumn, rowsKind, rowsOf } from './rows';

/** Rows of values, in the order of the entries. */
export interface SelectorTable {
  row(values: Readonly<Record<string, number | bigint | string>>): void;
}

export const table: ResultKind<RowsResult<'table'>, Record<string, TableValues>> = {
  ...rowsKind('table'),
  job: (_core, spool) => ({ table: (columns) => new MadeTable(columns, spool) }),
  help: { table: "({ mass: 'number' })" },
  value: rowsOf,
  lines(value, one) {
    const [first = []] = one ? [] : Object.values(value);
    const names = one ? one.columns.map(({ name }) => name) : Object.keys(value);
    return [`${formatCount(one ? countRows(one) : first.length)} rows of ${names.join(', ')}`];
  },
};

class MadeTable extends MadeRows<'table'> implements SelectorTable {
  constructor(given: Readonly<Record<string, TableColumnType>>, spool: RowSpool | undefined) {
    const columns = Object.entries(Object(given) as object).flatMap(
      ([name, type]) => rowColumn(name, type) ?? wrongColumns(),
    );
    super('table', columns.length > 0 ? columns : wrongColumns(), spool);
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
