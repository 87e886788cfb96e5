import { type Fill, MOMENTS, STATS_DOUBLES } from '../../core/fill';
import { cellsOf, type FillShape, fillOfNumbers } from '../../core/fill-values';
import type { Part, ProgramUse } from '../types';
import { type Goal, type GoalData, type GoalWork, numbersOf } from './goal';

export type FillData = GoalData & { kind: 'fill' } & FillShape;

export const fillWork: GoalWork<FillData> = {
  doubles(data) {
    const { cells, squares } = cellsOf(data);
    return STATS_DOUBLES + (data.exact ? 2 * (cells + squares + MOMENTS) : cells + squares);
  },
  axes: ({ axes }) => axes,
  together: ({ exact }) => !exact,
  open: (_, { dims, profile, exact }) => ({
    words: { dims, profile: Number(profile), exact: Number(exact ?? false) },
    // The terms of exact sums that do not fit into two doubles.
    take: (rest) => (exact ? new Float64Array(rest.buffer) : undefined),
  }),
};

/**
 * Returns a goal for a histogram or profile of the values of a program that pass the cut, or for a histogram of a
 * column.
 */
export function fillGoal(
  of: { column: number } | { program: ProgramUse },
  shape: FillShape,
  take: (fill: Fill, part: Part) => void,
): Goal {
  return {
    column: 'column' in of ? of.column : undefined,
    program: 'program' in of ? of.program : undefined,
    data: () => ({ kind: 'fill', ...shape }) as FillData,
    take: (result, part) => take(fillOfNumbers(shape, numbersOf(result), result.extra), part),
  };
}
