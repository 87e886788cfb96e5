import type { Core } from './core';
import { type Axis, type Fill, MOMENTS, STATS_DOUBLES, toStats } from './fill';
import { GOAL_BYTES, GOAL_KIND, putGoal } from './goals';
import { emptySums, sumsOfCore } from './sums/exact-sums';

export interface FillShape {
  axes: readonly Axis[];
  /** Number of coordinates: with a profile one more than axes. */
  dims: number;
  profile: boolean;
  /** Whether the sums are exact: see Fill. Those of a column are not. */
  exact?: boolean | undefined;
}

/** Number of cells of a histogram with under- and overflow, and of sums of squares. */
export function cellsOf({ axes, profile }: Pick<FillShape, 'axes' | 'profile'>): {
  cells: number;
  squares: number;
} {
  const cells = axes.reduce((product, axis) => product * (axis.bins + 2), 1);
  return { cells, squares: profile ? 3 * cells : cells };
}

/** Reads statistics, sums and squares. */
export function fillOfNumbers(shape: FillShape, numbers: Float64Array, rest?: unknown): Fill {
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
  const exact = shape.exact === true;
  const size = STATS_DOUBLES + (exact ? 2 * (cells + squares + MOMENTS) : cells + squares);
  const doubles = size + axes.length + lists.length * count + GOAL_BYTES / 4;
  return core.withZeroes(doubles, (at) => {
    const memory = new Float64Array(core.exports.memory.buffer, at, doubles);
    memory.set(axes, size);
    for (const [k, list] of lists.entries()) memory.set(list, size + axes.length + k * count);
    const goal = at + 8 * (size + axes.length + lists.length * count);
    putGoal(core, goal, {
      ...{ kind: GOAL_KIND.fill, axes: at + 8 * size, numbers: at, dims: shape.dims },
      ...{ profile: Number(shape.profile), exact: Number(exact) },
      ...{ count, weighted: Number(weights !== undefined) },
      values: at + 8 * (size + axes.length),
    });
    const rest = core.call((x, ctx) => x.xy_goal_take(ctx, goal, 0));
    return fillOfNumbers(shape, core.doubles(at, size), exact ? new Float64Array(rest.buffer) : undefined);
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
