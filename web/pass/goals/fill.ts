import type { Core } from '../../core/core';
import { type Axis, type Fill, MOMENTS, STATS_DOUBLES, toStats } from '../../core/fill';
import { GOAL_BYTES, GOAL_KIND, putGoal } from '../../core/goals';
import { emptySums, sumsOfCore } from '../../core/sums/exact-sums';
import { SUMMARY_DOUBLES, sumOf, toSummary } from '../../core/sums/summary';
import type { Part, ProgramUse } from '../types';
import { type Goal, type GoalData, type GoalWork, numbersOf } from './goal';

export interface FillShape {
  axes: readonly Axis[];
  /** Number of coordinates: with a profile one more than axes. */
  dims: number;
  profile: boolean;
  /** Whether the sums are exact: see Fill. Only programs can do that. */
  exact?: boolean | undefined;
}

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

/** Number of cells of a histogram with under- and overflow, and of sums of squares. */
export function cellsOf({ axes, profile }: Pick<FillShape, 'axes' | 'profile'>): {
  cells: number;
  squares: number;
} {
  const cells = axes.reduce((product, axis) => product * (axis.bins + 2), 1);
  return { cells, squares: profile ? 3 * cells : cells };
}

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
    take: (result, part) => take(fillOfProgram(shape, numbersOf(result), result.extra), part),
  };
}

/** Reads statistics, sums and squares. */
export function fillOfProgram(shape: FillShape, numbers: Float64Array, rest?: unknown): Fill {
  const { cells, squares } = cellsOf(shape);
  const stats = toStats(numbers, shape.dims);
  const sums = numbers.subarray(STATS_DOUBLES);
  if (!shape.exact) {
    return { stats, sums: sums.slice(0, cells), squares: sums.slice(cells, cells + squares) };
  }
  const count = cells + squares + MOMENTS;
  const [high, low] = [sums.slice(0, count), sums.slice(count, 2 * count)];
  const none = new Float64Array(0);
  return { stats, sums: none, squares: none, exact: sumsOfCore(high, low, rest as Float64Array) };
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

/** Fills values that are in memory: those of each coordinate, and their weights if they do not all count 1. */
export function fillOfValues(
  core: Core,
  shape: FillShape,
  values: readonly Float64Array[],
  weights: Float64Array | undefined,
): Fill {
  const [first] = values;
  const count = first?.length ?? 0;
  const lists = weights ? [...values, weights] : values;
  const axes = shape.axes.flatMap(({ bins, low, high }) => [bins, low, high]);
  const { cells, squares } = cellsOf(shape);
  const size = STATS_DOUBLES + cells + squares;
  const doubles = size + axes.length + lists.length * count + GOAL_BYTES / 4;
  return core.withZeroes(doubles, (at) => {
    const memory = new Float64Array(core.exports.memory.buffer, at, doubles);
    memory.set(axes, size);
    for (const [k, list] of lists.entries()) memory.set(list, size + axes.length + k * count);
    const goal = at + 8 * (size + axes.length + lists.length * count);
    putGoal(core, goal, {
      ...{ kind: GOAL_KIND.fill, axes: at + 8 * size, numbers: at, dims: shape.dims },
      ...{ profile: Number(shape.profile), count, weighted: Number(weights !== undefined) },
      values: at + 8 * (size + axes.length),
    });
    core.run((x, ctx) => x.xy_goal_take(ctx, goal, 0));
    return fillOfProgram(shape, core.doubles(at, size));
  });
}

/** Returns a fill without values. */
export function emptyFill(shape: FillShape): Fill {
  const { cells, squares } = cellsOf(shape);
  const exact = shape.exact === true;
  return {
    sums: new Float64Array(exact ? 0 : cells),
    squares: new Float64Array(exact ? 0 : squares),
    ...(exact && { exact: emptySums(cells + squares + MOMENTS) }),
    stats: toStats(new Float64Array(STATS_DOUBLES), shape.dims),
  };
}
