import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ReaderApi } from '../../web/file/api';
import { openPageSource } from '../../web/file/page-source';
import { createHttpSource } from '../../web/io/http-source';
import type { ByteSource } from '../../web/io/source';
import { createEngine } from '../../web/query/engine';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';

// Reading a whole file through real sockets while the server fails now and then.

const root = resolve(import.meta.dirname, '../..');
const bytes = new Uint8Array(readFileSync(resolve(root, 'public/sample.root')));
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const BRANCHES = ['nMuon', 'Muon_pt', 'Muon_eta', 'Muon_phi'];

let server: RangeServer;
afterEach(() => server.close());

async function engine(retries = 12): Promise<ReaderApi> {
  return createEngine({
    module: await compiled,
    openSource: async (spec) =>
      spec.kind === 'url'
        ? createHttpSource(spec.url, { backoffMs: 1, retries, headers: spec.headers, fetch: spec.fetch })
        : openPageSource(spec),
  });
}

async function readAll(reader: ReaderApi) {
  const info = await reader.open({ kind: 'url', url: server.url });
  const columns = await reader.read(info.id, { tree: 'Events', branches: BRANCHES });
  const plot = await reader.object(info.id, 'plots/dimuonMass');
  return { columns, plot };
}

let truth: Promise<Awaited<ReturnType<typeof readAll>>> | undefined;
async function right() {
  truth ??= readAll(await engine());
  return truth;
}

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

test('a file that changes while it is open always gives FILE_CHANGED', async () => {
  for (const change of [{ etag: '"two"' }, { lastModified: 'Tue, 06 Jan 2026 00:00:00 GMT' }]) {
    const before = 'etag' in change ? { etag: '"one"' } : { lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' };
    for (const after of [1, 2]) {
      server = await startRangeServer(bytes, before);
      const reader = await engine();
      const changing = (async () => {
        while (server.requests.length < after) await new Promise((go) => setImmediate(go));
        server.faults = change;
        server.bytes = bytes.map((byte) => byte ^ 0x5a);
      })();
      // The source reads in small pieces, so that there are requests after the change.
      const outcome = readInPieces(reader);
      await changing;
      await expect(outcome).rejects.toMatchObject({ code: 'FILE_CHANGED' });
      await server.close();
    }
  }
  server = await startRangeServer(bytes);
});

/** Opens the file, and reads what was not read by opening. */
async function readInPieces(reader: ReaderApi) {
  const source = createHttpSource(server.url, { backoffMs: 1 });
  const cut: ByteSource = {
    name: source.name,
    concurrency: 1,
    info: () => source.info(),
    // Pieces of 8 kB, one after the other, as if each were a request of a much larger file.
    read: async (offset: number, length: number, signal?: AbortSignal) => {
      const parts: Uint8Array[] = [];
      const end = Math.min(offset + length, bytes.length);
      for (let at = offset; at < end; at += 8192) {
        parts.push(await source.read(at, Math.min(8192, end - at), signal));
      }
      return new Uint8Array(Buffer.concat(parts));
    },
  };
  const info = await reader.open({ kind: 'source', source: cut });
  return reader.read(info.id, { tree: 'Events', branches: BRANCHES });
}

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
  await reader.read(info.id, { tree: 'Events', branches: BRANCHES });
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
