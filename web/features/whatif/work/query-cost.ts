import type { BranchInfo, EntryRange, TreeLayout } from '../../../api/api';
import { firstIndex } from '../../../base/search';
import type { LinkEstimate } from '../../../io/link';
import { endOf, union } from '../../../io/ranges';
import type { Range } from '../../../io/source';
import type { ReadRecord } from '../../../io/trace';
import { type BasketLayout, basketLayout, withNeeded } from '../../../reads/basket-layout';
import { simulateReading } from './simulate';

/** The part of branches that is read, and how. */
export interface CostOptions {
  /** Default: all entries. */
  entries?: EntryRange | undefined;
  /** The bytes are copied, so those read before are read again. Default: false. */
  copied?: boolean | undefined;
  /** Link for which the time is given, as in other views. Default: the link by which requests are planned. */
  told?: LinkEstimate | undefined;
}

/** The cost of reading branches. */
export interface QueryCost {
  /** Bytes to read, and needed bytes that were read before. */
  bytes: number;
  known: number;
  /** Number of requests; undefined if there are too many baskets to plan. */
  requests?: number | undefined;
  /** Time on the link without decoding, in ms; undefined if no link is known. */
  ms?: number | undefined;
}

/** Maximum number of baskets that are planned. */
const MAX_BASKETS = 200_000;

const layouts = new WeakMap<TreeLayout, BasketLayout>();

/** Computes the cost from metadata and the trace of earlier reads. Reads nothing. */
export function queryCost(
  layout: TreeLayout,
  chosen: readonly BranchInfo[],
  records: readonly ReadRecord[],
  link: LinkEstimate | undefined,
  { entries: [from, to] = [0, layout.tree.entries], copied = false, told = link }: CostOptions = {},
): QueryCost {
  const { tree, basketStart, source } = layout;
  const branches = withNeeded(tree, chosen, source).map(({ index }) => index);
  let baskets = 0;
  for (const index of branches) baskets += (basketStart[index + 1] ?? 0) - (basketStart[index] ?? 0);
  if (baskets > MAX_BASKETS) {
    const bytes = branches.reduce((sum, index) => sum + (tree.branches[index]?.storedBytes ?? 0), 0);
    return { bytes, known: 0 };
  }
  const all = layouts.get(layout) ?? basketLayout(layout);
  layouts.set(layout, all);
  const read = copied ? [] : readBefore(records);
  // A basket that was read before is treated like one in the tree's own record, which is not read.
  const offsets = all.offsets.slice();
  let known = 0;
  for (const index of read.length > 0 ? branches : []) {
    for (let basket = basketStart[index] ?? 0; basket < (basketStart[index + 1] ?? 0); basket++) {
      if ((all.firsts[basket] ?? 0) >= to || (all.ends[basket] ?? 0) <= from) continue;
      const offset = offsets[basket] ?? 0;
      const bytes = all.bytes[basket] ?? 0;
      if (offset === 0 || !covers(read, offset, offset + bytes)) continue;
      offsets[basket] = 0;
      known += bytes;
    }
  }
  const entries = { from, to, step: 1 };
  const over = (one: LinkEstimate) =>
    simulateReading({ ...all, offsets }, { branches, entries }, one, [{ kind: 'xylem' }])[0];
  const planned = over(link ?? { latencyMs: 20, bytesPerMs: 12_500 });
  const timed = told === undefined || told === link ? planned : over(told);
  return { bytes: planned?.bytes ?? 0, known, requests: planned?.calls ?? 0, ms: told && (timed?.ms ?? 0) };
}

/** Returns the bytes read from the source so far, as ascending, separate ranges. */
function readBefore(records: readonly ReadRecord[]): Range[] {
  return union(
    records
      .filter(({ origin, got, parts }) => origin !== 'decode' && got > 0 && parts === undefined)
      .map(({ offset, got }) => ({ offset, length: got })),
  );
}

function covers(ranges: readonly Range[], from: number, to: number): boolean {
  const range = ranges[firstIndex(ranges.length, (i) => endOf(ranges[i] as Range) >= to)];
  return range !== undefined && range.offset <= from;
}
