import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { CallOptions } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import type { Column, DType } from '../../../core/columns';
import type { Compression, EncodedChunk, EncodeTask } from '../../../core/encoder';
import type { SpareInputs } from '../../../core/task-input';
import { describeColumn, notForFormat, type Table } from '../../../export/table';
import { type Encode, encodeInOrder } from './encode-in-order';
import { type Leaf, leafBytes, leavesOf, taskOf } from './parquet-leaves';

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

const CODECS = { none: 'UNCOMPRESSED', snappy: 'SNAPPY', zstd: 'ZSTD' } as const;

/** Bytes of the columns of a task: enough for its way to a worker to cost little. */
const TASK_BYTES = 2 * 1024 * 1024;

/**
 * Parquet: a row group for each part, lists as LIST, structures as groups. Throws UNSUPPORTED for values of several
 * types in one column.
 */
export async function* parquet(
  table: Table,
  encode: Encode,
  compression: Compression,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array> {
  let writer: ParquetWriter | undefined;
  let paths: SchemaElement[][] = [];
  const bytes = new Drained();
  const spares: SpareInputs = [];
  try {
    for await (const { rows, columns } of table.parts()) {
      if (!writer) {
        const schemas = columns.map((column, i) => schemaOf(column, table.names[i] ?? '', 'REQUIRED'));
        paths = schemas.flatMap(leafPaths);
        writer = new ParquetWriter({
          writer: bytes,
          schema: [{ name: 'root', num_children: columns.length }, ...schemas.flat()],
          codec: CODECS[compression],
          createdBy: 'xylem',
          kvMetadata: Array.from(await metadataOf(table, columns), ([key, value]) => ({ key, value })),
        });
        yield bytes.take();
      }
      if (rows === 0) continue;
      const chunks: ColumnChunk[] = [];
      const tasks = tasksOf(columns.flatMap(leavesOf), compression, spares);
      for await (const result of encodeInOrder(tasks, spares, encode, options)) {
        let at = bytes.offset;
        for (const chunk of result.chunks) {
          const path = paths[chunks.length] ?? [];
          chunks.push(chunkOf(writer, path, chunk, at));
          at += chunk.size;
        }
        bytes.offset = at;
        yield result.bytes;
      }
      writer.row_groups.push(groupOf(chunks, rows));
      writer.num_rows += BigInt(rows);
    }
    await writer?.finish();
    yield bytes.take();
  } catch (thrown) {
    throw toXylemError(thrown);
  }
}

/** The texts of a file. Documentation of columns is in the schema for readers of Arrow, if there is any. */
async function metadataOf(table: Table, columns: readonly Column[]): Promise<Map<string, string>> {
  const metadata = new Map(table.metadata);
  if (table.about?.some(({ documentation }) => documentation !== undefined)) {
    const { schemaText } = await import('./arrow');
    metadata.set('ARROW:schema', schemaText(table, columns));
  }
  return metadata;
}

function* tasksOf(
  leaves: readonly Leaf[],
  compression: Compression,
  spares: SpareInputs,
): Generator<EncodeTask> {
  for (const group of groupsOf(leaves)) yield taskOf(group, compression, spares);
}

function* groupsOf(leaves: readonly Leaf[]): Generator<Leaf[]> {
  let group: Leaf[] = [];
  let size = 0;
  for (const leaf of leaves) {
    group.push(leaf);
    size += leafBytes(leaf);
    if (size < TASK_BYTES) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

/** Keeps what is written until it is taken; offsets continue, also past bytes that went another way. */
class Drained extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

/** The elements from a column's own to each of its values. */
function leafPaths(schema: readonly SchemaElement[]): SchemaElement[][] {
  const paths: SchemaElement[][] = [];
  let next = 0;
  const visit = (above: SchemaElement[]): void => {
    const element = schema[next++] as SchemaElement;
    const path = [...above, element];
    if (!element.num_children) paths.push(path);
    for (let i = 0; i < (element.num_children ?? 0); i++) visit(path);
  };
  visit([]);
  return paths;
}

/** The entry of a column's chunk in the list at the end of the file; the chunk begins at `start`. */
function chunkOf(
  { codec, pendingIndexes }: ParquetWriter,
  path: readonly SchemaElement[],
  { size, uncompressed, slots, dictionary, pages, bounds }: EncodedChunk,
  start: number,
): ColumnChunk {
  const element = path.at(-1);
  const [min, max] = bounds ?? [];
  // Zero has two signs: the format wants the bounds to hold both.
  const statistics = min !== undefined &&
    max !== undefined && { null_count: 0n, min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
  const chunk: ColumnChunk = {
    file_offset: BigInt(start),
    meta_data: {
      type: element?.type ?? 'DOUBLE',
      encodings: dictionary > 0 ? ['PLAIN', 'RLE', 'RLE_DICTIONARY'] : ['PLAIN', 'RLE'],
      path_in_schema: path.map(({ name }) => name),
      codec,
      num_values: BigInt(slots),
      total_uncompressed_size: BigInt(uncompressed),
      total_compressed_size: BigInt(size),
      data_page_offset: BigInt(start + dictionary),
      ...(dictionary > 0 && { dictionary_page_offset: BigInt(start) }),
      ...(statistics && { statistics }),
    },
  };
  const places = Array.from({ length: pages.length / 3 }, (_, i) => ({
    offset: BigInt(start + (pages[3 * i] ?? 0)),
    compressed_page_size: pages[3 * i + 1] ?? 0,
    first_row_index: BigInt(pages[3 * i + 2] ?? 0),
  }));
  pendingIndexes.push(places.length > 1 ? { chunk, offsetIndex: { page_locations: places } } : { chunk });
  return chunk;
}

function groupOf(columns: ColumnChunk[], rows: number): ParquetWriter['row_groups'][number] {
  const sum = (key: 'total_uncompressed_size' | 'total_compressed_size'): bigint =>
    columns.reduce((total, { meta_data }) => total + (meta_data?.[key] ?? 0n), 0n);
  return {
    columns,
    total_byte_size: sum('total_uncompressed_size'),
    total_compressed_size: sum('total_compressed_size'),
    num_rows: BigInt(rows),
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
        throw notForFormat('Parquet', name, 'structures without members', OTHER);
      const children = column.children.flatMap((child, i) =>
        schemaOf(child, column.names[i] ?? '', 'REQUIRED'),
      );
      return [{ name, repetition_type, num_children: column.children.length }, ...children];
    }
    case 'optional':
      return schemaOf(column.child, name, 'OPTIONAL');
    case 'variant':
      throw notForFormat('Parquet', name, describeColumn(column), OTHER);
  }
}

const OTHER = 'Write Arrow or JSON Lines, or leave it out.';
