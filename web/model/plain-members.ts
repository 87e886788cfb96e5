import type { PlainValue } from '../api/api';

export function isRecord(value: PlainValue | undefined): value is { [member: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Returns the members of a stored object; undefined for anything else. */
export function record(value: PlainValue | undefined): { [member: string]: PlainValue } | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns a stored text; empty for anything else. */
export function text(value: PlainValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a stored number as a double; NaN for anything else. */
export function number(value: PlainValue | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** Returns any array of numbers as doubles. A TArray may be given as its members or as the array itself. */
export function numbers(value: PlainValue | undefined): Float64Array | undefined {
  if (value instanceof Float64Array) return value;
  if (Array.isArray(value)) return Float64Array.from(value, (item) => number(item));
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) {
    return Float64Array.from(value, Number);
  }
  if (ArrayBuffer.isView(value)) return Float64Array.from(value as Iterable<number>);
  const members = record(value);
  return members === undefined ? undefined : numbers(members.fArray);
}
