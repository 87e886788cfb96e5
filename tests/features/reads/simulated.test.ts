// Needs features: writer.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineApi } from '../../../web/api/engine-api';
import type { PerfRead, PerfReport } from '../../../web/api/reading';
import { programReads } from '../../../web/features/reads/work/insight';
import { readOrders } from '../../../web/features/reads/work/read-order';
import { DISK } from '../../../web/features/whatif/work/layout-costs';
import { perfReportOfObject } from '../../../web/reads/perfstats';
import { run } from '../../cli/support';
import { openReader } from '../../engine-reader';

const fixtures = join(import.meta.dirname, '../../fixtures');
const sample = join(import.meta.dirname, '../../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-simulated-'));
let reader: EngineApi & { terminate(): void };
beforeAll(async () => {
  reader = await openReader({ workers: 0 });
});
afterAll(() => {
  reader.terminate();
  rmSync(folder, { recursive: true, force: true });
});

const placesOf = ({ reads }: PerfReport) => reads.map(({ entry, offset, length }) => [entry, offset, length]);

async function reported(...words: string[]): Promise<PerfReport[]> {
  const { out, err, status } = await run(reader, 'perf', ...words, '--json');
  expect({ err, status }).toEqual({ err: '', status: 0 });
  return [JSON.parse(out)].flat();
}

test('the reading of a program that is not run is the one that ROOT saved', async () => {
  const { id } = await reader.open({ kind: 'path', path: join(fixtures, 'reads/perfstat.root') });
  const saved = perfReportOfObject(await reader.object(id, 'ioperf'));
  const [report] = await reported(sample, 'Events', '--as', 'none');
  expect(report && placesOf(report)).toEqual(placesOf(saved));
  const { readTotal, readExtra, readCalls, readahead, treeCache, leaves } = saved.numbers;
  expect(report?.numbers).toMatchObject({ readTotal, readExtra, readCalls, readahead, treeCache, leaves });
  expect(report?.numbers.factor).toBeCloseTo(saved.numbers.factor, 9);
  // 55 seeks of 5 ms, and 150 MB/s. Nothing is said of times that only a program has.
  expect(report?.numbers.diskTime).toBeCloseTo(55 * 0.005 + readTotal / 150e6, 9);
  expect(report?.numbers).not.toHaveProperty('realTime');
  expect(report?.numbers).not.toHaveProperty('cpuTime');
});

test('the panel has all sixteen fields, and no time that is not known', async () => {
  const { out } = await run(reader, 'perf', sample, '--as', 'cache:30M');
  for (const name of ['Real Time', 'CPU Time', 'ReadUZRT', 'ReadUZCP', 'ReadRT', 'ReadCP'])
    expect(out).toMatch(new RegExp(`^${name} +–$`, 'm'));
  expect(out).toMatch(/^TreeCache +30 MB$/m);
  expect(out).toMatch(/^ReadCalls +2$/m);
  expect(out).toMatch(/^Disk Time +0\.\d{3} s$/m);
});

test('over a link, a cache makes one request of all ranges, and reads no gaps', async () => {
  const link = ['--latency', '100', '--bandwidth', '100'];
  const [report] = await reported(sample, '--as', 'cache:30M', '--branches', 'Muon_pt,MET_pt', ...link);
  expect(report?.numbers).toMatchObject({ readExtra: 0 });
  expect(report?.numbers.diskTime).toBeCloseTo(0.2 + (report?.numbers.readTotal ?? 0) / 12.5e6, 6);
  expect(report?.reads.every(({ origin }) => origin === 'network')).toBe(true);
});

test('xylem reads as its planner says', async () => {
  const [report] = await reported(sample, '--as', 'xylem', '--branches', 'Muon_pt');
  const { out } = await run(reader, 'whatif', sample, '--branches', 'Muon_pt', '--source', 'local', '--json');
  const { calls, bytes } = JSON.parse(out).outcomes.at(-1);
  expect(report?.numbers).toMatchObject({ readCalls: calls, readTotal: bytes });
  expect(report?.reads).toHaveLength(calls);
});

describe.each([
  ['clusters.root', undefined],
  ['merged.root', undefined],
  ['../reads/unwell.root', undefined],
  ['codec_zlib.root', undefined],
])('the healed layout of %s', (name) => {
  const file = join(fixtures, 'files', name);

  test.each(['clusters', 'order', 'rebasket'])(
    'at the level %s is that of the healed file',
    async (level) => {
      const { out } = await run(reader, 'ls', file, '--json');
      const [tree] = (JSON.parse(out).keys as { path: string; kind: string }[]).filter(
        ({ kind }) => kind === 'tree',
      );
      // The name of a file is in its header, so both have the same.
      const healed = join(folder, level, name.split('/').pop() ?? '');
      mkdirSync(join(folder, level), { recursive: true });
      const made = await run(reader, 'heal', file, healed, '--level', level, '--force');
      expect(made.status).toBe(0);
      for (const program of ['none', 'cache:20k', 'cache:30M']) {
        const [before, after] = await reported(file, tree?.path ?? '', '--as', program, '--healed', level);
        const [own] = await reported(file, tree?.path ?? '', '--as', program);
        const [real] = await reported(healed, tree?.path ?? '', '--as', program);
        if (!before || !after || !own || !real) throw new Error('no reading');
        expect(placesOf(before)).toEqual(placesOf(own));
        if (level !== 'rebasket') expect(placesOf(after)).toEqual(placesOf(real));
        // The size of joined baskets is estimated.
        expect(after.numbers.readCalls).toBe(real.numbers.readCalls);
        expect(Math.abs(after.numbers.readTotal / real.numbers.readTotal - 1)).toBeLessThan(0.02);
      }
    },
  );
});

test('two readings stand side by side, with the same axes and both panels', async () => {
  const { out, status } = await run(reader, 'perf', sample, '--as', 'none,cache:30M', '--svg', '-');
  expect(status).toBe(0);
  expect(out.match(/<svg /g)).toHaveLength(3);
  expect(out.match(/>ReadCalls</g)).toHaveLength(2);
  expect(out.match(/Disk time \(s\)/g)).toHaveLength(2);
  expect(out).toMatch(/>back: \d+ reads</);
  expect(out).not.toMatch(/NaN|undefined/);
  const ids = [...out.matchAll(/id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  [['--as', 'cache'], /--as/],
  [['--as', 'none,pool,none'], /at most 2/],
  [['--healed', 'order'], /go with --as/],
  [['--latency', '5'], /go with --as/],
  [['--as', 'xylem', '--healed', 'order'], /other programs than xylem/],
  [['--as', 'none', '--export'], /--export/],
])('the options %j are refused', async (words, text) => {
  const { status, err } = await run(reader, 'perf', sample, ...words);
  expect(status).toBe(2);
  expect(err).toMatch(text);
});

test('a program that does not read this kind of tree is refused', async () => {
  const { status, err } = await run(reader, 'perf', sample, '--as', 'pool');
  expect(status).toBe(1);
  expect(err).toContain('"pool" does not read TTrees');
});

test('reads that go back, and bytes that are read again, are found', () => {
  const read = (offset: number, length: number, ranges?: PerfRead['ranges']): PerfRead => ({
    ...{ entry: 0, offset, length, ranges, origin: 'disk', purpose: '', branches: [] },
    ...{ queued: 0, started: 0, answered: 0, done: 0 },
  });
  const found = readOrders([
    read(100, 50),
    read(150, 50),
    read(20, 10),
    read(140, 100),
    read(0, 1000),
    read(2000, 30, [
      { offset: 2000, length: 10 },
      { offset: 2500, length: 20 },
    ]),
    read(2500, 20),
  ]);
  expect(found.orders).toEqual(['on', 'on', 'back', 'again', 'again', 'on', 'again']);
  expect(found).toMatchObject({ back: 3, again: 3, againBytes: 60 + 150 + 20 });
});

test('the page gets the same reading from its worker', async () => {
  const { id, name } = await reader.open({ kind: 'path', path: sample });
  const layout = await reader.layout(id, 'Events');
  const branches = layout.tree.branches.map(({ index }) => index);
  const request = { tree: 'Events', file: name, branches, from: DISK, program: { kind: 'none' } } as const;
  const layoutOf = () => Promise.resolve(layout);
  const found = await programReads({ reader, layoutOf }, id, request);
  const [report] = await reported(sample, 'Events', '--as', 'none');
  expect(report && placesOf(found)).toEqual(report && placesOf(report));
  expect(found.by).toBe('no cache, simulated');
  const healed = { layout, form: 'healed (order)' };
  const other = await programReads({ reader, layoutOf }, id, { ...request, entries: [0, 500], healed });
  expect(other.by).toBe('no cache, healed (order), simulated');
  expect(other.reads.length).toBeLessThan(found.reads.length);
});
