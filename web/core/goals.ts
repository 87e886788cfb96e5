import type { Core } from './core';

/** Kinds of goals, numbered as in wasm/include/xylem.h. */
export const GOAL_KIND = { summary: 0, verify: 1, fill: 2, range: 3, rows: 4, sketch: 5 } as const;

/** The members of an xy_goal, in their order; each is a word. */
export const GOAL = [
  ...(['kind', 'dims', 'profile', 'exact', 'first', 'lists', 'dtype', 'weighted', 'count'] as const),
  ...(['axes', 'numbers', 'query', 'sketch', 'range', 'values'] as const),
] as const;

export type GoalWords = { [member in (typeof GOAL)[number]]?: number };

/** The members of an xy_units, in their order; each is a word. */
export const UNITS = ['input', 'units', 'more', 'spans', 'counts'] as const;

/** Number of doubles of an axis: its bins, and its lower and upper end. */
export const AXIS_DOUBLES = 3;

/** Bytes of an xy_goal and of an xy_units; the second is rounded up, so that doubles may follow. */
export const GOAL_BYTES = 4 * GOAL.length;
export const UNITS_BYTES = 24;

/** Members of every xy_goal. */
export interface GoalPlaces {
  kind: number;
  axes: number;
  numbers: number;
  query: number;
}

const [KIND, AXES, NUMBERS, QUERY] = (['kind', 'axes', 'numbers', 'query'] as const).map((member) =>
  GOAL.indexOf(member),
) as [number, number, number, number];

/** Writes an xy_goal at a place of the core's memory; `words` are its members besides those of every one. */
export function putGoal(core: Core, at: number, places: GoalPlaces, words: GoalWords | undefined): void {
  const memory = core.words(at, GOAL.length);
  memory.fill(0);
  if (words) for (const [i, member] of GOAL.entries()) memory[i] = words[member] ?? 0;
  memory[KIND] = places.kind;
  memory[AXES] = places.axes;
  memory[NUMBERS] = places.numbers;
  memory[QUERY] = places.query;
}

/** Writes an xy_units. */
export function putUnits(core: Core, at: number, words: Record<(typeof UNITS)[number], number>): void {
  core.words(at, UNITS.length).set(UNITS.map((member) => words[member]));
}
