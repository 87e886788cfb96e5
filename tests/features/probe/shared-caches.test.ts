import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { probeServer } from '../../../web/features/probe/work/probe';
import { cacheAnswer, cacheHeaders, cacheName } from '../../../web/features/probe/work/probe-cache';
import { openReader, openRoot, type XylemReader } from '../../../web/node';
import { lacks } from '../../needs';
import {
  type RealServer,
  type RunningServer,
  realServers,
  startRealServer,
} from '../../servers/real-servers';

const root = resolve(import.meta.dirname, '../../..');
const { nginx } = realServers;
const canSlice = nginx.program !== undefined;
const there = test.skipIf(lacks('nginx (apt install nginx-light)', canSlice));

/** The lines of the document for a cache that keeps blocks; of 64 KiB, because the file is small. */
const [, blocks = ''] =
  /```nginx\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/features/chains.md'), 'utf8')) ?? [];
const inBlocks = blocks.replace('slice 1m;', 'slice 64k;');
/** A cache that keeps each answer under its range. */
const byRange = blocks.replace('slice 1m;', '').replaceAll('$slice_range', '$http_range');

/** nginx twice: as the origin, which logs what it sends, and as a cache with these lines before it. */
const cacheOf = (lines: string): RealServer => ({
  ...nginx,
  settings: (folder, port) => `
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
      uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
      log_format sent '$body_bytes_sent $http_range';
      server { listen unix:${folder}/origin; root ${folder}; access_log ${folder}/sent sent; }
      ${lines
        .replace('/var/cache/nginx/root', `${folder}/kept`)
        .replace('listen 8080', `listen 127.0.0.1:${port}`)
        .replace('location /data/', 'location /')
        .replace('https://origin.example.org', `http://unix:${folder}/origin`)}
    }`,
});

const file = readFileSync(join(root, 'tests/fixtures/files/page/scattered.root'));
let reader: XylemReader;
let running: RunningServer | undefined;
beforeAll(async () => {
  reader = await openReader({ workers: 0 });
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => reader.terminate());

/** The bytes that the origin has sent since the last call, and the ranges that were asked for. */
async function sent({ path }: RunningServer, seen: { lines: number }) {
  // A line is written when its answer has been sent.
  await wait(30);
  const lines = readFileSync(join(dirname(path), 'sent'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(seen.lines);
  seen.lines += lines.length;
  const parts = lines.map((line) => line.split(' '));
  return {
    bytes: parts.reduce((sum, [bytes]) => sum + Number(bytes), 0),
    ranges: parts.map(([, range]) => range),
  };
}

/** A user without a cache of their own draws a branch. */
async function draw(url: string, branch: string, align?: number): Promise<number> {
  await using opened = await openRoot({ kind: 'url', url, cache: 'none' }, { reader, align });
  return (await (await opened.tree('events')).draw(branch)).entries;
}

there('nginx with the documented lines: the second user costs the origin no bytes', async () => {
  running = await startRealServer(cacheOf(inBlocks), file);
  const { url } = running;
  const seen = { lines: 0 };
  await sent(running, seen);
  // Two at once: each block is fetched by one of them.
  const entries = await Promise.all([draw(url, 'weight', 65_536), draw(url, 'weight', 65_536)]);
  expect(entries).toEqual([1500, 1500]);
  const first = await sent(running, seen);
  expect(first.bytes).toBeGreaterThan(65_536);
  expect(first.bytes).toBeLessThanOrEqual(file.length);
  expect(first.ranges.filter((range) => !/^bytes=\d+-\d+$/.test(range ?? ''))).toEqual([]);
  expect(new Set(first.ranges).size).toBe(first.ranges.length);

  for (const align of [65_536, 131_072, undefined]) {
    expect(await draw(url, 'weight', align)).toBe(1500);
    const again = await sent(running, seen);
    if (align === 65_536) expect(again).toEqual({ bytes: 0, ranges: [] });
    // A block is not fetched again for those who ask for other ranges of it.
    for (const range of again.ranges) expect(first.ranges).not.toContain(range);
  }
  const { facts, checks } = await probeServer(url);
  expect(facts.cache).toMatchObject({ name: 'nginx', headers: { 'x-cache-status': 'HIT' } });
  const check = checks.find(({ id }) => id === 'cache');
  expect(check).toMatchObject({ state: 'good', meaning: expect.stringContaining('--align') });
});

there('a cache by exact ranges: readers with --align share it, and probe says so', async () => {
  running = await startRealServer(cacheOf(byRange), file);
  const { url } = running;
  const seen = { lines: 0 };
  await draw(url, 'weight', 65_536);
  expect((await sent(running, seen)).bytes).toBeGreaterThan(65_536);
  await draw(url, 'weight', 65_536);
  expect(await sent(running, seen)).toEqual({ bytes: 0, ranges: [] });
  const { facts, checks } = await probeServer(url);
  expect(facts.cache).toMatchObject({ first: 'miss', again: 'hit', near: 'miss' });
  expect(checks.find(({ id }) => id === 'cache')).toMatchObject({
    state: 'poor',
    found: expect.stringContaining('exact range'),
  });
});

there('caches that are empty or keep no ranges, and a server without a cache', async () => {
  running = await startRealServer(cacheOf(inBlocks), file);
  const { facts } = await probeServer(running.url);
  expect(facts.cache).toMatchObject({ first: 'miss', again: 'hit', near: 'hit' });
  await running.stop();
  const forgets = byRange.replace('proxy_cache_valid 200 206 60d;', 'proxy_no_cache 1;');
  running = await startRealServer(cacheOf(forgets), file);
  const report = await probeServer(running.url);
  expect(report.checks.find(({ id }) => id === 'cache')).toMatchObject({
    state: 'poor',
    found: expect.stringContaining('fetched again'),
  });
  await running.stop();
  running = await startRealServer(nginx, file);
  const plain = await probeServer(running.url);
  expect(plain.checks.find(({ id }) => id === 'cache')).toMatchObject({ state: 'unknown' });
});

test.each([
  [{ 'X-Cache-Status': 'HIT' }, 'hit', undefined],
  [{ 'X-Cache-Status': 'MISS', Age: '0' }, 'miss', undefined],
  [{ 'X-Cache': 'MISS, HIT', 'X-Served-By': 'cache-fra-1' }, 'hit', 'Fastly'],
  [{ 'X-Cache': 'Miss from cloudfront', Via: '1.1 a.cloudfront.net (CloudFront)' }, 'miss', 'CloudFront'],
  [{ 'CF-Cache-Status': 'DYNAMIC' }, 'miss', 'Cloudflare'],
  [{ 'CF-Cache-Status': 'REVALIDATED' }, 'hit', 'Cloudflare'],
  [{ 'Cache-Status': 'example; fwd=uri-miss' }, 'miss', undefined],
  [{ 'Cache-Status': 'example; hit' }, 'hit', undefined],
  [{ Age: '12' }, 'hit', undefined],
  [{ Via: '1.1 proxy (squid/5.7)' }, 'untold', 'Squid'],
  [{ 'X-Varnish': '3 2', Age: '3' }, 'hit', 'Varnish'],
] as const)('headers of caches: %o', (headers, answer, name) => {
  const seen = cacheHeaders(new Headers(headers)) ?? {};
  expect([cacheAnswer(seen), cacheName(seen)]).toEqual([answer, name]);
});

test('headers without a cache', () => {
  expect(cacheHeaders(new Headers({ ETag: '"a"', Server: 'nginx' }))).toBeUndefined();
});
