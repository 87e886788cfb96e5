import { CoreRange, type Doubles, RANGE_DOUBLES, toCoordinate, type ValueRange } from '../../core/range';
import type { Part, ProgramUse } from '../types';
import { type Goal, type GoalData, type GoalWork, numbersOf } from './goal';

export type RangeData = GoalData & {
  kind: 'range';
  /** Number of coordinates. */
  dims: number;
  /** Number of first values for which only minimum and maximum count. */
  first: number;
  /** Maximum number of values that are returned. */
  keep: number;
};

export const rangeWork: GoalWork<RangeData> = {
  doubles: ({ dims }) => 1 + dims * RANGE_DOUBLES,
  together: () => true,
  open(core, { dims, first, keep }) {
    const range = new CoreRange(core, dims, first, keep);
    return { words: { range: range.pointer }, take: () => range.take(), close: () => range.close() };
  },
};

export type RangeWish = Pick<RangeData, 'first' | 'keep'>;

/** Returns a goal for the range of the numbers of a column, or of the values of a program that pass the cut. */
export function rangeGoal(
  of: { column: number } | { program: ProgramUse; dims: number },
  wish: (number: number) => RangeWish,
  take: (range: ValueRange, part: Part) => void,
): Goal {
  const dims = 'dims' in of ? of.dims : 1;
  return {
    column: 'column' in of ? of.column : undefined,
    program: 'program' in of ? of.program : undefined,
    data: (number) => ({ kind: 'range', dims, ...wish(number) }) as RangeData,
    take: (result, part) =>
      take(rangeOf(numbersOf(result), result.extra as (Doubles | undefined)[], dims), part),
  };
}

function rangeOf(numbers: Float64Array, buffers: readonly (Doubles | undefined)[], dims: number): ValueRange {
  const [entries = 0] = numbers;
  const none = new Float64Array(0);
  const coordinates = Array.from({ length: dims }, (_, k) =>
    toCoordinate(numbers.subarray(1 + k * RANGE_DOUBLES), (buffers[k] ?? none) as Float64Array),
  );
  const { values = 0, nans = 0, infinities = 0 } = coordinates[0]?.all ?? {};
  const kept = Array.from({ length: dims }, (_, k) => buffers[dims + k] ?? none);
  const all = kept.every(({ length }) => length === values + nans + infinities);
  return { coordinates, entries, ...(all && { values: kept, weights: buffers[2 * dims] }) };
}
