import type { TreeLayout } from '../../api/api';
import { type Strategy, simulateReading } from '../simulate/simulate';
import { basketLayout, withNeeded } from '../simulate/simulate-layout';
import { repairedLayout } from './doctor-repaired';
import type { DoctorCost } from './doctor-types';

/** Links for which the cost of a finding is given. */
const LINKS = [
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

/** The cost of reading a few branches of a TTree today, and after it was rewritten. */
export function layoutCosts(layout: TreeLayout): DoctorCost[] {
  const now = basketLayout(layout);
  const better = repairedLayout(layout);
  const { tree } = layout;
  const readable = tree.branches.filter(({ kind, storedBytes }) => kind !== 'group' && storedBytes > 0);
  const step = Math.max(1, Math.floor(readable.length / FEW_BRANCHES));
  const few = readable.filter((_, i) => i % step === 0).slice(0, FEW_BRANCHES);
  const needed = withNeeded(tree, few);
  const branches = needed.map(({ index }) => index);
  const entries = { from: 0, to: tree.entries, step: 1 };
  return LINKS.flatMap(({ name: link, ...speed }) =>
    WAYS.map(({ name, strategy }): DoctorCost => {
      const [today] = simulateReading(now, { branches, entries }, speed, [strategy]);
      const [then] = simulateReading(better, { branches, entries }, speed, [strategy]);
      return {
        link,
        reading: `${few.length} ${few.length === 1 ? 'branch' : 'branches'} ${name}`,
        branches: needed.map(({ path }) => path),
        calls: today?.calls ?? 0,
        ms: today?.ms ?? 0,
        betterCalls: then?.calls ?? 0,
        betterMs: then?.ms ?? 0,
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
