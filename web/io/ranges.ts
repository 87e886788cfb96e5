import { argumentError, throwIfAborted, XylemError } from '../base/errors';
import type { Range } from './source';

/** Returns the first byte after a range. */
export function endOf(range: Range): number {
  return range.offset + range.length;
}

/**
 * Checks a read before it starts. Throws ARGUMENT unless offset and length are whole numbers, not negative, ending
 * below 2^53; throws ABORTED if the signal is aborted.
 */
export function checkRead({ offset, length }: Range, signal?: AbortSignal): void {
  const whole = Number.isSafeInteger(offset) && Number.isSafeInteger(length);
  if (!whole || offset < 0 || length < 0 || !Number.isSafeInteger(offset + length)) {
    throw argumentError(
      `A range must have a whole, non-negative offset and length, not ${offset} and ${length}.`,
    );
  }
  throwIfAborted(signal);
}

/** Returns the same bytes as ascending ranges that neither overlap nor touch. Empty ones are left out. */
export function union(ranges: readonly Range[]): Range[] {
  const sorted = ranges.filter((range) => range.length > 0).sort((a, b) => a.offset - b.offset);
  const result: Range[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last && range.offset <= endOf(last)) {
      last.length = Math.max(endOf(last), endOf(range)) - last.offset;
    } else {
      result.push({ offset: range.offset, length: range.length });
    }
  }
  return result;
}

/** Returns the parts of `ranges` that are not in `covers`. Arguments and result have the form of `union`. */
export function subtract(ranges: readonly Range[], covers: readonly Range[]): Range[] {
  const result: Range[] = [];
  let first = 0;
  for (const range of ranges) {
    const end = endOf(range);
    let from = range.offset;
    for (let cover = covers[first]; cover && endOf(cover) <= from; cover = covers[++first]);
    for (let index = first; from < end; index++) {
      const cover = covers[index];
      const until = Math.min(end, cover?.offset ?? end);
      if (until > from) result.push({ offset: from, length: until - from });
      if (!cover) break;
      from = Math.max(from, endOf(cover));
    }
  }
  return result;
}

/** Returns the bytes that two ranges share; its length is 0 or less if there are none. */
export function common(a: Range, b: Range): Range {
  const offset = Math.max(a.offset, b.offset);
  return { offset, length: Math.min(endOf(a), endOf(b)) - offset };
}

/** Number of bytes in ranges that do not overlap. */
export function totalLength(ranges: readonly Range[]): number {
  return ranges.reduce((total, range) => total + range.length, 0);
}

/** Returns the TRUNCATED error of every source for a read that starts at or past the end. */
export function pastTheEnd(name: string, offset: number, length: number, size?: number): XylemError {
  const end = size === undefined ? 'is shorter' : `ends at ${size}`;
  return new XylemError({
    code: 'TRUNCATED',
    message: `${name}: bytes were to be read from offset ${offset}, but the file ${end}.`,
    where: { offset, length },
    fix: 'The file may have been cut off while it was written or copied; get a complete copy.',
  });
}

/** Calls `visit` for each pair of ranges of the two ascending lists with bytes in common. */
export function eachOverlap<T extends Range, U extends Range>(
  ranges: readonly T[],
  others: Iterable<U>,
  visit: (range: T, other: U) => void,
): void {
  const sorted = [...others].sort((a, b) => a.offset - b.offset);
  if (sorted.length === 0) return;
  let next = 0;
  let near: U[] = [];
  for (const range of ranges) {
    for (let other = sorted[next]; other && other.offset < endOf(range); other = sorted[++next]) {
      near.push(other);
    }
    near = near.filter((other) => endOf(other) > range.offset);
    for (const other of near) if (other.offset < endOf(range)) visit(range, other);
  }
}
