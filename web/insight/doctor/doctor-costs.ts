import type { BranchInfo, EntryRange, TreeLayout } from '../../api/api';
import type { LinkEstimate } from '../../io/link';
import { type Strategy, simulateReading } from '../simulate/simulate';
import { type BasketLayout, basketLayout, withNeeded } from '../simulate/simulate-layout';
import { repairedLayout } from './doctor-repaired';
import type { DoctorCost } from './doctor-types';

/** A link with the name that reports give it. */
export interface NamedLink extends LinkEstimate {
  name: string;
}

/** Links for which the cost of a finding is given. */
export const LINKS: readonly NamedLink[] = [
  { name: 'LAN, 1 ms, 1 Gbit/s', latencyMs: 1, bytesPerMs: 125_000 },
  { name: '20 ms, 100 Mbit/s', latencyMs: 20, bytesPerMs: 12_500 },
  { name: '150 ms, 50 Mbit/s', latencyMs: 150, bytesPerMs: 6_250 },
];

const WAYS: { name: string; strategy: Strategy }[] = [
  { name: 'without a cache', strategy: { kind: 'none' } },
  { name: 'with a TTreeCache of 30 MB', strategy: { kind: 'cache', bytes: 30_000_000 } },
];
/** A typical histogram or selection reads this many branches. */
const FEW_BRANCHES = 8;

/**
 * The cost of reading a few branches of a TTree today, and after it was rewritten: by ROOT's defaults, or as `better`,
 * which may lack some branches. `part` are the entries that are read today, all by default.
 */
export function layoutCosts(
  layout: TreeLayout,
  better: BasketLayout = repairedLayout(layout),
  [from, to]: EntryRange = [0, layout.tree.entries],
  links = LINKS,
): DoctorCost[] {
  const now = basketLayout(layout);
  const { tree } = layout;
  const isKept = ({ index }: BranchInfo) => better.starts[index] !== better.starts[index + 1];
  const readable = tree.branches.filter(
    (branch) => branch.kind !== 'group' && branch.storedBytes > 0 && isKept(branch),
  );
  const step = Math.max(1, Math.floor(readable.length / FEW_BRANCHES));
  const few = readable.filter((_, i) => i % step === 0).slice(0, FEW_BRANCHES);
  const needed = withNeeded(tree, few);
  const branches = needed.map(({ index }) => index);
  const today = { branches, entries: { from, to, step: 1 } };
  const then = { branches, entries: { from: 0, to: better.entries, step: 1 } };
  return links.flatMap(({ name: link, ...speed }) =>
    WAYS.map(({ name, strategy }): DoctorCost => {
      const [before] = simulateReading(now, today, speed, [strategy]);
      const [after] = simulateReading(better, then, speed, [strategy]);
      return {
        link,
        reading: `${few.length} ${few.length === 1 ? 'branch' : 'branches'} ${name}`,
        branches: needed.map(({ path }) => path),
        calls: before?.calls ?? 0,
        ms: before?.ms ?? 0,
        betterCalls: after?.calls ?? 0,
        betterMs: after?.ms ?? 0,
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
