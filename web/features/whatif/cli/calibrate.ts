import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../../../package.json';
import { optional, TEXT } from '../../../base/shape';
import { defaultCacheFolder } from '../../../cache/node-user-folder';
import { column, type Report, type Table } from '../../../report/report';
import { verb } from '../../../verbs/verb';
import { CALIBRATION_FILE, type Calibration, FORMAT, type ProgramCosts } from '../work/cpu/calibration';
import { CPU_PROGRAMS, type CpuCosts, type CpuProgram, cpuMs } from '../work/cpu/cpu-counts';
import { fitCosts, type MeasuredReading } from '../work/cpu/cpu-fit';
import { REFERENCE } from '../work/cpu/reference-costs';
import { type MeasuredPrograms, measureReadings } from './measure-cpu';
import { type PythonPrograms, startPython } from './python-programs';
import { objectReadings, writeSample } from './sample';

export const calibrate = verb({
  name: 'calibrate',
  words: '',
  about: `Measures what reading costs on this machine in CPU time, and keeps it for "whatif" in the user's folder of caches:
per byte of each codec, per basket, per entry and branch, and per byte of values of each kind. A sample is written into a folder for
temporary files and read: by xylem, and with --python also by ROOT and by uproot. The costs of a program that is not there are
those of the reference machine, multiplied by how much slower xylem is here. Takes half a minute, with Python three; the machine should
have nothing else to do.`,
  examples: [
    ['', 'measures, and keeps it for "whatif"'],
    ['--json', 'the same for a program'],
  ],
  params: {
    python: optional(TEXT, 'PATH', 'a Python with ROOT or uproot or both, which are measured, too'),
  },
  json: `{"format": "xylem calibration 1", "date", "machine": {"cpu", "cores"}, "programs": {"root", "uproot" and "xylem":
{"version", "from": "measured" or "scaled", "costs": {"zlib in": ns, …}}}}, as --save writes it`,
  async run({ python }, call): Promise<Calibration> {
    const folder = await mkdtemp(join(tmpdir(), 'xylem-calibrate-'));
    let programs: PythonPrograms | undefined;
    try {
      const readings = await writeSample(folder, call.step);
      if (python !== undefined) {
        programs = await startPython(python, folder);
        call.step('Writing the sample of objects');
        const objects = join(folder, 'objects.root');
        const written = await programs.run({ program: 'root', write: objects });
        if (!('missing' in written) && !('failed' in written)) readings.push(...objectReadings(objects));
        // Classes that this Python declared would be read as compiled ones.
        await programs.end();
        programs = await startPython(python, folder);
      }
      const measured = await measureReadings(readings, {
        ...{ version, python: programs },
        step: call.step,
        missing: (program, why) => call.note(`${program} is not measured: ${why}`),
      });
      const found = calibrationOf(measured);
      const target = join(defaultCacheFolder(), CALIBRATION_FILE);
      await mkdir(defaultCacheFolder(), { recursive: true });
      await writeFile(`${target}.part`, JSON.stringify(found, null, 1));
      await rename(`${target}.part`, target);
      call.note(`kept in ${target}`);
      return found;
    } finally {
      await programs?.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
  report: (found) => calibrationReport(found),
  outputs: {
    save: {
      about: 'write the calibration also to OUT, for "whatif --calibration OUT"',
      form: 'json',
      make: async (found) => JSON.stringify(found, null, 1),
    },
  },
});

/**
 * Returns the costs of all programs: those of the reference machine, multiplied by how much slower this one is. A program that was
 * measured has a factor for each codec, for what is done once for each basket and branch, and for values; of one that was not
 * measured, the factor is that of xylem.
 */
export function calibrationOf(measured: MeasuredPrograms): Calibration {
  const ratios = (measured.xylem?.readings ?? []).flatMap(({ counts, ms }) => {
    const there = cpuMs(counts, REFERENCE.programs.xylem.costs);
    return there === undefined || there === 0 ? [] : [ms / there];
  });
  const slower = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1;
  const costsOf = (program: CpuProgram): ProgramCosts => {
    const { version, costs } = REFERENCE.programs[program];
    const own = measured[program];
    const factors = own ? slowerBy(own.readings, costs) : {};
    const scaled = Object.entries(costs).map(([name, ns]) => {
      const cost = ns * (factors[groupOf(name)] || slower);
      return [name, Number(cost.toPrecision(4))] as const;
    });
    return {
      ...{ version: own?.version ?? version, from: own ? 'measured' : 'scaled' },
      costs: Object.fromEntries(scaled),
    };
  };
  const processors = cpus();
  return {
    format: FORMAT,
    date: new Date().toISOString().slice(0, 10),
    machine: { cpu: processors[0]?.model.trim() || process.arch, cores: Math.max(1, processors.length) },
    programs: { root: costsOf('root'), uproot: costsOf('uproot'), xylem: costsOf('xylem') },
  };
}

/** Returns by how much each group of costs differs from the reference: the factors that fit the measured times best. */
function slowerBy(readings: readonly MeasuredReading[], reference: CpuCosts): CpuCosts {
  return fitCosts(
    readings.map(({ counts, ms }) => {
      const groups = new Map<string, number>();
      for (const [name, count] of counts) {
        const group = groupOf(name);
        groups.set(group, (groups.get(group) ?? 0) + count * (reference[name] ?? 0));
      }
      return { counts: groups, ms };
    }),
  );
}

/** Returns the group of a cost: costs of one group differ by one factor from machine to machine. */
function groupOf(name: string): string {
  const codec = /^(\w+) (in|out)$/.exec(name)?.[1];
  if (codec !== undefined) return codec;
  return /(basket|branch|^element)$/.test(name) ? 'once' : 'values';
}

/** A cost of each program, in ns. */
interface CostRow {
  name: string;
  ns: Readonly<Record<CpuProgram, number | undefined>>;
}

export function calibrationReport({ date, machine, programs }: Calibration): Report {
  const names = [...new Set(CPU_PROGRAMS.flatMap((program) => Object.keys(programs[program].costs)))].sort();
  const rows = names.map(
    (name): CostRow => ({
      name,
      ns: {
        root: programs.root.costs[name],
        uproot: programs.uproot.costs[name],
        xylem: programs.xylem.costs[name],
      },
    }),
  );
  const costs: Table<CostRow> = {
    id: 'costs',
    title: 'Cost of one, in ns',
    columns: [
      column('cost', 'Of', 'text', ({ name }) => name),
      ...CPU_PROGRAMS.map((program) =>
        column<CostRow>(program, program, 'number', ({ ns }) => {
          const cost = ns[program];
          return cost && Number(cost.toPrecision(3));
        }),
      ),
    ],
    rows,
  };
  return {
    title: `Costs of reading on ${machine.cpu}, ${machine.cores} cores, ${date}`,
    facts: CPU_PROGRAMS.map((program) => ({
      label: program,
      value: `${programs[program].version}, ${programs[program].from}`,
    })),
    tables: [costs],
  };
}
