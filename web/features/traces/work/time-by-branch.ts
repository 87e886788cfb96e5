import type { TreeLayout } from '../../../api/api';
import type { PerfRead, PerfReport } from '../../../api/reading';
import { basketOrder } from '../../../reads/basket-order';

/** The phases of reading a branch, in order. */
export const PHASES = ['wait', 'network', 'decompress', 'decode', 'fill'] as const;
export type Phase = (typeof PHASES)[number];

export const phaseNames: Record<Phase, string> = {
  wait: 'waiting',
  network: 'receiving',
  decompress: 'decompressing',
  decode: 'decoding',
  fill: 'filling',
};

/** The time of one branch, in seconds. */
export interface BranchTime extends Record<Phase, number> {
  /** Its path; for reads without a branch, their purpose. */
  name: string;
  /** Index in the tree; -1 without a branch. */
  branch: number;
  total: number;
}

/** In seconds. A trace with longer times is damaged, and their sum could overflow. */
const LONGEST = 1e12;

/** Name for reads without a branch. */
const OTHER = 'head, keys and tree';

/**
 * Returns the name of the item whose time was measured: a branch, or values of expressions and copying of columns.
 */
export function timedName(branch: string): string {
  return branch || 'results';
}

/**
 * Returns the time of each branch by phase, the longest first. A request for several branches is divided in
 * proportion to their bytes. Simultaneous requests and tasks all count, so the sum may exceed the elapsed time.
 */
export function timeByBranch({ reads }: PerfReport, layout: TreeLayout): BranchTime[] {
  const times = new Map<string, BranchTime>();
  const paths = new Map(layout.tree.branches.map(({ path, index }) => [path, index]));
  const add = (name: string, phase: Phase, seconds: number): void => {
    if (!(seconds > 0 && seconds < LONGEST)) return;
    let time = times.get(name);
    if (time === undefined) {
      time = {
        name,
        branch: paths.get(name) ?? -1,
        total: 0,
        wait: 0,
        network: 0,
        decompress: 0,
        decode: 0,
        fill: 0,
      };
      times.set(name, time);
    }
    time[phase] += seconds;
    time.total += seconds;
  };
  for (const read of reads) {
    const { origin, queued, answered, done, started } = read;
    if (origin === 'memory') continue;
    if (origin === 'decode') {
      if (read.phases === undefined) add(read.purpose || OTHER, 'decode', done - started);
      for (const { branch, decompress, decode, fill } of read.phases ?? []) {
        const name = timedName(branch);
        add(name, 'decompress', decompress / 1000);
        add(name, 'decode', decode / 1000);
        add(name, 'fill', fill / 1000);
      }
      continue;
    }
    const shares = branchShares(layout, read);
    if (shares.size === 0) shares.set(OTHER, 1);
    const first = Math.min(done, Math.max(queued, answered));
    for (const [name, share] of shares) {
      add(name, 'wait', share * (first - queued));
      add(name, 'network', share * (done - first));
    }
  }
  return [...times.values()].sort((a, b) => b.total - a.total);
}

/** Returns the branches with baskets in a read, each with its fraction of their bytes. */
function branchShares(layout: TreeLayout, read: PerfRead): Map<string, number> {
  const { branchOf, within } = basketOrder(layout);
  const shares = new Map<string, number>();
  let all = 0;
  for (const range of read.ranges ?? [read]) {
    within(range, (basket, bytes) => {
      const path = layout.tree.branches[branchOf[basket] ?? 0]?.path ?? '';
      shares.set(path, (shares.get(path) ?? 0) + bytes);
      all += bytes;
    });
  }
  for (const [path, bytes] of shares) shares.set(path, bytes / all);
  return shares;
}
