import type { BranchInfo, EntryRange, FileInfo, TreeInfo } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { LinkEstimate } from '../io/link';
import { planReads } from '../io/planner';
import type { Range } from '../io/source';
import {
  type BasketLayout,
  type BasketVisits,
  basketLayout,
  visitBaskets,
  withNeeded,
} from './basket-layout';

/** Number of simultaneous requests of a browser. */
export const CONCURRENCY = 6;
export const MAX_RANGE_BYTES = 8 * 1024 * 1024;
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
  const visits = visitBaskets(layout, branches, { from, to, step: 1 });
  const { bytes, calls } = fetchCost(rangesOf(layout, visits), LINK);
  return { bytes, requests: calls };
}

/** Returns the places of baskets, without those that lie within the record of their tree. */
export function rangesOf({ offsets, bytes }: BasketLayout, { basket }: BasketVisits): Range[] {
  return [...basket]
    .map((index) => ({ offset: offsets[index] ?? 0, length: bytes[index] ?? 0 }))
    .filter(({ offset }) => offset > 0);
}

/** Returns the cost of ranges that xylem fetches together: see Outcome in web/features/whatif/work/simulate.ts. */
export function fetchCost(wanted: readonly Range[], link: LinkEstimate) {
  const plan = planReads(wanted, [], { link, maxRangeBytes: MAX_RANGE_BYTES, concurrency: CONCURRENCY });
  const calls = plan.ranges.length;
  return {
    calls,
    trips: Math.ceil(calls / CONCURRENCY),
    bytes: plan.asked,
    overread: plan.overread,
    ms: parallelTime(calls, plan.asked, link),
  };
}

/** Returns the time of requests in ms, if six run at the same time. */
function parallelTime(requests: number, bytes: number, { latencyMs, bytesPerMs }: LinkEstimate): number {
  return requests === 0 ? 0 : Math.ceil(requests / CONCURRENCY) * latencyMs + bytes / bytesPerMs;
}
