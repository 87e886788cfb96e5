import { type Axis, type Fill, MOMENTS, STATS_DOUBLES } from '../../core/fill';
import { cellsOf, type FillShape, fillOfNumbers } from '../../core/fill-values';
import { SUMMARY_DOUBLES, sumOf, toSummary } from '../../core/sums/summary';
import type { Part, ProgramUse } from '../types';
import { type Goal, type GoalData, type GoalWork, numbersOf } from './goal';

export type FillData = GoalData & { kind: 'fill' } & FillShape;

export const fillWork: GoalWork<FillData> = {
  doubles(data) {
    if (!data.program) return 2 * SUMMARY_DOUBLES + (data.axes[0]?.bins ?? 1) + 3;
    const { cells, squares } = cellsOf(data);
    return STATS_DOUBLES + (data.exact ? 2 * (cells + squares + MOMENTS) : cells + squares);
  },
  axes: ({ axes }) => axes,
  open: (_, { dims, profile, exact }) => ({
    words: { dims, profile: Number(profile), exact: Number(exact ?? false) },
    // The terms of exact sums that two doubles cannot hold.
    take: (rest) => (exact ? new Float64Array(rest.buffer) : undefined),
  }),
};

/** A histogram of the numbers of a column, as they are stored. */
export function columnFillGoal(column: number, axis: Axis, take: (fill: Fill, part: Part) => void): Goal {
  const shape: FillShape = { axes: [axis], dims: 1, profile: false };
  return {
    column,
    data: () => ({ kind: 'fill', ...shape }) as FillData,
    take: (result, part) => take(fillOfColumn(numbersOf(result)), part),
  };
}

/** A histogram or a profile of the values of a program that pass. */
export function programFillGoal(
  program: ProgramUse,
  shape: FillShape,
  take: (fill: Fill, part: Part) => void,
): Goal {
  return {
    program,
    data: () => ({ kind: 'fill', ...shape }) as FillData,
    take: (result, part) => take(fillOfNumbers(shape, numbersOf(result), result.extra), part),
  };
}

/** Converts the counts of a column (underflow, bins, overflow, NaN) to a filled histogram. */
function fillOfColumn(numbers: Float64Array): Fill {
  const all = toSummary(numbers);
  const inside = toSummary(numbers, SUMMARY_DOUBLES);
  const sums = numbers.slice(2 * SUMMARY_DOUBLES, -1);
  const overflow = sums.length - 1;
  // As in TH1, NaN counts as overflow.
  sums[overflow] = (sums[overflow] ?? 0) + all.nans;
  const { values, deviation } = inside;
  const mean = values > 0 ? sumOf(inside) / values : 0;
  const { values: finite, min, max } = all;
  return {
    sums,
    squares: sums,
    stats: {
      fills: finite + all.infinities + all.nans,
      nans: all.nans,
      weight: values,
      weight2: values,
      axes: [{ mean, deviation, finite, min, max }],
      codeviation: 0,
      entries: 0,
    },
  };
}
