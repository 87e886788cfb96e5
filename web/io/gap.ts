import type { LinkEstimate, LocalCosts } from './link';
import { endOf } from './ranges';
import type { Range } from './source';

export interface GapOptions {
  link: LinkEstimate | LocalCosts;
  /** Requests under way at once. */
  concurrency: number;
  /** Maximum number of ranges in one request; 0 if only one is possible. */
  manyParts: number;
}

/** Default if the link is unknown, or not a network. */
export const DEFAULT_GAP_BYTES = 64 * 1024;
/** Bytes of a request and its answer without the content. */
const MIN_GAP_BYTES = 1024;
/** Bytes of a part in a multi-range answer without the content. */
const PART_GAP_BYTES = 256;
/** Time that a part costs the server and the reader, in ms. */
const PART_MS = 0.08;
/** Up to this fraction of the wanted bytes may be read in gaps for any gain. */
const FREE_OVERREAD = 0.1;
/** More is read in gaps only if this reduces the total time to at most this fraction. */
const WORTH_IT = 0.75;
/** At most this multiple of the wanted bytes is read from a server that supports many ranges per request. */
const MAX_WITH_PARTS = 2;

/**
 * Chooses the largest gap that is read over, so that all bytes arrive soonest: fewer requests need fewer round trips,
 * but more bytes take longer. If a request can have several ranges, the number of rounds of requests counts, and each
 * range has a small cost. `missing` ascends and is disjoint.
 */
export function chooseGap(missing: readonly Range[], options: GapOptions): number {
  const { link, concurrency, manyParts } = options;
  const { latencyMs, bytesPerMs } = link;
  const gaps: number[] = [];
  let bytes = 0;
  missing.forEach((range, index) => {
    const next = missing[index + 1];
    if (next) gaps.push(next.offset - endOf(range));
    bytes += range.length;
  });
  gaps.sort((a, b) => a - b);
  const any = Number.POSITIVE_INFINITY;
  const single = bestGap(gaps, bytes, { least: MIN_GAP_BYTES, most: any }, (ranges, asked) =>
    Math.max(latencyMs + asked / bytesPerMs, (ranges * latencyMs + asked / bytesPerMs) / concurrency),
  );
  // A few requests run at the same time in any case.
  if (manyParts < 2 || single.modest <= 2 * concurrency) return single.gap;
  const local = 'partMs' in link;
  const partMs = local ? link.partMs : PART_MS;
  const limits = { least: PART_GAP_BYTES, most: local ? any : MAX_WITH_PARTS * bytes };
  return bestGap(gaps, bytes, limits, (ranges, asked) => {
    const rounds = Math.ceil(ranges / manyParts / concurrency);
    return rounds * latencyMs + asked / bytesPerMs + ranges * partMs;
  }).gap;
}

/**
 * Finds the gap of least cost. Gaps of up to `least` bytes are always read over. More than a tenth of `bytes` is read
 * in gaps only for a large gain, and never more than `most` bytes in total. `modest` is the number of ranges if at most
 * a tenth is read in gaps.
 */
function bestGap(
  gaps: readonly number[],
  bytes: number,
  { least, most }: { least: number; most: number },
  cost: (ranges: number, asked: number) => number,
): { gap: number; modest: number } {
  const free = bytes * (1 + FREE_OVERREAD);
  let ranges = gaps.length + 1;
  let asked = bytes;
  let modest = { cost: cost(ranges, asked), gap: 0, ranges };
  let any = modest;
  for (const [i, gap] of gaps.entries()) {
    ranges--;
    asked += gap;
    // Gaps of equal size are either all read over, or none of them.
    if (gaps[i + 1] === gap) continue;
    const now = cost(ranges, asked);
    if (gap <= least || (asked <= free && now < modest.cost)) modest = { cost: now, gap, ranges };
    if (asked <= most && now < any.cost) any = { cost: now, gap, ranges };
  }
  const { gap } = any.cost < modest.cost * WORTH_IT ? any : modest;
  return { gap, modest: modest.ranges };
}
