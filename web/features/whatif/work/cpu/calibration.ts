import type { TreeLayout } from '../../../../api/api';
import { argumentError } from '../../../../base/errors';
import type { Program } from '../programs';
import {
  type CountedReading,
  CPU_PROGRAMS,
  type CpuCosts,
  type CpuProgram,
  cpuCounts,
  cpuMs,
} from './cpu-counts';
import { REFERENCE } from './reference-costs';

/** Costs of the work of one program on a machine. */
export interface ProgramCosts {
  /** Version of the program. */
  version: string;
  /** `scaled`: the program was not run on this machine; the costs of the reference machine, by the speed of xylem on both. */
  from: 'measured' | 'scaled';
  costs: CpuCosts;
}

/** Costs of reading on a machine in CPU time, as "xylem calibrate" measures them. */
export interface Calibration {
  format: typeof FORMAT;
  /** The day on which it was made: 2026-11-29. */
  date: string;
  machine: { cpu: string; cores: number };
  programs: Readonly<Record<CpuProgram, ProgramCosts>>;
}

export const FORMAT = 'xylem calibration 1';
/** Name of the calibration in the user's folder of caches. */
export const CALIBRATION_FILE = 'calibration.json';

/** Parses the text of a calibration. Throws ARGUMENT. */
export function parseCalibration(text: string, name: string): Calibration {
  const refuse = (why: string) =>
    argumentError(`"${name}" is not a calibration: ${why}.`, 'Make one with "xylem calibrate --save OUT".');
  let found: Partial<Calibration> | null;
  try {
    found = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  if (typeof found !== 'object' || found === null || found.format !== FORMAT)
    throw refuse(`its format is not "${FORMAT}"`);
  const { date, machine, programs } = found;
  if (typeof date !== 'string' || typeof machine?.cpu !== 'string' || !(Number(machine.cores) >= 1))
    throw refuse('it does not say when and where it was made');
  for (const program of CPU_PROGRAMS) {
    const of = programs?.[program];
    const isGood =
      typeof of?.version === 'string' &&
      (of.from === 'measured' || of.from === 'scaled') &&
      typeof of.costs === 'object' &&
      of.costs !== null &&
      Object.values(of.costs).every((cost) => Number.isFinite(cost) && cost >= 0);
    if (!isGood) throw refuse(`it has no costs of ${program}`);
  }
  return found as Calibration;
}

/** Returns where the costs come from, as a sentence. */
export function calibrationText({ machine, date, programs }: Calibration): string {
  const scaled = CPU_PROGRAMS.filter((program) => programs[program].from === 'scaled');
  const also = scaled.length > 0 ? `; ${scaled.join(' and ')} scaled from the reference machine` : '';
  return `CPU time as calibrated on ${date}: ${machine.cpu}${also}`;
}

/** The sentence for costs that nobody measured on this machine. */
export const REFERENCE_TEXT = `CPU time is that of the reference machine, ${REFERENCE.machine.cpu}; "xylem calibrate" measures yours`;

/** Returns the program whose CPU time a way of reading takes; undefined if it is not known. */
export function cpuProgramOf({ kind }: Program): CpuProgram | undefined {
  if (kind === 'none' || kind === 'readahead' || kind === 'cache') return 'root';
  return kind === 'uproot' || kind === 'xylem' ? kind : undefined;
}

/** CPU time and duration of a reading, in ms. Undefined if it is not known. */
export interface CpuTimes {
  cpuMs: number | undefined;
  wallMs: number | undefined;
}

/**
 * Returns a function that adds CPU time and duration to the time on the link. ROOT and uproot wait for bytes and then decode them;
 * xylem decodes in as many threads as there are cores while other bytes come.
 */
export function cpuTimer(
  layout: TreeLayout,
  reading: Omit<CountedReading, 'program'>,
  { programs, machine }: Calibration,
): (program: Program, ms: number) => CpuTimes {
  const known = new Map<CpuProgram, number | undefined>();
  const cpuOf = (program: CpuProgram) => {
    if (!known.has(program))
      known.set(program, cpuMs(cpuCounts(layout, { ...reading, program }), programs[program].costs));
    return known.get(program);
  };
  return (of, ms) => {
    const program = layout.tree.kind === 'TTree' ? cpuProgramOf(of) : undefined;
    const cpu = program && cpuOf(program);
    if (cpu === undefined) return { cpuMs: undefined, wallMs: undefined };
    return { cpuMs: cpu, wallMs: program === 'xylem' ? Math.max(ms, cpu / machine.cores) : ms + cpu };
  };
}
