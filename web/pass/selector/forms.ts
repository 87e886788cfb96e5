import type { Gathered, GatheredState } from '../../api/selector';
import { XylemError } from '../../base/errors';

/** A text that is equal for what adds up. */
function formOf(one: Gathered | undefined): string {
  if (one?.kind === 'table') return JSON.stringify(one.columns);
  return one?.kind === 'histogram' ? JSON.stringify([one.axes, one.profile, one.title]) : String(one?.kind);
}

/** Throws ARGUMENT where two states have other members, so that they do not add up. */
export function checkForms(one: GatheredState, other: GatheredState): void {
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    if (formOf(one[name]) !== formOf(other[name])) {
      throw new XylemError({
        code: 'ARGUMENT',
        message: `"${name}" of the selector's state differs between parts of the entries.`,
        fix: 'Make the same members each time that begin is called; process and entry fill them, and neither add nor replace any.',
      });
    }
}
