import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileSource } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { createFolderStore } from '../../web/cache/node-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { placeOf } from '../../web/engine/identity';
import { type RangeServer, startRangeServer } from '../servers/range-server';

// Bytes that are kept are given for the file they came of alone: not for one of the same path with another query, nor
// for one that somebody else put on the same server.

const root = resolve(import.meta.dirname, '../..');
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(resolve(root, path)));
const sample = read('public/sample.root');
const histograms = read('tests/fixtures/files/histograms.root');
const truth = read('tests/fixtures/files/page/long.root');
/** The same in all that is looked at when a file is opened, with other values after it. */
const forged = truth.slice();
for (let i = 200_000; i < 1_000_000; i++) forged[i] = (forged[i] ?? 0) ^ 1;

let folder: string;
let server: RangeServer;
let closed = false;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-places-'));
  server = await startRangeServer(sample);
  closed = false;
});
afterEach(async () => {
  vi.unstubAllGlobals();
  if (!closed) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function goOffline(): Promise<void> {
  await server.close();
  closed = true;
}

async function engine(): Promise<EngineApi> {
  return createEngine({
    module: await compiled,
    openSource: openBrowserSource,
    store: () => createFolderStore({ folder }),
  });
}

const at = (path: string): FileSource => ({ kind: 'url', url: new URL(path, server.url).href });

async function keep(path: string): Promise<void> {
  const reader = await engine();
  const { id } = await reader.open(at(path));
  await reader.keepOffline(id);
  await reader.close(id);
}

async function keysOf(path: string): Promise<string[]> {
  const reader = await engine();
  const { id, offline } = await reader.open(at(path));
  expect(offline).toBe(true);
  return (await reader.keys(id)).map((key) => key.path);
}

describe('without its server, what was kept of a file is shown for this file alone', () => {
  test('when the query part of an address distinguishes files', async () => {
    server.files.set('/get?file=A', sample);
    server.files.set('/get?file=B', histograms);
    await keep('/get?file=A');
    await keep('/get?file=B');
    await goOffline();
    expect(await keysOf('/get?file=A')).toContain('Events');
    expect(await keysOf('/get?file=B')).not.toContain('Events');
    for (const other of ['/get?file=C', '/get', '/get?file=A&v=2', '/get?FILE=A', '/other?file=A']) {
      await expect((await engine()).open(at(other)), other).rejects.toMatchObject({ code: 'NETWORK' });
    }
  }, 60_000);

  test('where a token is all that names a file', async () => {
    await keep('/download?token=A');
    await goOffline();
    await expect((await engine()).open(at('/download?token=B'))).rejects.toMatchObject({ code: 'NETWORK' });
    expect(await keysOf('/download?token=A')).toContain('Events');
  }, 60_000);

  test('and found again by another signature', async () => {
    await keep('/run.root?X-Amz-Expires=1&X-Amz-Signature=aa');
    await goOffline();
    expect(await keysOf('/run.root?X-Amz-Expires=9&X-Amz-Signature=bb')).toContain('Events');
    expect(await keysOf('/run.root')).toContain('Events');
  }, 60_000);

  test('not by a page that cannot tell queries apart, which keeps nothing of them', async () => {
    // As in a page of plain http: random numbers, but no digests.
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const reader = await engine();
    const { id } = await reader.open(at('/get?file=A'));
    await expect(reader.keepOffline(id)).rejects.toMatchObject({ code: 'ARGUMENT' });
    expect(await reader.cacheInfo()).toMatchObject({ files: [] });
    expect(await placeOf('https://host/run.root')).toBe('https://host/run.root');
  });

  test('also where it is shorter than the first read', async () => {
    server.bytes = read('tests/fixtures/files/codec_none.root');
    await keep('/small.root');
    await goOffline();
    expect(await keysOf('/small.root')).toEqual(['t', 'h']);
  }, 60_000);
});

test('a neighbour on the same server cannot put bytes into the cache of another file', async () => {
  server.files.set('/~ann/run.root', truth);
  server.files.set('/~eve/run.root', forged);
  server.files.set('/get?of=ann', truth);
  server.files.set('/get?of=eve', forged);
  const valuesOf = async (path: string, reader: EngineApi) => {
    const { id } = await reader.open(at(path));
    const [x] = await reader.arrays(id, { tree: 't', branches: [0] });
    await reader.close(id);
    return { values: x?.column, error: x?.error };
  };
  const plain = await createEngine({ module: await compiled, openSource: openBrowserSource });
  const right = await valuesOf('/~ann/run.root', plain);
  expect(right.values).toBeDefined();
  expect(await valuesOf('/~eve/run.root', plain)).not.toEqual(right);
  for (const [hers, his] of [
    ['/~ann/run.root', '/~eve/run.root'],
    ['/get?of=ann', '/get?of=eve'],
  ] as const) {
    await valuesOf(his, await engine());
    const asked = server.requests.length;
    expect(await valuesOf(hers, await engine()), hers).toEqual(right);
    expect(server.requests.length - asked).toBeGreaterThan(1);
    // Her own bytes were kept, though, and are read again.
    const before = server.requests.length;
    expect(await valuesOf(hers, await engine())).toEqual(right);
    expect(server.requests.length - before).toBeLessThanOrEqual(2);
  }
}, 60_000);

test('queries are kept on this machine as their checksum only', async () => {
  await keep('/get?file=A&apikey=SECRET');
  const reader = await engine();
  const text = JSON.stringify(await reader.cacheInfo());
  expect(text).toContain('/get');
  expect(text).not.toContain('SECRET');
  expect(text).not.toContain('file=A');
});
