import type { PlainObject } from '../../../api/api';
import type { Held } from './ops/held';
import type { Statistics } from './ops/numbers';
import type { Range } from './ops/project';

/** An argument of a step. `step` is the result of an earlier one. */
export type ArgValue =
  | number
  | string
  | boolean
  | Range
  | { step: number }
  | readonly (number | string | Range)[];

/**
 * A step of a calculation: an operation, the steps whose results it takes, and its arguments. Steps that open or fill a
 * histogram take none. The result of the last step is that of the calculation.
 */
export interface Step {
  op: string;
  of?: readonly number[];
  [argument: string]: ArgValue | readonly number[] | undefined;
}

/** A result. */
export type Value =
  | { kind: 'histogram'; held: Held }
  | { kind: 'number'; value: number; error: number }
  | { kind: 'statistics'; name: string; axes: string[]; statistics: Statistics }
  /** A TEfficiency. */
  | { kind: 'efficiency'; object: PlainObject; name: string };

/** Returns the arguments of a step, without its operation and operands. */
export function argumentsOf({ op: _op, of: _of, ...args }: Step): Record<string, ArgValue> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) as Record<
    string,
    ArgValue
  >;
}
