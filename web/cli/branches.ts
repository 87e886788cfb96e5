import type { BranchInfo, EntryRange } from '../api/api';

/** Approximate limit on the uncompressed bytes of one read. */
const READ_BUDGET = 64 << 20;

/** One call of the reader: its branches, and its range of the chosen entries. */
export interface ReadStep {
  branches: BranchInfo[];
  entries: EntryRange;
}

/**
 * Divides the reading of branches so that each call stays within a budget of bytes: small neighbours
 * together, a large branch alone in several ranges of entries. Every entry of every branch is read exactly
 * once, the ranges of a branch in order. `chosen` is the fraction of the entries that will be read.
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
      for (const part of split(entries, Math.ceil(bytes / budget))) {
        steps.push({ branches: [branch], entries: part });
      }
    }
  }
  flush();
  return steps;
}

function bytesIn(branch: BranchInfo, [from, to]: EntryRange): number {
  return branch.entries === 0 ? 0 : branch.totalBytes * ((to - from) / branch.entries);
}

function split([from, to]: EntryRange, parts: number): EntryRange[] {
  const size = Math.max(1, Math.ceil((to - from) / parts));
  const ranges: EntryRange[] = [];
  for (let at = from; at < to; at += size) ranges.push([at, Math.min(to, at + size)]);
  return ranges;
}
