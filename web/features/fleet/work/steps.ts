import type { PerfRead } from '../../../api/reading';
import { HTTP_REQUESTS } from '../../../io/http/server-limits';
import type { LinkEstimate } from '../../../io/link';
import { MAX_RANGE_BYTES, planReads } from '../../../io/planner';
import type { Range } from '../../../io/source';
import type { BasketLayout, EntrySteps } from '../../../reads/basket-layout';
import type { ProgramRead, ReadChoice } from '../../whatif/work/program-read';
import type { Program } from '../../whatif/work/programs';
import { readsOf as readsOfProgram } from '../../whatif/work/reads-of';
import type { Block } from '../../whatif/work/simulate-blocks';
import { recordedReads } from './recorded-jobs';

/** A step of a job with one file: reads, and the computing that needs them. */
export interface Step {
  /** Number of successive requests. */
  trips: number;
  bytes: number;
  /** Contiguous parts of the file, in reading order. */
  pieces: Range[];
  /** Computing time after the reads, in ms, on a core of speed 1. */
  cpuMs: number;
  /** Whether the server opens the file for this step. A cache without the file then opens it at the origin. */
  opens?: boolean | undefined;
  /** Whether the step is needed only for the first file of a process. */
  isFirst?: boolean | undefined;
}

/** The work of a process before the first request of its first file. */
export interface ProcessStart {
  /** Computing time, in ms, on a core of speed 1. */
  cpuMs: number;
  /** Number of connections opened one after another, each with TCP and possibly TLS. */
  connects: number;
  /** Round trips of a login over root://. */
  logins: number;
}

/** A program that reads, or the reads of a recorded job. */
export type JobProgram = Program | { kind: 'recorded'; reads: readonly PerfRead[]; isXrootd: boolean };

/** The work of a job with one file. */
export interface FileWork {
  steps: Step[];
  /** Number of steps that are read ahead of the computing: 0 for a TTreeCache, which waits. */
  ahead: number;
  /** Bytes of the whole file. */
  fileBytes: number;
  start: ProcessStart;
}

/**
 * Maximum number of steps. One for each read would be 10^5 for some files, which the model of links and disks does
 * not need.
 */
const MAX_STEPS = 64;

/** Computing time for each entry, and for each MB that is decompressed. */
export interface CpuCost {
  msPerEntry: number;
  msPerMB: number;
}

/** Steps of a job before and after it reads baskets, and the link on which it reads. */
export interface Around {
  fileBytes: number;
  opening: readonly Step[];
  closing: readonly Step[];
  link: LinkEstimate;
  /** Start-up time of the program, in ms. */
  startMs: number;
}

/** Returns the work of a job, from the metadata of a real file. */
export function fileWork(
  layout: BasketLayout,
  choice: ReadChoice & { entries: EntrySteps },
  program: JobProgram,
  cpu: CpuCost,
  { fileBytes, opening, closing, link, startMs }: Around,
): FileWork {
  const { from, to, step } = choice.entries;
  const entries = Math.max(0, Math.ceil((to - from) / step));
  const reads = readsOf(layout, choice, program, link);
  const start = { cpuMs: startMs, ...connectionsOf(program, reads) };
  const cpuOf = (first: number, last: number, bytes: number) =>
    ((last - first) / step) * cpu.msPerEntry + (bytes / 1e6) * cpu.msPerMB;
  const steps = reads.map(({ entry, blocks, trips = 1 }, i): Step => {
    const first = i === 0 ? from : entry;
    const wanted = blocks.reduce((sum, block) => sum + block.wanted, 0);
    return {
      trips,
      bytes: blocks.reduce((sum, { length }) => sum + length, 0),
      pieces: blocks.map(({ offset, length }) => ({ offset, length })),
      cpuMs: cpuOf(first, reads[i + 1]?.entry ?? to, wanted),
    };
  });
  if (steps.length === 0) steps.push({ trips: 0, bytes: 0, pieces: [], cpuMs: entries * cpu.msPerEntry });
  const all = [...opening, ...joined(steps), ...closing];
  return { steps: all, ahead: program.kind === 'xylem' || program.kind === 'pool' ? 1 : 0, fileBytes, start };
}

/** Round trips of an XRootD login without credentials: the protocol versions, then the login. */
const XROOTD_LOGINS = 2;

/**
 * Returns the connections that a new process opens one after another. uproot has one until it requests baskets, each
 * over a separate connection at the same time.
 */
function connectionsOf(program: JobProgram, reads: readonly Read[]): Omit<ProcessStart, 'cpuMs'> {
  const isHttp = ['uproot', 'jsroot', 'xylem'].includes(program.kind);
  const logins = (program.kind === 'recorded' ? program.isXrootd : !isHttp) ? XROOTD_LOGINS : 0;
  const more = program.kind === 'uproot' && reads.some(({ blocks }) => blocks.length > 1);
  return { connects: more ? 2 : 1, logins };
}

interface Read extends ProgramRead {
  /**
   * Number of round trips. 0 for bytes that directly follow those of the previous read, without another request.
   * Default: 1.
   */
  trips?: number | undefined;
}

function readsOf(layout: BasketLayout, choice: ReadChoice, program: JobProgram, link: LinkEstimate): Read[] {
  if (program.kind === 'recorded') return recordedReads(program.reads);
  if (program.kind !== 'xylem') return readsOfProgram(layout, choice, program, { readAhead: 0 });
  const { entries } = choice;
  const all = readsOfProgram(layout, choice, { kind: 'none' }).flatMap(({ blocks }) => blocks);
  const reads: Read[] = [];
  // Six requests run at once, each with several ranges. Baskets are decoded while others still arrive.
  const options = {
    ...{ link, manyParts: MANY_PARTS },
    ...{ maxRangeBytes: MAX_RANGE_BYTES, concurrency: HTTP_REQUESTS },
  };
  const { ranges } = planReads(all, [], options);
  const span = entries.to - entries.from;
  let blocks: Block[] = [];
  /** Bytes of the part, and bytes of the requests that run at once. */
  let [bytes, together] = [0, 0];
  ranges.forEach(({ offset, length }, i) => {
    if (blocks.length === 0) {
      const entry = entries.from + Math.floor((span * i) / ranges.length);
      reads.push({ entry, blocks, trips: together === 0 ? 1 : 0 });
    }
    blocks.push({ offset, length, wanted: length });
    bytes += length;
    together += length;
    if (bytes < PART_BYTES) return;
    blocks = [];
    bytes = 0;
    if (together >= HTTP_REQUESTS * MAX_RANGE_BYTES) together = 0;
  });
  return reads;
}

/** Number of bytes that arrive before decoding starts. */
const PART_BYTES = 1e6;
/** Ranges per request. nginx and XRootD accept at least this many. */
const MANY_PARTS = 1000;

/** Joins adjacent steps, so that at most `MAX_STEPS` are left. */
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

/** Returns the number of seeks for these pieces. A piece that directly follows the previous one needs none. */
export function piecesApart(pieces: readonly Range[]): number {
  let count = 0;
  let end = -1;
  for (const { offset, length } of pieces) {
    if (offset !== end) count++;
    end = offset + length;
  }
  return count;
}
