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

/** Returns the size of one element in bytes. */
export function sizeOf(dtype: DType): number {
  return CONSTRUCTORS[dtype].BYTES_PER_ELEMENT;
}

/** Returns an array of zeros. */
export function makeArray(dtype: DType, length: number): PrimitiveArray {
  return new CONSTRUCTORS[dtype](length);
}

/** Returns an array view of a part of a buffer, without copying. `at` must be a multiple of the element size. */
export function viewArray(dtype: DType, buffer: ArrayBuffer, at: number, bytes: number): PrimitiveArray {
  return new CONSTRUCTORS[dtype](buffer, at, bytes / sizeOf(dtype));
}

export function numberAt(view: DataView, at: number, dtype: DType): number | bigint {
  switch (dtype) {
    case 'i8':
      return view.getInt8(at);
    case 'i16':
      return view.getInt16(at, true);
    case 'u16':
      return view.getUint16(at, true);
    case 'i32':
      return view.getInt32(at, true);
    case 'u32':
      return view.getUint32(at, true);
    case 'i64':
      return view.getBigInt64(at, true);
    case 'u64':
      return view.getBigUint64(at, true);
    case 'f32':
      return view.getFloat32(at, true);
    case 'f64':
      return view.getFloat64(at, true);
    default:
      return view.getUint8(at);
  }
}

export function dtypeOf(array: PrimitiveArray): DType {
  const found = DTYPES.findLast((dtype) => array instanceof CONSTRUCTORS[dtype]);
  if (found === undefined) throw new TypeError('This is no array of numbers.');
  return found;
}

/** Returns an array view of a whole buffer. */
export function toArray(dtype: DType, buffer: ArrayBuffer): PrimitiveArray {
  return new CONSTRUCTORS[dtype](buffer);
}

/** Rounds a size up to a multiple of 8 bytes, so that the next array is aligned. */
export function padded(size: number): number {
  return Math.ceil(size / 8) * 8;
}
