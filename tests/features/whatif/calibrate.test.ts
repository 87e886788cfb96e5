import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { calibrationOf, calibrationReport } from '../../../web/features/whatif/cli/calibrate';
import { startPython } from '../../../web/features/whatif/cli/python-programs';
import { parseCalibration } from '../../../web/features/whatif/work/cpu/calibration';
import { type CpuCounts, cpuMs } from '../../../web/features/whatif/work/cpu/cpu-counts';
import { REFERENCE } from '../../../web/features/whatif/work/cpu/reference-costs';

const folder = mkdtempSync(join(tmpdir(), 'xylem-calibrate-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const READINGS: CpuCounts[] = [
  new Map([
    ['zlib in', 1e6],
    ['zlib out', 2e6],
    ['number call', 5e5],
    ['leaf passed', 4e6],
    ['basket', 50],
  ]),
  new Map([
    ['zlib in', 3e6],
    ['zlib out', 8e6],
    ['number call', 1e5],
    ['basket', 1000],
  ]),
  new Map([
    ['list byte', 4e7],
    ['number call', 2e6],
    ['basket', 20],
  ]),
  new Map([
    ['list byte', 1e6],
    ['basket', 2000],
  ]),
];

/** Readings that are slower than on the reference machine by a factor: decompressing by `zlib`, all else by `other`. */
function slower(program: 'root' | 'xylem', zlib: number, other: number) {
  const { costs } = REFERENCE.programs[program];
  const readings = READINGS.map((counts) => {
    const part = (isZlib: boolean) =>
      cpuMs(
        new Map([...counts].filter(([name]) => name.startsWith('zlib') === isZlib && name in costs)),
        costs,
      ) ?? 0;
    const known = new Map([...counts].filter(([name]) => name in costs));
    return { counts: known, ms: zlib * part(true) + other * part(false) };
  });
  return { version: '1', readings };
}

test('a calibration scales what was measured by group, and other programs by the speed of xylem', () => {
  const found = calibrationOf({ root: slower('root', 3, 2), xylem: slower('xylem', 1.5, 1.5) });
  const { root, uproot, xylem } = found.programs;
  expect([root.from, uproot.from, xylem.from]).toEqual(['measured', 'scaled', 'measured']);
  const factor = (program: 'root' | 'uproot', name: string) =>
    (found.programs[program].costs[name] ?? 0) / (REFERENCE.programs[program].costs[name] ?? 1);
  expect(factor('root', 'zlib in')).toBeCloseTo(3, 2);
  expect(factor('root', 'leaf passed')).toBeCloseTo(2, 2);
  expect(factor('root', 'basket')).toBeCloseTo(2, 2);
  expect(factor('uproot', 'zlib in')).toBeCloseTo(1.5, 2);
  expect(parseCalibration(JSON.stringify(found), 'x')).toEqual(found);
  expect(calibrationReport(found).tables?.[0]?.rows.length).toBeGreaterThan(20);
});

test('a Python that is not there is an error that says what to do', async () => {
  const python = await startPython(join(folder, 'no-python'), folder);
  await expect(
    python.run({ program: 'uproot', file: 'a', tree: 't', branches: null, ranges: [0, 1] }),
  ).rejects.toMatchObject({
    code: 'ARGUMENT',
    fix: 'Give --python the path of a Python with ROOT or uproot.',
  });
  await python.end();
});

const python = process.env.ORACLE_PYTHON;
test.skipIf(python === undefined)(
  'ROOT and uproot read a sample, and say what they cannot',
  async () => {
    const programs = await startPython(python ?? '', folder);
    try {
      for (const program of ['root', 'uproot'] as const) {
        const job = { program, file: resolve('public/sample.root'), tree: 'Events', ranges: [0, 2400] };
        const good = await programs.run({ ...job, branches: ['Muon_pt', 'nMuon'] });
        expect(good).toMatchObject({ cpu: expect.any(Number), version: expect.any(String) });
        expect('cpu' in good && (good.cpu ?? 0) > 0).toBe(true);
        expect(await programs.run({ ...job, tree: 'nosuch', branches: null })).toHaveProperty('failed');
      }
    } finally {
      await programs.end();
    }
  },
  120_000,
);
