import type { DType } from '../core/columns';

/** The names of number types in NumPy. */
export const NUMPY_DTYPES: Record<DType, string> = {
  bool: '|b1',
  i8: '|i1',
  u8: '|u1',
  i16: '<i2',
  u16: '<u2',
  i32: '<i4',
  u32: '<u4',
  i64: '<i8',
  u64: '<u8',
  f32: '<f4',
  f64: '<f8',
};
