import type { BranchInfo, EntryRange } from '../api/api';

/** Approximate maximum of the uncompressed bytes of one read. */
const READ_BUDGET = 64 << 20;

const MAX_PARTS = 1000;

/** One call of the reader: its branches, and its range of the chosen entries. */
export interface ReadStep {
  branches: BranchInfo[];
  entries: EntryRange;
}

/**
 * Divides the reading of branches into calls within a budget of bytes: small adjacent branches together, a large
 * branch in several ranges of entries. Every entry of every branch is read exactly once, the ranges of a branch in
 * order. `chosen` is the fraction of the entries that will be read.
 */
export function planSteps(
  branches: readonly BranchInfo[],
  entries: EntryRange,
  chosen = 1,
  budget: number = READ_BUDGET,
): ReadStep[] {
  const steps: ReadStep[] = [];
  let group: BranchInfo[] = [];
  let size = 0;
  const flush = (): void => {
    if (group.length > 0) steps.push({ branches: group, entries });
    group = [];
    size = 0;
  };
  for (const branch of branches) {
    const bytes = chosen * bytesIn(branch, entries);
    if (size + bytes > budget) flush();
    if (bytes <= budget) {
      group.push(branch);
      size += bytes;
    } else {
      for (const part of split(entries, branch, Math.ceil(bytes / budget))) {
        steps.push({ branches: [branch], entries: part });
      }
    }
  }
  flush();
  return steps;
}

function bytesIn(branch: BranchInfo, [from, to]: EntryRange): number {
  const entries = Math.max(0, Math.min(to, branch.entries) - from);
  return branch.entries === 0 ? 0 : branch.totalBytes * (entries / branch.entries);
}

/**
 * Divides the entries of a branch into at most 1000 parts, and not more than it has baskets, because its numbers of
 * entries and bytes may be wrong. Entries beyond the last one of the branch are not divided.
 */
function split([from, to]: EntryRange, { entries, baskets }: BranchInfo, wanted: number): EntryRange[] {
  const parts = Math.max(1, Math.min(wanted, Math.max(baskets, MAX_PARTS)));
  const end = Math.max(from, Math.min(to, entries));
  const size = Math.max(1, Math.ceil((end - from) / parts));
  const ranges: EntryRange[] = [];
  for (let at = from; at < end; at += size) ranges.push([at, at + size < end ? at + size : to]);
  return ranges;
}
