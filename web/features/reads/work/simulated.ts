import type { TreeLayout } from '../../../api/api';
import type { NamedLink } from '../../../api/doctor';
import type { PerfRead, PerfReport } from '../../../api/reading';
import type { ReadRecord } from '../../../io/trace';
import { basketLayout, type EntryChoice } from '../../../reads/basket-layout';
import { perfReport, placed } from '../../../reads/place';
import type { ProgramRead } from '../../whatif/work/program-read';
import {
  type CacheStrategy,
  type Program,
  programName,
  READ_AHEAD_BYTES,
  type Strategy,
} from '../../whatif/work/programs';
import { readsOf } from '../../whatif/work/reads-of';

/** A reading that no program made. */
export interface SimulatedReading {
  /** Name of the file. */
  file: string;
  layout: TreeLayout;
  /** Indices of the branches in the order in which they are read for an entry. */
  branches: readonly number[];
  entries: EntryChoice;
  /** The disk or link from which it reads. */
  from: NamedLink;
  /** Says how the file is other than it lies there: "healed with --level order". */
  form?: string | undefined;
}

/** Returns the reads of a program on the axes of TTreePerfStats. Times are of the disk or link. Reads nothing. */
export function simulatedReport(reading: SimulatedReading, program: Strategy): PerfReport {
  const { file, layout, branches, entries, from } = reading;
  const options = from.isDisk ? {} : { readAhead: 0 };
  const steps = readsOf(basketLayout(layout), { branches, entries }, program, options);
  const { reads, diskTime } = timed(steps, from);
  const wanted = steps.reduce((sum, { blocks }) => blocks.reduce((all, block) => all + block.wanted, sum), 0);
  const total = reads.reduce((sum, { length }) => sum + length, 0);
  const head = { ...headOf(reading, program), file, reads };
  const { numbers, ...report } = placed(head, layout);
  return {
    ...report,
    numbers: {
      ...numbers,
      factor: unzipFactor(reading, program) ?? numbers.factor,
      treeCache: program.kind === 'cache' ? program.bytes : 0,
      readahead: aheadOf(program),
      readTotal: total,
      readExtra: total - wanted,
      readCalls: reads.length,
      ...{ realTime: undefined, cpuTime: undefined, diskTime },
    },
  };
}

/** The same of xylem, whose planner made these requests. */
export function plannedReport(reading: SimulatedReading, records: readonly ReadRecord[]): PerfReport {
  const { numbers, ...report } = perfReport(reading.file, reading.layout, records);
  const { branches: _, ...head } = headOf(reading, { kind: 'xylem' });
  return { ...report, ...head, numbers: { ...numbers, realTime: undefined, cpuTime: undefined } };
}

function headOf({ layout, branches, from, form }: SimulatedReading, program: Program) {
  const whose = form === undefined ? '' : `, ${form}`;
  return {
    by: `${programName(program)}${whose}, simulated`,
    chosen: branches.map((index) => layout.tree.branches[index]?.path ?? ''),
    branches,
    facts: [['Simulated on', from.name] as const],
  };
}

/** Bytes of the key of a basket without the names of its branch and tree. */
const KEY_BYTES = 63;

/**
 * Returns the factor that ROOT 6.40 sums from what it decompresses: without the keys of the baskets, and without branches
 * that are not compressed. Undefined for other programs, for a healed file, and if nothing is compressed.
 */
function unzipFactor({ layout, branches, form }: SimulatedReading, { kind }: Strategy): number | undefined {
  const { tree, basketStart, storedBytes, offset } = layout;
  // Sizes of branches are those before healing, where baskets had other keys.
  if (form !== undefined || tree.kind !== 'TTree' || !['none', 'readahead', 'cache'].includes(kind))
    return undefined;
  let [packed, plain] = [0, 0];
  for (const index of branches) {
    const { name = '', totalBytes = 0, storedBytes: stored = 0 } = tree.branches[index] ?? {};
    const key = KEY_BYTES + name.length + tree.name.length;
    let count = 0;
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++)
      if ((offset[i] ?? 0) > 0 && (storedBytes[i] ?? 0) > 0) count++;
    if (count === 0 || totalBytes <= stored) continue;
    packed += stored - count * key;
    plain += totalBytes - count * key;
  }
  return packed > 0 ? plain / packed : undefined;
}

/** Bytes below which a program reads over gaps, or reads ahead. */
function aheadOf(program: Strategy): number {
  if (program.kind === 'readahead') return program.bytes;
  if (program.kind === 'cache') return (program as CacheStrategy).ahead ?? READ_AHEAD_BYTES;
  return program.kind === 'none' ? READ_AHEAD_BYTES : 0;
}

/** Gives reads their times: a disk makes one after the other, a link all of one request together. */
function timed(steps: readonly ProgramRead[], { latencyMs, bytesPerMs, isDisk }: NamedLink) {
  const reads: PerfRead[] = [];
  let now = 0;
  for (const { entry, blocks } of steps) {
    const queued = now;
    if (!isDisk) now += latencyMs / 1000;
    for (const { offset, length } of blocks) {
      const started = isDisk ? now : queued;
      if (isDisk) now += latencyMs / 1000;
      const answered = now;
      now += length / bytesPerMs / 1000;
      const times = { queued: started, started, answered, done: now };
      reads.push({
        entry,
        offset,
        length,
        origin: isDisk ? 'disk' : 'network',
        purpose: '',
        branches: [],
        ...times,
      });
    }
  }
  return { reads, diskTime: now };
}
