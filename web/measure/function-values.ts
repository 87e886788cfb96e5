import type { TreeInfo } from '../api/api';
import type { FunctionRequest, FunctionValues, GridAxis } from '../api/engine-api';
import { unsupported } from '../base/data-errors';
import { argumentError, toXylemError, XylemError } from '../base/errors';
import type { DataModel } from '../model/data-model';
import { rangeGoal } from '../pass/goals/range';
import { moduleOf } from '../pass/module-of';
import type { Task } from '../pass/task';
import type { TaskRunner } from '../pass/types';
import { compile } from '../query/compile/compile';
import { Scopes } from '../query/compile/scopes';
import { CONSTANTS, COORDINATES } from '../query/language/formula-text';
import { type StoredFunction, storedFunction } from './stored-function';

/** Default number of points along each axis, for one to three axes. */
const POINTS = [1001, 101, 31];
/** Maximum number of values of one function. */
const MAX_VALUES = 1_000_000;

/**
 * Returns the values of stored functions on grids. The core evaluates a formula in the same way as a
 * query. If it cannot, the values that ROOT saved are used. A function with neither is an error.
 */
export function functionValues(
  runner: TaskRunner,
  requests: readonly FunctionRequest[],
  signal?: AbortSignal,
): Promise<FunctionValues[]> {
  return Promise.all(
    requests.map(async (request): Promise<FunctionValues> => {
      try {
        return await valuesOf(runner, request, signal);
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (error.code === 'ABORTED') throw error;
        return { error: error.toRecord() };
      }
    }),
  );
}

async function valuesOf(
  runner: TaskRunner,
  request: FunctionRequest,
  signal: AbortSignal | undefined,
): Promise<FunctionValues> {
  const stored = storedFunction(request.function);
  const axes = stored.ranges.map(([low, high], i): GridAxis => {
    const points = request.points?.[i] ?? POINTS[stored.ranges.length - 1] ?? 2;
    return { low, high, points, log: request.log === true && i === 0 && low > 0 };
  });
  const count = axes.reduce((product, { points }) => product * points, 1);
  if (!axes.every(({ points }) => Number.isInteger(points) && points > 1) || count > MAX_VALUES) {
    throw argumentError(`A function has 2 or more points along each axis and ${MAX_VALUES} in all.`);
  }
  let why = stored.why ?? '';
  if (stored.expression !== undefined) {
    try {
      const values = await evaluate(runner, stored, stored.expression, axes, count, signal);
      return { axes, values, saved: false };
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'INTERNAL' || error.code === 'ABORTED') throw error;
      why = error.message;
    }
  }
  if (stored.saved) {
    const { ranges, points, values } = stored.saved;
    const grid = ranges.map(([low, high], i) => ({ low, high, points: points[i] ?? 2, log: false }));
    return { axes: grid, values, saved: true };
  }
  throw unsupported(
    `${why} No values of it are saved in the file, either.`,
    'TF1::Save before writing it saves values.',
  );
}

async function evaluate(
  runner: TaskRunner,
  { norm }: StoredFunction,
  expression: string,
  axes: GridAxis[],
  count: number,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  // Entry$ counts the points of the grid.
  const aliases: Record<string, string> = {};
  let below = 1;
  axes.forEach(({ low, high, points, log }, i) => {
    const at =
      axes.length === 1 ? 'Entry$' : `(floor(Entry$/${below}) - ${points}*floor(Entry$/${below * points}))`;
    const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
    const place = `${from}+${at}*(${to}-(${from}))/${points - 1}`;
    aliases[COORDINATES[i] ?? 'x'] = log ? `TMath::Exp(${place})` : `(${place})`;
    below *= points;
  });
  for (const [name, value] of Object.entries(CONSTANTS)) aliases[name] = String(value);
  const scopes = new Scopes(withoutBranches(aliases));
  const place = { first: 0, entries: count };
  const { program, math } = compile(scopes, [{ text: expression }], undefined, 'fill', place);
  const goal = rangeGoal(
    { program: { bytes: program, columns: [], math }, dims: 1 },
    () => ({ first: 0, keep: count }),
    (range) => {
      values = range.values?.[0] && new Float64Array(range.values[0]);
    },
  );
  let values: Float64Array | undefined;
  const task: Task = {
    goals: [{ ...goal.data(0), program: { bytes: program, columns: [] } }],
    ...{ input: new Uint8Array(0), plans: new Uint8Array(0) },
    ...{ parts: new Int32Array(0), units: new Float64Array(0) },
    together: {
      ...{ entries: Float64Array.of(0, count), rows: [], tapes: [] },
      math: math ? await moduleOf(runner, 'math') : undefined,
    },
  };
  const { numbers, extras } = await runner.run(task, signal);
  goal.take(
    { numbers, from: 0, to: numbers.length, extra: extras[0] },
    { column: -1, number: 0, count: 1, rows: count, failures: [] },
  );
  if (values?.length !== count) {
    throw new XylemError({
      code: 'INTERNAL',
      message: `${values?.length} of ${count} values of a function arrived.`,
    });
  }
  return norm === 1 ? values : values.map((value) => value / norm);
}

/** Makes a tree without branches that only has names for expressions. */
function withoutBranches(aliases: Record<string, string>): DataModel {
  const info = { path: '', name: '', branches: [], entries: 0, aliases } as Partial<TreeInfo>;
  return { info } as unknown as DataModel;
}
