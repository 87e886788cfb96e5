/** Element types of primitive columns; `bool` is one byte of 0 or 1. */
export type DType = 'bool' | 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';

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

/**
 * The one in-memory form of everything that is read, in Arrow's shape. `length` is the number of
 * rows. Offsets have length + 1 members and start at 0.
 */
export type Column =
  | { kind: 'primitive'; length: number; dtype: DType; data: PrimitiveArray; approximate?: boolean }
  | { kind: 'fixed'; length: number; size: number; child: Column }
  | { kind: 'list'; length: number; offsets: Int32Array; child: Column; unordered?: boolean }
  | { kind: 'string'; length: number; offsets: Int32Array; bytes: Uint8Array }
  | { kind: 'struct'; length: number; typeName: string; names: string[]; children: Column[] }
  | { kind: 'optional'; length: number; validity: Uint8Array; child: Column }
  | { kind: 'variant'; length: number; tags: Uint8Array; offsets: Int32Array; children: Column[] }
  /** Rows without a common shape (polymorphic pointers, recursive classes): one value tape a row. */
  | { kind: 'tape'; length: number; offsets: Int32Array; bytes: Uint8Array };
