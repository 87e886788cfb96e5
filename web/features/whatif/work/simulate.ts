import type { LinkEstimate } from '../../../io/link';
import {
  type BasketLayout,
  type BasketVisits,
  type EntryChoice,
  visitBaskets,
} from '../../../reads/basket-layout';
import { type Block, READ_AHEAD_BYTES } from './simulate-blocks';
import { TreeCacheModel } from './simulate-cache';
import { clusterPoolReads } from './simulate-pool';

/** A way in which ROOT reads baskets. */
export type Strategy =
  /** One read for each basket when its first entry is reached: ROOT without a cache. */
  | { kind: 'none' }
  /** As `none`, through a client that fetches at least this many bytes at once. */
  | { kind: 'readahead'; bytes: number }
  /** ROOT's TTreeCache of this many bytes. */
  | { kind: 'cache'; bytes: number; known?: boolean | undefined }
  /** ROOT's cluster pool, which reads RNTuples. */
  | { kind: 'pool' };

export const STRATEGIES: readonly Strategy[] = [
  { kind: 'none' },
  { kind: 'readahead', bytes: READ_AHEAD_BYTES },
  ...[10e6, 30e6, 60e6, 200e6].map((bytes) => ({ kind: 'cache', bytes }) as const),
];

/** Strategies for an RNTuple. A TTreeCache is only for TTrees. */
export const NTUPLE_STRATEGIES: readonly Strategy[] = [
  { kind: 'none' },
  { kind: 'readahead', bytes: READ_AHEAD_BYTES },
  { kind: 'pool' },
];

/** Returns the strategies for a tree of this kind. */
export function strategiesFor(kind: 'TTree' | 'RNTuple'): readonly Strategy[] {
  return kind === 'RNTuple' ? NTUPLE_STRATEGIES : STRATEGIES;
}

export function strategyName(strategy: Outcome['strategy']): string {
  if (strategy.kind === 'none') return 'no cache';
  if (strategy.kind === 'xylem') return 'xylem';
  if (strategy.kind === 'pool') return 'cluster pool';
  if (strategy.kind === 'readahead') return `read-ahead of ${strategy.bytes / 1000} kB`;
  return `TTreeCache of ${strategy.bytes / 1e6} MB`;
}

/** The cost of one way of reading. */
export interface Outcome {
  strategy: Strategy | { kind: 'xylem' };
  /** Number of reads of the file, as ReadCalls of TTreePerfStats. */
  calls: number;
  /** Number of successive requests. A fill of a TTreeCache is one vector request. */
  trips: number;
  /** Number of bytes read, and how many of them were not needed. */
  bytes: number;
  overread: number;
  /**
   * Time on the link in ms: waiting and receiving, without decoding. A TTreeCache reads over gaps only in a local
   * file.
   */
  ms: number;
}

export interface ReadChoice {
  /** Indices of branches in the order in which they are read for an entry: the tree's order, depth first. */
  branches: readonly number[];
  entries: EntryChoice;
}

/** Returns the cost of reading with each strategy over a link, from metadata. */
export function simulateReading(
  layout: BasketLayout,
  choice: ReadChoice,
  link: LinkEstimate,
  strategies: readonly Strategy[] = STRATEGIES,
): Outcome[] {
  return strategies.map(simulator(layout, choice, link));
}

/** Returns a function that simulates one strategy. Work that strategies share is done once. */
export function simulator(
  layout: BasketLayout,
  choice: ReadChoice,
  link: LinkEstimate,
): (strategy: Strategy) => Outcome {
  const visits = visitBaskets(layout, choice.branches, choice.entries);
  return (strategy) => {
    if (strategy.kind === 'cache') return withCache(layout, choice, visits, strategy, link);
    if (strategy.kind === 'pool') {
      const total = new Total();
      clusterPoolReads(layout, visits, (blocks) => total.add(blocks));
      return { strategy, ...total.counts, overread: total.overread, ms: serial(total, link) };
    }
    return oneByOne(layout, visits, strategy, strategy.kind === 'none' ? 0 : strategy.bytes, link);
  };
}

function oneByOne(
  layout: BasketLayout,
  visits: BasketVisits,
  strategy: Strategy,
  readAhead: number,
  link: LinkEstimate,
): Outcome {
  const total = new Total();
  const fileEnd = endOfBaskets(layout);
  let from = 0;
  let until = 0;
  let wanted = 0;
  for (const basket of visits.basket) {
    const offset = layout.offsets[basket] ?? 0;
    const length = layout.bytes[basket] ?? 0;
    if (offset === 0) continue;
    wanted += length;
    if (offset >= from && offset + length <= until) continue;
    from = offset;
    until = Math.max(offset + length, Math.min(fileEnd, offset + readAhead));
    total.add([{ offset, length: until - from, wanted: length }]);
  }
  return { strategy, ...total.counts, overread: total.counts.bytes - wanted, ms: serial(total, link) };
}

function withCache(
  layout: BasketLayout,
  { branches, entries }: ReadChoice,
  visits: BasketVisits,
  strategy: Strategy & { kind: 'cache' },
  link: LinkEstimate,
): Outcome {
  const total = new Total();
  new TreeCacheModel(layout, branches, entries, {
    cacheBytes: strategy.bytes,
    known: strategy.known,
    onRead: (_entry, blocks) => total.add(blocks),
  }).run(visits);
  const { counts, overread } = total;
  // Over a link a fill is one vector read, without the bytes between baskets.
  const ms = counts.trips * link.latencyMs + (counts.bytes - overread) / link.bytesPerMs;
  return { strategy, ...counts, overread, ms };
}

function serial({ counts }: Total, { latencyMs, bytesPerMs }: LinkEstimate): number {
  return counts.trips * latencyMs + counts.bytes / bytesPerMs;
}

class Total {
  readonly counts = { calls: 0, trips: 0, bytes: 0 };
  overread = 0;

  /** Adds reads that are requested together. */
  add(blocks: readonly Block[]): void {
    this.counts.trips++;
    this.counts.calls += blocks.length;
    for (const { length, wanted } of blocks) {
      this.counts.bytes += length;
      this.overread += length - wanted;
    }
  }
}

function endOfBaskets({ offsets, bytes }: BasketLayout): number {
  let end = 0;
  for (let i = 0; i < offsets.length; i++) end = Math.max(end, (offsets[i] ?? 0) + (bytes[i] ?? 0));
  return end;
}
