import type { Part } from '../types';
import { type Goal, type GoalData, type GoalWork, numbersOf } from './goal';

export type VerifyData = GoalData & {
  kind: 'verify';
  /** Whether all entries of a basket are decoded, whatever number was expected. */
  whole: boolean;
};

export const verifyWork: GoalWork<VerifyData> = { doubles: () => 0, unitDoubles: 2 };

/**
 * Returns a goal that receives two numbers for each unit: its number of entries, and its offset in the file according
 * to its own key.
 */
export function verifyGoal(whole: boolean, take: (units: Float64Array, part: Part) => void): Goal {
  return {
    data: () => ({ kind: 'verify', whole }) as VerifyData,
    take: (result, part) => take(numbersOf(result), part),
  };
}
