import type { Column } from '../../core/columns';
import type { Part } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';

export type ColumnsData = GoalData & { kind: 'columns' };

/** The buffers of the columns are taken out of the core together: see `packBuffers`. */
export const columnsWork: GoalWork<ColumnsData> = { doubles: () => 0 };

/** The values of each branch, or of one. */
export function columnsGoal(take: (values: Column, part: Part) => void, column?: number): Goal {
  return {
    column,
    data: () => ({ kind: 'columns' }),
    take: ({ extra }, part) => take(extra as Column, part),
  };
}
