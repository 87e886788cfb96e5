import type { Part } from '../types';
import { type Goal, type GoalData, type GoalWork, numbersOf } from './goal';

export type VerifyData = GoalData & {
  kind: 'verify';
  /** All entries of a basket are decoded, however many were expected. */
  whole: boolean;
};

export const verifyWork: GoalWork<VerifyData> = { doubles: () => 0, unitDoubles: 2 };

/** For each unit two numbers: its entries, and its place in the file according to its own key. */
export function verifyGoal(whole: boolean, take: (units: Float64Array, part: Part) => void): Goal {
  return {
    data: () => ({ kind: 'verify', whole }) as VerifyData,
    take: (result, part) => take(numbersOf(result), part),
  };
}
