import { ByteWriter, type ParquetWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { DType, PrimitiveArray } from '../core/columns';

/** A page of numbers, as it goes into a file. */
export interface NumberPage {
  rows: number;
  /** Empty where `depth` is 0. */
  repetitionLevels: Uint8Array;
  definitionLevels: Uint8Array;
  /** The number of lists that each value lies in. */
  depth: number;
  /** Number of values. */
  values: number;
  /** The values in Parquet's PLAIN encoding. */
  bytes: Uint8Array;
}

/** Compressing is tried on this many bytes of a page first. */
const SAMPLE_BYTES = 16 * 1024;
/** A page is compressed when its first bytes shrink at least to this part. */
const MAX_RATIO = 0.95;

/** Writes a page (DATA_PAGE_V2). Returns its number of uncompressed bytes, header included. */
export function writePage({ writer, compressors }: ParquetWriter, page: NumberPage): number {
  const { depth, rows, definitionLevels, repetitionLevels, values, bytes } = page;
  const levels = new ByteWriter();
  const bits = Math.ceil(Math.log2(depth + 1));
  const repetitionBytes = depth > 0 ? writeRleBitPackedHybrid(levels, repetitionLevels, bits) : 0;
  const definitionBytes = depth > 0 ? writeRleBitPackedHybrid(levels, definitionLevels, bits) : 0;
  const slots = depth > 0 ? definitionLevels.length : values;
  const compressed = compress(bytes, compressors.SNAPPY);
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.offset + bytes.length,
    compressed_page_size: levels.offset + (compressed ?? bytes).length,
    data_page_header_v2: {
      num_values: slots,
      num_nulls: slots - values,
      num_rows: rows,
      encoding: 'PLAIN',
      definition_levels_byte_length: definitionBytes,
      repetition_levels_byte_length: repetitionBytes,
      is_compressed: compressed !== undefined,
    },
  });
  const headerBytes = writer.offset - start;
  writer.appendBytes(levels.getBytes());
  writer.appendBytes(compressed ?? bytes);
  return headerBytes + levels.offset + bytes.length;
}

/** Returns the bytes compressed; undefined where that would save next to nothing. */
function compress(
  bytes: Uint8Array,
  snappy: ((input: Uint8Array) => Uint8Array) | undefined,
): Uint8Array | undefined {
  if (!snappy || bytes.length === 0) return undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const small = snappy(sample);
  if (small.length > MAX_RATIO * sample.length) return undefined;
  return sample.length === bytes.length ? small : snappy(bytes);
}

/** Numbers in Parquet's PLAIN encoding: those of 4 and 8 bytes as they lie in memory, truth values as bits. */
export function plainBytes(data: PrimitiveArray, dtype: DType): Uint8Array {
  if (dtype === 'bool') {
    const bits = new Uint8Array((data.length + 7) >> 3);
    for (let i = 0; i < data.length; i++) if (data[i]) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
    return bits;
  }
  const wide = data.BYTES_PER_ELEMENT < 4 ? Int32Array.from(data as ArrayLike<number>) : data;
  return new Uint8Array(wide.buffer, wide.byteOffset, wide.byteLength);
}

/**
 * Least and greatest of numbers. Undefined where a NaN is among them, where there are none, and for unsigned numbers
 * and truth values, whose order readers do not agree about.
 */
export function boundsOf(
  data: PrimitiveArray,
  dtype: DType,
): { min_value: number | bigint; max_value: number | bigint } | undefined {
  if (dtype === 'bool' || dtype === 'u32' || dtype === 'u64' || data.length === 0) return undefined;
  let min = data[0] as number;
  let max = min;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    if (Number.isNaN(value)) return undefined;
  }
  // Zero has two signs: the format wants the bounds to hold both.
  return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
}
