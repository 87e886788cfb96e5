import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import type { ExtentStore } from '../../web/cache/extent-store';
import { createFolderStore } from '../../web/cache/node-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';

// A file that is replaced on its server by another sound one of the same size and layout: a mixture
// of the two would decode without any error.

const root = resolve(import.meta.dirname, '../..');
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const before = new Uint8Array(readFileSync(resolve(root, 'tests/fixtures/files/page/long.root')));
let after: Uint8Array;
let folder: string;
let server: RangeServer;

beforeAll(async () => {
  after = await written(before);
  folder = mkdtempSync(join(tmpdir(), 'xylem-changed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => server.close());

async function engine(store?: ExtentStore): Promise<EngineApi> {
  return createEngine({
    module: await compiled,
    openSource: openBrowserSource,
    store: store && (() => store),
  });
}

/** The file as it would be written again: another UUID, and each number another one. */
async function written(file: Uint8Array): Promise<Uint8Array> {
  const copy = file.slice();
  const reader = await engine();
  const info = await reader.open({ kind: 'buffer', buffer: file.slice().buffer, name: 'long.root' });
  // In the header, and in the record of the root directory.
  for (const at of [47, 204]) copy[at] = (copy[at] ?? 0) ^ 0xff;
  const records = await reader.walk(info.id);
  for (const [i, offset] of records.offset.entries()) {
    if (records.texts[records.className[i] ?? 0] !== 'TBasket') continue;
    const end = offset + (records.length[i] ?? 0);
    for (let at = offset + (records.keyBytes[i] ?? 0) + 3; at < end; at += 4) {
      copy[at] = (copy[at] ?? 0) ^ 1;
    }
  }
  expect((await reader.open({ kind: 'buffer', buffer: copy.slice().buffer, name: 'x' })).uuid).not.toBe(
    info.uuid,
  );
  return copy;
}

/** The values of a branch, in a session of its own; the second half is asked for later. */
async function visit(store?: ExtentStore) {
  const reader = await engine(store);
  const { id } = await reader.open({ kind: 'url', url: server.url });
  const values: number[] = [];
  try {
    for (const entries of [
      [0, 50_000],
      [50_000, 100_000],
    ] satisfies [number, number][]) {
      const [result] = await reader.arrays(id, { tree: 't', branches: ['x'], entries });
      if (result?.column?.kind !== 'primitive') throw new Error(result?.error?.message ?? 'no numbers');
      values.push(...Array.from(result.column.data as Int32Array));
    }
    return { values, ...(await reader.traceSummary(id)) };
  } finally {
    await reader.close(id);
  }
}

const old = Array.from({ length: 100_000 }, (_, i) => Math.floor(i / 1000) % 10);
const now = old.map((value) => value ^ 1);

const identities: [string, Partial<Faults>][] = [
  ['an ETag', { etag: '"one"' }],
  ['a date', { lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' }],
  ['nothing', {}],
  ['nothing, not even where a range lies', { hideContentRange: true }],
];

describe.each(identities)('where the server tells %s', (_name, faults) => {
  test('a change after any request but the last is FILE_CHANGED', async () => {
    server = await startRangeServer(before, faults);
    expect((await visit()).values).toEqual(old);
    const requests = server.requests.length;
    expect(requests).toBeGreaterThan(3);
    for (let count = 0; count <= requests; count++) {
      server.requests.length = 0;
      server.faults = { ...faults, change: { after: count, bytes: after } };
      if (count === 0) expect((await visit()).values).toEqual(now);
      else if (count === requests) expect((await visit()).values).toEqual(old);
      else await expect(visit(), `after ${count}`).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    }
  }, 60_000);

  test('nonsense in place of the file is FILE_CHANGED, too', async () => {
    const nonsense = before.map((byte) => byte ^ 0x5a);
    server = await startRangeServer(before, faults);
    for (const count of [1, 2, 3]) {
      server.requests.length = 0;
      server.faults = { ...faults, change: { after: count, bytes: nonsense } };
      await expect(visit(), `after ${count}`).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    }
  }, 60_000);

  test('a file that was replaced between two visits is read again; the cache holds one of the two contents', async () => {
    const store = () => createFolderStore({ folder });
    await store().clear();
    server = await startRangeServer(before, faults);
    expect((await visit(store())).values).toEqual(old);
    expect(await visit(store())).toMatchObject({ values: old, requests: 1 });
    server.bytes = after;
    server.faults = { ...faults, ...(faults.etag && { etag: '"two"' }) };
    if (faults.lastModified) server.faults.lastModified = 'Tue, 06 Jan 2026 00:00:00 GMT';
    expect(await visit(store())).toMatchObject({ values: now, storedBytes: 0 });
    expect(await visit(store())).toMatchObject({ values: now, requests: 1 });
    // And replaced while it is read, with nothing kept: no bytes of the new file stay under the old one.
    await store().clear();
    server.bytes = before;
    server.requests.length = 0;
    server.faults = { ...faults, change: { after: 3, bytes: after } };
    await expect(visit(store())).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    server.faults = faults;
    expect((await visit(store())).values).toEqual(old);
  }, 60_000);
});
