import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileServer, startFileServer } from '../../web/cli/file-server';
import { parseGatewayHosts } from '../../web/cli/gateway';
import { parseGatewayPath, pathOnGateway } from '../../web/io/xrootd/gateway-path';
import { openThroughGateway } from '../../web/io/xrootd/gateway-source';
import { realServers, startRealServer } from '../servers/real-servers';
import {
  type Asked,
  CODE,
  READV,
  type ScriptedServer,
  startScripted,
  usual,
} from '../servers/scripted-xrootd';

const sample = readFileSync(resolve(import.meta.dirname, '../../public/sample.root'));
const content = new Uint8Array(300_000).map((_, i) => (i * 7919) >> 5);

let site: FileServer;
let remote: ScriptedServer;
/** Answers of the server in place of the usual ones. */
let special: ((asked: Asked) => ReturnType<typeof usual> | 'usual') | undefined;
let bytes: Uint8Array = content;

beforeEach(async () => {
  [special, bytes] = [undefined, content];
  remote = await startScripted((asked) => {
    const answer = special ? special(asked) : 'usual';
    return answer === 'usual' ? usual(asked, bytes) : answer;
  });
  const gateway = parseGatewayHosts(`127.0.0.1:${remote.port}`);
  site = await startFileServer({
    path: resolve(import.meta.dirname, '../fixtures/files'),
    ...{ port: 0, host: '127.0.0.1', origin: undefined, gateway },
  });
});

afterEach(async () => {
  await site.close();
  await remote.close();
});

/** The cookie that a browser gets by the link. */
async function cookieOf(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** fetch as a page of the server does it. */
async function asPage(): Promise<typeof fetch> {
  const cookie = await cookieOf(site.link);
  return (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
}

const origin = () => site.url.slice(0, -1);
const place = (name = 'f.root') => `${origin()}/root/127.0.0.1:${remote.port}//${name}`;

test('addresses and paths of the gateway are the same', () => {
  for (const [url, path, back = url] of [
    ['root://host//a/b.root', '/root/host//a/b.root'],
    ['roots://host:1095//a b.root', '/roots/host%3A1095//a%20b.root'],
    ['xroot://me@host/ü/%41.root?a=b&c=%20d', undefined, 'root://me@host/ü/%41.root?a=b&c=%20d'],
    ['root://[::1]:1094//f.root', '/root/%5B%3A%3A1%5D%3A1094//f.root'],
  ]) {
    const found = pathOnGateway(url as string);
    if (path !== undefined) expect(found).toBe(path);
    expect(parseGatewayPath(new URL(found, 'http://x').pathname + new URL(found, 'http://x').search)).toBe(
      back,
    );
  }
  for (const path of [
    '/root/',
    '/root/h',
    '/files/h//f',
    '/root/h//%',
    '/root/h//a%00',
    '/root/h%0a//a',
    '/root/h//a%3fb',
  ])
    expect(() => parseGatewayPath(path), path).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
});

test('hosts are given with or without a port', () => {
  expect(parseGatewayHosts('A.example.org, b:1095 [::1]')).toEqual([
    'a.example.org:1094',
    'b:1095',
    '[::1]:1094',
  ]);
  for (const text of ['', ',', 'a/b', 'a?b', 'a:0', 'a:b'])
    expect(() => parseGatewayHosts(text), text).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
});

test('only a browser that opened the link may read', async () => {
  const without = await fetch(place());
  expect(without.status).toBe(401);
  expect(await without.json()).toMatchObject({ code: 'UNSUPPORTED', fix: expect.stringMatching(/link/) });
  expect((await fetch(`${site.url}?key=${'x'.repeat(32)}`, { redirect: 'manual' })).status).toBe(200);
  const cookie = await cookieOf(`${site.link}&url=root%3A%2F%2Fh%2F%2Ff`);
  const opened = await fetch(`${site.link}&url=root%3A%2F%2Fh%2F%2Ff`, { redirect: 'manual' });
  expect(opened.headers.get('location')).toBe('/?url=root%3A%2F%2Fh%2F%2Ff');
  expect(opened.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
  expect((await fetch(place(), { headers: { cookie } })).status).toBe(200);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { host: 'rebound.example' },
  ] as Record<string, string>[]) {
    expect(await statusOf(place(), { cookie, ...headers }), JSON.stringify(headers)).toBe(403);
  }
  expect((await fetch(place(), { method: 'PUT', headers: { cookie } })).status).toBe(405);
  const none = await fetch(place(), { headers: { cookie } });
  expect(none.headers.get('access-control-allow-origin')).toBeNull();
});

/** The status of an answer to headers that fetch does not let a program set. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, failed) => {
    requestHttp(url, { headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    })
      .on('error', failed)
      .end();
  });
}

test('a page reads ranges: one, several in one vector, the end, all', async () => {
  const read = await asPage();
  const get = (range: string | undefined, method = 'GET', more = {}) =>
    read(place(), { method, headers: { ...(range && { Range: range }), ...more } });
  const first = await get('bytes=0-99');
  expect(first.status).toBe(206);
  expect(first.headers.get('content-range')).toBe('bytes 0-99/300000');
  expect(new Uint8Array(await first.arrayBuffer())).toEqual(content.slice(0, 100));
  // Hello, protocol, login, open and the first read came in one packet.
  expect(remote.packets).toBe(1);
  const end = await get('bytes=-50');
  expect(new Uint8Array(await end.arrayBuffer())).toEqual(content.slice(-50));
  const head = await get(undefined, 'HEAD');
  expect(head.headers.get('content-length')).toBe('300000');
  expect(head.headers.get('last-modified')).toBe('Thu, 01 Jan 1970 00:00:05 GMT');
  expect((await get('bytes=300000-')).status).toBe(416);
  const etag = head.headers.get('etag') ?? '';
  expect((await get('bytes=0-3', 'GET', { 'If-Range': etag })).status).toBe(206);
  expect((await get('bytes=0-3', 'GET', { 'If-Range': '"other"' })).status).toBe(200);
  const several = await get('bytes=10-19,1000-1009,200000-299999');
  expect(several.status).toBe(206);
  const body = Buffer.from(await several.arrayBuffer());
  expect(several.headers.get('content-length')).toBe(String(body.length));
  expect(body.includes('bytes 200000-299999/300000')).toBe(true);
  expect(body.includes(Buffer.from(content.slice(200_000)))).toBe(true);
  expect(remote.asked.filter(({ code }) => code === READV)).toHaveLength(1);
  expect(new Uint8Array(await (await get(undefined)).arrayBuffer())).toEqual(content);
  // All of it went over one connection.
  expect(remote.sockets.size).toBe(1);
});

test('the source of a page reads through it, several ranges at once', async () => {
  const source = await openThroughGateway(remote.url, origin(), await asPage());
  expect(source.name).toBe(remote.url);
  expect(await source.read(0, 1000)).toEqual(content.slice(0, 1000));
  const ranges = [5, 5000, 250_000].map((offset) => ({ offset, length: 100 }));
  const parts: Uint8Array[] = [];
  await expect(
    source.readParts?.(ranges, (i, part) => {
      parts[i] = part.slice();
    }),
  ).resolves.toBe(true);
  expect(parts).toEqual(ranges.map(({ offset, length }) => content.slice(offset, offset + length)));
  expect(remote.asked.filter(({ code }) => code === READV).length).toBeGreaterThan(0);
});

test('a file that is replaced while a page reads it is noticed', async () => {
  const source = await openThroughGateway(remote.url, origin(), await asPage());
  await source.read(0, 100);
  bytes = content.slice(0, 200_000);
  // The gateway compares again when its knowledge is two seconds old.
  const read = async () => {
    await source.read(1000, 100);
    return 'read';
  };
  await expect
    .poll(() => read().catch(({ code }) => code), { timeout: 5000, interval: 300 })
    .toBe('FILE_CHANGED');
});

test('refusals have a status and the typed error', async () => {
  const read = await asPage();
  special = ({ code }) =>
    code === CODE.open ? [4003, Buffer.from('\0\0\x0b\xc3no such file\0', 'latin1')] : 'usual';
  expect((await read(place())).status).toBe(404);
  const source = await openThroughGateway(remote.url, origin(), read);
  await expect(source.read(0, 10)).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: expect.stringContaining('no such file'), where: { url: remote.url } },
    fix: 'Check the path of the address.',
  });
  const elsewhere = await openThroughGateway('root://other.example//f.root', origin(), read);
  await expect(elsewhere.read(0, 10)).rejects.toMatchObject({
    ...{ code: 'UNSUPPORTED', message: expect.stringContaining('other.example:1094') },
    fix: expect.stringContaining('--gateway other.example:1094'),
  });
  special = undefined;
  await remote.close();
  const gone = await openThroughGateway(remote.url, origin(), read);
  await expect(gone.read(0, 10)).rejects.toMatchObject({ code: 'NETWORK', message: /ECONNREFUSED/ });
});

test('a request that is given up gives up its reads', async () => {
  const read = await asPage();
  await (await read(place(), { headers: { Range: 'bytes=0-9' } })).arrayBuffer();
  special = ({ code }) => (code === 3013 ? undefined : 'usual');
  const leaving = new AbortController();
  const asked = read(place(), { headers: { Range: 'bytes=0-99' }, signal: leaving.signal });
  await expect.poll(() => remote.asked.filter(({ code }) => code === 3013).length).toBe(2);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  special = undefined;
  // The connection and the file are still there for the others.
  const next = await read(place(), { headers: { Range: 'bytes=5-9' } });
  expect(new Uint8Array(await next.arrayBuffer())).toEqual(content.slice(5, 10));
  expect(remote.asked.filter(({ code }) => code === CODE.open)).toHaveLength(1);
});

test('without a gateway a page says how to start one', async () => {
  const none: typeof fetch = async () => new Response('not here', { status: 404 });
  for (const own of [undefined, 'https://static.example']) {
    await expect(openThroughGateway('root://data.example:1095//f.root', own, none)).rejects.toMatchObject({
      ...{ code: 'UNSUPPORTED', where: { url: 'root://data.example:1095//f.root' } },
      fix: expect.stringContaining('"xylem serve --gateway data.example:1095"'),
    });
  }
  // A server that answers everything with its own page is no gateway, and has no file.
  const page: typeof fetch = async () => new Response('<html>', { status: 200 });
  await expect(openThroughGateway('root://h//f.root', 'https://x', page)).rejects.toMatchObject({
    where: { url: 'root://h//f.root' },
  });
  const door: typeof fetch = async (input) =>
    String(input) === 'https://h:1094/a%20b.root'
      ? new Response('root', { status: 206 })
      : new Response('', { status: 404 });
  await expect(openThroughGateway('root://h//a b.root', 'https://x', door)).rejects.toMatchObject({
    where: { url: 'root://h//a b.root', instead: ['https://h:1094/a%20b.root'] },
  });
});

test.skipIf(realServers.XRootD.program === undefined)('a real server, through the gateway', async () => {
  const running = await startRealServer(realServers.XRootD, sample);
  const { port } = new URL(running.url);
  const own = await startFileServer({
    path: resolve(import.meta.dirname, '../fixtures/files'),
    ...{ port: 0, host: '127.0.0.1', origin: undefined, gateway: [`127.0.0.1:${port}`] },
  });
  try {
    const cookie = await cookieOf(own.link);
    const read: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
    const source = await openThroughGateway(
      `root://127.0.0.1:${port}//file.root`,
      own.url.slice(0, -1),
      read,
    );
    expect(await source.read(0, 300)).toEqual(new Uint8Array(sample.subarray(0, 300)));
    const ranges = [1000, 50_000, 90_000].map((offset) => ({ offset, length: 5000 }));
    const parts: Uint8Array[] = [];
    await source.readParts?.(ranges, (i, part) => {
      parts[i] = part.slice();
    });
    expect(parts).toEqual(
      ranges.map(({ offset, length }) => new Uint8Array(sample.subarray(offset, offset + length))),
    );
    expect(source.info().size).toBe(sample.length);
  } finally {
    await own.close();
    await running.stop();
  }
});
