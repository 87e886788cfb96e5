import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Progress, SourceSpec } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { createFolderStore } from '../../web/cache/node-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { type RangeServer, startRangeServer } from '../servers/range-server';

const compiled = WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')));
const bytes = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../public/sample.root')));
let folder: string;
let server: RangeServer;
let closed = false;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-offline-'));
  server = await startRangeServer(bytes, { etag: '"one"' });
  closed = false;
});
afterEach(async () => {
  if (!closed) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function goOffline(): Promise<void> {
  await server.close();
  closed = true;
}

async function engine(maxBytes?: number): Promise<EngineApi> {
  const store = createFolderStore({ folder, maxBytes });
  return createEngine({ module: await compiled, openSource: openBrowserSource, store: () => store });
}

const spec = (): SourceSpec => ({ kind: 'url', url: server.url });
const draw = (reader: EngineApi, id: number, branch: string) => reader.draw(id, { tree: 'Events', branch });

test('a file that is kept opens without its server, all of it, and says that it is not checked', async () => {
  const online = await engine();
  const { id } = await online.open(spec());
  const seen: Progress[] = [];
  await online.keepOffline(id, { onProgress: (progress) => seen.push(progress) });
  expect(seen.at(-1)).toMatchObject({ bytesTotal: bytes.length });
  const drawn = await draw(online, id, 'Jet_pt');
  const requests = server.requests.length;
  await online.keepOffline(id);
  expect(server.requests).toHaveLength(requests);
  await online.close(id);
  const { files } = (await online.cacheInfo()) ?? { files: [] };
  expect(files).toMatchObject([{ name: server.url }]);
  expect(files[0]?.bytes).toBeGreaterThanOrEqual(bytes.length);

  await goOffline();
  const offline = await engine();
  const again = await offline.open(spec());
  expect(again.offline).toBe(true);
  expect(again.notes.join()).toContain('cannot be reached');
  expect(await draw(offline, again.id, 'Jet_pt')).toEqual(drawn);
  expect(await offline.traceSummary(again.id)).toMatchObject({ requests: 0, bytes: 0 });
}, 60_000);

test('without its server, a file shows the cached part and reports the missing part', async () => {
  server.bytes = new Uint8Array(
    readFileSync(resolve(import.meta.dirname, '../fixtures/files/page/long.root')),
  );
  const read = (reader: EngineApi, id: number, entries: [number, number]) =>
    reader.arrays(id, { tree: 't', branches: [0], entries });
  const online = await engine();
  const { id, offline: no } = await online.open(spec());
  expect(no).toBeUndefined();
  const few = await read(online, id, [0, 500]);
  await online.close(id);
  await goOffline();
  const offline = await engine();
  const again = await offline.open(spec());
  expect(again.offline).toBe(true);
  expect(await read(offline, again.id, [0, 500])).toEqual(few);
  const [all] = await read(offline, again.id, [0, 100_000]);
  expect(all?.error).toMatchObject({ code: 'NETWORK', message: expect.stringContaining('not kept') });
}, 60_000);

test('what was never read fails as before, and so does a file read with cache: none', async () => {
  const online = await engine();
  const { id } = await online.open({ kind: 'url', url: server.url, cache: 'none' });
  await expect(online.keepOffline(id)).rejects.toMatchObject({ code: 'ARGUMENT' });
  await online.close(id);
  await goOffline();
  await expect((await engine()).open(spec())).rejects.toMatchObject({ code: 'NETWORK' });
}, 60_000);

test('a server that answers is believed: what it refuses is not shown from the cache', async () => {
  const online = await engine();
  const { id } = await online.open(spec());
  await online.keepOffline(id);
  await online.close(id);
  server.faults = { status: 404 };
  await expect((await engine()).open(spec())).rejects.toMatchObject({ code: 'HTTP_STATUS' });
});

test('a file that does not fit is refused, and read from where it lies', async () => {
  const reader = await engine(bytes.length - 1);
  const { id } = await reader.open(spec());
  await expect(reader.keepOffline(id)).rejects.toMatchObject({ code: 'BUDGET' });
  expect(await draw(reader, id, 'Muon_pt')).toMatchObject({ kind: 'histogram' });
});

test('keeping ends when it is cancelled, and one file is cleared without the others', async () => {
  const reader = await engine();
  const { id } = await reader.open(spec());
  const stop = new AbortController();
  stop.abort();
  await expect(reader.keepOffline(id, { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  await reader.keepOffline(id);
  const other = await startRangeServer(bytes, { etag: '"two"' });
  try {
    const second = await reader.open({ kind: 'url', url: other.url });
    await reader.keepOffline(second.id);
    const before = (await reader.cacheInfo())?.files ?? [];
    expect(before.map(({ name }) => name).sort()).toEqual([server.url, other.url].sort());
    await reader.clearCache(before.find(({ name }) => name === server.url)?.key);
    expect((await reader.cacheInfo())?.files.map(({ name }) => name)).toEqual([other.url]);
  } finally {
    await other.close();
  }
});

test('a cancelled download leaves no request, and continues where it stopped', async () => {
  const long = readFileSync(resolve(import.meta.dirname, '../fixtures/files/page/long.root'));
  server.bytes = new Uint8Array(long);
  const reader = await engine();
  const { id } = await reader.open(spec());
  // One answer at a time, so that some have come when it is cancelled, and others have not.
  server.faults = { etag: '"one"', latencyMs: 40, atOnce: 1 };
  const stop = new AbortController();
  const keeping = reader.keepOffline(id, { signal: stop.signal });
  const before = server.requests.length;
  const cancelled = expect(keeping).rejects.toMatchObject({ code: 'ABORTED' });
  const came = async (): Promise<number> => {
    const reads = await reader.trace(id);
    return reads.filter(
      ({ purpose, origin, got }) => purpose === 'keep offline' && origin === 'network' && got > 0,
    ).length;
  };
  await expect.poll(came, { interval: 5 }).toBeGreaterThan(0);
  stop.abort();
  await cancelled;
  await expect.poll(() => server.open).toBe(0);
  const asked = server.requests.length - before;
  const first = await came();
  expect(first).toBeLessThan(asked);
  server.faults = { etag: '"one"' };
  await reader.keepOffline(id);
  // Nothing was fetched twice.
  expect((await reader.traceSummary(id)).bytes).toBe(long.length);
  await reader.close(id);
  await goOffline();
  const offline = await engine();
  const again = await offline.open(spec());
  expect(
    await offline.arrays(again.id, { tree: 't', branches: [0], entries: [99_000, 99_001] }),
  ).toMatchObject([{ column: { data: Int32Array.of(9) } }]);
}, 60_000);
