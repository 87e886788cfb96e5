import {
  AsyncByteQueue,
  Bool,
  type Data,
  DataType,
  DenseUnion,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import { joined } from '../../../base/bytes';
import { toXylemError } from '../../../base/errors';
import type { Column, DType } from '../../../core/columns';
import type { Table } from '../../../export/table';
import type { Documented } from '../../../model/documentation';
import { jsonTexts, validUtf8 } from './text-columns';

const TYPES: Record<Exclude<DType, 'bool'>, () => DataType> = {
  i8: () => new Int8(),
  u8: () => new Uint8(),
  i16: () => new Int16(),
  u16: () => new Uint16(),
  i32: () => new Int32(),
  u32: () => new Uint32(),
  i64: () => new Int64(),
  u64: () => new Uint64(),
  f32: () => new Float32(),
  f64: () => new Float64(),
};

/** Keeps what is written until it is taken, so that no more than a batch waits. */
class Gathered extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(value: Uint8Array): void {
    this.#pieces.push(value);
  }

  take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

/**
 * Arrow IPC: the file format, which has an index at its end, or the stream format. Each part is a
 * record batch; numbers, lists and texts go out as they lie in memory, without a copy.
 */
export async function* arrowTable(table: Table, format: 'file' | 'stream'): AsyncGenerator<Uint8Array> {
  const sink = new Gathered();
  const writer = format === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  let schema: Schema | undefined;
  try {
    for await (const { rows, columns } of table.parts()) {
      const children = columns.map(arrowData);
      if (schema === undefined) {
        schema = new Schema(
          children.map((data, i) => fieldOf(table.names[i] ?? '', columns[i], data.type, table.about?.[i])),
          new Map(table.metadata),
        );
        writer.reset(sink, schema);
      }
      const data = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children });
      writer.write(new RecordBatch(schema, data));
      yield* sink.take();
    }
    writer.finish();
    yield* sink.take();
  } catch (thrown) {
    throw toXylemError(thrown);
  }
}

function fieldOf(name: string, column: Column | undefined, type: DataType, about: Documented = {}): Field {
  const mayLack = column?.kind === 'optional' || column?.kind === 'variant';
  return new Field(name, type, mayLack, metadataOf(about));
}

/** The documentation and the unit of a column as metadata of its field. */
function metadataOf({ documentation, unit }: Documented): Map<string, string> {
  return new Map([
    ...(documentation === undefined ? [] : [['root.branch.title', documentation] as const]),
    ...(unit === undefined ? [] : [['root.branch.unit', unit] as const]),
  ]);
}

/**
 * Returns the schema of columns as Parquet files have it for readers of Arrow (ARROW:schema): a message of IPC, in
 * base64. Parquet itself has no place for metadata of a column.
 */
export function schemaText(table: Table, columns: readonly Column[]): string {
  const fields = columns.map((column, i) =>
    fieldOf(table.names[i] ?? '', column, inParquet(arrowData(column).type), table.about?.[i]),
  );
  const sink = new Gathered();
  const writer = new RecordBatchStreamWriter();
  writer.reset(sink, new Schema(fields));
  writer.finish();
  const bytes = joined(sink.take());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Returns a type as the columns of Parquet have it, which has no lists of fixed size. */
function inParquet(type: DataType): DataType {
  const fields = type.children?.map((field) => field.clone({ type: inParquet(field.type) })) ?? [];
  if (DataType.isFixedSizeList(type) || DataType.isList(type)) return new List(fields[0] as Field);
  return DataType.isStruct(type) ? new Struct(fields) : type;
}

/** A column as Arrow has it: the same buffers, but for truth values and missing ones, which are bits. */
export function arrowData(column: Column): Data {
  const { length } = column;
  switch (column.kind) {
    case 'primitive':
      if (column.dtype === 'bool') {
        const data = bitmap(column.data as Uint8Array, length);
        return makeData({ type: new Bool(), length, nullCount: 0, data });
      }
      return makeData({ type: TYPES[column.dtype](), length, nullCount: 0, data: column.data } as never);
    case 'fixed': {
      const child = arrowData(column.child);
      const type = new FixedSizeList(column.size, fieldOf('item', column.child, child.type));
      return makeData({ type, length, nullCount: 0, child });
    }
    case 'list': {
      const child = arrowData(column.child);
      const type = new List(fieldOf('item', column.child, child.type));
      return makeData({ type, length, nullCount: 0, valueOffsets: column.offsets, child });
    }
    case 'string': {
      const { offsets, bytes } = validUtf8(column);
      return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets: offsets, data: bytes });
    }
    case 'tape': {
      const { offsets, bytes } = jsonTexts(column);
      return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets: offsets, data: bytes });
    }
    case 'struct': {
      const children = column.children.map(arrowData);
      const fields = children.map((data, i) => fieldOf(column.names[i] ?? '', column.children[i], data.type));
      return makeData({ type: new Struct(fields), length, nullCount: 0, children });
    }
    case 'optional': {
      const child = arrowData(column.child);
      const missing = column.validity.reduce((sum, valid) => sum + (valid === 0 ? 1 : 0), 0);
      return child.clone(child.type, 0, length, missing, [
        child.buffers[0],
        child.buffers[1],
        bitmap(column.validity, length),
        child.buffers[3],
      ] as never);
    }
    case 'variant':
      return denseUnion(column);
  }
}

/** A row without a value is one of a last child that holds nothing. */
function denseUnion(column: Column & { kind: 'variant' }): Data {
  const { length, tags, offsets } = column;
  const none = column.children.length;
  const typeIds = Int8Array.from(tags, (tag) => (tag === 255 ? none : tag));
  const places = offsets.slice();
  let missing = 0;
  for (let row = 0; row < length; row++) if (tags[row] === 255) places[row] = missing++;
  const children = [
    ...column.children.map(arrowData),
    makeData({ type: new Null(), length: missing, nullCount: missing }),
  ];
  const fields = children.map((data, i) =>
    i === none ? new Field('none', data.type, true) : fieldOf(String(i), column.children[i], data.type),
  );
  const ids = fields.map((_, i) => i);
  const type = new DenseUnion(ids, fields);
  return makeData({ type, length, typeIds, valueOffsets: places, children } as never);
}

/** Bytes of 0 and others as bits, the lowest first. */
function bitmap(bytes: Uint8Array, length: number): Uint8Array {
  const bits = new Uint8Array((length + 7) >> 3);
  for (let i = 0; i < length; i++) if (bytes[i] !== 0) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
  return bits;
}
