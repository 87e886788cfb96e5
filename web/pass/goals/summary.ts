import { SUMMARY_DOUBLES, type Summary, toSummary } from '../../core/sums/summary';
import type { Part } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';

export type SummaryData = GoalData & { kind: 'summary' };

export const summaryWork: GoalWork<SummaryData> = { doubles: () => SUMMARY_DOUBLES };

/** Returns a goal for the count, moments, minimum and maximum of the numbers of each branch. */
export function summaryGoal(take: (summary: Summary, part: Part) => void): Goal {
  return {
    data: () => ({ kind: 'summary' }),
    take: ({ numbers, from }, part) => take(toSummary(numbers, from), part),
  };
}
