import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/api';
import { readTrace } from '../../../web/features/traces/work/formats/formats';
import { PHASES, timeByBranch } from '../../../web/features/traces/work/time-by-branch';
import { traceEvents } from '../../../web/features/traces/work/trace-events';
import { perfReport, placed } from '../../../web/reads/place';
import { withReader } from '../../engine-reader';

const sample = join(import.meta.dirname, '../../../public/sample.root');
const fixtures = join(import.meta.dirname, '../../fixtures/reads');

const reader = withReader();
let layout: TreeLayout;
let file = 0;
beforeAll(async () => {
  ({ id: file } = await reader.open({ kind: 'path', path: sample }));
  layout = await reader.layout(file, 'Events');
});

test('what decoding took is that of its branches and phases, in the table and for Perfetto', async () => {
  const names = ['Muon_pt', 'MET_pt', 'trigger'];
  const branches = names.map((name) => layout.tree.branches.findIndex(({ path }) => path === name));
  await reader.arrays(file, { tree: 'Events', branches, entries: [0, 2400] });
  const report = perfReport('sample.root', layout, await reader.trace(file));
  const decoding = report.reads.filter(({ origin }) => origin === 'decode');
  const took = decoding.reduce((sum, { started, done }) => sum + done - started, 0);
  const times = timeByBranch(report, layout);
  const sum = (phases: readonly (typeof PHASES)[number][]): number =>
    times.reduce((all, time) => all + phases.reduce((part, phase) => part + time[phase], 0), 0);
  const worked = sum(['decompress', 'decode', 'fill']);
  // Another process may have had any part of the time of a task, so that the phases are compared with themselves.
  const phases = decoding.flatMap((read) => read.phases ?? []);
  expect(phases.length).toBeGreaterThanOrEqual(names.length);
  const told = phases.reduce((all, { decompress, decode, fill }) => all + decompress + decode + fill, 0);
  expect(worked).toBeCloseTo(told / 1000, 9);
  expect(worked).toBeLessThanOrEqual(took * 1.001);
  for (const name of names) {
    const time = times.find((one) => one.name === name);
    expect(time?.decompress, name).toBeGreaterThan(0);
    expect(time?.decode, name).toBeGreaterThan(0);
    expect(time?.network, name).toBeGreaterThan(0);
  }
  for (const { total, ...time } of times)
    expect(total).toBeCloseTo(PHASES.reduce((all, phase) => all + time[phase], 0));
  const { traceEvents: events } = traceEvents(report);
  const inPerfetto = (phase: string): number =>
    events.reduce(
      (all, { name, cat, dur = 0 }) => (cat === 'decode' && name === phase ? all + dur : all),
      0,
    ) / 1e6;
  // Perfetto counts whole microseconds.
  expect(inPerfetto('decompress')).toBeCloseTo(sum(['decompress']), 4);
  expect(inPerfetto('decode')).toBeCloseTo(sum(['decode']), 4);
});

test('a request counts for each of its branches by their bytes', () => {
  const [reading] = readTrace('root.strace', readFileSync(join(fixtures, 'root-named.strace')));
  if (reading === undefined) throw new Error('no reading');
  const report = placed(reading, layout);
  const times = timeByBranch(report, layout);
  const took = report.reads.reduce((sum, { queued, done }) => sum + done - queued, 0);
  expect(times.reduce((sum, { total }) => sum + total, 0)).toBeCloseTo(took);
  // The two fills of the cache have three branches and what lies between.
  const { basketStart, storedBytes, offset } = layout;
  const bytes = (name: string): number => {
    const b = layout.tree.branches.findIndex(({ path }) => path === name);
    let sum = 0;
    for (let i = basketStart[b] ?? 0; i < (basketStart[b + 1] ?? 0); i++)
      if (offset[i]) sum += storedBytes[i] ?? 0;
    return sum;
  };
  const time = (name: string): number => times.find((one) => one.name === name)?.total ?? 0;
  expect(time('Muon_pt')).toBeGreaterThan(time('nMuon'));
  expect(bytes('Muon_pt')).toBeGreaterThan(bytes('nMuon'));
});

test('times that no reading can take are left out', async () => {
  const report = perfReport('sample.root', layout, await reader.trace(file));
  const read = report.reads.at(-1);
  if (read === undefined) throw new Error('nothing was read');
  const network = { ...read, origin: 'network' as const, purpose: 'x' };
  const phases = [{ branch: 'nMuon', decompress: 1e308, decode: 1e308, fill: 2 }];
  const reads = [
    { ...network, queued: -1e308, answered: 1e307, done: 1e308 },
    { ...network, origin: 'decode' as const, phases },
  ];
  const times = timeByBranch({ ...report, reads }, layout);
  expect(times.map(({ name, total }) => [name, total])).toEqual([['nMuon', 0.002]]);
});
