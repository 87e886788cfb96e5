import type { Core } from './core';
import { type Axis, type Fill, MOMENTS, STATS_DOUBLES, toStats } from './fill';
import { GOAL_BYTES, GOAL_KIND, putGoal } from './goals';
import type { ValueRange } from './range';
import { emptySums, sumsOfCore } from './sums/exact-sums';

export interface FillShape {
  axes: readonly Axis[];
  /** Number of coordinates: the number of axes, plus one for a profile. */
  dims: number;
  profile: boolean;
  /** Whether the sums are exact (see Fill). Sums of a column are not. */
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

/**
 * Fills a histogram with values in memory, part by part. Each part has an array for each coordinate, and one of weights
 * unless all weights are 1.
 */
export function fillOfValues(
  core: Core,
  shape: FillShape,
  parts: readonly Pick<ValueRange, 'values' | 'weights'>[],
): Fill {
  const count = parts.reduce((sum, { values }) => sum + (values?.[0]?.length ?? 0), 0);
  const weighted = parts.some(({ weights }) => weights !== undefined);
  const lists = shape.dims + Number(weighted);
  const values = core.alloc(8 * lists * count);
  const memory = new Float64Array(core.exports.memory.buffer, values, lists * count);
  let at = 0;
  for (const part of parts) {
    const length = part.values?.[0]?.length ?? 0;
    for (let k = 0; k < lists; k++) {
      const list = k < shape.dims ? part.values?.[k] : part.weights;
      if (list) memory.set(list, k * count + at);
      else memory.fill(1, k * count + at, k * count + at + length);
    }
    at += length;
  }
  const axes = shape.axes.flatMap(({ bins, low, high }) => [bins, low, high]);
  const { cells, squares } = cellsOf(shape);
  const exact = shape.exact === true;
  const size = STATS_DOUBLES + (exact ? 2 * (cells + squares + MOMENTS) : cells + squares);
  try {
    return core.withZeroes(size + axes.length + GOAL_BYTES / 4, (place) => {
      new Float64Array(core.exports.memory.buffer, place + 8 * size, axes.length).set(axes);
      const goal = place + 8 * (size + axes.length);
      putGoal(core, goal, {
        ...{ kind: GOAL_KIND.fill, axes: place + 8 * size, numbers: place, dims: shape.dims },
        ...{ profile: Number(shape.profile), exact: Number(exact) },
        ...{ count, weighted: Number(weighted), values },
      });
      const rest = core.call((x, ctx) => x.xy_goal_take(ctx, goal, 1, 0));
      return fillOfNumbers(
        shape,
        core.doubles(place, size),
        exact ? new Float64Array(rest.buffer) : undefined,
      );
    });
  } finally {
    core.free((x) => x.xy_free(values));
  }
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
