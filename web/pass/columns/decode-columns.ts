import type { CallOptions } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import type { Column } from '../../core/columns';
import type { DataModel } from '../../model/data-model';
import { columnsInOrder, type DecodeOptions, decodeBranches } from '../pass';
import { throttle } from '../throttle';
import type { BranchPlan, PartResult, TaskRunner } from '../types';

/** The columns of a branch in entry order; `error` is the first one, when a part of it could not be read. */
export interface DecodedColumns {
  columns: Column[];
  error?: ErrorRecord | undefined;
}

type ColumnOptions = CallOptions & Pick<DecodeOptions, 'units'>;

/** Decodes branches to columns, and returns those of each plan. Reports progress. Throws ABORTED. */
export async function decodeColumns(
  tree: DataModel,
  runner: TaskRunner,
  plans: BranchPlan[],
  options: ColumnOptions,
): Promise<DecodedColumns[]> {
  const parts: PartResult[][] = plans.map(() => []);
  await decodeParts(tree, runner, plans, (plan, part) => parts[plan]?.push(part), options);
  return parts.map((list) => ({
    // The first failed part in time is the one that is reported.
    error: list.find(({ failures }) => failures.length > 0)?.failures[0]?.error,
    columns: columnsInOrder(list),
  }));
}

/** Decodes branches to columns, which it passes on as they come. Reports progress. Throws ABORTED. */
export async function decodeParts(
  tree: DataModel,
  runner: TaskRunner,
  plans: BranchPlan[],
  onResult: (plan: number, part: PartResult) => void,
  options: ColumnOptions,
): Promise<void> {
  const label = plans.length === 1 ? `Reading ${plans[0]?.branch.path}` : `Reading ${plans.length} branches`;
  const report = throttle(options.onProgress);
  await decodeBranches(tree, runner, plans, {
    ...options,
    goal: { kind: 'columns' },
    onResult,
    onBytes: (progress) => report(() => ({ label, ...progress })),
  });
}
