import type { BranchInfo, EntryRange, TreeInfo } from '../../../api/api';
import { overBudget } from '../../../base/data-errors';
import { formatBytes, formatCount } from '../../../base/format';
import { simulateReading } from '../../../insight/simulate/simulate';
import { basketLayout, withNeeded } from '../../../insight/simulate/simulate-layout';
import type { OpenFile } from '../../context';
import type { Limits } from './tool';

/** A link on which no gap between two baskets is worth reading. */
const LINK = { latencyMs: 0, bytesPerMs: 1 };

/** Bytes and requests that a call reads of a file, besides metadata. */
export interface Cost {
  bytes: number;
  requests: number;
}

/**
 * The bytes of the baskets that hold entries of branches, from the tree's metadata alone. Of several files the places of
 * baskets are not known together: then it is the part of the branches' bytes that the entries have, a request for each file
 * and branch.
 */
export async function costOf(
  { reader, info }: OpenFile,
  tree: TreeInfo,
  chosen: readonly BranchInfo[],
  [from, to]: EntryRange,
): Promise<Cost> {
  if (chosen.length === 0 || to <= from) return { bytes: 0, requests: 0 };
  if (info.files !== undefined) {
    const part = (to - from) / Math.max(1, tree.entries);
    const stored = chosen.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    return { bytes: Math.ceil(part * stored), requests: info.files.length * chosen.length };
  }
  const known = await reader.layout(info.id, tree.path);
  const layout = basketLayout(known);
  const branches = withNeeded(tree, chosen, known.source).map(({ index }) => index);
  const choice = { branches, entries: { from, to, step: 1 } };
  const [outcome] = simulateReading(layout, choice, LINK, [{ kind: 'xylem' }]);
  return { bytes: outcome?.bytes ?? 0, requests: outcome?.calls ?? 0 };
}

/** Throws BUDGET for a reading that is above the limit, before a byte of it is read. */
export function checkCost(cost: Cost, what: string, { read }: Pick<Limits, 'read'>): Cost {
  if (cost.bytes <= read) return cost;
  throw overBudget(
    `Reading ${what} would take ${formatBytes(cost.bytes)} in ${formatCount(cost.requests)} requests, more than ` +
      `the limit of ${formatBytes(read)}. Nothing was read.`,
    'Choose fewer branches or entries. The user sets the limit with --max-read.',
  );
}
