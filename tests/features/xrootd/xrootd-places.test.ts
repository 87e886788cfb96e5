import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRoot } from '../../../web/node';
import { run } from '../../cli/support';
import { openReader } from '../../engine-reader';
import { CODE, READ, READV, type ScriptedServer, startScripted, usual } from '../../servers/scripted-xrootd';

// The places where an address may stand besides FILE: caches, lists and chains.

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const bytes = new Uint8Array(readFileSync(sample));
let server: ScriptedServer;
let folder: string;
beforeEach(async () => {
  server = await startScripted((asked) => usual(asked, bytes));
  folder = mkdtempSync(join(tmpdir(), 'xylem-xrootd-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a second visit finds everything but the head in the cache, also when the server is gone', async () => {
  const visit = async () => {
    const before = server.asked.length;
    const file = await openRoot(server.url, { workers: 0, cache: { folder } });
    const { title: _, ...drawn } = await (await file.tree('Events')).draw('Muon_pt');
    await file.close();
    const reads = server.asked.slice(before).filter(({ code }) => code === READ || code === READV);
    return { drawn: JSON.stringify(drawn), reads: reads.length };
  };
  const first = await visit();
  expect(first.reads).toBeGreaterThan(1);
  expect(await visit()).toEqual({ drawn: first.drawn, reads: 1 });
  await server.close();
  expect(await visit()).toEqual({ drawn: first.drawn, reads: 0 });
}, 20_000);

test('a list may name addresses, which are read as one tree', async () => {
  const list = join(folder, 'files.txt');
  writeFileSync(list, `# two times the same\n${server.url}\n${server.url}?x=1\n`);
  const reader = await openReader({ workers: 0 });
  const { out, status } = await run(reader, 'ls', `@${list}`, 'Events', '--json');
  const one = await run(reader, 'ls', sample, 'Events', '--json');
  reader.terminate();
  expect(status).toBe(0);
  expect(JSON.parse(out).tree.entries).toBe(2 * JSON.parse(one.out).tree.entries);
  const opens = server.asked.filter(({ code }) => code === CODE.open).map(({ data }) => data.toString());
  expect(opens.sort()).toEqual(['/f.root', '/f.root?x=1']);
});
