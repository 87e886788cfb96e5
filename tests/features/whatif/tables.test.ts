import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EngineReader } from '../../../web/api/reader';
import { readsOf } from '../../../web/features/whatif/work/reads-of';
import { chooseEntries } from '../../../web/model/entry-choice';
import { memorySink, writeRoot } from '../../../web/node';
import { basketLayout } from '../../../web/reads/basket-layout';
import { pageVerbs } from '../../../web/verbs/page';
import { runInPage } from '../../../web/verbs/run-in-page';
import { run } from '../../cli/support';
import { openReader } from '../../engine-reader';
import { startRangeServer } from '../../servers/range-server';

const sample = resolve('public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-tables-'));
const path = (name: string) => join(folder, name);
const COSTS = { 'number call': 100, 'number byte': 1, basket: 1000, 'zlib in': 2, 'zstd in': 2 };
let reader: EngineReader;

interface Row {
  strategy: string;
  calls: number;
  trips: number;
  bytes: number;
  ms: number;
  cpuMs?: number;
  wallMs?: number;
  link?: { name: string; latencyMs: number };
  reading?: string;
  visit?: string;
  file?: string;
}

beforeAll(async () => {
  // No calibration of the user of this machine.
  vi.stubEnv('XDG_CACHE_HOME', folder);
  reader = await openReader({ workers: 0 });
  // 40 branches that do not compress, in clusters of 400 kB.
  let seed = 1;
  const noise = () =>
    Float64Array.from({ length: 20_000 }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed * 1.000_000_123 + Math.sin(seed);
    });
  const columns = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, noise()]));
  const sink = memorySink();
  await writeRoot(sink, async (file) => (await file.tree('t', { clusterBytes: 400_000 })).append(columns));
  writeFileSync(path('wide.root'), sink.bytes());
  const costs = { version: '1', from: 'measured', costs: COSTS };
  const programs = { root: costs, uproot: costs, xylem: costs };
  const machine = { cpu: 'a processor', cores: 2 };
  const calibration = { format: 'xylem calibration 1', date: '2026-11-29', machine, programs };
  writeFileSync(path('calibration.json'), JSON.stringify(calibration));
  writeFileSync(path('list.txt'), '5\n6\n19999\n');
}, 60_000);
afterAll(() => {
  vi.unstubAllEnvs();
  reader.terminate();
  rmSync(folder, { recursive: true });
});

async function table(...words: string[]): Promise<Row[]> {
  const { status, out, err } = await run(reader, 'whatif', path('wide.root'), 't', ...words, '--json');
  expect({ status, err }).toMatchObject({ status: 0 });
  return JSON.parse(out).outcomes;
}

describe('the table', () => {
  test('of links has the clients A to G and each cache', async () => {
    const rows = await table('--table', 'links');
    expect([...new Set(rows.map(({ link }) => link?.name))]).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
    const of = (name: string) => rows.filter(({ link }) => link?.name === name);
    expect(of('E').map(({ strategy }) => strategy)).toEqual([
      ...[
        'no cache',
        'TTreeCache of 64 kB',
        'TTreeCache of 10 MB',
        'TTreeCache of 30 MB',
        'TTreeCache of 200 MB',
      ],
      'xylem',
    ]);
    // The reads of ROOT are the same over all links, and each waits for the one before.
    const [d, g] = [of('D')[0], of('G')[0]];
    expect(d?.calls).toBe(g?.calls);
    expect((g?.ms ?? 0) - (d?.trips ?? 0) * 240).toBeLessThan(100);
  });

  test('of links takes own links', async () => {
    const rows = await table('--table', 'links', '--links', 'office=20/100,home=35/16', '--caches', '5');
    expect(rows.map(({ link, strategy }) => `${link?.name} ${strategy}`)).toEqual([
      ...['office no cache', 'office TTreeCache of 5 MB', 'office xylem'],
      ...['home no cache', 'home TTreeCache of 5 MB', 'home xylem'],
    ]);
  });

  test('of links is the same in the terminal: a row for each client', async () => {
    const { out } = await run(reader, 'whatif', path('wide.root'), 't', '--table', 'links');
    expect(out).toMatch(/Client +Latency \(ms\) +Mbit\/s +no cache/);
    expect(out).toMatch(/^G +240 /m);
    expect(out).toContain('CPU time is that of the reference machine');
  });

  test('of caches compares files', async () => {
    const rows = await table('--table', 'caches', '--beside', path('wide.root'));
    expect(new Set(rows.map(({ file }) => file)).size).toBe(1);
    expect(rows).toHaveLength(12);
    const alone = await table('--table', 'caches');
    expect(alone).toHaveLength(6);
    expect(alone[0]?.file).toBeUndefined();
    const calls = alone.map((row) => row.calls);
    expect(calls[0]).toBeGreaterThan(calls[2] ?? 0);
  });

  test('of read-ahead tells good and bad cases', async () => {
    const rows = await table('--table', 'readahead');
    const readings = [...new Set(rows.map(({ reading }) => reading))];
    expect(readings).toEqual(['40 branches', '2 of 40 branches', '1 % of the entries, random']);
    const of = (reading: string) => rows.filter((row) => row.reading === reading);
    const [all, two] = [of('40 branches'), of('2 of 40 branches')];
    // All branches: fewer calls and hardly more bytes. Two of them: many times the bytes.
    expect(all.at(-1)?.calls).toBeLessThan((all[0]?.calls ?? 0) / 10);
    expect(all.at(-1)?.bytes).toBeLessThan(1.1 * (all[0]?.bytes ?? 0));
    expect(two.at(-1)?.bytes).toBeGreaterThan(5 * (two[0]?.bytes ?? 0));
  });

  test('of shares reads fewer bytes of the first entries than of random ones', async () => {
    const rows = await table('--table', 'shares');
    const bytes = (reading: string) =>
      rows.find((row) => row.reading === reading && row.strategy === 'no cache')?.bytes ?? 0;
    expect(bytes('1 %, the first entries')).toBeLessThan(bytes('1 %, random entries'));
    expect(bytes('1 %, random entries')).toBeLessThanOrEqual(bytes('100 %'));
  });

  test('of shares of a list has the listed entries', async () => {
    const rows = await table('--table', 'shares', '--entry-list', path('list.txt'));
    expect(rows.map(({ reading }) => reading)).toEqual(Array(4).fill('the listed entries'));
    const all = await table('--table', 'shares');
    expect(rows[0]?.calls).toBeLessThan(all[0]?.calls ?? 0);
    expect(rows[0]?.calls).toBeGreaterThan(0);
  });

  test('of visits needs no bytes of a warm disk, nor on a second visit of xylem', async () => {
    const rows = await table('--table', 'visits');
    const of = (visit: string) => rows.filter((row) => row.visit === visit);
    expect(of('disk, cold').every(({ ms }) => ms > 0)).toBe(true);
    expect(of('disk, warm').every(({ ms }) => ms === 0)).toBe(true);
    const second = of('link, second visit');
    expect(second.map(({ ms }) => ms > 0)).toEqual([true, true, true, false]);
  });

  test.each([
    [['--links', 'a=1/2'], '--links goes with --table links.'],
    [['--beside', sample], '--beside goes with --table caches.'],
    [['--table', 'links', '--latency', '5'], '--table links has links of its own'],
    [['--table', 'links', '--links', 'a=0/100'], 'have to be above 0'],
    [['--table', 'links', '--links', 'a'], 'takes NAME=MS/MBIT'],
  ])('refuses %s', async (words, why) => {
    const { status, err } = await run(reader, 'whatif', path('wide.root'), ...words);
    expect(status).toBe(2);
    expect(err).toContain(why);
  });
});

test('the page has the tables in a view', async () => {
  const info = await reader.open({ kind: 'path', path: path('wide.root') });
  const params = { file: 'wide.root', tree: 't', table: 'links' };
  const { result } = await runInPage(reader, info, 'costs', params);
  await reader.close(info.id);
  const verb = await pageVerbs.costs?.load();
  const titles = verb?.report(result, params).tables?.map(({ title }) => title);
  expect(titles).toEqual(['Duration: waiting, receiving and CPU time', 'Reads over link A']);
});

test('a calibration that this user made is taken without an option', async () => {
  mkdirSync(path('xylem'), { recursive: true });
  writeFileSync(path('xylem/calibration.json'), readFileSync(path('calibration.json')));
  const { out } = await run(reader, 'whatif', path('wide.root'), 't');
  rmSync(path('xylem/calibration.json'));
  expect(out).toContain('CPU time as calibrated on 2026-11-29: a processor');
});

describe('CPU time', () => {
  const calibrated = (...words: string[]) => table('--calibration', path('calibration.json'), ...words);

  test('is the sum of what the reading does, multiplied by its costs', async () => {
    const file = await reader.open({ kind: 'path', path: path('wide.root') });
    const { tree, basketStart, storedBytes } = await reader.layout(file.id, 't');
    await reader.close(file.id);
    // Costs that the calibration does not name are not known, so no CPU time is told.
    expect((await calibrated('--branches', 'x0,x7'))[0]?.cpuMs).toBeUndefined();
    const all = {
      ...COSTS,
      ...Object.fromEntries(
        ['entry', 'leaf passed', 'branch', 'zstd out', 'cool call'].map((name) => [name, 0]),
      ),
    };
    const text = readFileSync(path('calibration.json'), 'utf8').replaceAll(
      JSON.stringify(COSTS),
      JSON.stringify(all),
    );
    writeFileSync(path('whole.json'), text);
    const [none] = await table('--calibration', path('whole.json'), '--branches', 'x0,x7');
    const wanted = [0, 7].flatMap((index) => {
      const baskets = [...storedBytes.subarray(basketStart[index], basketStart[index + 1])];
      return [{ bytes: baskets.reduce((sum, bytes) => sum + bytes, 0), count: baskets.length }];
    });
    const stored = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
    const baskets = wanted.reduce((sum, { count }) => sum + count, 0);
    const values = 2 * 8 * tree.entries;
    const ns = 2 * stored + 1000 * baskets + 100 * 2 * tree.entries + values;
    // The bytes of keys are not known exactly.
    expect(none?.cpuMs).toBeGreaterThan((0.99 * ns) / 1e6);
    expect(none?.cpuMs).toBeLessThan((1.01 * ns) / 1e6);
    expect(none?.wallMs).toBeCloseTo((none?.ms ?? 0) + (none?.cpuMs ?? 0), 0);
  });

  test.each([
    ['{', 'it is not JSON'],
    ['{}', 'its format is not "xylem calibration 1"'],
    ['{"format": "xylem calibration 1"}', 'it does not say when and where it was made'],
    [
      '{"format": "xylem calibration 1", "date": "2026-11-29", "machine": {"cpu": "a", "cores": 1}}',
      'it has no costs of root',
    ],
  ])('is not told by %s', async (text, why) => {
    writeFileSync(path('bad.json'), text);
    const { status, err } = await run(reader, 'whatif', sample, 'Events', '--calibration', path('bad.json'));
    expect(status).toBe(1);
    expect(err).toContain(why);
  });
});

test('reads without a cache take as long as the table says, from a server behind a link', async () => {
  const latency = 40;
  const [promise] = await table(
    ...['--branches', 'x3', '--latency', String(latency), '--bandwidth', '1000', '--table', 'caches'],
  );
  const bytes = readFileSync(path('wide.root'));
  const server = await startRangeServer(new Uint8Array(bytes), { etag: '"a"', latencyMs: latency });
  try {
    const file = await reader.open({ kind: 'path', path: path('wide.root') });
    const layout = await reader.layout(file.id, 't');
    await reader.close(file.id);
    const choice = { branches: [3], entries: chooseEntries(undefined, layout.tree.entries) };
    const reads = readsOf(basketLayout(layout), choice, { kind: 'none' });
    const start = performance.now();
    for (const { blocks } of reads)
      for (const { offset, length } of blocks) {
        const headers = { Range: `bytes=${offset}-${offset + length - 1}` };
        const answer = await (await fetch(server.url, { headers })).arrayBuffer();
        expect(answer.byteLength).toBe(length);
      }
    const took = performance.now() - start;
    expect(server.requests).toHaveLength(promise?.calls ?? -1);
    // A busy machine takes longer, and nothing can be faster.
    expect(took).toBeGreaterThan(0.95 * (promise?.trips ?? 0) * latency);
    expect(took).toBeLessThan(3 * (promise?.ms ?? 0) + 500);
  } finally {
    await server.close();
  }
}, 30_000);
