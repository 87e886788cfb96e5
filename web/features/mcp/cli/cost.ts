import { overBudget } from '../../../base/data-errors';
import { formatBytes, formatCount } from '../../../base/format';
import type { ReadCost } from '../../../reads/read-cost';
import type { Limits } from './tool';

/** Throws BUDGET for a reading that is above the limit, before a byte of it is read. */
export function checkCost(cost: ReadCost, what: string, { read }: Pick<Limits, 'read'>): ReadCost {
  if (cost.bytes <= read) return cost;
  throw overBudget(
    `Reading ${what} would take ${formatBytes(cost.bytes)} in ${formatCount(cost.requests)} requests, more than ` +
      `the limit of ${formatBytes(read)}. Nothing was read.`,
    'Choose fewer branches or entries. The user sets the limit with --max-read.',
  );
}
