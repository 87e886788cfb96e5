import type { CallOptions } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { Column } from '../core/columns';
import type { DataModel } from '../model/data-model';
import { columnsGoal } from './goals/columns';
import { type PassOptions, runPass } from './pass';
import { throttle } from './throttle';
import type { BranchPlan, Part, TaskRunner } from './types';

/** The columns of a branch in entry order. `error` is the first error if a part of the branch could not be read. */
export interface DecodedColumns {
  columns: Column[];
  error?: ErrorRecord | undefined;
}

type ColumnOptions = CallOptions & Pick<PassOptions, 'units'>;

/** Divides a column, whose first unit is given by its plan and number, into copies of its rows. */
type CutColumn = (column: Column, plan: number, unit: number) => Column[];

/** Decodes branches and returns the columns of each plan, divided by `cut`. Reports progress. Throws ABORTED. */
export async function decodeColumns(
  tree: DataModel,
  runner: TaskRunner,
  plans: readonly BranchPlan[],
  { cut, ...options }: ColumnOptions & { cut?: CutColumn | undefined },
): Promise<DecodedColumns[]> {
  const parts = plans.map((): { number: number; columns: Column[] }[] => []);
  const errors: (ErrorRecord | undefined)[] = [];
  await decodeParts(tree, runner, plans, {
    ...options,
    // Reports the part that failed first.
    onPart: ({ column, failures }) => {
      errors[column] ??= failures[0]?.error;
    },
    onColumn: (column, { column: plan, number, release }) => {
      parts[plan]?.push({ number, columns: cut ? cut(column, plan, number) : [column] });
      if (cut) release?.();
    },
  });
  return parts.map((list, plan) => ({
    error: errors[plan],
    columns: list.sort((a, b) => a.number - b.number).flatMap(({ columns }) => columns),
  }));
}

/** Decodes branches and passes on the columns as they are decoded. Reports progress. Throws ABORTED. */
export async function decodeParts(
  tree: DataModel,
  runner: TaskRunner,
  plans: readonly BranchPlan[],
  options: ColumnOptions & {
    /** Called for each part, before its column. */
    onPart: (part: Part) => void;
    onColumn: (column: Column, part: Part) => void;
  },
): Promise<void> {
  const label = plans.length === 1 ? `Reading ${plans[0]?.branch.path}` : `Reading ${plans.length} branches`;
  const report = throttle(options.onProgress);
  await runPass(tree, runner, plans, {
    ...options,
    goals: [columnsGoal(options.onColumn)],
    onBytes: (progress) => report(() => ({ label, ...progress })),
  });
}
