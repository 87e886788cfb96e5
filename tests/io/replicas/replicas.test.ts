// Files with several copies on real servers: one that is dead, busy, silent, or has another file.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ReplicatedSource } from '../../../web/api/api';
import { openRoot } from '../../../web/node';
import { type RangeServer, startRangeServer } from '../../servers/range-server';

const files = resolve(import.meta.dirname, '../../fixtures/files');
const adl = readFileSync(resolve(files, 'page/adl.root'));
const good = withUuid(adl, 0x11);
const other = withUuid(adl, 0x22);

/** The file with a UUID: files that are made again with the same bytes have none. */
function withUuid(bytes: Buffer, digit: number): Buffer {
  const own = Buffer.from(bytes);
  // It is in the record of the directory, which follows the name and the title.
  const at = own.readInt32BE(8) + own.readInt32BE(28) + 32;
  own.fill(digit, at, at + 16);
  return own;
}

const servers: RangeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...given: Parameters<typeof startRangeServer>): Promise<RangeServer> {
  const server = await startRangeServer(...given);
  servers.push(server);
  return server;
}

/** Reads all objects, so that parts of the file are read that are not kept since it was opened. */
const DRAWN = 'Sum$(Jet_pt)+Sum$(Jet_eta)+Sum$(Muon_pt)+Sum$(Electron_pt)+Sum$(Electron_phi)>>h(50,0,500)';

/** An address at which nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/file.root`;
}

const replicas = (urls: readonly string[], more: Partial<ReplicatedSource> = {}): ReplicatedSource => ({
  kind: 'replicas',
  replicas: urls.map((url) => ({ kind: 'url', url })),
  patienceMs: 200,
  ...more,
});

/** The content of all entries of a branch. */
async function drawn(source: Parameters<typeof openRoot>[0]): Promise<number[]> {
  const file = await openRoot(source, { workers: 0 });
  try {
    const tree = await file.tree('Events');
    const { counts } = await tree.draw(DRAWN);
    return [...counts];
  } finally {
    await file.close();
  }
}

const expected = drawn(resolve(files, 'page/adl.root'));

test('a dead server, a busy one and a silent one give way to one that answers', async () => {
  const busy = await serve(good, { status: 503 });
  const silent = await serve(good, { hang: true });
  const well = await serve(good);
  const dead = await deadAddress();
  for (const url of [dead, busy.url, silent.url])
    expect(await drawn(replicas([url, well.url]))).toEqual(await expected);
  expect(silent.requests.length).toBeGreaterThan(0);
  // A silent server is asked last from then on.
  const before = silent.requests.length;
  expect(await drawn(replicas([silent.url, well.url]))).toEqual(await expected);
  expect(silent.requests.length).toBe(before);
});

test('a page of a login, a file that is cut off, and one that is missing give way', async () => {
  const page = await serve(good, { webPage: '<html>Sign in</html>' });
  const missing = await serve(good, { status: 404 });
  const cut = await serve(good.subarray(0, 60_000));
  const well = await serve(good);
  for (const { url } of [page, missing, cut])
    expect(await drawn(replicas([url, well.url]))).toEqual(await expected);
});

test('a server that dies in the middle gives way, and nothing is read twice', async () => {
  const dying = await serve(good);
  const well = await serve(good);
  const file = await openRoot(replicas([dying.url, well.url]), { workers: 0 });
  const tree = await file.tree('Events');
  expect(well.requests).toHaveLength(0);
  dying.faults = { reset: true };
  const { counts } = await tree.draw(DRAWN);
  expect([...counts]).toEqual(await expected);
  expect(well.requests.length).toBeGreaterThan(0);
  await file.close();
});

test('another file in place of a replica is NOT_REPLICA, which names both, and nothing is mixed', async () => {
  const dying = await serve(good);
  const wrong = await serve(other);
  const file = await openRoot(replicas([dying.url, wrong.url]), { workers: 0 });
  const tree = await file.tree('Events');
  dying.faults = { reset: true };
  const draw = tree.draw(DRAWN);
  await expect(draw).rejects.toMatchObject({
    code: 'NOT_REPLICA',
    message: expect.stringMatching(
      new RegExp(
        `${dying.url} and ${wrong.url} are not the same file: the UUID is 11111111-.+ in the first and 22222222-`,
      ),
    ),
  });
  await file.close();
});

test('a file that was written again, with the same UUID, is NOT_REPLICA', async () => {
  const dying = await serve(good);
  const changed = Buffer.from(good);
  changed[700] = (changed[700] ?? 0) ^ 1;
  const wrong = await serve(changed);
  const file = await openRoot(replicas([dying.url, wrong.url]), { workers: 0 });
  dying.faults = { reset: true };
  await expect(file.tree('Events').then((tree) => tree.draw(DRAWN))).rejects.toMatchObject({
    code: 'NOT_REPLICA',
    message: expect.stringContaining('the byte 700 is'),
  });
  await file.close();
});

test('another size than that of the list is NOT_REPLICA', async () => {
  const well = await serve(good);
  await expect(openRoot(replicas([well.url], { name: 'lfn:f', size: 17 }))).rejects.toMatchObject({
    code: 'NOT_REPLICA',
    message: `${well.url} has ${good.length} bytes, but the list says that lfn:f has 17.`,
  });
});

test('damaged bytes are read from another replica', async () => {
  const spoilt = Buffer.from(good);
  // All but the start and the end, where the metadata are.
  for (let i = 70_000; i < good.length - 40_000; i += 50) spoilt[i] = (spoilt[i] ?? 0) ^ 0xff;
  const damaged = await serve(spoilt);
  const well = await serve(good);
  expect(await drawn(replicas([damaged.url, well.url]))).toEqual(await expected);
});

test('without a replica that can be read, the error names all', async () => {
  const dead = await deadAddress();
  const missing = await serve(good, { status: 404 });
  const error = await drawn(`${dead}|${missing.url}`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'NETWORK' });
  const { message } = error as Error;
  expect(message).toContain('No replica of');
  expect(message).toContain(dead);
  expect(message).toContain('404');
});

test('the library takes replicas as a text, also of a list', async () => {
  const busy = await serve(good, { status: 503 });
  const well = await serve(good);
  const file = await openRoot([`lfn:/store/f.root|${busy.url}|${well.url}`], { workers: 0 });
  expect(file.info.files).toEqual(['lfn:/store/f.root']);
  await file.close();
  const single = await openRoot(`${well.url}|${busy.url}`, { workers: 0 });
  expect(single.info.name).toBe([well.url, busy.url].sort().join('|'));
  await single.close();
});
