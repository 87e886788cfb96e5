import { planReads } from '../../io/planner';
import type { Range } from '../../io/source';
import { CONCURRENCY, MAX_RANGE_BYTES, type ReadChoice, type Strategy } from '../simulate/simulate';
import type { Block } from '../simulate/simulate-blocks';
import { TreeCacheModel } from '../simulate/simulate-cache';
import { type BasketLayout, visitBaskets } from '../simulate/simulate-layout';

/** A part of the work of a job with one file: reads, and the computing that they feed. */
export interface Step {
  /** Reads that wait for each other. */
  trips: number;
  bytes: number;
  /** Contiguous parts of the file, in the order in which they are read. */
  pieces: Range[];
  /** Time of computing afterwards, in ms, on a core of speed 1. */
  cpuMs: number;
}

/** The work of a job with one file. */
export interface FileWork {
  steps: Step[];
  /** Steps that are read while earlier ones are computed: 0 for ROOT, which waits. */
  ahead: number;
  /** Bytes of the whole file. */
  fileBytes: number;
}

/** A step of its own for each read would be 10^5 steps for some files; the model of links and disks needs no more. */
const MAX_STEPS = 64;

/** Costs of computing: for each entry, and for each MB that is decompressed. */
export interface CpuCost {
  msPerEntry: number;
  msPerMB: number;
}

/**
 * The reads of a job, from the metadata of a real file. `opening` is what opening the file takes: head, keys, streamer
 * infos and the tree's record.
 */
export function fileWork(
  layout: BasketLayout,
  choice: ReadChoice,
  strategy: Strategy,
  cpu: CpuCost,
  { fileBytes, opening }: { fileBytes: number; opening: Step },
): FileWork {
  const { from, to, step } = choice.entries;
  const entries = Math.max(0, Math.ceil((to - from) / step));
  const reads = readsOf(layout, choice, strategy);
  const cpuOf = (first: number, last: number, bytes: number) =>
    ((last - first) / step) * cpu.msPerEntry + (bytes / 1e6) * cpu.msPerMB;
  const steps = reads.map(({ entry, blocks }, i): Step => {
    const first = i === 0 ? from : entry;
    const wanted = blocks.reduce((sum, block) => sum + block.wanted, 0);
    return {
      trips: 1,
      bytes: blocks.reduce((sum, { length }) => sum + length, 0),
      pieces: blocks.map(({ offset, length }) => ({ offset, length })),
      cpuMs: cpuOf(first, reads[i + 1]?.entry ?? to, wanted),
    };
  });
  if (steps.length === 0) steps.push({ trips: 0, bytes: 0, pieces: [], cpuMs: entries * cpu.msPerEntry });
  return { steps: [opening, ...joined(steps)], ahead: strategy.kind === 'xylem' ? 1 : 0, fileBytes };
}

interface Read {
  /** The entry that waits for it. */
  entry: number;
  blocks: readonly Block[];
}

function readsOf(layout: BasketLayout, choice: ReadChoice, strategy: Strategy): Read[] {
  const { branches, entries } = choice;
  const visits = visitBaskets(layout, branches, entries);
  const reads: Read[] = [];
  if (strategy.kind === 'cache') {
    new TreeCacheModel(layout, branches, entries, {
      cacheBytes: strategy.bytes,
      known: strategy.known,
      onRead: (entry, blocks) => reads.push({ entry, blocks: blocks.slice() }),
    }).run(visits);
    return reads;
  }
  const all: Block[] = [];
  const firsts: number[] = [];
  visits.basket.forEach((basket, i) => {
    const offset = layout.offsets[basket] ?? 0;
    const length = layout.bytes[basket] ?? 0;
    if (offset === 0) return;
    all.push({ offset, length, wanted: length });
    firsts.push(visits.entry[i] ?? 0);
  });
  if (strategy.kind !== 'xylem') {
    const least = strategy.kind === 'none' ? 0 : strategy.bytes;
    let [start, until] = [0, 0];
    all.forEach((block, i) => {
      if (block.offset >= start && block.offset + block.length <= until) return;
      start = block.offset;
      until = block.offset + Math.max(block.length, least);
      reads.push({ entry: firsts[i] ?? 0, blocks: [{ ...block, length: until - start }] });
    });
    return reads;
  }
  // Ranges go out six at a time, in the order of the file.
  const { ranges } = planReads(all, [], { maxRangeBytes: MAX_RANGE_BYTES, concurrency: CONCURRENCY });
  const span = entries.to - entries.from;
  for (let i = 0; i < ranges.length; i += CONCURRENCY) {
    const blocks = ranges
      .slice(i, i + CONCURRENCY)
      .map(({ offset, length }) => ({ offset, length, wanted: length }));
    reads.push({ entry: entries.from + Math.floor((span * i) / ranges.length), blocks });
  }
  return reads;
}

/** Joins neighbouring steps, so that at most `MAX_STEPS` are left. */
function joined(steps: readonly Step[]): Step[] {
  const group = Math.ceil(steps.length / MAX_STEPS);
  if (group <= 1) return [...steps];
  const all: Step[] = [];
  for (let i = 0; i < steps.length; i += group) {
    const part = steps.slice(i, i + group);
    all.push({
      trips: sum(part, ({ trips }) => trips),
      bytes: sum(part, ({ bytes }) => bytes),
      pieces: part.flatMap(({ pieces }) => pieces),
      cpuMs: sum(part, ({ cpuMs }) => cpuMs),
    });
  }
  return all;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** The number of moves of a disk's arm for these pieces: those that touch the one before need none. */
export function piecesApart(pieces: readonly Range[]): number {
  let count = 0;
  let end = -1;
  for (const { offset, length } of pieces) {
    if (offset !== end) count++;
    end = offset + length;
  }
  return count;
}
