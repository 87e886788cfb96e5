import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolderStore } from '../../web/cache/node-folder';
import { packFiles } from '../../web/cache/node-packs';
import { Core } from '../../web/core/core';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { directFiles } from '../../web/io/node-direct-file';
import { runTask } from '../../web/pass/task';
import type { TaskRunner } from '../../web/pass/types';
import { type RangeServer, startRangeServer } from '../servers/range-server';

// A second visit whose decoding reads the packs of the cache itself, as the workers of Node do.

const root = resolve(import.meta.dirname, '../..');
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const bytes = new Uint8Array(readFileSync(resolve(root, 'tests/fixtures/files/page/scattered.root')));
const BRANCHES = [0, 3, 7];

let folder: string;
let server: RangeServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-direct-'));
  server = await startRangeServer(bytes, { etag: '"one"' });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function visit(branches = BRANCHES) {
  server.requests.length = 0;
  const module = await compiled;
  const core = await Core.create(module);
  const files = directFiles(packFiles);
  let direct = 0;
  const runner: TaskRunner = {
    concurrency: 2,
    readsFiles: true,
    run: async (task) => {
      if (!(task.input instanceof Uint8Array)) direct++;
      return runTask(core, task, files);
    },
    encode: () => Promise.reject(new Error('nothing is written here')),
    makeBaskets: () => Promise.reject(new Error('nothing is written here')),
  };
  const store = createFolderStore({ folder });
  const reader = await createEngine({ module, openSource: openBrowserSource, runner, store: () => store });
  const { id } = await reader.open({ kind: 'url', url: server.url });
  const columns = await reader.arrays(id, { tree: 'events', branches });
  const origins = (await reader.trace(id)).map(({ origin }) => origin);
  const { bytes: came, storedBytes } = await reader.traceSummary(id);
  await reader.close(id);
  return { columns, direct, came, storedBytes, origins, asked: server.requests.length };
}

const packs = (): string[] =>
  readdirSync(join(folder, 'packs-1'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'name')
    .map((entry) => join(entry.parentPath, entry.name));

test('all is read in place: one request, and the same values', async () => {
  const first = await visit();
  expect(first.direct).toBe(0);
  const second = await visit();
  expect(second.columns).toEqual(first.columns);
  expect(second).toMatchObject({ asked: 1, came: 65_536 });
  expect(second.direct).toBeGreaterThan(0);
  expect(second.storedBytes).toBeGreaterThan(10_000);
  expect(second.origins).toContain('decode');
  expect(new Set(second.origins)).toEqual(new Set(['network', 'store', 'memory', 'decode']));
});

test.each<[string, (path: string) => void]>([
  ['gone', (path) => rmSync(path)],
  ['cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, -7))],
  ['empty', (path) => writeFileSync(path, '')],
  [
    'changed in one bit',
    (path) => {
      const content = readFileSync(path);
      content[content.length - 9] = (content[content.length - 9] ?? 0) ^ 4;
      writeFileSync(path, content);
    },
  ],
  [
    "another file's",
    (path) => {
      const text = readFileSync(path).toString('latin1');
      writeFileSync(path, Buffer.from(text.replace('127.0.0.1', '127.0.0.2'), 'latin1'));
    },
  ],
])('packs that are %s are fetched again', async (_how, harm) => {
  const first = await visit();
  for (const path of packs()) harm(path);
  const again = await visit();
  expect(again.columns).toEqual(first.columns);
  expect(again.asked).toBeGreaterThan(1);
  const healed = await visit();
  expect(healed.columns).toEqual(first.columns);
  expect(healed).toMatchObject({ asked: 1 });
});

test('only the missing part of a range is fetched', async () => {
  const all = await visit([0, 3, 7, 9]);
  rmSync(folder, { recursive: true, force: true });
  await visit([0, 3]);
  const more = await visit([0, 3, 7, 9]);
  expect(more.columns).toEqual(all.columns);
  expect(more.storedBytes).toBeGreaterThan(0);
  expect(more.asked).toBeGreaterThan(1);
  expect(more.came).toBeLessThan(all.came);
});

test('a replaced file takes nothing from the cache of the old one', async () => {
  const first = await visit();
  server.faults = { etag: '"two"' };
  const second = await visit();
  expect(second).toMatchObject({ direct: 0, storedBytes: 0, asked: first.asked });
  expect(second.columns).toEqual(first.columns);
});
