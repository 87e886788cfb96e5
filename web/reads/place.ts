import type { TreeLayout } from '../api/api';
import type { PerfNumbers, PerfRead, PerfReport, Reading } from '../api/reading';
import { formatBytes, formatCount } from '../base/format';
import { busyTime } from '../io/link';
import type { Range } from '../io/source';
import { droppedOf, isRequest, perfStats, type ReadRecord } from '../io/trace';
import { type BasketOrder, basketOrder } from './basket-order';

/** Returns the reads of a trace on the axes of TTreePerfStats. `cpuMs`: CPU time of the process, if known. */
export function perfReport(
  file: string,
  layout: TreeLayout,
  records: readonly ReadRecord[],
  cpuMs?: number,
): PerfReport {
  const start = records.reduce((first, { queued }) => Math.min(first, queued), Number.POSITIVE_INFINITY);
  const seconds = (time: number) => (time - start) / 1000;
  const listed = records.filter(({ dropped }) => dropped === undefined);
  const reads = listed.map((record): PerfRead => {
    const { offset, origin, purpose, failed } = record;
    return {
      entry: record.entries?.[0] ?? -1,
      offset,
      length: isRequest(record) ? Math.max(record.asked, record.got) : record.got,
      ...(record.ranges && { ranges: record.ranges }),
      origin,
      purpose,
      branches: origin === 'decode' ? [purpose] : [],
      queued: seconds(record.queued),
      started: seconds(record.started),
      answered: seconds(record.answered),
      done: seconds(record.done),
      failed,
      ...(record.phases && { phases: record.phases }),
    };
  });
  reads.sort((a, b) => a.queued - b.queued || a.offset - b.offset);
  const stats = perfStats(records);
  const decoding = reads.reduce(
    (sum, read) => sum + (read.origin === 'decode' ? read.done - read.started : 0),
    0,
  );
  const numbers: PerfNumbers = {
    ...treeNumbers(layout),
    readTotal: stats.BytesRead,
    readExtra: stats.BytesReadExtra,
    readCalls: stats.ReadCalls,
    realTime: stats.RealTime,
    cpuTime: cpuMs === undefined ? decoding : cpuMs / 1000,
    diskTime: stats.DiskTime,
  };
  return placed({ by: 'xylem', file, reads, numbers, facts: droppedFacts(records) }, layout);
}

/** Returns the sums of the reads that a trace counts but no longer lists. */
function droppedFacts(records: readonly ReadRecord[]): Reading['facts'] {
  const dropped = droppedOf(records);
  if (dropped === undefined) return undefined;
  const { records: count, requests, bytes, tasksWithoutPhases: tasks } = dropped;
  const facts: [string, string][] = [];
  if (count > 0) {
    const value = `the first ${formatCount(count)}, with ${formatCount(requests)} requests of ${formatBytes(bytes)}`;
    facts.push(['Reads that are counted, but no longer listed', value]);
  }
  if (tasks > 0) facts.push(['Tasks of decoding without phases', `the first ${formatCount(tasks)}`]);
  return facts;
}

/** Adds the entries and branches of their baskets to the reads of a trace, and computes its totals. */
export function placed(reading: Reading, layout: TreeLayout): PerfReport {
  const order = basketOrder(layout);
  const reads = reading.reads.map((read): PerfRead => {
    if (read.origin === 'decode' || (read.entry >= 0 && read.branches.length > 0)) return read;
    let entry = read.entry;
    const branches = new Set(read.branches);
    for (const { offset, length } of read.ranges ?? [read]) {
      const there = placeOf({ offset, length }, layout, order);
      if (there === undefined) continue;
      if (read.entry < 0) entry = entry < 0 ? there.entry : Math.min(entry, there.entry);
      for (const path of there.branches) if (branches.size < MAX_BRANCHES) branches.add(path);
    }
    return { ...read, entry, branches: [...branches] };
  });
  const tree = reading.tree ?? layout.tree.path;
  const numbers = reading.numbers ?? { ...treeNumbers(layout), ...readNumbers(reads) };
  const { reads: _, ...head } = reading;
  // The format comes first, because it identifies a saved reading.
  return { format: 'xylem perf 1', ...head, tree, numbers, reads };
}

/** Returns the numbers of TTreePerfStats that depend only on the tree. */
function treeNumbers({
  tree,
  settings,
  recorded: { totBytes, zipBytes } = { totBytes: tree.totalBytes, zipBytes: tree.storedBytes },
}: TreeLayout): Pick<PerfNumbers, 'treeCache' | 'leaves' | 'readahead' | 'factor'> {
  return {
    treeCache: 0,
    leaves: settings?.leaves ?? tree.branches.filter(({ kind }) => kind !== 'group').length,
    readahead: 0,
    factor: zipBytes > 0 ? totBytes / zipBytes : 1,
  };
}

/**
 * Returns the numbers that can be computed from a list of reads. CPU time and the number of needed bytes are not
 * among them.
 */
function readNumbers(reads: readonly PerfRead[]): Omit<PerfNumbers, keyof ReturnType<typeof treeNumbers>> {
  const calls = reads.filter(({ origin, failed }) => (origin === 'network' || origin === 'disk') && !failed);
  return {
    readTotal: calls.reduce((sum, { length }) => sum + length, 0),
    readExtra: 0,
    readCalls: calls.length,
    realTime: calls.reduce((last, { done }) => Math.max(last, done), 0),
    cpuTime: 0,
    diskTime: busyTime(calls.map(({ started, done }) => ({ from: started, until: done }))),
  };
}

/** Maximum number of branches that are listed for one read. */
const MAX_BRANCHES = 20;

/** Returns the first entry and the branches of the baskets with bytes in a range. */
function placeOf(range: Range, { tree, firstEntry }: TreeLayout, { within, branchOf }: BasketOrder) {
  let entry = Number.POSITIVE_INFINITY;
  const branches = new Set<number>();
  within(range, (basket) => {
    entry = Math.min(entry, firstEntry[basket] ?? 0);
    if (branches.size < MAX_BRANCHES) branches.add(branchOf[basket] ?? 0);
  });
  if (branches.size === 0) return undefined;
  return { entry, branches: [...branches].map((b) => tree.branches[b]?.path ?? '') };
}
