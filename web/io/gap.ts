import type { LinkEstimate } from './link';
import { endOf } from './ranges';
import type { Range } from './source';

export interface GapOptions {
  link: LinkEstimate | undefined;
  /** Requests under way at once. */
  concurrency: number;
  /** One request can bring several ranges. */
  manyParts: boolean;
}

/** Where the link is not known, or is no network. */
export const DEFAULT_GAP_BYTES = 64 * 1024;
/** What a request or its answer has besides the bytes. */
const LEAST_GAP_BYTES = 1024;
/** What a part of an answer of several ranges has besides its bytes. */
const PART_GAP_BYTES = 256;
/** So much of what is wanted may be read over for any gain. */
const FREE_OVERREAD = 0.1;
/** More than that only where it makes the whole faster by this factor. */
const WORTH_IT = 0.75;

/**
 * The largest gap that is read over: the one with which all of it is here soonest. Fewer requests
 * wait for fewer round trips, and more bytes take longer; with requests of several ranges only the
 * bytes count. `missing` ascends and is disjoint.
 */
export function chooseGap(missing: readonly Range[], options: GapOptions): number {
  const { link, concurrency, manyParts } = options;
  if (!link) return DEFAULT_GAP_BYTES;
  const gaps: number[] = [];
  let bytes = 0;
  missing.forEach((range, index) => {
    const next = missing[index + 1];
    if (next) gaps.push(next.offset - endOf(range));
    bytes += range.length;
  });
  gaps.sort((a, b) => a - b);
  const most = bytes * (1 + FREE_OVERREAD);
  const cost = (requests: number, asked: number): number =>
    Math.max(
      link.latencyMs + asked / link.bytesPerMs,
      (requests * link.latencyMs + asked / link.bytesPerMs) / concurrency,
    );
  let requests = missing.length;
  let asked = bytes;
  const modest = { cost: cost(requests, asked), gap: 0, requests };
  const any = { ...modest };
  for (const gap of gaps) {
    requests--;
    asked += gap;
    const now = { cost: cost(requests, asked), gap, requests };
    if (gap <= LEAST_GAP_BYTES || (asked <= most && now.cost < modest.cost)) Object.assign(modest, now);
    if (now.cost < any.cost) Object.assign(any, now);
  }
  const best = any.cost < modest.cost * WORTH_IT ? any : modest;
  // A few requests are under way at once anyhow.
  if (manyParts && modest.requests > 2 * concurrency) return PART_GAP_BYTES;
  return best.gap;
}
