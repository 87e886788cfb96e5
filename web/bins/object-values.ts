import { XylemError } from '../base/errors';
import type { PrimitiveArray } from '../core/dtypes';
import type { TapeValue } from '../core/tape';

/** An object as data, as returned by `ObjectCodec.read` and `EngineApi.object`. */
export type Members = { [member: string]: TapeValue };

/** Returns the error for two objects that cannot be added. The caller adds their names. */
export function unaddable(message: string): XylemError {
  return new XylemError({
    code: 'UNSUPPORTED',
    message,
    fix: 'Merge the files without this object, or add it with a program that knows what it means.',
  });
}

export function isArray(value: TapeValue | undefined): value is PrimitiveArray {
  return ArrayBuffer.isView(value);
}

/** Returns a member that is a number; 0 if the class does not have it. */
export function numberOf(object: Members, member: string): number {
  return Number(object[member] ?? 0);
}

/** Returns a member that is an array of numbers, for example a TArrayD; empty if the class does not have it. */
export function arrayOf(object: Members, member: string): PrimitiveArray {
  const value = object[member];
  if (isArray(value)) return value;
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return new Float64Array(0);
  throw unaddable(`${String(object._typename)}::${member} is not an array of numbers.`);
}

export function objectOf(object: Members, member: string): Members {
  const value = object[member];
  if (value === null || typeof value !== 'object' || Array.isArray(value) || isArray(value))
    throw unaddable(`${String(object._typename)} has no object ${member}.`);
  return value;
}
