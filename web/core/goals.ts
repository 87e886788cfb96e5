import type { XylemError } from '../base/errors';
import type { Core } from './core';

/** Kinds of goals, numbered as in wasm/include/xylem.h. */
export const GOAL_KIND = {
  summary: 0,
  verify: 1,
  fill: 2,
  range: 3,
  rows: 4,
  sketch: 5,
  columns: 6,
} as const;

/** Members of an xy_goal in order. Each is a 32-bit word. */
export const GOAL = [
  ...(['kind', 'column', 'doubles', 'unitDoubles', 'dims', 'profile', 'exact', 'lists', 'dtype'] as const),
  ...(['weighted', 'count', 'axes', 'numbers', 'query', 'sketch', 'range', 'values'] as const),
] as const;

export type GoalWords = { [member in (typeof GOAL)[number]]?: number | undefined };

/** Members of an xy_task in order. Each is a 32-bit word. */
export const TASK = [
  ...(['input', 'units', 'more', 'spans', 'counts', 'plans', 'parts', 'partCount', 'keep'] as const),
  ...(['goals', 'goalCount', 'numbers', 'counters', 'decoders', 'failed'] as const),
  ...(['column', 'first', 'part', 'own', 'unit'] as const),
] as const;

export type TaskWords = { [member in (typeof TASK)[number]]?: number | undefined };

/** Number of doubles of an axis: number of bins, lower and upper edge. */
export const AXIS_DOUBLES = 3;

/** Sizes of an xy_goal and an xy_task in bytes. */
export const GOAL_BYTES = 4 * GOAL.length;
export const TASK_BYTES = 4 * TASK.length;

/** Writes an xy_goal to an address in the core's memory. */
export function putGoal(core: Core, at: number, words: GoalWords): void {
  const memory = core.words(at, GOAL.length).fill(0);
  for (const member in words) memory[PLACES[member] ?? 0] = words[member as keyof GoalWords] ?? 0;
}

const PLACES: Record<string, number> = Object.fromEntries(GOAL.map((member, i) => [member, i]));

/**
 * Writes an xy_task to an address in the core's memory and runs it. Calls `failed` for each unit that cannot be
 * decoded, and continues with the next. Throws errors that concern the whole task.
 */
export function runCoreTask(
  core: Core,
  at: number,
  words: TaskWords,
  failed: (unit: number, error: XylemError) => void,
): void {
  core.words(at, TASK.length).set(TASK.map((member) => words[member] ?? 0));
  for (;;) {
    try {
      core.run((x, ctx) => x.xy_task_run(ctx, at));
      return;
    } catch (thrown) {
      if (core.lost) throw thrown;
      const unit = (core.words(at, TASK.length)[FAILED] ?? 0) | 0;
      if (unit < 0) throw thrown;
      failed(unit, thrown as XylemError);
    }
  }
}

const FAILED = TASK.indexOf('failed');
