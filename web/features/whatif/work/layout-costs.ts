import type { BranchInfo, EntryRange, TreeLayout } from '../../../api/api';
import type { DoctorCost, NamedLink } from '../../../api/doctor';
import { type BasketLayout, basketLayout, withNeeded } from '../../../reads/basket-layout';
import type { Strategy } from './programs';
import { repairedLayout } from './repaired';
import { type Outcome, simulateReading } from './simulate';

/** A hard disk. */
export const DISK: NamedLink = {
  name: 'Disk, 5 ms, 150 MB/s',
  latencyMs: 5,
  bytesPerMs: 150_000,
  isDisk: true,
};

/** The disk and the links for which the cost of a finding is given. */
export const LINKS: readonly NamedLink[] = [
  DISK,
  { name: 'LAN, 1 ms, 1 Gbit/s', latencyMs: 1, bytesPerMs: 125_000 },
  { name: '20 ms, 100 Mbit/s', latencyMs: 20, bytesPerMs: 12_500 },
  { name: '150 ms, 50 Mbit/s', latencyMs: 150, bytesPerMs: 6_250 },
];

const WAYS: { name: string; strategy: Strategy }[] = [
  { name: 'without a cache', strategy: { kind: 'none' } },
  { name: 'with a TTreeCache of 30 MB', strategy: { kind: 'cache', bytes: 30_000_000 } },
];
const NTUPLE_WAYS: typeof WAYS = [
  { name: 'page by page', strategy: { kind: 'none' } },
  { name: "with ROOT's cluster pool", strategy: { kind: 'pool' } },
];
/** Number of branches that a typical histogram or selection reads. */
const FEW_BRANCHES = 8;

/** The part of a tree that is read, and the layout it is compared with. */
export interface CostChoice {
  /** Default: a few, as for a typical histogram or selection. */
  branches?: readonly BranchInfo[] | undefined;
  /** Set for a recorded reading: the list is complete, so branches that these need are not added. */
  recorded?: boolean | undefined;
  /** Entries that are read now. Default: all. */
  entries?: EntryRange | undefined;
  /**
   * The layout after the repair, which may lack some branches. Default: as ROOT writes it with its default settings.
   */
  better?: BasketLayout | undefined;
  links?: readonly NamedLink[] | undefined;
}

/** Returns a few branches, as read by a typical histogram or selection. */
export function typicalBranches({ tree }: TreeLayout, better?: BasketLayout): BranchInfo[] {
  const { kind, branches } = tree;
  const isKept = ({ index }: BranchInfo) =>
    better === undefined || better.starts[index] !== better.starts[index + 1];
  // The values of a field of an RNTuple include those of all its subfields, so it would not be a small part.
  const isWhole = ({ index, depth }: BranchInfo) =>
    kind === 'RNTuple' && (branches[index + 1]?.depth ?? 0) > depth;
  const readable = branches.filter(
    (branch) => branch.kind !== 'group' && branch.storedBytes > 0 && isKept(branch) && !isWhole(branch),
  );
  const step = Math.max(1, Math.floor(readable.length / FEW_BRANCHES));
  return readable.filter((_, i) => i % step === 0).slice(0, FEW_BRANCHES);
}

/** Returns the cost of reading branches now and after rewriting. */
export function layoutCosts(layout: TreeLayout, choice: CostChoice = {}): DoctorCost[] {
  const { better = repairedLayout(layout), entries, links = LINKS, recorded = false } = choice;
  const now = basketLayout(layout);
  const { tree } = layout;
  const chosen = choice.branches ?? typicalBranches(layout, better);
  const needed = recorded ? chosen : withNeeded(tree, chosen, layout.source);
  const branches = needed.map(({ index }) => index);
  const [from, to] = entries ?? [0, tree.entries];
  const today = { branches, entries: { from, to, step: 1 } };
  // A file with only the chosen entries is read from its start.
  const same = better.entries === tree.entries;
  const then = { branches, entries: same ? today.entries : { from: 0, to: better.entries, step: 1 } };
  return links.flatMap(({ name: link, isDisk, ...speed }) =>
    (tree.kind === 'RNTuple' ? NTUPLE_WAYS : WAYS).map(({ name, strategy }): DoctorCost => {
      const [before] = simulateReading(now, today, speed, [strategy]);
      const [after] = simulateReading(better, then, speed, [strategy]);
      const msOf = ({ calls, bytes, ms }: Outcome) =>
        isDisk ? calls * speed.latencyMs + bytes / speed.bytesPerMs : ms;
      return {
        link,
        cached: strategy.kind !== 'none',
        reading: `${chosen.length} ${chosen.length === 1 ? 'branch' : 'branches'} ${name}`,
        branches: needed.map(({ path }) => path),
        calls: before?.calls ?? 0,
        bytes: before?.bytes ?? 0,
        ms: before ? msOf(before) : 0,
        betterCalls: after?.calls ?? 0,
        betterBytes: after?.bytes ?? 0,
        betterMs: after ? msOf(after) : 0,
      };
    }),
  );
}

/** Whether, for some way of reading, the number of calls or the time drops to at most four fifths. */
export function worthIt(costs: readonly DoctorCost[]): boolean {
  return costs.some(
    ({ calls, betterCalls, ms, betterMs }) => betterCalls <= 0.8 * calls || betterMs <= 0.8 * ms,
  );
}
