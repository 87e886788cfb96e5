import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PerfRead, Reading } from '../../../web/api/reading';
import { together } from '../../../web/api/reading';
import { type FleetReport, startFleet } from '../../../web/features/fleet/work/fleet';
import { parseFleetModel } from '../../../web/features/fleet/work/parse-model';
import { type DatasetFacts, datasetFacts, fleetWorks } from '../../../web/features/fleet/work/works';
import { withReader } from '../../engine-reader';

const reader = withReader();
let facts: DatasetFacts;
beforeAll(async () => {
  const path = join(import.meta.dirname, '../../../public/sample.root');
  facts = await datasetFacts(reader, await reader.open({ kind: 'path', path }), 'Events');
});

/** A read of baskets of a branch, as one request. */
function read(branch: string, from: number, to: number, started: number, done: number): PerfRead {
  const { tree, basketStart, offset, storedBytes } = facts.layout;
  const index = tree.branches.find(({ path }) => path === branch)?.index ?? 0;
  const ranges = [];
  for (let i = (basketStart[index] ?? 0) + from; i < (basketStart[index] ?? 0) + to; i++)
    ranges.push({ offset: offset[i] ?? 0, length: storedBytes[i] ?? 0 });
  const length = ranges.reduce((sum, range) => sum + range.length, 0);
  const times = { queued: started, started, answered: started, done };
  const place = { entry: -1, offset: ranges[0]?.offset ?? 0, length, ranges };
  return { ...place, ...times, origin: 'network', purpose: '', branches: [] };
}

const reading = (...reads: PerfRead[]): Reading => ({ by: 'XrdCl', file: 'sample.root', reads });
const bytesOf = (reads: readonly PerfRead[]) => reads.reduce((sum, { length }) => sum + length, 0);

const LATENCY = 1;

async function simulated(readings: Reading[], cache: object, jobs = 1): Promise<FleetReport> {
  const model = parseFleetModel({
    origin: { mbitPerS: 1e9, disk: { mbPerS: 1e9 } },
    sites: [
      {
        ...{ name: 's', slots: 1, link: { latencyMs: 1000 * LATENCY, mbitPerS: 1e9 }, cache },
        ...{ lan: { latencyMs: 0, mbitPerS: 1e9 }, disk: { mbPerS: 1e9 } },
      },
    ],
    datasets: [{ name: 'd', file: 'sample.root', files: jobs }],
    uses: [{ name: 'u', dataset: 'd', trace: 'trace.csv' }],
    jobs: { count: jobs, zipf: 'each', process: 'kept' },
  });
  const works = await fleetWorks(model, {
    facts: async () => facts,
    use: async () => ({ use: { name: 'u', reading: together(readings) }, readings }),
  });
  const run = startFleet(model, works, 'pull');
  while (run.advance(1000));
  return run.report();
}

describe.each([
  ['no cache', { kind: 'none' }],
  ['blocks', { kind: 'blocks', bytes: 1e12, blockBytes: 4096 }],
  ['ranges', { kind: 'ranges', bytes: 1e12 }],
])('a recorded job with %s', (_name, cache) => {
  test('waits once for a vector read, and once for those that were under way together', async () => {
    const one = reading(read('MET_pt', 0, 3, 0, 1));
    const after = reading(read('MET_pt', 0, 1, 0, 1), read('MET_pt', 1, 3, 1, 2));
    const atOnce = reading(
      read('MET_pt', 0, 1, 0, 1),
      read('MET_pt', 1, 2, 0, 2),
      read('MET_pt', 2, 3, 1, 3),
    );
    // The server opens the file first.
    expect((await simulated([one], cache)).seconds).toBeCloseTo(2 * LATENCY, 2);
    expect((await simulated([after], cache)).seconds).toBeCloseTo(3 * LATENCY, 2);
    expect((await simulated([atOnce], cache)).seconds).toBeCloseTo(2 * LATENCY, 2);
  });
});

test('each reading of a trace is a job, and not all of them together', async () => {
  const [small, large] = [reading(read('MET_pt', 0, 1, 0, 1)), reading(read('Muon_pt', 0, 4, 0, 1))];
  const least = bytesOf(small.reads);
  const most = bytesOf(large.reads);
  const { origin } = await simulated([small, large], { kind: 'none' }, 40);
  const jobs = Array.from({ length: 41 }, (_, i) => i * least + (40 - i) * most);
  expect(jobs).toContain(origin.bytes);
  expect(origin.bytes).toBeGreaterThan(40 * least);
  expect(origin.bytes).toBeLessThan(40 * most);
});

test('an opening that reads no basket is part of the job that follows', async () => {
  const description: PerfRead = { ...read('MET_pt', 0, 1, 0, 1), offset: 0, length: 300, ranges: undefined };
  const readings = [reading(description), reading(read('MET_pt', 0, 3, 0, 1))];
  const { origin, seconds } = await simulated(readings, { kind: 'none' }, 2);
  expect(origin.bytes).toBe(2 * bytesOf(readings.flatMap(({ reads }) => reads)));
  expect(seconds).toBeCloseTo(2 * 3 * LATENCY, 2);
});
