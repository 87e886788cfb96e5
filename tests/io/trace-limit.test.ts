import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrace, droppedOf, perfStats, type ReadRecord, summarize } from '../../web/io/trace';
import { perfReport } from '../../web/reads/place';
import { openReader } from '../engine-reader';

const sample = join(import.meta.dirname, '../../public/sample.root');

/** The records of a real reading of all branches, and its layout. */
async function reading() {
  const reader = await openReader({ workers: 0 });
  const { id } = await reader.open({ kind: 'path', path: sample });
  const layout = await reader.layout(id, 'Events');
  for (const { index } of layout.tree.branches) {
    await reader.arrays(id, { tree: 'Events', branches: [index], entries: [0, 2400] });
  }
  const records = await reader.trace(id);
  reader.terminate();
  return { records, layout };
}

test('a trace of many reads keeps the newest ones, and the sums of all', async () => {
  const { records, layout } = await reading();
  expect(records.length).toBeGreaterThan(20);
  const phases = records.reduce((sum, one) => sum + (one.phases?.length ?? 0), 0);
  expect(phases).toBeGreaterThan(10);
  const trace = createTrace({ records: 12, phases: 1000 });
  const many: ReadRecord[] = [];
  for (let round = 0; round < 20; round++) {
    for (const record of records) {
      const later = (time: number) => time + 1e4 * round;
      const { queued, started, answered, done } = record;
      const own = {
        queued: later(queued),
        started: later(started),
        answered: later(answered),
        done: later(done),
      };
      many.push({ ...record, ...own });
      trace.add({ ...record, ...own });
      expect(trace.records().length).toBeLessThanOrEqual(13);
    }
  }
  const listed = trace.records();
  const dropped = droppedOf(listed);
  expect(dropped?.records).toBe(many.length - (listed.length - 1));
  expect(listed.slice(1)).toEqual(many.slice(-(listed.length - 1)));
  const [whole, kept] = [summarize(many), trace.summary()];
  expect({ ...kept, busyTime: 0, roundTrips: 0 }).toEqual({ ...whole, busyTime: 0, roundTrips: 0 });
  expect(kept.busyTime).toBeCloseTo(whole.busyTime, 6);
  // Chains are counted within each part.
  expect(kept.roundTrips).toBeGreaterThan(0.5 * whole.roundTrips);
  const [all, some] = [perfStats(many), perfStats(listed)];
  expect(some).toMatchObject({ ReadCalls: all.ReadCalls, BytesRead: all.BytesRead, RealTime: all.RealTime });
  const report = perfReport('sample.root', layout, listed);
  expect(report.numbers.readCalls).toBe(all.ReadCalls);
  expect(report.facts?.[0]?.[1]).toMatch(/^the first \d+, with \d+ requests of /);
  expect(report.reads).toHaveLength(listed.length - 1);
});

test('the oldest tasks lose their phases first, which are counted', async () => {
  const { records, layout } = await reading();
  const trace = createTrace({ records: 10_000, phases: 50 });
  const rounds = 60;
  for (let round = 0; round < rounds; round++) {
    for (const record of records) trace.add(record);
    const kept = trace.records().reduce((sum, one) => sum + (one.phases?.length ?? 0), 0);
    expect(kept).toBeLessThanOrEqual(50);
  }
  const listed = trace.records();
  expect(listed.filter(({ dropped }) => dropped === undefined)).toHaveLength(rounds * records.length);
  const tasks = listed.filter(({ origin }) => origin === 'decode');
  const without = tasks.filter(({ phases }) => phases === undefined).length;
  expect(without).toBeGreaterThan(0);
  expect(droppedOf(listed)).toMatchObject({ records: 0, tasksWithoutPhases: without });
  // Those that are left are the newest.
  expect(tasks.findIndex(({ phases }) => phases !== undefined)).toBe(without);
  const { facts } = perfReport('sample.root', layout, listed);
  expect(facts).toEqual([['Tasks of decoding without phases', expect.stringContaining('the first ')]]);
});

test('many tasks with 32 branches each take no more than the stated number of records and phases', () => {
  const trace = createTrace();
  const times = { queued: 1, started: 1, answered: 1, done: 2 };
  const phases = Array.from({ length: 32 }, (_, k) => ({
    branch: `b${k}`,
    decompress: 1,
    decode: 1,
    fill: 0,
  }));
  for (let i = 0; i < 130_000; i++) {
    const size = { offset: i, wanted: 10, asked: 0, got: 10 };
    trace.add({ ...size, origin: 'decode', purpose: 'b', ...times, phases });
  }
  const listed = trace.records();
  expect(listed.length).toBeLessThanOrEqual(100_001);
  expect(listed.reduce((sum, one) => sum + (one.phases?.length ?? 0), 0)).toBeLessThanOrEqual(500_000);
  expect((droppedOf(listed)?.records ?? 0) + listed.length - 1).toBe(130_000);
});
