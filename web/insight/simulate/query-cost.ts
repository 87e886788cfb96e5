import type { BranchInfo, TreeLayout } from '../file/api';
import type { LinkEstimate } from '../io/link';
import type { ReadRecord } from '../io/trace';
import { simulateReading } from './simulate';
import { type BasketLayout, basketLayout, withNeeded } from './simulate-layout';

/** What reading branches from their first to their last entry comes to. */
export interface QueryCost {
  /** To be read, and the part of what is wanted that was read before. */
  bytes: number;
  known: number;
  /** Only where there are not too many baskets to plan. */
  requests?: number | undefined;
  /** On the link, without decoding; only where a link is known. */
  ms?: number | undefined;
}

/** More baskets than this are not planned. */
const MOST_BASKETS = 200_000;

const layouts = new WeakMap<TreeLayout, BasketLayout>();

/** From metadata and the trace of what was read before; nothing is read for it. */
export function queryCost(
  layout: TreeLayout,
  chosen: readonly BranchInfo[],
  records: readonly ReadRecord[],
  link: LinkEstimate | undefined,
): QueryCost {
  const { tree, basketStart } = layout;
  const branches = withNeeded(tree, chosen).map(({ index }) => index);
  let baskets = 0;
  for (const index of branches) baskets += (basketStart[index + 1] ?? 0) - (basketStart[index] ?? 0);
  if (baskets > MOST_BASKETS) {
    const bytes = branches.reduce((sum, index) => sum + (tree.branches[index]?.storedBytes ?? 0), 0);
    return { bytes, known: 0 };
  }
  const all = layouts.get(layout) ?? basketLayout(layout);
  layouts.set(layout, all);
  const read = readBefore(records);
  // A basket that is here is as one that lies in the tree's own record: it is not read.
  const offsets = all.offsets.slice();
  let known = 0;
  for (const index of branches) {
    for (let basket = basketStart[index] ?? 0; basket < (basketStart[index + 1] ?? 0); basket++) {
      const offset = offsets[basket] ?? 0;
      const bytes = all.bytes[basket] ?? 0;
      if (offset === 0 || !covers(read, offset, offset + bytes)) continue;
      offsets[basket] = 0;
      known += bytes;
    }
  }
  const entries = { from: 0, to: tree.entries, step: 1 };
  const [outcome] = simulateReading(
    { ...all, offsets },
    { branches, entries },
    link ?? { latencyMs: 20, bytesPerMs: 12_500 },
    [{ kind: 'xylem' }],
  );
  const { bytes = 0, calls = 0, ms = 0 } = outcome ?? {};
  return { bytes, known, requests: calls, ms: link && ms };
}

interface Span {
  from: number;
  to: number;
}

/** What came of the source so far, as spans that ascend and do not touch. */
function readBefore(records: readonly ReadRecord[]): Span[] {
  const spans = records
    .filter(({ origin, got, parts }) => origin !== 'decode' && got > 0 && parts === undefined)
    .map(({ offset, got }) => ({ from: offset, to: offset + got }))
    .sort((a, b) => a.from - b.from);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push(span);
  }
  return merged;
}

function covers(spans: readonly Span[], from: number, to: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) < to) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.from <= from && to <= span.to;
}
