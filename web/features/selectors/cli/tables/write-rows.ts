import type { EngineReader } from '../../../../api/reader';
import { csvCell, csvText } from '../../../../bins/to-csv';
import type { Context } from '../../../../cli/context';
import type { Column } from '../../../../core/columns';
import { decodeText } from '../../../../core/tape';
import type { Table, TablePart } from '../../../../export/table';
import type { RootWriter } from '../../../../library/write';
import { exportTable } from '../../../exports/work/export-tree';
import type { RowColumn } from '../../work/rows/types';
import { groupRows, RowReader, type TableRows } from './row-reader';

/** Formats of tables that are not ROOT files. */
export type RowsFormat = 'parquet' | 'arrow' | 'csv';

const TYPES = { number: 'f64', whole: 'i64', unsigned: 'u64', text: 'string' } as const;

/** How tables are in ROOT files. */
export type RootForm = 'tree' | 'ntuple';

/** Writes rows as a tree or an RNTuple of a ROOT file: at most `most`. */
export async function putRows(
  file: RootWriter,
  path: string,
  { columns }: TableRows,
  rows: RowReader,
  { form = 'tree', most = Number.POSITIVE_INFINITY }: { form?: RootForm | undefined; most?: number } = {},
): Promise<void> {
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, TYPES[type]]));
  const tree = await file[form](path, { types });
  const named = (all: readonly Column[]): Record<string, Column> =>
    Object.fromEntries(columns.flatMap(({ name }, i) => (all[i] ? [[name, all[i]]] : [])));
  const size = groupRows(columns);
  for (let left = most; left > 0; ) {
    const part = await rows.take(Math.min(size, left));
    if (!part) break;
    await tree.append(named(part.columns));
    left -= part.rows;
  }
  if (tree.entries === 0) await tree.append(named(rows.empty()));
}

/** Yields a file with rows in a format: at most `most`. */
export async function* rowsAs(
  format: RowsFormat,
  name: string,
  { columns }: TableRows,
  rows: RowReader,
  { reader, most = Number.POSITIVE_INFINITY }: { reader: EngineReader; most?: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const size = groupRows(columns);
  async function* parts(): AsyncGenerator<TablePart> {
    let left = most;
    for (let first = true; left > 0; first = false) {
      const part = await rows.take(Math.min(size, left));
      if (!part && !first) break;
      yield part ?? { rows: 0, columns: rows.empty() };
      if (!part) break;
      left -= part.rows;
    }
  }
  if (format === 'csv') {
    yield* csvOf(columns, parts());
    return;
  }
  const table: Table = {
    names: columns.map((one) => one.name),
    rows: 0,
    metadata: new Map([
      ['root.tree.name', name.slice(name.lastIndexOf('/') + 1)],
      ['root.tree.title', ''],
    ]),
    parts,
  };
  yield* exportTable(table, format, { encode: (task, call) => reader.encode(task, call) });
}

/** Rows whose text is made at once. */
const CSV_ROWS = 16_384;

async function* csvOf(
  columns: readonly RowColumn[],
  parts: AsyncIterable<TablePart>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${columns.map(({ name }) => csvText(name)).join(',')}\n`);
  for await (const { rows, columns: all } of parts) {
    const cells = all.map(cellsOf);
    for (let from = 0; from < rows; from += CSV_ROWS) {
      let text = '';
      for (let i = from; i < Math.min(rows, from + CSV_ROWS); i++)
        text += `${cells.map((cell) => csvCell(cell(i))).join(',')}\n`;
      yield encoder.encode(text);
    }
  }
}

function cellsOf(column: Column): (row: number) => number | bigint | string | undefined {
  if (column.kind === 'primitive') return (row) => column.data[row] as number | bigint;
  if (column.kind !== 'string') return () => undefined;
  const { bytes, offsets } = column;
  return (row) => decodeText(bytes.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0));
}

/** Opens the rows of a table, and closes them after `use`. */
export async function withRows<T>(
  table: TableRows,
  context: Pick<Context, 'open'>,
  use: (rows: RowReader) => Promise<T>,
): Promise<T> {
  const rows = new RowReader(table, context);
  try {
    return await use(rows);
  } finally {
    await rows.close();
  }
}
