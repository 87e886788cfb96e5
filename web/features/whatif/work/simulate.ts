import type { LinkEstimate } from '../../../io/link';
import type { BasketLayout } from '../../../reads/basket-layout';
import type { ProgramRead, ReadChoice } from './program-read';
import { type Program, READ_AHEAD_BYTES, type Strategy } from './programs';
import { readerOf } from './reads-of';

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

/** The cost of one way of reading. */
export interface Outcome {
  strategy: Program;
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
  const countOf = counter(layout, choice);
  return (strategy) => {
    const counts = countOf(strategy);
    return { strategy, ...counts, ms: linkMs(strategy, counts, link) };
  };
}

/** The cost of one way of reading without that of a link. */
export type ReadCounts = Omit<Outcome, 'strategy' | 'ms'>;

/** Returns a function that counts the reads of a strategy. Work that strategies share is done once. */
export function counter(layout: BasketLayout, choice: ReadChoice): (strategy: Strategy) => ReadCounts {
  const readsOf = readerOf(layout, choice);
  return (strategy) => countsOf(readsOf(strategy));
}

function countsOf(reads: readonly ProgramRead[]): ReadCounts {
  const total = { calls: 0, trips: reads.length, bytes: 0, overread: 0 };
  for (const { blocks } of reads) {
    total.calls += blocks.length;
    for (const { length, wanted } of blocks) {
      total.bytes += length;
      total.overread += length - wanted;
    }
  }
  return total;
}

/** Returns the time of reads on a link, in ms: waiting and receiving. */
export function linkMs(
  { kind }: Strategy,
  { trips, bytes, overread }: ReadCounts,
  { latencyMs, bytesPerMs }: LinkEstimate,
): number {
  // Over a link a fill of a TTreeCache is one vector read, without the bytes between baskets.
  const received = kind === 'cache' ? bytes - overread : bytes;
  return trips * latencyMs + received / bytesPerMs;
}

/** Returns the time of reads on a disk, in ms: a seek for each, and all bytes. */
export function diskMs({ calls, bytes }: ReadCounts, { latencyMs, bytesPerMs }: LinkEstimate): number {
  return calls * latencyMs + bytes / bytesPerMs;
}
