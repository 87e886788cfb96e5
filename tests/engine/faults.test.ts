import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import type { ErrorCode } from '../../web/base/errors';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import type { Send } from '../../web/io/http/http-client';
import { createHttpSource } from '../../web/io/http/http-source';
import { SENDERS } from '../io/senders';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';

// Reading a whole file through real sockets while the server fails now and then.

const root = resolve(import.meta.dirname, '../..');
const bytes = new Uint8Array(readFileSync(resolve(root, 'public/sample.root')));
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const BRANCHES = ['nMuon', 'Muon_pt', 'Muon_eta', 'Muon_phi'];

let server: RangeServer;
let send: Send | undefined;
afterEach(() => server.close());

async function engine(retries = 12, timeoutMs = 60_000): Promise<EngineApi> {
  const options = { backoffMs: 1, retries, timeoutMs, send };
  return createEngine({
    module: await compiled,
    openSource: async (spec) =>
      spec.kind === 'url'
        ? createHttpSource(spec.url, { ...options, headers: spec.headers, fetch: spec.fetch })
        : openBrowserSource(spec),
  });
}

async function readAll(reader: EngineApi) {
  const info = await reader.open({ kind: 'url', url: server.url });
  const columns = await reader.arrays(info.id, { tree: 'Events', branches: BRANCHES });
  const plot = await reader.object(info.id, 'plots/dimuonMass');
  return { columns, plot };
}

let truth: Promise<Awaited<ReturnType<typeof readAll>>> | undefined;
async function right() {
  truth ??= readAll(await engine());
  return truth;
}

describe.each(SENDERS)('by %s', (_sender, by) => {
  beforeEach(() => {
    send = by;
  });

  describe.each([
    ['20 % failed', { fail: 0.2 }],
    ['20 % truncated', { truncate: 0.2 }],
    ['20 % dropped', { drop: 0.2 }],
    ['all of it', { fail: 0.15, truncate: 0.15, drop: 0.15 }],
  ] satisfies [string, Faults['rates']][])('%s', (_name, rates) => {
    test('gives the right values', async () => {
      server = await startRangeServer(bytes);
      const expected = await right();
      server.faults = { rates };
      for (let round = 0; round < 20; round++) expect(await readAll(await engine())).toEqual(expected);
      expect(server.requests.length).toBeGreaterThan(20 * 2 + 5);
    }, 60_000);
  });

  test('when it does not stop, the failure says what it was', async () => {
    server = await startRangeServer(bytes, { rates: { fail: 1 } });
    await expect(readAll(await engine(2))).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    server.faults = { rates: { truncate: 1 } };
    await expect(readAll(await engine(2))).rejects.toMatchObject({ code: 'HTTP_LENGTH' });
    server.faults = { rates: { drop: 1 } };
    await expect(readAll(await engine(2))).rejects.toMatchObject({ code: 'NETWORK' });
  });

  describe('right values from a server that', () => {
    test.each<[string, Partial<Faults>]>([
      ['hides lengths', { chunked: true }],
      ['closes each connection', { noKeepAlive: true }],
      ['answers two requests at once', { atOnce: 2, latencyMs: 5 }],
      ['is slow to begin', { latencyMs: 80 }],
      ['sends each request on', { redirect: true }],
      ['knows no ranges', { noRanges: true }],
      ['knows no ranges and hides lengths', { noRanges: true, chunked: true }],
      ['refuses ranges past the end', { strict: true }],
      ['announces what lies past the end', { pastEnd: true }],
      ['is busy three times, and says for how long', { status: 429, retryAfter: '0', times: 3 }],
      ['fails at first', { status: 500, times: 2 }],
      ['sends other ranges at first', { shift: 5, times: 2 }],
      ['sends too little at first', { lessBytes: 10, times: 2 }],
      ['sends too much at first', { lessBytes: -10, times: 2 }],
      ['falls silent once', { stall: true, times: 1 }],
      ['takes five ranges at once', { maxRanges: 5 }],
      ['takes one range of several', { multi: 'first' }],
      ['sends all for several ranges', { multi: 'whole' }],
      ['sends other bytes for several ranges', { multi: 'wrong' }],
      ['sends several ranges in another order', { multi: 'reversed' }],
      ['breaks off in several ranges', { multi: 'cut', times: 4 }],
    ])('%s', async (_name, faults) => {
      server = await startRangeServer(bytes);
      const expected = await right();
      await server.close();
      server = await startRangeServer(bytes, faults);
      expect(await readAll(await engine(12, faults.stall ? 200 : 60_000))).toEqual(expected);
    });
  });

  describe('what does not stop is told by its name:', () => {
    test.each<[string, Partial<Faults>, ErrorCode]>([
      ['a failing server', { status: 503 }, 'HTTP_STATUS'],
      ['a busy server', { status: 429, retryAfter: '0' }, 'HTTP_STATUS'],
      ['a wait that is too long', { status: 429, retryAfter: '3600' }, 'HTTP_STATUS'],
      ['416 for all', { status: 416 }, 'HTTP_STATUS'],
      ['other ranges', { shift: 5 }, 'HTTP_LENGTH'],
      ['less', { lessBytes: 10 }, 'HTTP_LENGTH'],
      ['ranges of a gzip-compressed copy', { gzip: true }, 'HTTP_NO_RANGES'],
      ['silence', { stall: true }, 'TIMEOUT'],
      ['broken connections', { reset: true }, 'NETWORK'],
    ])('%s', async (_name, faults, code) => {
      server = await startRangeServer(bytes, faults);
      await expect(readAll(await engine(2, 100))).rejects.toMatchObject({ code });
      expect(server.requests.length).toBeLessThanOrEqual(6);
    });
  });

  test("a caller's fetch and headers are used for each request", async () => {
    server = await startRangeServer(bytes);
    const reader = await engine();
    const seen: string[] = [];
    const info = await reader.open({
      kind: 'url',
      url: server.url,
      headers: { 'X-Token': 'secret' },
      fetch: (input, init) => {
        seen.push(String(input));
        return fetch(input, init);
      },
    });
    await reader.arrays(info.id, { tree: 'Events', branches: BRANCHES });
    expect(seen).toHaveLength(server.requests.length);
    expect(server.requests.every(({ headers }) => headers['x-token'] === 'secret')).toBe(true);
    expect(JSON.stringify([info, await reader.trace(info.id)])).not.toContain('secret');
  });

  test('cancelling leaves no request under way after 100 ms', async () => {
    server = await startRangeServer(bytes);
    const reader = await engine();
    const info = await reader.open({ kind: 'url', url: server.url });
    await reader.close(info.id);
    server.faults = { stall: true };
    const controller = new AbortController();
    const opening = reader.open({ kind: 'url', url: server.url }, { signal: controller.signal });
    while (server.open === 0) await new Promise((go) => setTimeout(go, 2));
    const from = performance.now();
    controller.abort();
    await expect(opening).rejects.toMatchObject({ code: 'ABORTED' });
    while (server.open > 0) await new Promise((go) => setTimeout(go, 1));
    expect(performance.now() - from).toBeLessThan(5000); // 100 ms, with room for a busy machine
  });

  test('from address to first histogram are three round trips at most, without a range given', async () => {
    server = await startRangeServer(bytes);
    const reader = await engine();
    const info = await reader.open({ kind: 'url', url: server.url });
    await reader.draw(info.id, { tree: 'Events', branch: 'Muon_pt' });
    expect((await reader.traceSummary(info.id)).roundTrips).toBeLessThanOrEqual(3);
  });
});
