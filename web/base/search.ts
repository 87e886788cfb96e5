/**
 * Returns the first index below `count` for which `holds` is true, or `count` if there is none. `holds` must be true
 * for all indices after the first one.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The searches in lists of numbers have their own loops, because they run for each row of a query, and a function call
// per step would cost more than the step.

/** Returns the index of the first number that is at least `value`, or the length of the list if there is none. */
export function firstAtLeast(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the first number above `limit` among the first `count`, or `count` if there is none. */
export function firstAbove(ascending: ArrayLike<number>, limit: number, count = ascending.length): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the last number that is at most `value` among the first `count`, or 0 if there is none. */
export function lastAtMost(ascending: ArrayLike<number>, count: number, value: number): number {
  return Math.max(0, firstAbove(ascending, value, count) - 1);
}

/** Returns the own property of a record with a name from outside, never an inherited one such as "constructor". */
export function own<T>(record: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
