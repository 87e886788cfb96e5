import { firstIndex } from '../base/search';
import { endOf, subtract, union } from '../io/ranges';

/** The part of spans (pairs from, to, ascending) within a range of entries, counted from `origin`. */
export function clipSpans(spans: Float64Array, from: number, to: number, origin = 0): Float64Array {
  const count = spans.length / 2;
  const first = firstIndex(count, (i) => (spans[2 * i + 1] ?? 0) > from);
  const last = firstIndex(count, (i) => (spans[2 * i] ?? 0) >= to);
  if (last <= first || from >= to) return new Float64Array(0);
  const clipped = spans.slice(2 * first, 2 * last);
  clipped[0] = Math.max(from, clipped[0] ?? 0);
  clipped[clipped.length - 1] = Math.min(to, clipped[clipped.length - 1] ?? 0);
  if (origin !== 0) for (let i = 0; i < clipped.length; i++) clipped[i] = (clipped[i] ?? 0) - origin;
  return clipped;
}

/** The parts of spans that are in none of some ranges. */
export function withoutRanges(
  spans: Float64Array,
  holes: readonly (readonly [number, number])[],
): Float64Array {
  if (holes.length === 0) return spans;
  const all: [number, number][] = [];
  for (let i = 0; i < spans.length; i += 2) all.push([spans[i] ?? 0, spans[i + 1] ?? 0]);
  const rangesOf = (list: readonly (readonly [number, number])[]) =>
    union(list.map(([from, to]) => ({ offset: from, length: to - from })));
  return Float64Array.from(
    subtract(rangesOf(all), rangesOf(holes)).flatMap((range) => [range.offset, endOf(range)]),
  );
}
