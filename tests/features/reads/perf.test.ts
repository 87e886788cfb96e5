// Needs features: selectors.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineApi } from '../../../web/api/engine-api';
import type { PerfReport } from '../../../web/api/reading';
import { PERF_NUMBERS } from '../../../web/features/reads/work/perf-numbers';
import { patternSvg, waterfallSvg } from '../../../web/features/reads/work/read-svg';
import { readTrace } from '../../../web/features/traces/work/formats/formats';
import { simulateReading } from '../../../web/features/whatif/work/simulate';
import type { ReadRecord } from '../../../web/io/trace';
import { basketLayout } from '../../../web/reads/basket-layout';
import { perfReportOfObject } from '../../../web/reads/perfstats';
import { perfReport } from '../../../web/reads/place';
import { run } from '../../cli/support';
import { openReader } from '../../engine-reader';
import { startRangeServer } from '../../servers/range-server';

const saved = join(import.meta.dirname, '../../fixtures/reads/perfstat.root');
const sample = join(import.meta.dirname, '../../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-perf-'));
let reader: EngineApi & { terminate(): void };
beforeAll(async () => {
  reader = await openReader({ workers: 0 });
});
afterAll(() => {
  reader.terminate();
  rmSync(folder, { recursive: true, force: true });
});

const loaded = (text: string) => readTrace('saved.json', new TextEncoder().encode(text));

async function rootsOwn(): Promise<PerfReport> {
  const { id } = await reader.open({ kind: 'path', path: saved });
  return perfReportOfObject(await reader.object(id, 'ioperf'));
}

test('a TTreePerfStats that ROOT saved: its numbers as ROOT prints them', async () => {
  const { numbers, by, tree } = await rootsOwn();
  expect({ by, tree }).toEqual({ by: 'ROOT', tree: 'Events' });
  const texts = Object.fromEntries(PERF_NUMBERS.map(({ name, text }) => [name, text(numbers)]));
  expect(Object.keys(texts)).toHaveLength(16);
  expect(texts).toMatchObject({
    TreeCache: '0 MB',
    'N leaves': '16',
    ReadTotal: '0.136187 MB',
    ReadUnZip: '0.353757 MB',
    ReadCalls: '55',
    ReadSize: '2.476 kB/read',
    Readahead: '256 kB',
    Readextra: '0.00 %',
  });
});

test('draw shows a TTreePerfStats as perf does, as text and as a picture', async () => {
  const outputs = ['--svg', '-'];
  for (const [more, drawn] of [[[], /^ReadCalls +55$/m] as const, [outputs, /^<svg/] as const]) {
    const one = await run(reader, 'draw', saved, 'ioperf', ...more);
    expect(one).toMatchObject({ status: 0, err: '' });
    expect(one.out).toMatch(drawn);
    expect(one.out).toBe((await run(reader, 'perf', saved, ...more)).out);
  }
  expect((await run(reader, 'draw', saved, 'ioperf', '--csv', '-')).status).toBe(1);
});

test('each read that ROOT saved is a basket of the layout, at the entry that the simulation says', async () => {
  const { reads } = await rootsOwn();
  const { id } = await reader.open({ kind: 'path', path: sample });
  const layout = await reader.layout(id, 'Events');
  const baskets = new Map([...layout.offset.keys()].map((i) => [layout.offset[i] ?? 0, i]));
  expect(reads).toHaveLength(55);
  for (const { offset, length, entry } of reads) {
    const basket = baskets.get(offset) ?? -1;
    expect(layout.storedBytes[basket]).toBe(length);
    expect(layout.firstEntry[basket]).toBe(entry);
  }
  const choice = { branches: layout.tree.branches.map((_, i) => i), entries: { from: 0, to: 2400, step: 1 } };
  const [none] = simulateReading(basketLayout(layout), choice, { latencyMs: 1, bytesPerMs: 1 }, [
    { kind: 'none' },
  ]);
  expect(none).toMatchObject({ calls: 55, bytes: 136_187 });
});

test('of vector reads ROOT saves no places, and no branch is said to be read', async () => {
  const remote = join(import.meta.dirname, '../../fixtures/reads/perfstat-remote.root');
  const { out, status } = await run(reader, 'perf', remote, '--file', sample);
  expect(status).toBe(0);
  expect(out).toMatch(/ReadCalls +2\n/);
  expect(out).toMatch(/ReadTotal +0\.025628 MB\n/);
  expect(out).toMatch(/Places of the reads +not known/);
  expect(out).not.toMatch(/Muon|Of its bytes|without need/);
  const doctor = await run(reader, 'doctor', sample, '--reads', remote);
  expect(doctor.err).toContain('has vector reads without their ranges');
});

test('the time of the disk of a reading of xylem is the time in which requests are under way, each moment once', async () => {
  const { id } = await reader.open({ kind: 'path', path: sample });
  const layout = await reader.layout(id, 'Events');
  const request = (offset: number, started: number, done: number): ReadRecord => ({
    offset,
    wanted: 100,
    asked: 100,
    got: 100,
    purpose: 'baskets',
    origin: 'network',
    queued: started,
    started,
    answered: started,
    done,
  });
  const records = [request(0, 1000, 1500), request(7000, 1250, 1750), request(9000, 3000, 3250)];
  const { numbers } = perfReport('a.root', layout, records);
  expect(numbers.diskTime).toBeCloseTo(0.75 + 0.25, 6);
  expect(numbers).toMatchObject({ readCalls: 3, readTotal: 300 });
});

test('a reading of xylem: reads with entries and branches, hits from memory, decoding, and no number that is not measured', async () => {
  const server = await startRangeServer(new Uint8Array(readFileSync(sample)), { latencyMs: 5 });
  try {
    const { id } = await reader.open({ kind: 'url', url: server.url, cache: 'none' });
    const layout = await reader.layout(id, 'Events');
    for (let i = 0; i < 2; i++) await reader.arrays(id, { tree: 'Events', branches: ['Muon_pt', 'MET_pt'] });
    const report = perfReport(server.url, layout, await reader.trace(id));
    expect(report.numbers.readCalls).toBe(server.requests.length);
    const network = report.reads.filter(
      ({ origin, branches }) => origin === 'network' && branches.includes('Muon_pt'),
    );
    const [first] = network;
    expect(first?.entry).toBe(0);
    expect((first?.answered ?? 0) - (first?.started ?? 0)).toBeGreaterThan(0.004);
    expect(report.reads.some(({ origin }) => origin === 'memory')).toBe(true);
    const decoded = report.reads.filter(({ origin }) => origin === 'decode');
    expect(decoded.length).toBeGreaterThan(1);
    for (const read of report.reads) {
      expect(read.queued).toBeLessThanOrEqual(read.started);
      expect(read.started).toBeLessThanOrEqual(read.answered);
      expect(read.answered).toBeLessThanOrEqual(read.done);
    }
    expect(loaded(JSON.stringify(report))).toEqual([JSON.parse(JSON.stringify(report))]);
    const fall = waterfallSvg(report);
    expect(fall).toContain('waiting');
    expect(fall).not.toContain('NaN');
  } finally {
    await server.close();
  }
});

test('the command reads as summary, draw, export or process does, and says which', async () => {
  const server = await startRangeServer(new Uint8Array(readFileSync(sample)));
  const selector = join(import.meta.dirname, '../../../docs/features/selectors/q1-met.mjs');
  const both = ['Muon_pt', 'MET_pt'];
  const readings: [how: string, chosen: string[], ...options: string[]][] = [
    ['summary', both, '--branches', 'Muon_pt,MET_pt'],
    ['export', both, '--export', '--branches', 'Muon_pt,MET_pt'],
    ['draw', both, '--draw', 'Muon_pt', '--cut', 'MET_pt>20'],
    ['process', ['MET_pt'], '--selector', selector],
  ];
  try {
    for (const [how, branches, ...options] of readings) {
      server.requests.length = 0;
      const { out, err } = await run(
        reader,
        'perf',
        server.url,
        'Events',
        ...options,
        '--no-cache',
        '--json',
      );
      expect(err).toBe('');
      const { facts, chosen, numbers } = JSON.parse(out);
      expect(facts).toContainEqual(['Read as', how]);
      expect(chosen).toEqual(branches);
      expect(numbers.readCalls).toBe(server.requests.length);
    }
  } finally {
    await server.close();
  }
  expect((await run(reader, 'perf', sample, 'Events', '--draw', 'MET_pt', '--export')).status).toBe(2);
});

test('the command: reads, saves, loads, draws, and lays ROOT over it', async () => {
  const json = join(folder, 'reading.json');
  const text = await run(reader, 'perf', sample, 'Events', '--save', json);
  expect(text.status).toBe(0);
  expect(text.out).toMatch(/ReadTotal +0\.[1-9]\d+ MB/);
  const again = await run(reader, 'perf', json, '--compare', saved);
  expect(again.out).toMatch(/ReadCalls +\d+ +55\n/);
  const svg = await run(reader, 'perf', json, '--compare', saved, '--svg', '-');
  expect(svg.out).toMatch(/^<svg /);
  expect(svg.out).toContain('ROOT: 55 reads');
  expect(svg.out).toContain('File offset (MB)');
  expect(svg.out).not.toContain('NaN');
  const stored = await run(reader, 'perf', saved);
  expect(stored.out).toMatch(/ReadCalls +55\n/);
  expect((await run(reader, 'perf', sample)).out).toContain('Events in ');
  expect((await run(reader, 'perf', join(import.meta.dirname, '../../../package.json'))).status).toBe(1);
});

test.each([
  '{}',
  '[]',
  'null',
  '{"format":"xylem perf 1"}',
  'no json',
  '{"format":"xylem perf 1","by":"","file":"","tree":"","numbers":{},"reads":[]}',
])('what is no reading is refused: %s', (text) => {
  expect(() => loaded(text)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
});

test('ranges, wishes and facts of another form are refused', async () => {
  const report = await rootsOwn();
  const [read] = report.reads;
  const wrong: object[] = [
    { reads: [{ ...read, ranges: [null] }] },
    { reads: [{ ...read, ranges: 'abc' }] },
    { reads: [{ ...read, branches: [{}] }] },
    { reads: [{ ...read, failed: 4 }] },
    { asked: [{ offset: 0 }] },
    { facts: [null] },
  ];
  for (const change of wrong) {
    const text = JSON.stringify({ ...report, ...change });
    expect(() => loaded(text)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  }
});

test('names from a file are text in a picture', async () => {
  const report = await rootsOwn();
  const hostile = {
    ...report,
    tree: '<script>alert(1)</script>',
    reads: report.reads.map((read) => ({ ...read, purpose: '"><b>' })),
  };
  for (const svg of [patternSvg(hostile), waterfallSvg(hostile)]) {
    expect(svg).not.toMatch(/<script|<b>/);
  }
});

test('whatif: a table, JSON and a plot', async () => {
  // With nMuon, which holds the lengths: TTreePerfStats counts 10 reads of 25,628 bytes, and 2 with a cache of 10 MB.
  const table = await run(reader, 'whatif', sample, 'Events', '--branches', 'Muon_pt,MET_pt');
  expect(table.out).toMatch(/no cache +10 +10 +25\.6 kB/);
  expect(table.out).toContain('TTreeCache of 200 MB');
  // Opening a file of 12 kB reads all of it, so xylem requests nothing more, and says why.
  const small = await run(
    reader,
    'whatif',
    join(import.meta.dirname, '../../fixtures/files/clusters.root'),
    't',
  );
  expect(small.out).toMatch(
    /\n {2}xylem makes no request for these branches: .*to open it.*\n[\s\S]*\nxylem +0 +0 /,
  );
  const json = await run(
    reader,
    'whatif',
    sample,
    'Events',
    '--sample',
    '1%',
    '--caches',
    '5',
    '--latency',
    '100',
    '--json',
  );
  const { entries, chosen, source, outcomes, link } = JSON.parse(json.out);
  expect(entries).toEqual([41, 2219]);
  expect(chosen).toBeLessThan(60);
  expect(source).toBe('parts');
  expect(link).toEqual({ latencyMs: 100, bytesPerMs: 12_500 });
  expect(outcomes.map(({ strategy }: { strategy: string }) => strategy)).toEqual([
    'no cache',
    'read-ahead of 256 kB',
    'TTreeCache of 5 MB',
    'xylem',
  ]);
  const svg = await run(reader, 'whatif', sample, 'Events', '--svg', '-');
  expect(svg.out).toContain('TTreeCache (MB)');
  expect(svg.out).not.toContain('NaN');
  expect((await run(reader, 'whatif', sample, 'Events', '--latency', '-1')).status).toBe(2);
});
