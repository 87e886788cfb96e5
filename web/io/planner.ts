import { firstAbove } from '../base/search';
import { blocksOf } from './blocks';
import { chooseGap, DEFAULT_GAP_BYTES } from './gap';
import type { LinkEstimate, LocalCosts } from './link';
import { common, eachOverlap, endOf, subtract, totalLength, union } from './ranges';
import type { Range, SourceFacts } from './source';
import { linkOf, type Trace } from './trace';

export interface PlanOptions {
  /** Maximum gap between two wanted ranges that is read over. Default: see `chooseGap`. */
  gapBytes?: number | undefined;
  /** Latency and bandwidth, if they were measured or are known. */
  link?: LinkEstimate | LocalCosts | undefined;
  /** Maximum number of ranges in one request; 0 if only one is possible. */
  manyParts?: number | undefined;
  /**
   * If set, each request is for a whole block of this many bytes, and gaps, shares and the longest request are
   * ignored.
   */
  blockBytes?: number | undefined;
  /** Size of the file, if known. The last block ends there. */
  size?: number | undefined;
  /** Maximum length of a request. */
  maxRangeBytes: number;
  /** Number of requests among which a long span is divided. */
  concurrency: number;
}

/** Maximum length of a request in bytes. */
export const MAX_RANGE_BYTES = 8 * 1024 * 1024;

/** Returns how the reads of a source are planned, by what its trace shows of the link. */
export function planOf(
  source: SourceFacts,
  trace: Trace,
  {
    concurrency,
    gapBytes,
    maxRangeBytes,
  }: Pick<PlanOptions, 'concurrency' | 'gapBytes'> & {
    maxRangeBytes?: number | undefined;
  },
): PlanOptions {
  return {
    concurrency,
    gapBytes,
    maxRangeBytes: maxRangeBytes ?? MAX_RANGE_BYTES,
    link: linkOf(source, trace),
    manyParts: source.maxParts ?? 0,
    blockBytes: source.blockBytes,
    size: source.info().size,
  };
}

/** The part of a wanted range that is in one request. */
export interface Piece extends Range {
  /** Index in the wanted ranges. */
  index: number;
}

export interface PlannedRange extends Range {
  /** Parts of wanted ranges in it, by offset. */
  pieces: Piece[];
  /** Number of wanted bytes in it. The rest is read over. */
  wanted: number;
}

export interface ReadPlan {
  /** Ascending, disjoint, none longer than `maxRangeBytes`. */
  ranges: PlannedRange[];
  /** Number of wanted bytes (each counted once), of wanted bytes that are cached, and of requested bytes. */
  wanted: number;
  cached: number;
  asked: number;
  /** Number of requested bytes that are not wanted: asked - (wanted - cached). */
  overread: number;
}

/**
 * Minimum length of a share of a span. Connections share one link, and opening another one takes a round trip more
 * than using an open one.
 */
const MIN_SHARE = 384 * 1024;

/**
 * Plans the requests for bytes that are wanted and not cached. `wanted` and `cached` may be in any order and overlap.
 * Missing bytes are merged across gaps of at most `gapBytes`. A span is then divided so that every connection gets a
 * share of it, if possible at the beginning of wanted ranges, and never into shares that cost less than a request.
 */
export function planReads(
  wanted: readonly Range[],
  cached: readonly Range[],
  options: PlanOptions,
): ReadPlan {
  const all = union(wanted);
  const missing = subtract(all, union(cached));
  const { blockBytes, size } = options;
  const parts = blockBytes
    ? cutAt(missing, blocksOf(missing, blockBytes, size))
    : cutAt(missing, splitEvenly(missing, wanted, options));
  const ranges = planParts(parts, blockBytes !== undefined);
  givePieces(parts, wanted);
  const wantedBytes = totalLength(all);
  const missingBytes = totalLength(missing);
  const asked = totalLength(ranges);
  return {
    ranges,
    wanted: wantedBytes,
    cached: wantedBytes - missingBytes,
    asked,
    overread: asked - missingBytes,
  };
}

/** Merges ranges across small gaps, and divides long spans among the connections. */
function splitEvenly(missing: readonly Range[], wanted: readonly Range[], options: PlanOptions): Range[] {
  const { link, concurrency, manyParts = 0 } = options;
  const gapBytes =
    options.gapBytes ?? (link ? chooseGap(missing, { link, concurrency, manyParts }) : DEFAULT_GAP_BYTES);
  const spans = mergeAcross(missing, gapBytes);
  const share = shareOf(totalLength(spans), gapBytes, options);
  const starts = wanted.map((range) => range.offset).sort((a, b) => a - b);
  return spans.flatMap((span) => split(span, share, starts));
}

function mergeAcross(missing: readonly Range[], gapBytes: number): Range[] {
  const spans: Range[] = [];
  for (const range of missing) {
    const last = spans.at(-1);
    if (last && range.offset - endOf(last) <= gapBytes) last.length = endOf(range) - last.offset;
    else spans.push({ ...range });
  }
  return spans;
}

/** Returns the maximum length of a request, so that every connection gets its share. */
function shareOf(asked: number, gapBytes: number, options: PlanOptions): number {
  const { link } = options;
  const fair = Math.ceil(asked / Math.max(1, options.concurrency));
  // Another connection costs a round trip, so it must save one.
  const worth = link ? Math.ceil(link.latencyMs * link.bytesPerMs) : 0;
  const least = Math.max(MIN_SHARE, gapBytes, worth);
  return Math.max(1, Math.min(options.maxRangeBytes, Math.max(least, fair)));
}

/** Divides a span into even parts of at most `share` bytes, at the beginning of a wanted range if one is near. */
function split(span: Range, share: number, starts: readonly number[]): Range[] {
  const parts: Range[] = [];
  const end = endOf(span);
  let from = span.offset;
  while (end - from > share) {
    const even = Math.ceil((end - from) / Math.ceil((end - from) / share));
    const start = starts[firstAbove(starts, from + even) - 1];
    const cut = start !== undefined && start > from + even / 2 ? start : from + even;
    parts.push({ offset: from, length: cut - from });
    from = cut;
  }
  parts.push({ offset: from, length: end - from });
  return parts;
}

/** Missing bytes within one request. */
interface Part extends Range {
  to: PlannedRange;
}

/** Splits the missing bytes at the boundaries of the requests. */
function cutAt(missing: readonly Range[], requests: readonly Range[]): Part[] {
  const parts: Part[] = [];
  const planned = requests.map((range) => ({ ...range, pieces: [], wanted: 0 }));
  let at = 0;
  for (const range of missing) {
    for (let from = range.offset; from < endOf(range); ) {
      let to = planned[at];
      while (to && endOf(to) <= from) to = planned[++at];
      if (!to) break;
      const until = Math.min(endOf(range), endOf(to));
      parts.push({ offset: from, length: until - from, to });
      from = until;
    }
  }
  return parts;
}

/**
 * Returns the requests. Unless they are `whole`, each extends from its first missing byte to its last, so a gap at a
 * boundary is not requested.
 */
function planParts(parts: readonly Part[], whole: boolean): PlannedRange[] {
  const ranges: PlannedRange[] = [];
  for (const { offset, length, to } of parts) {
    const isFirst = ranges.at(-1) !== to;
    if (isFirst) ranges.push(to);
    to.wanted += length;
    if (whole) continue;
    if (isFirst) to.offset = offset;
    to.length = offset + length - to.offset;
  }
  return ranges;
}

/** Lists in each request the wanted ranges that it contains. */
function givePieces(parts: readonly Part[], wanted: readonly Range[]): void {
  const order = wanted.map(({ offset, length }, index) => ({ offset, length, index }));
  order.sort((a, b) => a.offset - b.offset);
  eachOverlap(order, parts, (range, part) => {
    const shared = common(part, range);
    if (shared.length > 0) part.to.pieces.push({ index: range.index, ...shared });
  });
}
