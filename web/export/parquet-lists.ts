import type { ColumnChunk, DecodedArray, OffsetIndex, SchemaElement } from 'hyparquet';
import type { ParquetWriter } from 'hyparquet-writer';
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
import type { Column } from '../core/columns';

/** A page ends with the row in which it comes to so many bytes of values. */
const PAGE_BYTES = 1 << 20;

/** Numbers in lists, lists of lists and so on: for each depth the offsets of the lists' members. */
export interface NumberLists {
  rows: number;
  offsets: Int32Array[];
  /** The numbers from one to another, as they are written. */
  values(from: number, to: number): DecodedArray;
  bytesPerValue: number;
}

/** The lists of a column that has nothing but numbers in them; undefined of others. */
export function numberLists(column: Column): NumberLists | undefined {
  const offsets: Int32Array[] = [];
  let inner = column;
  while (inner.kind === 'list' || inner.kind === 'fixed') {
    offsets.push(inner.kind === 'list' ? inner.offsets : evenOffsets(inner.length, inner.size));
    inner = inner.child;
  }
  if (inner.kind !== 'primitive' || offsets.length === 0) return undefined;
  const { data, dtype } = inner;
  const values = (from: number, to: number): DecodedArray => {
    const some = data.subarray(from, to);
    if (dtype === 'bool') return Array.from(some as Uint8Array, (value) => value !== 0);
    // Unsigned numbers are written with the bits that they have.
    if (some instanceof Uint32Array) return new Int32Array(some.buffer, some.byteOffset, some.length);
    if (some instanceof BigUint64Array) return new BigInt64Array(some.buffer, some.byteOffset, some.length);
    return some as DecodedArray;
  };
  return { rows: column.length, offsets, values, bytesPerValue: data.BYTES_PER_ELEMENT };
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
  const { codec, compressors } = writer;
  const element = schema.at(-1) as SchemaElement;
  const start = writer.writer.offset;
  const locations: OffsetIndex['page_locations'] = [];
  let [slots, uncompressed] = [0, 0];
  for (const { firstRow, values, repetitionLevels, definitionLevels } of pages(lists)) {
    const offset = writer.writer.offset;
    uncompressed += writeDataPageV2({
      writer: writer.writer,
      column: {
        columnName: schema[0]?.name ?? '',
        element,
        schemaPath: [{ name: 'root' }, ...schema],
        codec,
        compressors: { SNAPPY: compressors.SNAPPY },
        stats: false,
        pageSize: PAGE_BYTES,
        columnIndex: false,
        offsetIndex: true,
      },
      encoding: 'PLAIN',
      pageData: { values, repetitionLevels, definitionLevels, maxDefinitionLevel: lists.offsets.length },
    });
    slots += definitionLevels.length;
    locations.push({
      offset: BigInt(offset),
      compressed_page_size: writer.writer.offset - offset,
      first_row_index: BigInt(firstRow),
    });
  }
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

interface Page {
  firstRow: number;
  values: DecodedArray;
  repetitionLevels: number[];
  definitionLevels: number[];
}

/**
 * Levels as Dremel has them: a value's definition level is the number of lists that it lies in, an empty list's that
 * of the lists around it; the repetition level is the depth of the list that goes on, 0 where a row begins.
 */
function* pages({ rows, offsets, values, bytesPerValue }: NumberLists): Generator<Page> {
  let repetitionLevels: number[] = [];
  let definitionLevels: number[] = [];
  let [firstRow, first, next] = [0, 0, 0];
  const visit = (depth: number, index: number, repetition: number): void => {
    const from = offsets[depth]?.[index] ?? 0;
    const to = offsets[depth]?.[index + 1] ?? 0;
    if (from === to) {
      repetitionLevels.push(repetition);
      definitionLevels.push(depth);
    } else if (depth === offsets.length - 1) {
      for (let i = from; i < to; i++) {
        repetitionLevels.push(i === from ? repetition : depth + 1);
        definitionLevels.push(depth + 1);
      }
      next = to;
    } else {
      for (let i = from; i < to; i++) visit(depth + 1, i, i === from ? repetition : depth + 1);
    }
  };
  for (let row = 0; row < rows; row++) {
    visit(0, row, 0);
    if ((next - first) * bytesPerValue < PAGE_BYTES && row < rows - 1) continue;
    yield { firstRow, values: values(first, next), repetitionLevels, definitionLevels };
    [firstRow, first, repetitionLevels, definitionLevels] = [row + 1, next, [], []];
  }
}
