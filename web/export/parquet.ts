import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { toXylemError } from '../base/errors';
import type { Column, DType } from '../core/columns';
import { numberLists, writeLists } from './parquet-lists';
import { plainRows } from './plain-rows';
import { describeColumn, notForFormat, type Table } from './table';

/** Physical types, and how narrower and unsigned numbers are told from others. */
const TYPES: Record<DType, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  bool: { type: 'BOOLEAN' },
  i8: { type: 'INT32', converted_type: 'INT_8' },
  u8: { type: 'INT32', converted_type: 'UINT_8' },
  i16: { type: 'INT32', converted_type: 'INT_16' },
  u16: { type: 'INT32', converted_type: 'UINT_16' },
  i32: { type: 'INT32' },
  u32: { type: 'INT32', converted_type: 'UINT_32' },
  i64: { type: 'INT64' },
  u64: { type: 'INT64', converted_type: 'UINT_64' },
  f32: { type: 'FLOAT' },
  f64: { type: 'DOUBLE' },
};

/**
 * Parquet: a row group for each part, lists as LIST, structures as groups, pages compressed with
 * Snappy. Throws UNSUPPORTED for values of several types in one column.
 */
export async function* parquet(table: Table): AsyncGenerator<Uint8Array> {
  let writer: ParquetWriter | undefined;
  const bytes = new Drained();
  try {
    for await (const { rows, columns } of table.parts()) {
      writer ??= new ParquetWriter({
        writer: bytes,
        schema: [
          { name: 'root', num_children: columns.length },
          ...columns.flatMap((column, i) => schemaOf(column, table.names[i] ?? '', 'REQUIRED')),
        ],
        createdBy: 'xylem',
        kvMetadata: Array.from(table.metadata ?? [], ([key, value]) => ({ key, value })),
      });
      if (rows > 0) await writeGroup(writer, table.names, columns, rows);
      yield bytes.take();
    }
    await writer?.finish();
    yield bytes.take();
  } catch (thrown) {
    throw toXylemError(thrown);
  }
}

/** Columns are written one by one, each as a group, which are put together: lists of numbers in a way of their own. */
async function writeGroup(
  writer: ParquetWriter,
  names: string[],
  columns: Column[],
  rows: number,
): Promise<void> {
  const [before, written] = [writer.row_groups.length, writer.num_rows];
  for (const [i, column] of columns.entries()) {
    const name = names[i] ?? '';
    const lists = numberLists(column);
    if (lists) writeLists(writer, schemaOf(column, name, 'REQUIRED'), lists);
    else await writer.write({ columnData: [sourceOf(column, name)], rowGroupSize: rows });
  }
  const parts = writer.row_groups.splice(before);
  writer.row_groups.push({
    columns: parts.flatMap((part) => part.columns),
    total_byte_size: parts.reduce((sum, part) => sum + part.total_byte_size, 0n),
    total_compressed_size: parts.reduce((sum, part) => sum + (part.total_compressed_size ?? 0n), 0n),
    num_rows: BigInt(rows),
  });
  writer.num_rows = written + BigInt(rows);
}

/** Gives what was written so far; offsets go on. */
class Drained extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

function sourceOf(column: Column, name: string): ColumnSource {
  // A dictionary would take -0 for 0, and texts of bytes gain most.
  const exact = column.kind === 'string' || column.kind === 'tape' ? {} : { encoding: 'PLAIN' as const };
  return {
    name,
    data: plainRows(column),
    statistics: false,
    ...exact,
  };
}

function schemaOf(
  column: Column,
  name: string,
  repetition_type: 'REQUIRED' | 'OPTIONAL' | 'REPEATED',
): SchemaElement[] {
  switch (column.kind) {
    case 'primitive':
      return [{ name, repetition_type, ...TYPES[column.dtype] }];
    case 'string':
      return [{ name, repetition_type, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
    case 'tape':
      return [{ name, repetition_type, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
    case 'fixed':
    case 'list':
      return [
        { name, repetition_type, num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...schemaOf(column.child, 'element', 'REQUIRED'),
      ];
    case 'struct': {
      if (column.children.length === 0)
        throw notForFormat('Parquet', name, 'structures without members', other);
      const children = column.children.flatMap((child, i) =>
        schemaOf(child, column.names[i] ?? '', 'REQUIRED'),
      );
      return [{ name, repetition_type, num_children: column.children.length }, ...children];
    }
    case 'optional':
      return schemaOf(column.child, name, 'OPTIONAL');
    case 'variant':
      throw notForFormat('Parquet', name, describeColumn(column), other);
  }
}

const other = 'Write Arrow or JSON Lines, or leave it out.';
