import type { Verdict } from './rules';
import type { Tile } from './tile';

/** Groups of plots that a filter shows. An empty plot may be in another group, too. */
export const WALL_STATES = {
  ok: 'Ok',
  over: 'Over a threshold',
  missing: 'Missing',
  error: 'Not comparable',
  empty: 'Empty',
} as const;
export type WallState = keyof typeof WALL_STATES;

/** The facts about a plot by which it is filtered. `verdict` is undefined without a reference. */
export type StateFacts = Pick<Tile, 'empty'> & { verdict?: Verdict | undefined };

export function hasState({ empty, verdict }: StateFacts, wanted: WallState): boolean {
  if (wanted === 'empty') return empty === true;
  return verdict !== undefined && stateOf(verdict) === wanted;
}

/** Whether a plot needs attention. */
export function isAlarm(verdict: Verdict | undefined): boolean {
  const state = verdict && stateOf(verdict);
  return state !== undefined && state !== 'ok';
}

/** Returns the group of a result; undefined if neither file has a histogram. */
export function stateOf({ state, only }: Verdict): Exclude<WallState, 'empty'> | undefined {
  if (only !== undefined) return 'missing';
  if (state === 'failed') return 'over';
  if (state === 'error') return 'error';
  return state === 'other' ? undefined : 'ok';
}
