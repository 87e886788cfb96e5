import type { EntryRange, TreeLayout } from '../../../api/api';
import type { PerfReport, Reading } from '../../../api/reading';
import { formatCount } from '../../../base/format';
import { shellWord } from '../../../base/literal';
import { shownAddress } from '../../../io/http/shown-url';
import { busyTime, type LinkEstimate } from '../../../io/link';
import { totalLength, union } from '../../../io/ranges';
import { basketLayout } from '../../../reads/basket-layout';
import { basketOrder } from '../../../reads/basket-order';
import { branchesRead } from '../../../reads/branches-read';
import type { ReadingCost } from '../../../reads/planned';
import { programName, type Strategy } from '../../whatif/work/programs';
import { repairedLayout } from '../../whatif/work/repaired';
import { type Outcome, simulateReading } from '../../whatif/work/simulate';
import { callsOf } from './columns-read';

/** Reads of at most this many bytes are called small, because a round trip costs more than they deliver. */
const SMALL_BYTES = 1000;

/** The part of a branch that a reading read. */
export interface BranchUse {
  /** Index in the tree. */
  branch: number;
  /** Bytes of its baskets in the file, and how many of them were read. Bytes read twice count once. */
  storedBytes: number;
  readBytes: number;
  /** Whether the reading wanted it. Others were only read over in gaps. */
  wanted: boolean;
}

/** The use that a reading made of a file. */
export interface UseReport {
  /** Branches of which bytes were read, by index. */
  branches: BranchUse[];
  calls: number;
  /** Number of bytes read. Bytes read twice count twice. */
  bytes: number;
  /** Bytes of baskets of wanted branches. */
  wantedBytes: number;
  /** Bytes outside all baskets of the tree: head, keys, streamer infos, the tree's record, other trees. */
  otherBytes: number;
  /** Bytes of baskets of branches that were not wanted. */
  vainBytes: number;
  /** Bytes that were read again. */
  againBytes: number;
  /** Number of reads of at most 1,000 bytes. */
  smallCalls: number;
  /** First and last entry, exclusive, of the baskets that were read. */
  entries: [from: number, to: number];
}

/** Matches the reads of a trace to the branches of a tree. Throws ARGUMENT if no basket was read. */
export function useOf(report: PerfReport, layout: TreeLayout): UseReport {
  const wanted = new Set(branchesRead(report, layout));
  const calls = callsOf(report);
  const ranges = calls.flatMap(({ offset, length, ranges }) => ranges ?? [{ offset, length }]);
  const covered = union(ranges);
  const { branchOf, within } = basketOrder(layout);
  /** Bytes that were read of each basket, and of each branch. */
  const read = new Map<number, number>();
  for (const range of covered)
    within(range, (basket, bytes) => read.set(basket, (read.get(basket) ?? 0) + bytes));
  const byBranch = new Map<number, BranchUse>();
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const [basket, bytes] of read) {
    const branch = branchOf[basket] ?? 0;
    const use = byBranch.get(branch) ?? {
      branch,
      storedBytes: storedOf(layout, branch),
      readBytes: 0,
      wanted: wanted.has(branch),
    };
    byBranch.set(branch, use);
    use.readBytes += bytes;
    if (!use.wanted || bytes < (layout.storedBytes[basket] ?? 0)) continue;
    from = Math.min(from, layout.firstEntry[basket] ?? 0);
    to = Math.max(to, (layout.firstEntry[basket] ?? 0) + (layout.entries[basket] ?? 0));
  }
  const branches = [...byBranch.values()].sort((a, b) => a.branch - b.branch);
  const sum = (wanted: boolean): number =>
    branches.reduce((total, use) => total + (use.wanted === wanted ? use.readBytes : 0), 0);
  const [wantedBytes, vainBytes] = [sum(true), sum(false)];
  const bytes = totalLength(ranges);
  const once = totalLength(covered);
  return {
    branches,
    calls: calls.length,
    bytes,
    wantedBytes,
    vainBytes,
    otherBytes: Math.max(0, once - wantedBytes - vainBytes),
    againBytes: bytes - once,
    smallCalls: calls.filter(({ length }) => length <= SMALL_BYTES).length,
    entries: [Math.min(from, to), to],
  };
}

/** Returns the bytes of the baskets of a branch in the file. Those in the tree's own record count as 0. */
function storedOf({ basketStart, storedBytes }: TreeLayout, branch: number): number {
  let sum = 0;
  for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) sum += storedBytes[i] ?? 0;
  return sum;
}

/** A cheaper way to use the same data of a file. */
export interface BetterWay {
  name: string;
  calls: number;
  bytes: number;
  /** Time on the link, in ms. */
  ms: number;
  /** The command that writes a better file. */
  command?: string | undefined;
}

/** Returns the cost of reading branches and entries of the tree with xylem. */
export type PlannedCost = (
  branches: number[],
  entries: EntryRange,
  link: LinkEstimate,
) => Promise<ReadingCost>;

/** Sizes of TTreeCache that are compared, in bytes. */
const CACHES = [10e6, 30e6, 100e6];
const MAX_NAMED = 50;

/**
 * Returns the cost of the same branches and entries over a link: first for the recorded reads, one after another;
 * then for other ways of reading and better files.
 */
export async function betterWays(
  use: UseReport,
  layout: TreeLayout,
  link: LinkEstimate,
  file: string,
  planned: PlannedCost,
): Promise<BetterWay[]> {
  const { tree } = layout;
  const branches = use.branches.filter(({ wanted }) => wanted).map(({ branch }) => branch);
  const [from, to] = use.entries;
  const choice = { branches, entries: { from, to, step: 1 } };
  const now = basketLayout(layout);
  const way = (name: string, { calls, bytes, ms }: Outcome, command?: string): BetterWay => ({
    name,
    calls,
    bytes,
    ms,
    command,
  });
  const ways: BetterWay[] = [
    {
      name: 'As recorded, one after another',
      calls: use.calls,
      bytes: use.bytes,
      ms: use.calls * link.latencyMs + use.bytes / link.bytesPerMs,
    },
  ];
  const caches: Strategy[] =
    tree.kind === 'TTree'
      ? CACHES.map((bytes) => ({ kind: 'cache', bytes, known: true }))
      : [{ kind: 'pool' }];
  const outcomes = [
    ...simulateReading(now, choice, link, caches),
    { strategy: { kind: 'xylem' } as const, ...(await planned(branches, [from, to], link)) },
  ];
  for (const outcome of outcomes) {
    ways.push(way(`This file, ${programName(outcome.strategy)}`, outcome));
  }
  if (tree.kind !== 'TTree') return ways;
  const [cache] = [{ kind: 'cache', bytes: 30e6, known: true } as const];
  const [healed] = simulateReading(repairedLayout(layout), choice, link, [cache]);
  const name = shellWord(shownAddress(file));
  if (healed)
    ways.push(way('Healed, TTreeCache of 30 MB', healed, `xylem heal ${name} OUT --level clusters`));
  const names = branches.map((branch) => tree.branches[branch]?.path ?? '');
  if (names.length > MAX_NAMED) return ways;
  const bytes = use.branches.reduce((sum, each) => sum + (each.wanted ? each.storedBytes : 0), 0);
  const skimmed: BetterWay = {
    name: 'Only these branches, copied as a whole',
    calls: 1,
    bytes,
    ms: link.latencyMs + bytes / link.bytesPerMs,
    command: `xylem skim ${name} --tree ${shellWord(tree.path)} --branches ${shellWord(names.join(','))} OUT`,
  };
  return [...ways, skimmed];
}

/**
 * Estimates latency and bandwidth from the reads of a trace: the shortest time of a small read, and all bytes divided
 * by the time during which any read was running. Undefined if the trace has no times.
 */
export function linkOf({ reads }: Reading): LinkEstimate | undefined {
  const timed = reads.filter(({ started, done, failed }) => done > started && failed === undefined);
  if (timed.length === 0) return undefined;
  const busy = busyTime(timed.map(({ started, done }) => ({ from: started, until: done }))) * 1000;
  const waits = timed.map(({ started, answered, done }) => (answered > started ? answered : done) - started);
  // A trace can have more reads than a call can have arguments.
  const latencyMs = waits.reduce((least, wait) => Math.min(least, wait)) * 1000;
  const bytes = timed.reduce((sum, { length }) => sum + length, 0);
  return { latencyMs, bytesPerMs: bytes / Math.max(1e-3, busy - latencyMs) };
}

/** Formats the rate of a link: "93.7 Mbit/s". */
export function rateText(bytesPerMs: number): string {
  const mbit = bytesPerMs / 125;
  return `${mbit < 1000 ? mbit.toPrecision(3) : formatCount(Math.round(mbit))} Mbit/s`;
}
