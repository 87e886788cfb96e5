import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { XylemError } from '../../../web/base/errors';
import { probeServer } from '../../../web/features/probe/work/probe';
import { judge, type ProbeReport } from '../../../web/features/probe/work/probe-report';
import { run } from '../../cli/support';
import { createMockReader } from '../../mock-reader';
import { lacks } from '../../needs';
import { type RangeServer, startRangeServer } from '../../servers/range-server';
import { type RunningServer, realServers, startRealServer } from '../../servers/real-servers';

const reader = createMockReader();
const origin = 'https://portal.example.org';
const long = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5);
/** Compresses well, so that a server that compresses does it. */
const sample = readFileSync(join(import.meta.dirname, '../../../public/sample.root'));

const states = (report: ProbeReport): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ id, state }) => [id, state]));

describe.each(['nginx', 'Apache'] as const)('%s', (name) => {
  const server = realServers[name];
  const there = test.skipIf(lacks(name, server.program !== undefined));
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

  there('what it lacks as installed is found, and the lines that are given repair it', async () => {
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
      // A busy machine may answer several requests more slowly than one.
      throughput: expect.stringMatching(/^(good|poor)$/),
    });
    expect(before.facts.size).toBe(long.length);
    expect(before.facts.manyConnections?.bytes).toBeGreaterThan(1_000_000);
    const speeds = (one: number, many: number) =>
      judge({
        ...before.facts,
        oneConnection: { bytes: one, ms: 1000 },
        manyConnections: { bytes: many, ms: 1000 },
      });
    expect(states(speeds(13e6, 65e6)).throughput).toBe('good');
    expect(states(speeds(65.6e6, 13.2e6)).throughput).toBe('poor');
    const [remedy] = before.remedies;
    expect(remedy?.server).toBe(name);
    const after = await probe(long, remedy?.lines ?? []);
    expect(states(after)).toMatchObject({ cors: 'good', headers: 'good', ranges: 'good', preflight: 'good' });
  });

  there('an encoding and refused ranges are found, and repaired', async () => {
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

test.skipIf(lacks('XRootD', realServers.XRootD.program !== undefined))(
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

  test('what may be secret is in no report and no failure, and headers go to one origin only', async () => {
    server = await startRangeServer(long, { etag: '"a"' });
    const other = await startRangeServer(long, { etag: '"a"' });
    const seen: (string | undefined)[] = [];
    const redirector = createServer((request, response) => {
      if (request.method === 'GET') seen.push(String(request.headers['x-token']));
      const hop = request.url?.startsWith('/start') ? '/next?sig=SECRET' : `${other.url}?sig=SECRET`;
      response.writeHead(302, { Location: hop }).end();
    });
    await new Promise<void>((go) => redirector.listen(0, '127.0.0.1', go));
    const { port } = redirector.address() as AddressInfo;
    const headers = ['--header', 'X-Token: SECRET'];
    try {
      const start = `http://127.0.0.1:${port}/start?X-Amz-Signature=SECRET`;
      for (const url of [`${server.url}?X-Amz-Signature=SECRET#SECRET`, start]) {
        for (const json of [[], ['--json']]) {
          const told = await run(reader, 'probe', url, ...headers, ...json);
          expect(told.out + told.err).toContain('/file.root');
          expect(told.out + told.err).not.toContain('SECRET');
        }
      }
      expect(new Set(seen)).toEqual(new Set(['SECRET']));
      const { facts } = JSON.parse((await run(reader, 'probe', start, '--json')).out);
      expect(facts).toMatchObject({ redirected: true, finalUrl: other.url });
      expect(facts).not.toHaveProperty('redirectedTo');
      expect((await run(reader, 'probe', start)).out).toContain(`Redirected to  ${other.url}\n`);
      expect(server.requests.filter((one) => one.headers['x-token']).length).toBeGreaterThan(5);
      expect(other.requests.length).toBeGreaterThan(5);
      expect(other.requests.filter((one) => one.headers['x-token'])).toEqual([]);
      server.faults = { status: 403 };
      const wrong = [server.url, 'http://me:SECRET@127.0.0.1:9/f', 'http://127.0.0.1:9/f', 'http://[bad/'];
      for (const url of wrong) {
        const told = await run(reader, 'probe', `${url}?token=SECRET`);
        expect(told.status).toBe(1);
        expect(told.out + told.err).not.toContain('SECRET');
        const error: unknown = await probeServer(`${url}?token=SECRET`).catch((thrown: unknown) => thrown);
        expect(JSON.stringify((error as XylemError).toRecord())).not.toContain('SECRET');
      }
    } finally {
      await other.close();
      redirector.closeAllConnections();
      redirector.close();
    }
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
    for (const text of ['', 'x y', 'https://a.example/path', 'a.example'])
      expect(await run(reader, 'probe', server.url, '--origin', text)).toMatchObject({
        status: 2,
        err: expect.stringContaining('--origin takes an origin as https://HOST'),
      });
  });
});

test('a file whose size a page cannot see is too small to tell the throughput, not read at 0 B/s', async () => {
  const server = await startRangeServer(sample);
  /** Answers as a page sees them whose server exposes no Content-Range. */
  const hidden: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const headers = new Headers(answer.headers);
    for (const name of ['content-range', 'content-length']) headers.delete(name);
    return new Response(answer.body, { status: answer.status, headers });
  };
  const { facts, checks } = await probeServer(server.url, { origin, fetch: hidden });
  await server.close();
  expect(facts.size).toBeUndefined();
  expect(checks.find(({ id }) => id === 'throughput')).toMatchObject({
    state: 'unknown',
    found: 'the file is too small to tell',
  });
});
