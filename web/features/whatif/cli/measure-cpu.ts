import type { EntryRange, TreeLayout } from '../../../api/api';
import { engineOf } from '../../../api/engine-api';
import type { EngineReader } from '../../../api/reader';
import { chooseEntries } from '../../../model/entry-choice';
import { openReader } from '../../../node';
import { withNeeded } from '../../../reads/basket-layout';
import { type CpuCounts, type CpuProgram, cpuCounts } from '../work/cpu/cpu-counts';
import type { MeasuredReading } from '../work/cpu/cpu-fit';
import type { PythonPrograms } from './python-programs';
import type { SampleReading } from './sample';

/** Readings as a program read them, and its version. */
export interface MeasuredProgram {
  version: string;
  readings: MeasuredReading[];
}

/** A reading whose work is counted for each program. */
interface Planned {
  reading: SampleReading;
  layout: TreeLayout;
  /** Indices of the branches, and the entries that ROOT reads. */
  branches: number[];
  entries: EntryRange | Float64Array | undefined;
}

export type MeasuredPrograms = Partial<Record<CpuProgram, MeasuredProgram>>;

/** How often each reading is measured; the median counts. */
const ROUNDS = 3;

/**
 * Measures the CPU time of readings, of the programs in turns. What a program cannot read is left out. `missing` is told why a program
 * is not measured.
 */
export async function measureReadings(
  readings: readonly SampleReading[],
  { version, python, step, missing }: Measuring,
): Promise<MeasuredPrograms> {
  const reader = engineOf(await openReader({ cache: false }));
  try {
    const planned: Planned[] = [];
    for (const reading of readings) planned.push(await plan(reader, reading));
    const times = new Map<CpuProgram, number[][]>();
    const versions: Partial<Record<CpuProgram, string>> = { xylem: version };
    const measured: readonly CpuProgram[] = python ? ['xylem', 'root', 'uproot'] : ['xylem'];
    const lost = new Set<CpuProgram>();
    // The first round warms up: its times do not count.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [at, one] of planned.entries()) {
        step(`Measuring, round ${round + 1} of ${ROUNDS + 1}, reading ${at + 1} of ${planned.length}`);
        for (const program of measured) {
          if (lost.has(program) || !(one.reading.programs ?? measured).includes(program)) continue;
          const found =
            program === 'xylem' ? await readHere(reader, one) : await readThere(python, program, one);
          if (typeof found === 'string') {
            lost.add(program);
            missing(program, found);
          } else if (found) {
            versions[program] = found.version ?? version;
            const all = times.get(program) ?? planned.map(() => []);
            times.set(program, all);
            if (round > 0) all[at]?.push(found.ms);
          }
        }
      }
    }
    const programs: MeasuredPrograms = {};
    for (const [program, all] of times) {
      if (lost.has(program)) continue;
      programs[program] = {
        version: versions[program] ?? '',
        readings: planned.flatMap((one, at) => {
          const ms = median(all[at] ?? []);
          return ms > 0 ? [{ counts: countsOf(one, program), ms }] : [];
        }),
      };
    }
    return programs;
  } finally {
    reader.terminate();
  }
}

interface Measuring {
  /** Version of xylem. */
  version: string;
  python: PythonPrograms | undefined;
  step(label: string): void;
  missing(program: CpuProgram, why: string): void;
}

type Reader = EngineReader;

async function plan(reader: Reader, reading: SampleReading): Promise<Planned> {
  const file = await reader.open({ kind: 'path', path: reading.file });
  try {
    const layout = await reader.layout(file.id, reading.tree);
    const { branches: prefix = '', step = 1 } = reading;
    const chosen = layout.tree.branches.filter(
      ({ name, storedBytes }) => storedBytes > 0 && name.startsWith(prefix),
    );
    const { entries: total } = layout.tree;
    const some = Float64Array.from({ length: Math.ceil(total / step) }, (_, i) => i * step);
    const entries = step === 1 ? reading.entries && ([...reading.entries] as EntryRange) : some;
    return { reading, layout, branches: chosen.map(({ index }) => index), entries };
  } finally {
    await reader.close(file.id);
  }
}

function countsOf({ reading, layout, branches, entries }: Planned, program: CpuProgram): CpuCounts {
  const chosen = branches.flatMap((index) => layout.tree.branches[index] ?? []);
  const read = program === 'root' ? withNeeded(layout.tree, chosen).map(({ index }) => index) : branches;
  const counts = cpuCounts(layout, {
    program,
    branches: read,
    entries: chooseEntries(entries, layout.tree.entries),
  });
  // Baskets and branches stay in memory while entries are read again.
  const again = /( call|byte|passed|entry)$/;
  return new Map(
    [...counts].map(([name, count]) => [name, count * (again.test(name) ? (reading.times ?? 1) : 1)]),
  );
}

/** CPU time of xylem in ms: of all its threads, without opening the file. */
async function readHere(reader: Reader, { reading, branches, entries, layout }: Planned) {
  const file = await reader.open({ kind: 'path', path: reading.file });
  try {
    await reader.tree(file.id, reading.tree);
    const before = process.cpuUsage();
    await reader.summarize(file.id, { tree: layout.tree.path, branches, entries, details: true });
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, version: undefined };
  } finally {
    await reader.close(file.id);
  }
}

/** The same of a program in Python; the reason if it is not there, and undefined if it cannot read this. */
async function readThere(
  python: PythonPrograms | undefined,
  program: 'root' | 'uproot',
  { reading, branches, entries, layout }: Planned,
) {
  const { entries: total } = layout.tree;
  const names = branches.flatMap((index) => {
    const branch = layout.tree.branches[index];
    return branch ? [program === 'root' ? branch.name : branch.path] : [];
  });
  const spans = [...chooseEntries(entries, total).spans(0, total)];
  const answer = await python?.run({
    ...{ program, file: reading.file, tree: reading.tree },
    branches: reading.branches === undefined ? null : names,
    ranges: Array.from({ length: reading.times ?? 1 }, () => spans).flat(),
  });
  if (answer === undefined || 'failed' in answer) return undefined;
  if ('missing' in answer) return answer.missing;
  return answer.cpu === undefined ? undefined : { ms: 1000 * answer.cpu, version: answer.version };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
