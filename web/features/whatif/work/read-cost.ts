import type { BranchInfo, EntryRange, FileInfo, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { basketLayout, withNeeded } from '../../../reads/basket-layout';
import { simulateReading } from './simulate';

/** A link for which reading over a gap never pays. */
const LINK = { latencyMs: 0, bytesPerMs: 1 };

/** Bytes and requests that a call reads of a file, besides metadata. */
export interface ReadCost {
  bytes: number;
  requests: number;
}

/**
 * Returns the bytes of the baskets of branches and entries, from the tree's metadata. For several files the positions
 * of all baskets are not known. The result is then the share of the branches' bytes that belongs to the entries, with
 * one request for each file and branch.
 */
export async function readCost(
  { reader, info }: { reader: EngineApi; info: FileInfo },
  tree: TreeInfo,
  chosen: readonly BranchInfo[],
  [from, to]: EntryRange,
): Promise<ReadCost> {
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
