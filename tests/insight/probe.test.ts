import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { probeServer } from '../../web/insight/probe';
import type { ProbeReport } from '../../web/insight/probe-report';
import { run } from '../cli/support';
import { createMockReader } from '../mock-reader';
import { type RangeServer, startRangeServer } from '../servers/range-server';
import { type RunningServer, realServers, startRealServer } from '../servers/real-servers';

const reader = createMockReader();
const origin = 'https://portal.example.org';
const long = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5);
/** Compresses well, so that a server that compresses does it. */
const sample = readFileSync(join(import.meta.dirname, '../../public/sample.root'));

const states = (report: ProbeReport): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ id, state }) => [id, state]));

describe.each(['nginx', 'Apache'] as const)('%s', (name) => {
  const server = realServers[name];
  const there = test.skipIf(server.program === undefined);
  let running: RunningServer | undefined;
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });

  async function probe(file: Uint8Array, lines: readonly string[]): Promise<ProbeReport> {
    running = await startRealServer(server, file, { files: lines });
    const report = await probeServer(running.url, { origin });
    await running.stop();
    running = undefined;
    return report;
  }

  there('what it lacks as installed is found, and the lines that are given mend it', async () => {
    const before = await probe(long, []);
    expect(before.kind).toBe(name);
    expect(states(before)).toMatchObject({
      ranges: 'good',
      'many-ranges': 'good',
      validators: 'good',
      encoding: 'good',
      cors: 'bad',
      headers: 'poor',
      preflight: 'poor',
      latency: 'good',
      throughput: 'good',
    });
    expect(before.facts.size).toBe(long.length);
    expect(before.facts.manyConnections?.bytes).toBeGreaterThan(1_000_000);
    const [remedy] = before.remedies;
    expect(remedy?.server).toBe(name);
    const after = await probe(long, remedy?.lines ?? []);
    expect(states(after)).toMatchObject({ cors: 'good', headers: 'good', ranges: 'good', preflight: 'good' });
  });

  there('an encoding and refused ranges are found, and mended', async () => {
    const wrong =
      name === 'nginx'
        ? ['gzip on; gzip_types *; max_ranges 0;']
        : ['SetOutputFilter DEFLATE', 'MaxRanges none', 'RequestHeader set Accept-Encoding gzip'];
    const before = await probe(sample, wrong);
    expect(states(before).ranges).toBe('bad');
    const lines = before.remedies[0]?.lines ?? [];
    const after = await probe(sample, name === 'nginx' ? lines : [...wrong, ...lines]);
    expect(states(after)).toMatchObject({ ranges: 'good', encoding: 'good', cors: 'good' });
  });
});

test.skipIf(realServers.XRootD.program === undefined)(
  'XRootD sends no validator, and all else that reading needs',
  async () => {
    const running = await startRealServer(realServers.XRootD, long);
    try {
      const report = await probeServer(running.url, { origin });
      expect(report.kind).toBe('XRootD');
      expect(states(report)).toMatchObject({
        ranges: 'good',
        'many-ranges': 'good',
        encoding: 'good',
        validators: 'poor',
      });
    } finally {
      await running.stop();
    }
  },
);

describe('servers with faults', () => {
  let server: RangeServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  test('no ranges: the file is not downloaded to find that out', async () => {
    server = await startRangeServer(long, { noRanges: true });
    const report = await probeServer(server.url, { origin });
    expect(states(report)).toMatchObject({ ranges: 'bad', latency: 'unknown', throughput: 'unknown' });
    expect(report.facts.size).toBe(long.length);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test.each([
    ['first', 'first only'],
    ['whole', 'whole file'],
    ['refuse', 'refused'],
    ['wrong', 'wrong'],
    ['parts', 'yes'],
  ] as const)('several ranges: %s', async (multi, found) => {
    server = await startRangeServer(long, { multi });
    expect((await probeServer(server.url, { origin })).facts.manyRanges).toBe(found);
  });

  test('a range of compressed bytes', async () => {
    server = await startRangeServer(new Uint8Array(200_000), { gzip: true });
    const report = await probeServer(server.url, { origin });
    expect(states(report)).toMatchObject({ encoding: 'bad' });
  });

  test('permission for another origin is none', async () => {
    server = await startRangeServer(long, { cors: 'https://elsewhere.example.org', etag: '"a"' });
    const report = await probeServer(server.url, { origin });
    expect(report.checks.find(({ id }) => id === 'cors')).toMatchObject({
      state: 'bad',
      found: 'only https://elsewhere.example.org',
    });
    expect(states(report)).toMatchObject({ validators: 'good', headers: 'poor' });
  });

  test('a refusal and a dead server are failures', async () => {
    server = await startRangeServer(long, { status: 403 });
    await expect(probeServer(server.url)).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    const { url } = server;
    await server.close();
    server = undefined;
    await expect(probeServer(url)).rejects.toMatchObject({ code: 'NETWORK' });
  });

  test('the command: a report and status 1 while pages cannot read, status 0 when they can', async () => {
    server = await startRangeServer(long, { etag: '"a"' });
    const bad = await run(reader, 'probe', server.url);
    expect(bad.status).toBe(1);
    expect(bad.out).toMatch(/Reading from other origins +BAD +no Access-Control-Allow-Origin/);
    expect(bad.out).toContain('add_header Access-Control-Allow-Origin "*" always;');
    server.faults.cors = '*';
    const good = await run(reader, 'probe', server.url, '--json');
    expect(good.status).toBe(0);
    expect(JSON.parse(good.out)).toMatchObject({ ok: true, checks: expect.any(Array) });
    expect((await run(reader, 'probe', 'file.root')).status).toBe(2);
  });
});
