import type { BranchInfo, EntryRange, TreeLayout } from '../../api/api';
import type { LinkEstimate } from '../../io/link';
import { repairedLayout } from '../simulate/repaired';
import { type Outcome, type Strategy, simulateReading } from '../simulate/simulate';
import { type BasketLayout, basketLayout, withNeeded } from '../simulate/simulate-layout';
import type { DoctorCost } from './doctor-types';

/** A link with the name that reports give it. */
export interface NamedLink extends LinkEstimate {
  name: string;
  /** A disk: each read waits for a move of its arm, also those of one fill of a TTreeCache, with the gaps that ROOT reads over. */
  isDisk?: boolean | undefined;
}

/** A disk and the links for which the cost of a finding is given. */
export const LINKS: readonly NamedLink[] = [
  { name: 'Disk, 5 ms, 150 MB/s', latencyMs: 5, bytesPerMs: 150_000, isDisk: true },
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
/** A typical histogram or selection reads this many branches. */
const FEW_BRANCHES = 8;

/** Which part of a tree is read, and what it is compared with. */
export interface CostChoice {
  /** Default: a few, as a typical histogram or selection reads. */
  branches?: readonly BranchInfo[] | undefined;
  /** The branches are all that is read, as a recorded reading has them: those that they need are not added. */
  recorded?: boolean | undefined;
  /** Entries that are read today; default: all. */
  entries?: EntryRange | undefined;
  /** The layout afterwards, which may lack some branches; default: as ROOT writes it by its defaults. */
  better?: BasketLayout | undefined;
  links?: readonly NamedLink[] | undefined;
}

/** A few branches, as a typical histogram or selection reads. */
export function typicalBranches({ tree }: TreeLayout, better?: BasketLayout): BranchInfo[] {
  const { kind, branches } = tree;
  const isKept = ({ index }: BranchInfo) =>
    better === undefined || better.starts[index] !== better.starts[index + 1];
  // The values of a field of an RNTuple include those of all fields below it, which are not few.
  const isWhole = ({ index, depth }: BranchInfo) =>
    kind === 'RNTuple' && (branches[index + 1]?.depth ?? 0) > depth;
  const readable = branches.filter(
    (branch) => branch.kind !== 'group' && branch.storedBytes > 0 && isKept(branch) && !isWhole(branch),
  );
  const step = Math.max(1, Math.floor(readable.length / FEW_BRANCHES));
  return readable.filter((_, i) => i % step === 0).slice(0, FEW_BRANCHES);
}

/** The cost of reading branches today, and after it was rewritten. */
export function layoutCosts(layout: TreeLayout, choice: CostChoice = {}): DoctorCost[] {
  const { better = repairedLayout(layout), entries, links = LINKS, recorded = false } = choice;
  const now = basketLayout(layout);
  const { tree } = layout;
  const chosen = choice.branches ?? typicalBranches(layout, better);
  const needed = recorded ? chosen : withNeeded(tree, chosen, layout.source);
  const branches = needed.map(({ index }) => index);
  const [from, to] = entries ?? [0, tree.entries];
  const today = { branches, entries: { from, to, step: 1 } };
  // A file that has the chosen entries only is read from its start.
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

/** Whether some way of reading takes at most four fifths of its calls or of its time. */
export function worthIt(costs: readonly DoctorCost[]): boolean {
  return costs.some(
    ({ calls, betterCalls, ms, betterMs }) => betterCalls <= 0.8 * calls || betterMs <= 0.8 * ms,
  );
}
