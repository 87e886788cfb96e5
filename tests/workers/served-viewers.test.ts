// Needs features: xrootd.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { WholeSource } from '../../web/api/api';
import { openBrowserSource } from '../../web/engine/browser-source';
import { type NodeReaderOptions, openReader, serveReader, type XylemReader } from '../../web/node';
import { channelReader } from '../../workers/channel-reader';
import { startRangeServer } from '../servers/range-server';
import { twoEnds } from './two-ends';

/*
 * Viewers of one reader cannot read what the program did not give, neither with its headers nor with those of others, and
 * cannot use up what the program has.
 */
const FRIENDS = join(import.meta.dirname, '../query/files');
const SAMPLE = join(import.meta.dirname, '../../public/sample.root');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type SourceOf = Parameters<typeof serveReader>[2];

async function program(options: NodeReaderOptions = {}): Promise<XylemReader> {
  const own = await openReader({ workers: 0, ...options });
  ends.push(() => own.terminate());
  return own;
}

function viewer(own: XylemReader, sourceOf?: SourceOf) {
  const { page, program: other } = twoEnds();
  const close = serveReader(other, own, sourceOf);
  const reader = channelReader(page, { openSource: async (spec) => openBrowserSource(spec) });
  ends.push(close, () => reader.terminate());
  return { reader, close };
}

async function server(files: Record<string, string>, faults: { status?: number } = {}) {
  const started = await startRangeServer(await readFile(SAMPLE), { etag: '"one"', ...faults });
  ends.push(() => started.close());
  for (const [url, path] of Object.entries(files)) started.files.set(url, await readFile(path));
  return started;
}

const url = (address: string, more: object = {}): WholeSource => ({ kind: 'url', url: address, ...more });
const SCAN = { tree: 't', columns: 'f.z', limit: 3 };

test.each(['root', 'xroot'])('an address of %s:// is read by the program itself', async (scheme) => {
  const { reader } = viewer(await program());
  await expect(reader.open(url(`${scheme}://127.0.0.1:1//a.root`))).rejects.toMatchObject({
    code: 'NETWORK',
  });
});

test('the program is asked for the file of a friend that a tree names by its path', async () => {
  const [main, number] = [join(FRIENDS, 'friends.root'), join(FRIENDS, 'friends_number.root')];
  const told: unknown[] = [];
  const own = await program();
  const strict = viewer(own, (address, beside) => {
    told.push([address, beside]);
    return address === 'main' ? { kind: 'path', path: main } : undefined;
  });
  const { id } = await strict.reader.open(url('main'));
  await expect(strict.reader.scan(id, SCAN)).rejects.toMatchObject({ code: 'ARGUMENT' });
  expect(told).toEqual([
    ['main', undefined],
    [number, { kind: 'path', path: main }],
  ]);
  // It may take its time, to ask a person.
  const open = viewer(own, async (address, beside) => ({ kind: 'path', path: beside ? address : main }));
  const there = await open.reader.open(url('main'));
  expect((await open.reader.scan(there.id, SCAN)).values[0]).toHaveLength(3);
});

test('and by its address, which gets no headers of the program', async () => {
  const { url: base, requests } = await server({
    '/main.root': join(FRIENDS, 'friends.root'),
    '/friends_number.root': join(FRIENDS, 'friends_number.root'),
  });
  const address = (name: string) => new URL(name, base).href;
  const headers = { Authorization: 'Bearer OF_THE_PROGRAM' };
  const own = await program();
  const refusing = viewer(own, (asked) => {
    if (asked === 'main') return url(address('/main.root'), { headers });
    throw new Error('not this one');
  });
  const { id } = await refusing.reader.open(url('main'));
  await expect(refusing.reader.scan(id, SCAN)).rejects.toThrow('not this one');
  expect(requests.some((one) => one.url.includes('number'))).toBe(false);

  const open = viewer(own, (asked) =>
    asked === 'main' ? url(address('/main.root'), { headers }) : undefined,
  );
  const there = await open.reader.open(url('main'));
  expect((await open.reader.scan(there.id, SCAN)).values[0]).toHaveLength(3);
  const sent = (name: string) =>
    new Set(requests.filter((one) => one.url.includes(name)).map((one) => one.headers.authorization));
  expect(sent('main')).toEqual(new Set(['Bearer OF_THE_PROGRAM']));
  expect(sent('number')).toEqual(new Set([undefined]));
});

test('the source of the program is taken with all that it says, and not with headers of the viewer', async () => {
  const { url: base, requests } = await server({});
  const own = await program();
  const { reader } = viewer(own, () => url(base, { headers: { Authorization: 'Bearer OF_THE_PROGRAM' } }));
  await reader.open(url('today', { headers: { 'X-Forwarded-User': 'somebody' } }));
  expect(requests.map(({ headers }) => [headers.authorization, headers['x-forwarded-user']])).toEqual(
    requests.map(() => ['Bearer OF_THE_PROGRAM', undefined]),
  );
  // For an address of its own it says the headers itself.
  requests.length = 0;
  await viewer(own).reader.open(url(base, { headers: { Authorization: 'Bearer OF_THE_VIEWER' } }));
  expect(requests.map(({ headers }) => headers.authorization)).toContain('Bearer OF_THE_VIEWER');
});

test.each([
  ['headers', '', { headers: { Authorization: 'Bearer S' } }],
  ['an address', '?X-Amz-Signature=S', {}],
])('what a viewer reads by its own secret in %s is kept for no other', async (_, query, more) => {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-served-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const own = await program({ cache: { folder } });
  const { url: base, close } = await server({});
  const first = viewer(own);
  const { id } = await first.reader.open(url(base + query, more));
  await first.reader.draw(id, { tree: 'Events', expr: 'nMuon' });
  first.close();
  // A cached file is read where its server cannot be reached.
  await close();
  await expect(viewer(own).reader.open(url(base))).rejects.toMatchObject({ code: 'NETWORK' });
  await expect(
    viewer(own).reader.open(url(base, { headers: { 'not a header': 'x' } })),
  ).rejects.toMatchObject({ name: 'XylemError' });
});

test.each([
  ['headers', '', { headers: { Authorization: 'Bearer S' } }],
  ['an address', '?X-Amz-Signature=S', {}],
])('and what the program gives one viewer by a secret in %s, too', async (_, query, more) => {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-served-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const own = await program({ cache: { folder } });
  const { url: base, close } = await server({});
  const first = viewer(own, (asked) => (asked === 'today' ? url(base + query, more) : undefined));
  const { id } = await first.reader.open(url('today'));
  await first.reader.draw(id, { tree: 'Events', expr: 'nMuon' });
  first.close();
  await close();
  await expect(viewer(own).reader.open(url(base))).rejects.toMatchObject({ code: 'NETWORK' });
});

test('a file that is being opened when its viewer leaves is closed', async () => {
  const content = await readFile(SAMPLE);
  let [reads, closed] = [0, 0];
  let go: () => void = () => {};
  const wait = new Promise<void>((done) => {
    go = done;
  });
  const source = {
    name: 'slow',
    concurrency: 1,
    info: () => ({ size: content.length }),
    async read(offset: number, length: number) {
      reads++;
      await wait;
      return new Uint8Array(content.subarray(offset, offset + length));
    },
    async close() {
      closed++;
    },
  };
  const { reader, close } = viewer(await program(), () => ({ kind: 'source', source }));
  reader.open(url('slow')).catch(() => {});
  await expect.poll(() => reads).toBe(1);
  close();
  go();
  await expect.poll(() => closed).toBe(1);
});

test('a viewer cannot open any number of files', async () => {
  const never = new Promise<Uint8Array>(() => {});
  const source = { name: 'never', concurrency: 1, info: () => ({ size: 1000 }), read: () => never };
  const { reader } = viewer(await program(), () => ({ kind: 'source', source }));
  const all = Array.from({ length: 513 }, () => reader.open(url('x')));
  await expect(Promise.race(all)).rejects.toMatchObject({ code: 'BUDGET' });
  for (const one of all) one.catch(() => {});
});
