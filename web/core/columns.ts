import type { DType, PrimitiveArray } from './dtypes';

export type { DType, PrimitiveArray };

/**
 * The only in-memory form of values that were read, in Arrow's layout. `length` is the number of rows. Offsets have
 * length + 1 members and start at 0.
 */
export type Column =
  | { kind: 'primitive'; length: number; dtype: DType; data: PrimitiveArray; approximate?: boolean }
  | { kind: 'fixed'; length: number; size: number; child: Column }
  | { kind: 'list'; length: number; offsets: Int32Array; child: Column; unordered?: boolean }
  | { kind: 'string'; length: number; offsets: Int32Array; bytes: Uint8Array }
  | { kind: 'struct'; length: number; typeName: string; names: string[]; children: Column[] }
  | { kind: 'optional'; length: number; validity: Uint8Array; child: Column }
  /** Row i is row offsets[i] of child tags[i]. A tag of 255 means that row i has no value. */
  | { kind: 'variant'; length: number; tags: Uint8Array; offsets: Int32Array; children: Column[] }
  /** Rows without a common shape (polymorphic pointers, recursive classes): one value tape for each row. */
  | { kind: 'tape'; length: number; offsets: Int32Array; bytes: Uint8Array };
