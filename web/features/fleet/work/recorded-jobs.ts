import type { TreeLayout } from '../../../api/api';
import type { PerfRead, Reading } from '../../../api/reading';
import { XylemError } from '../../../base/errors';
import { branchesRead } from '../../../reads/branches-read';
import type { Block } from '../../whatif/work/simulate-blocks';

/** Maximum number of jobs of a trace that are simulated: the first ones. */
const MAX_JOBS = 10_000;

/** Simultaneous reads. */
export interface RecordedRead {
  /** The first entry that needs them. */
  entry: number;
  blocks: Block[];
}

/**
 * Returns the reads of a recorded job in order. A read that began before the previous ones had ended is joined with
 * them, like the ranges of a vector read.
 */
export function recordedReads(recorded: readonly PerfRead[]): RecordedRead[] {
  const reads: RecordedRead[] = [];
  let entry = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { offset, length, ranges, started, done, entry: own } of recorded) {
    entry = Math.max(entry, own);
    const blocks = (ranges ?? [{ offset, length }]).map((range) => ({ ...range, wanted: range.length }));
    if (started < until) reads.at(-1)?.blocks.push(...blocks);
    else reads.push({ entry, blocks });
    until = Math.max(until, done);
  }
  return reads;
}

/**
 * Returns the jobs of a trace: one for each reading that read baskets of the tree. A preceding reading without
 * baskets is added to it, because programs open an RNTuple once for its description and once for its pages.
 */
export function recordedJobs(readings: readonly Reading[], layout: TreeLayout): Reading[] {
  const jobs: Reading[] = [];
  let before: PerfRead[] = [];
  for (const reading of readings) {
    if (jobs.length === MAX_JOBS) break;
    const start = before.reduce((last, { done }) => Math.max(last, done), 0);
    const own = reading.reads.map((read) => ({
      ...read,
      started: read.started + start,
      done: read.done + start,
    }));
    const reads = [...before, ...own];
    const isJob = readsBaskets(reading, layout);
    if (isJob) jobs.push({ ...reading, reads });
    before = isJob ? [] : reads;
  }
  return jobs;
}

function readsBaskets(reading: Reading, layout: TreeLayout): boolean {
  try {
    return branchesRead(reading, layout).length > 0;
  } catch (thrown) {
    if (thrown instanceof XylemError && thrown.code === 'ARGUMENT') return false;
    throw thrown;
  }
}
