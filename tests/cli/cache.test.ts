import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { type RangeServer, startRangeServer } from '../servers/range-server';
import { programWith } from './program';
import { run as runWith } from './support';

const caches = mkdtempSync(join(tmpdir(), 'xylem-caches-'));
const { start, run, built } = programWith(caches);
const bytes = readFileSync(resolve(import.meta.dirname, '../fixtures/files/page/long.root'));
let server: RangeServer;

beforeEach(async () => {
  server = await startRangeServer(bytes, { lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' });
});
afterEach(async () => {
  await server.close();
  rmSync(caches, { recursive: true, force: true });
});

const draw = () => run(['hist', server.url, 't', 'x', '--json']);

async function listed(...more: string[]) {
  const { status, out } = await run(['cache', ...more, '--json']);
  expect(status).toBe(0);
  return JSON.parse(out);
}

built(
  'what was read is listed, and dropped when told to',
  async () => {
    expect(await listed()).toMatchObject({ place: join(caches, 'xylem'), bytes: 0, files: [] });
    expect((await draw()).status).toBe(0);
    const kept = await listed('list');
    expect(kept.files).toMatchObject([{ name: server.url, bytes: kept.bytes }]);
    expect(kept.bytes).toBeGreaterThan(400_000);
    const { out } = await run(['cache']);
    expect(out).toMatch(/\/xylem: [\d.]+ kB of at most [\d.]+ [MG]B\n\n +Kept {2}Last read +File\n/);
    expect(out).toContain(server.url);

    expect(await run(['cache', 'clear', 'http://127.0.0.1/other.root'])).toMatchObject({
      status: 1,
      out: '',
    });
    expect((await listed()).bytes).toBe(kept.bytes);
    const cleared = await run(['cache', 'clear', server.url]);
    expect(cleared).toMatchObject({ status: 0, err: expect.stringMatching(/^cleared: [\d.]+ kB\n$/) });
    expect((await listed()).files).toEqual([]);
    await draw();
    expect(await run(['cache', 'clear'])).toMatchObject({ status: 0 });
    expect(await listed()).toMatchObject({ bytes: 0, files: [] });
  },
  60_000,
);

built(
  'a file that is kept is read when its server is gone',
  async () => {
    const there = await draw();
    expect(await run(['cache', 'keep', server.url])).toMatchObject({
      status: 0,
      out: '',
      err: `kept: ${server.url}, 1.22 MB\n`,
    });
    expect((await listed()).bytes).toBeGreaterThanOrEqual(bytes.length);
    await server.close();
    const alone = await draw();
    expect(alone).toMatchObject({ status: 0, out: there.out });
    expect(alone.err).toContain('cannot be reached');
  },
  60_000,
);

built(
  'keeping that is ended midway leaves what is sound, and goes on from there',
  async () => {
    const right = await draw();
    await run(['cache', 'clear']);
    server.faults = { ...server.faults, latencyMs: 100, atOnce: 1 };
    server.requests.length = 0;
    const child = start(['cache', 'keep', server.url]);
    const ended = new Promise((done) => child.once('exit', done));
    while (server.requests.length < 3 && child.exitCode === null)
      await new Promise((go) => setTimeout(go, 5));
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => server.open, { timeout: 5000 }).toBe(0);
    server.faults = { lastModified: server.faults.lastModified ?? '' };
    expect(await draw()).toEqual(right);
    expect((await run(['cache', 'keep', server.url])).status).toBe(0);
    await server.close();
    expect((await draw()).out).toBe(right.out);
  },
  60_000,
);

built('a cache that cannot be changed is told, and is no success', async () => {
  const folder = join(caches, 'xylem');
  // In the place of the number is a folder, which takes its place from no file.
  mkdirSync(join(folder, 'limit', 'more'), { recursive: true });
  const refused = { status: 1, err: expect.stringContaining('cannot be changed') };
  expect(await run(['cache', 'limit', '1GB'])).toMatchObject(refused);
  expect(await run(['cache', 'limit'])).toMatchObject(refused);
});

test('what could not be dropped is told, and is no success', async () => {
  const kept = {
    place: '/caches',
    bytes: 5,
    maxBytes: 9,
    files: [{ key: 'k', name: 'u', bytes: 5, used: 0 }],
  };
  let notice: string | undefined;
  const reader = {
    cacheInfo: async () => ({ ...kept, notice }),
    clearCache: async () => {
      notice = 'It cannot be changed.';
    },
  } as unknown as EngineApi;
  expect(await runWith(reader, 'cache', 'clear')).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^xylem: It cannot be changed\. .*\[IO\]\n$/),
  });
});

built(
  'the bound that is set holds for all that follows',
  async () => {
    await draw();
    expect((await listed()).bytes).toBeGreaterThan(400_000);
    expect(await listed('limit', '100kB')).toMatchObject({ maxBytes: 100_000 });
    expect((await listed()).bytes).toBeLessThanOrEqual(100_000);
    await draw();
    const after = await listed();
    expect(after.maxBytes).toBe(100_000);
    expect(after.bytes).toBeLessThanOrEqual(100_000);
    const refused = await run(['cache', 'keep', server.url]);
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('[BUDGET]') });
    expect((await listed('limit', '0')).maxBytes).toBe(0);
    await draw();
    expect((await listed()).bytes).toBe(0);
    expect((await listed('limit', '1.5 GB')).maxBytes).toBe(1_500_000_000);
    expect((await listed('limit')).maxBytes).toBeGreaterThan(1_500_000);
    expect(readdirSync(join(caches, 'xylem'))).not.toContain('limit');
    for (const wrong of ['much', '5 apples', '-1']) {
      expect(await run(['cache', 'limit', wrong])).toMatchObject({ status: 2, out: '' });
    }
  },
  60_000,
);
