import type { ColumnChunk, OffsetIndex, SchemaElement } from 'hyparquet';
import type { ParquetWriter } from 'hyparquet-writer';
import type { Column } from '../core/columns';
import { boundsOf, type NumberPage, plainBytes, writePage } from './parquet-page';

/** A page ends with the row in which it reaches this many bytes of values. */
const PAGE_BYTES = 1 << 20;

/** Numbers, alone or in lists, lists of lists and so on: for each depth the offsets of the lists' members. */
export interface NumberLists {
  rows: number;
  offsets: Int32Array[];
  numbers: Column & { kind: 'primitive' };
}

/** The lists of a column that has nothing but numbers in them, no lists where each row is a number; undefined of others. */
export function numberLists(column: Column): NumberLists | undefined {
  const offsets: Int32Array[] = [];
  let inner = column;
  while (inner.kind === 'list' || inner.kind === 'fixed') {
    offsets.push(inner.kind === 'list' ? inner.offsets : evenOffsets(inner.length, inner.size));
    inner = inner.child;
  }
  return inner.kind === 'primitive' ? { rows: column.length, offsets, numbers: inner } : undefined;
}

function evenOffsets(rows: number, size: number): Int32Array {
  return Int32Array.from({ length: rows + 1 }, (_, row) => row * size);
}

/**
 * Writes such a column as a row group of its own. The writer's way takes an array for each row; here the levels
 * come from the offsets, and the numbers go into the pages as they lie in memory. `schema` is that of the column:
 * each element is the parent of the next one.
 */
export function writeLists(writer: ParquetWriter, schema: SchemaElement[], lists: NumberLists): void {
  const { codec } = writer;
  const element = schema.at(-1) as SchemaElement;
  const start = writer.writer.offset;
  const locations: OffsetIndex['page_locations'] = [];
  let [slots, uncompressed, firstRow] = [0, 0, 0];
  for (const page of pages(lists)) {
    const offset = writer.writer.offset;
    uncompressed += writePage(writer, page);
    slots += page.depth > 0 ? page.definitionLevels.length : page.values;
    locations.push({
      offset: BigInt(offset),
      compressed_page_size: writer.writer.offset - offset,
      first_row_index: BigInt(firstRow),
    });
    firstRow += page.rows;
  }
  const { data, dtype } = lists.numbers;
  const bounds = lists.offsets.length === 0 ? boundsOf(data.subarray(0, lists.rows), dtype) : undefined;
  const chunk: ColumnChunk = {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type ?? 'DOUBLE',
      encodings: ['PLAIN'],
      path_in_schema: schema.map(({ name }) => name),
      codec,
      num_values: BigInt(slots),
      total_uncompressed_size: BigInt(uncompressed),
      total_compressed_size: BigInt(writer.writer.offset - start),
      data_page_offset: BigInt(start),
      ...(bounds && { statistics: { null_count: 0n, ...bounds } }),
    },
  };
  writer.pendingIndexes.push(
    locations.length > 1 ? { chunk, offsetIndex: { page_locations: locations } } : { chunk },
  );
  writer.row_groups.push({
    columns: [chunk],
    total_byte_size: BigInt(uncompressed),
    total_compressed_size: BigInt(writer.writer.offset - start),
    num_rows: BigInt(lists.rows),
  });
}

/**
 * Levels as Dremel has them: a value's definition level is the number of lists that it lies in, an empty list's that
 * of the lists around it; the repetition level is the depth of the list that goes on, 0 where a row begins.
 */
function* pages({ rows, offsets, numbers: { data, dtype } }: NumberLists): Generator<NumberPage> {
  const depth = offsets.length;
  const pageValues = Math.ceil(PAGE_BYTES / data.BYTES_PER_ELEMENT);
  const none = new Uint8Array(0);
  if (depth === 0) {
    for (let from = 0; from < rows; from += pageValues) {
      const to = Math.min(rows, from + pageValues);
      const bytes = plainBytes(data.subarray(from, to), dtype);
      const [repetitionLevels, definitionLevels] = [none, none];
      yield { rows: to - from, repetitionLevels, definitionLevels, depth, values: to - from, bytes };
    }
    return;
  }
  // Each value and each list has at most one place.
  const most = offsets.reduce((sum, list) => sum + list.length, offsets.at(-1)?.at(-1) ?? 0);
  const repetitions = new Uint8Array(most);
  const definitions = new Uint8Array(most);
  let [slot, firstSlot, firstRow, first, next] = [0, 0, 0, 0, 0];
  const visit = (level: number, index: number, repetition: number): void => {
    const from = offsets[level]?.[index] ?? 0;
    const to = offsets[level]?.[index + 1] ?? 0;
    if (from === to) {
      repetitions[slot] = repetition;
      definitions[slot++] = level;
    } else if (level === depth - 1) {
      repetitions[slot] = repetition;
      repetitions.fill(depth, slot + 1, slot + to - from);
      definitions.fill(depth, slot, slot + to - from);
      slot += to - from;
      next = to;
    } else {
      for (let i = from; i < to; i++) visit(level + 1, i, i === from ? repetition : level + 1);
    }
  };
  for (let row = 0; row < rows; row++) {
    visit(0, row, 0);
    if (next - first < pageValues && row < rows - 1) continue;
    yield {
      rows: row + 1 - firstRow,
      repetitionLevels: repetitions.subarray(firstSlot, slot),
      definitionLevels: definitions.subarray(firstSlot, slot),
      depth,
      values: next - first,
      bytes: plainBytes(data.subarray(first, next), dtype),
    };
    [firstRow, firstSlot, first] = [row + 1, slot, next];
  }
}
