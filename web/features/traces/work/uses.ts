import type { TreeLayout } from '../../../api/api';
import type { PerfReport, Reading } from '../../../api/reading';
import { XylemError } from '../../../base/errors';
import type { LinkEstimate } from '../../../io/link';
import { placed } from '../../../reads/place';
import { USUAL_LINK } from '../../../reads/planned';
import { type ColumnReads, columnReads } from './columns-read';
import { type BetterWay, betterWays, linkOf, type PlannedCost, type UseReport, useOf } from './use';

/** A reading whose reads were matched to the branches of a tree. */
export interface Used {
  report: PerfReport;
  /** Undefined for traces without positions of reads, such as the monitoring of a cache. */
  use: UseReport | undefined;
}

/** A branch that readings used. */
export interface BranchSum {
  /** Index in the tree. */
  branch: number;
  readings: number;
  /** Bytes of it that all readings read, and its stored bytes. */
  bytes: number;
  storedBytes: number;
}

/** The parts of one tree that readings used, and cheaper ways for the first reading. */
export interface UsesReport {
  /** The program and the use of each reading. */
  uses: { by: string; file: string; use: UseReport | undefined; facts: Reading['facts'] }[];
  /** Branches, those used by the most readings first. */
  branches: BranchSum[];
  /** For a single reading: the columns that it read. */
  columns: ColumnReads[];
  /** For a single reading: other ways to read the same over its link. */
  ways: BetterWay[];
  link: LinkEstimate;
  /** Whether the link was estimated from the trace; otherwise it is a typical one. */
  linkKnown: boolean;
}

const isPlaced = ({ origin, ranges }: Reading['reads'][number]): boolean =>
  (origin === 'network' || origin === 'disk') && ranges?.length !== 0;

/** Matches a reading to the branches of a tree. Throws ARGUMENT if it read no basket of the tree. */
export function usedOf(reading: Reading, layout: TreeLayout): Used {
  const report = placed(reading, layout);
  return { report, use: reading.reads.some(isPlaced) ? useOf(report, layout) : undefined };
}

/** Returns the branches that the readings used, those used by the most readings first. */
export function branchSums(used: readonly Pick<Used, 'use'>[]): BranchSum[] {
  const sums = new Map<number, BranchSum>();
  for (const { use } of used) {
    for (const { branch, readBytes, storedBytes, wanted } of use?.branches ?? []) {
      if (!wanted) continue;
      const sum = sums.get(branch) ?? { branch, readings: 0, bytes: 0, storedBytes };
      sum.readings++;
      sum.bytes += readBytes;
      sums.set(branch, sum);
    }
  }
  return [...sums.values()].sort((a, b) => b.readings - a.readings || b.bytes - a.bytes);
}

/** Matches readings to the branches of a tree. A reading that read none of its baskets has no use. */
export function usedOfAll(readings: readonly Reading[], layout: TreeLayout): Used[] {
  return readings.map((reading): Used => {
    try {
      return usedOf(reading, layout);
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      return { report: placed(reading, layout), use: undefined };
    }
  });
}

/** Returns the parts of a tree that readings used. For a reading without a use there are only facts. */
export async function usesReport(
  used: readonly Used[],
  layout: TreeLayout,
  file: string,
  planned: PlannedCost,
): Promise<UsesReport> {
  const [first] = used;
  const shown = first && used.length === 1 ? linkOf(first.report) : undefined;
  const link = shown ?? USUAL_LINK;
  return {
    uses: used.map(({ report: { by, file, facts }, use }) => ({ by, file, use, facts })),
    branches: branchSums(used),
    columns: used.length === 1 && first?.use ? columnReads(first.report, layout) : [],
    ways: used.length === 1 && first?.use ? await betterWays(first.use, layout, link, file, planned) : [],
    link,
    linkKnown: shown !== undefined,
  };
}
