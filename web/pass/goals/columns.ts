import type { Column } from '../../core/columns';
import type { Part } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';

export type ColumnsData = GoalData & { kind: 'columns' };

/** The buffers of all columns are copied from the core together: see `packBuffers`. */
export const columnsWork: GoalWork<ColumnsData> = { doubles: () => 0 };

/** Returns a goal for the values of each branch, or of one column. */
export function columnsGoal(take: (values: Column, part: Part) => void, column?: number): Goal {
  return {
    column,
    data: () => ({ kind: 'columns' }),
    take: ({ extra }, part) => take(extra as Column, part),
  };
}
