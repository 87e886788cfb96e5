/**
 * Returns the first index below `count` for which `holds` is true; `count` when there is none. `holds` must be
 * true for all indices after the first one.
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

// The searches in lists of numbers have loops of their own, because they run for each row of a query and a
// call for each step would cost more than the step.

/** Index of the first of ascending numbers that is at least `value`; their count when there is none. */
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

/** Index of the first of the first `count` ascending numbers that is above `limit`; `count` when there is none. */
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

/** Index of the last of the first `count` ascending numbers that is at most `value`; 0 when there is none. */
export function lastAtMost(ascending: ArrayLike<number>, count: number, value: number): number {
  return Math.max(0, firstAbove(ascending, value, count) - 1);
}

/**
 * Returns a record's own value under a name that others chose; never a property that all objects have, such
 * as "constructor".
 */
export function own<T>(record: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
