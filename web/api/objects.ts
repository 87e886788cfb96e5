import type { ErrorRecord } from '../base/errors';
import type { PrimitiveArray } from '../core/columns';
import type { ClassRecord, ElementRecord } from '../core/file-core';

/** A class as a file's streamer infos describe it, and its base classes and members in order. */
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

/** A stored object of several that are read together, or why it cannot be read. */
export type ObjectOutcome =
  | { object: PlainObject; error?: undefined }
  | { object?: undefined; error: ErrorRecord };

/** A stored function, whose values are wanted. */
export interface FunctionRequest {
  /** A TF1, TF2 or TF3 as `object` gives it. */
  function: PlainObject;
  /** Points along each axis, ends included. Default 1001 for a TF1, 101 for a TF2, 31 for a TF3. */
  points?: number[] | undefined;
  /** Even steps of the logarithm of x, where x is positive. */
  log?: boolean | undefined;
}

/** Points from `low` to `high`, both included: even, or even in the logarithm. */
export interface GridAxis {
  low: number;
  high: number;
  points: number;
  log: boolean;
}

/**
 * Values of a stored function, x running fastest, or why it has none. `saved`: they are not computed
 * from its formula but are those that ROOT saved in the file, on the grid that it chose.
 */
export type FunctionValues =
  | { axes: GridAxis[]; values: Float64Array; saved: boolean; error?: undefined }
  | { error: ErrorRecord };
