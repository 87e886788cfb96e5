import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { type ExtentStore, openStoredExtents } from '../../web/cache/extent-store';
import { createFolderStore } from '../../web/cache/node-folder';
import { defaultCacheFolder } from '../../web/cache/node-user-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { type RangeServer, startRangeServer } from '../servers/range-server';

const compiled = WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')));
const bytes = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../public/sample.root')));
let folder: string;
let server: RangeServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-cache-'));
  server = await startRangeServer(bytes, { etag: '"one"' });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function engine(store: ExtentStore = createFolderStore({ folder })): Promise<EngineApi> {
  return createEngine({ module: await compiled, openSource: openBrowserSource, store: () => store });
}

/** Draws, in a session of its own, and tells the bytes that each kind of place gave. */
async function visit(options: { cache?: 'none'; store?: ExtentStore } = {}) {
  const before = server.requests.length;
  const reader = await engine(options.store);
  const info = await reader.open({
    kind: 'url',
    url: server.url,
    ...(options.cache && { cache: options.cache }),
  });
  const drawn = await reader.draw(info.id, { tree: 'Events', branch: 'Muon_pt' });
  const summary = await reader.traceSummary(info.id);
  await reader.close(info.id);
  const { cachedBytes: _again, busyTime: _time, ...rest } = summary;
  return { drawn, ...rest, asked: server.requests.slice(before).map(({ range }) => range) };
}

const extents = (): string[] =>
  readdirSync(join(folder, 'packs-1'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'name')
    .map((entry) => join(entry.parentPath, entry.name));

test('a second visit asks the server for the head only, and gives the same', async () => {
  const first = await visit();
  expect(first.asked.length).toBeGreaterThan(1);
  const second = await visit();
  expect(second.asked).toEqual(['bytes=0-65535']);
  expect(second.storedBytes).toBe(first.bytes - 65536);
  expect(second.drawn).toEqual(first.drawn);
});

test('extents that are damaged, truncated, empty or missing are fetched again, and the values are right', async () => {
  const first = await visit();
  const spoil: ((path: string) => void)[] = [
    (path) => {
      const content = readFileSync(path);
      content[content.length - 9] = (content[content.length - 9] ?? 0) ^ 1;
      writeFileSync(path, content);
    },
    (path) => writeFileSync(path, readFileSync(path).subarray(0, 100)),
    (path) => writeFileSync(path, ''),
  ];
  for (const harm of spoil) {
    for (const path of extents()) harm(path);
    const again = await visit();
    expect(again.drawn).toEqual(first.drawn);
    expect(again.storedBytes).toBe(0);
    const healed = await visit();
    expect(healed.asked).toHaveLength(1);
  }
  // Gone while it is used: the list of extents was read before.
  const store = createFolderStore({ folder });
  const lost = await visit({
    store: {
      ...store,
      list: async (file) => {
        const list = await store.list(file);
        for (const path of extents()) rmSync(path);
        return list;
      },
    },
  });
  expect(lost.drawn).toEqual(first.drawn);
  expect(lost.storedBytes).toBe(0);
});

test("another file's extent under this one's name is not used", async () => {
  const first = await visit();
  for (const path of extents()) {
    const text = readFileSync(path).toString('latin1');
    writeFileSync(path, Buffer.from(text.replace('127.0.0.1', '127.0.0.2'), 'latin1'));
  }
  const again = await visit();
  expect(again.storedBytes).toBe(0);
  expect(again.drawn).toEqual(first.drawn);
});

test('a file with another validator, or another content at its head, is another file', async () => {
  await visit();
  server.faults = { etag: '"two"' };
  expect((await visit()).storedBytes).toBe(0);
  expect((await visit()).asked).toHaveLength(1);
  server.bytes = bytes.slice();
  const within = 60_000;
  server.bytes[within] = (server.bytes[within] ?? 0) ^ 1;
  expect((await visit()).storedBytes).toBe(0);
});

test('excluded files are not cached, and clearing drops everything', async () => {
  await visit({ cache: 'none' });
  expect(readdirSync(folder)).toEqual([]);
  await visit();
  const reader = await engine();
  const info = await reader.cacheInfo();
  expect(info?.files).toMatchObject([{ name: server.url, bytes: info?.bytes }]);
  expect(info?.bytes).toBeGreaterThan(50_000);
  await reader.clearCache();
  expect(await reader.cacheInfo()).toMatchObject({ bytes: 0, files: [] });
  expect((await visit()).storedBytes).toBe(0);
});

test('the limit holds, and the least recently used extents are dropped first', async () => {
  const store = createFolderStore({ folder, maxBytes: 10_000 });
  const file = { key: 'one', name: 'one.root', place: 'one' };
  const start = Date.now() / 1000 - 3600;
  // Each is a second older than the next: the clock of the file system may be coarser than a put is fast.
  const put = async (offset: number) => {
    await store.put(file, [{ offset, length: 1000 }], [new Uint8Array(1000).fill(offset)]);
    const used = start + offset / 1000;
    utimesSync(join(store.folderOf?.(file) ?? '', `${offset}-1000`), used, used);
  };
  for (let offset = 0; offset < 8000; offset += 1000) await put(offset);
  expect(await store.get(file, [{ offset: 0, length: 1000 }])).toEqual(new Uint8Array(1000));
  for (let offset = 8000; offset < 14_000; offset += 1000) {
    await put(offset);
    expect((await store.info()).bytes).toBeLessThanOrEqual(10_000);
  }
  const left = (await store.list(file))
    .flat()
    .map(({ offset }) => offset)
    .sort((a, b) => a - b);
  expect(left).toContain(0);
  expect(left).not.toContain(1000);
  expect(left).toContain(13_000);
});

test('a folder that cannot be written disables only the cache, and the notice says so', async () => {
  const blocked = join(folder, 'a-file');
  writeFileSync(blocked, '');
  const store = createFolderStore({ folder: blocked });
  const first = await visit({ store });
  const second = await visit({ store });
  expect(second.drawn).toEqual(first.drawn);
  expect(second.storedBytes).toBe(0);
  expect((await store.info()).notice).toMatch(/cannot be changed \(ENOTDIR\)/);
  expect(statSync(blocked).size).toBe(0);
});

test('the folder is where the system wants caches', () => {
  expect(defaultCacheFolder({ XDG_CACHE_HOME: '/caches' }, 'linux')).toBe('/caches/xylem');
  expect(defaultCacheFolder({ XDG_CACHE_HOME: 'relative' }, 'linux')).toMatch(/\/\.cache\/xylem$/);
});

test('what came with one request is kept as one, and each range of it is found again', async () => {
  const store = createFolderStore({ folder });
  const file = { key: 'one', name: 'one.root', place: 'one' };
  const first = await openStoredExtents(store, file);
  const part = (i: number) => new Uint8Array(10 + i).fill(i);
  for (let i = 99; i >= 0; i--) first.save(i * 1000, part(i));
  first.save(5_000_000, part(7));
  await new Promise((go) => setImmediate(go));
  first.save(7_000_000, part(9));
  await new Promise((go) => setImmediate(go));
  await first.flush();
  expect(extents()).toHaveLength(2);

  const again = await openStoredExtents(store, file);
  const wanted = [
    { offset: 2005, length: 1 },
    { offset: 4990, length: 100 },
    { offset: 7_000_000, length: 1 },
  ];
  const found = again.find(wanted);
  expect(found).toEqual([
    { offset: 2000, length: 12 },
    { offset: 5000, length: 15 },
    { offset: 7_000_000, length: 19 },
  ]);
  expect(await Promise.all(found.map((range) => again.load(range)))).toEqual([part(2), part(5), part(9)]);

  // Damage to a pack loses all that is in it, and nothing else.
  const [pack = ''] = extents().filter((path) => path.includes('-101-'));
  const content = readFileSync(pack);
  content[content.length - 1] = 0x55;
  writeFileSync(pack, content);
  const damaged = await openStoredExtents(store, file);
  const now = await Promise.all(damaged.find(wanted).map((range) => damaged.load(range)));
  expect(now).toEqual([undefined, undefined, part(9)]);
  expect(damaged.find(wanted)).toEqual([{ offset: 7_000_000, length: 19 }]);
  expect(extents()).toHaveLength(1);
});
