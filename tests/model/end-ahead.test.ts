import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ExtentStore } from '../../web/cache/extent-store';
import { createFolderStore } from '../../web/cache/node-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';

// On a slow link the end of a file is asked for while its head is waited for.

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => new Uint8Array(readFileSync(resolve(root, path)));
const scattered = read('tests/fixtures/files/page/scattered.root');
const small = read('tests/fixtures/files/page/wide.root');
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const SLOW = { latencyMs: 400, etag: '"a"' } satisfies Partial<Faults>;
const END = 'bytes=-278528';

let server: RangeServer;
let folder: string | undefined;
afterEach(async () => {
  await server.close();
  if (folder) rmSync(folder, { recursive: true });
  folder = undefined;
});

async function visit(faults: Partial<Faults>, store?: ExtentStore) {
  server.faults = faults;
  server.requests.length = 0;
  const reader = await createEngine({
    module: await compiled,
    openSource: openBrowserSource,
    store: store && (() => store),
  });
  const info = await reader.open({ kind: 'url', url: server.url });
  const keys = await reader.keys(info.id);
  const tree = keys.find(({ kind }) => kind === 'tree')?.path ?? '';
  const columns = await reader.arrays(info.id, { tree, branches: [0] });
  const { roundTrips } = await reader.traceSummary(info.id);
  await reader.close(info.id);
  return { columns, roundTrips, asked: server.requests.map(({ range }) => range) };
}

const start = async (bytes = scattered) => {
  server = await startRangeServer(bytes);
};

test('with the head, so that the first values take two round trips', async () => {
  await start();
  const near = await visit({ etag: '"a"' });
  expect(near.asked).not.toContain(END);
  const { asked, columns, roundTrips } = await visit(SLOW);
  expect(asked.slice(0, 2)).toEqual(['bytes=0-65535', END]);
  expect(asked).toHaveLength(near.asked.length);
  expect(roundTrips).toBe(2);
  expect(columns).toEqual(near.columns);
});

test.each<[string, Partial<Faults>]>([
  ['does not do that', { ...SLOW, suffix: 'refuse' }],
  ['sends everything', { ...SLOW, suffix: 'ignore' }],
  ['tells no validator', { latencyMs: 400 }],
])('a server that %s is asked as any other', async (_what, faults) => {
  await start();
  const near = await visit({ etag: '"a"' });
  const { asked, columns } = await visit(faults);
  expect(asked).toContain(END);
  expect(asked.filter((range) => range !== END && range !== near.asked[0])).toContain(near.asked[1]);
  expect(columns).toEqual(near.columns);
});

test('does not read the end ahead for a cached file, whose second visit is one request', async () => {
  await start();
  folder = mkdtempSync(join(tmpdir(), 'xylem-'));
  const first = await visit(SLOW, createFolderStore({ folder }));
  expect(first.asked).toContain(END);
  const again = await visit(SLOW, createFolderStore({ folder }));
  expect(again.asked).toEqual(['bytes=0-65535']);
  expect(again.columns).toEqual(first.columns);
});

test('a file that is whole in its head does not wait for it', async () => {
  await start(small);
  const { asked, roundTrips } = await visit(SLOW);
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(roundTrips).toBe(1);
  await expect.poll(() => server.open).toBe(0);
});

test('a file that is replaced between the two is not mixed', async () => {
  const changed = scattered.slice();
  changed.reverse();
  await start();
  await expect(visit({ ...SLOW, change: { after: 1, bytes: changed } })).rejects.toMatchObject({
    code: 'FILE_CHANGED',
  });
});
