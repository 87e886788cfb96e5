/** Element types of primitive columns and arrays, numbered as in wasm/src/streamer/tape.h. */
export const DTYPES = ['bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f32', 'f64'] as const;

/** `bool` is one byte of 0 or 1. */
export type DType = (typeof DTYPES)[number];

export type PrimitiveArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

const CONSTRUCTORS = {
  bool: Uint8Array,
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** Bytes of one element. */
export function sizeOf(dtype: DType): number {
  return CONSTRUCTORS[dtype].BYTES_PER_ELEMENT;
}

/** An array of zeroes. */
export function makeArray(dtype: DType, length: number): PrimitiveArray {
  return new CONSTRUCTORS[dtype](length);
}

/** The elements that lie in bytes, without a copy; the bytes begin at a multiple of the size of an element. */
export function viewArray(
  dtype: DType,
  { buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>,
): PrimitiveArray {
  return new CONSTRUCTORS[dtype](buffer, byteOffset, byteLength / sizeOf(dtype));
}

/** The elements in a buffer of their own. */
export function toArray(dtype: DType, buffer: ArrayBuffer): PrimitiveArray {
  return new CONSTRUCTORS[dtype](buffer);
}
