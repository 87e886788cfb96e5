/** Values of one output: the number of values of each entry, and the values. */
export interface OutputValues {
  counts: Int32Array;
  values: Float64Array | BigInt64Array | BigUint64Array;
  /** Strings instead of values: a length (int32) before the bytes of each. */
  strings?: Uint8Array;
}

/** Entries that pass the cut. */
export interface Rows {
  /** Their numbers in the tree. */
  entries: Float64Array;
  outputs: OutputValues[];
}
