import type { ErrorRecord } from '../base/errors';
import type { PrimitiveArray } from '../core/columns';
import type { ClassRecord, ElementRecord } from '../core/file-core';

/** A class in a file's streamer infos: its base classes and members in order. */
export type ClassInfo = ClassRecord;
export type MemberInfo = ElementRecord;

/** Plain data of a stored object: `_typename`, then ROOT's member names. */
export type PlainValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | PlainValue[]
  | PrimitiveArray
  | { [member: string]: PlainValue };
export type PlainObject = { _typename: string; [member: string]: PlainValue };

/** One of several stored objects that are read together, or the error why it cannot be read. */
export type ObjectOutcome =
  | { object: PlainObject; error?: undefined }
  | { object?: undefined; error: ErrorRecord };

/** A stored function to be evaluated. */
export interface FunctionRequest {
  /** A TF1, TF2 or TF3 from the call `object`. */
  function: PlainObject;
  /** Number of points along each axis, including both ends. Default: 1001 for a TF1, 101 for a TF2, 31 for a TF3. */
  points?: number[] | undefined;
  /** Whether the points are even in the logarithm of x, if x is positive. */
  log?: boolean | undefined;
}

/** Points from `low` to `high`, including both ends, evenly spaced or evenly spaced in the logarithm. */
export interface GridAxis {
  low: number;
  high: number;
  points: number;
  log: boolean;
}

/**
 * Values of a stored function, x varying fastest, or the error why it has none. `saved`: the values are not computed
 * from the formula, but were saved in the file by ROOT on a grid of its choice.
 */
export type FunctionValues =
  | { axes: GridAxis[]; values: Float64Array; saved: boolean; error?: undefined }
  | { error: ErrorRecord };
