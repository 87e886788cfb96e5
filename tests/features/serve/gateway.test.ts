import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FileServer, startFileServer } from '../../../web/features/serve/cli/file-server';
import { parseGatewayHosts } from '../../../web/features/serve/cli/gateway';
import { siteName } from '../../../web/features/serve/cli/site-name';
import { keyToUse } from '../../../web/features/xrootd/work/gateway-key';
import { openThroughGateway } from '../../../web/features/xrootd/work/gateway-source';
import { KEY_HEADER, parseGatewayPath, pathOnGateway } from '../../../web/io/http/gateway-path';
import { resolveLocalNames } from '../../servers/local-names';
import { realServers, startRealServer } from '../../servers/real-servers';
import {
  type Asked,
  CODE,
  opened,
  READV,
  type ScriptedServer,
  startScripted,
  usual,
} from '../../servers/scripted-xrootd';

const sample = readFileSync(resolve(import.meta.dirname, '../../../public/sample.root'));
const content = new Uint8Array(300_000).map((_, i) => (i * 7919) >> 5);

let site: FileServer;
let remote: ScriptedServer;
/** Answers of the server in place of the usual ones. */
let special: ((asked: Asked) => ReturnType<typeof usual> | 'usual') | undefined;
let bytes: Uint8Array = content;
let caches: string;
let stopResolving: () => void;

beforeAll(() => {
  stopResolving = resolveLocalNames();
  caches = mkdtempSync(join(tmpdir(), 'xylem-gateway-'));
});
afterAll(() => {
  stopResolving();
  rmSync(caches, { recursive: true });
});
beforeEach(async () => {
  vi.stubEnv('XDG_CACHE_HOME', caches);
  [special, bytes] = [undefined, content];
  remote = await startScripted((asked) => {
    const answer = special ? special(asked) : 'usual';
    return answer === 'usual' ? usual(asked, bytes) : answer;
  });
  const gateway = parseGatewayHosts(`127.0.0.1:${remote.port}`);
  site = await startFileServer({
    path: resolve(import.meta.dirname, '../../fixtures/files'),
    ...{ port: 0, host: '127.0.0.1', origin: undefined, gateway },
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await site.close();
  await remote.close();
});

/** The key that a page gets by the link. */
async function keyOf(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('set-cookie')).toBeNull();
  return /#key=([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
}

/** fetch as a page of the server does it. */
async function asPage(link = site.link): Promise<typeof fetch> {
  const key = await keyOf(link);
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(KEY_HEADER, key);
    return fetch(input, { ...init, headers });
  };
}

/** A file that a page of the server opens. */
const throughGateway = async (url: string) => openThroughGateway(url, origin(), await keyOf(site.link));

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
    '/root/h%2f..%2f//a',
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
  const key = await keyOf(`${site.link}&url=root%3A%2F%2Fh%2F%2Ff`);
  const opened = await fetch(`${site.link}&url=root%3A%2F%2Fh%2F%2Ff`, { redirect: 'manual' });
  expect(opened.headers.get('location')).toBe(`/?url=root%3A%2F%2Fh%2F%2Ff#key=${key}`);
  expect((await fetch(place(), { headers: { [KEY_HEADER]: key } })).status).toBe(200);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { host: 'rebound.example' },
  ] as Record<string, string>[]) {
    expect(await statusOf(place(), { [KEY_HEADER]: key, ...headers }), JSON.stringify(headers)).toBe(403);
  }
  expect((await fetch(place(), { method: 'PUT', headers: { [KEY_HEADER]: key } })).status).toBe(405);
  const none = await fetch(place(), { headers: { [KEY_HEADER]: key } });
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

test('the page has a name of its own, another one at each start, and the key is for it alone', async () => {
  const { hostname, port } = new URL(site.url);
  expect(hostname).toMatch(/^xylem-[0-9a-f]{20}\.localhost$/);
  expect(hostname).not.toBe(siteName());
  expect(siteName()).not.toBe(siteName());
  const key = await keyOf(site.link);
  // The page under other names has no use for the key, and a cookie of it counts for nothing.
  expect(await statusOf(place(), { cookie: `key=${key}; ${KEY_HEADER}=${key}` })).toBe(401);
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'xylem-0.localhost', `a.${hostname}`]) {
    const host = `${name}:${port}`;
    const other = name.includes('.localhost');
    expect(await statusOf(place(), { [KEY_HEADER]: key, host }), host).toBe(other ? 403 : 401);
    expect(await statusOf(site.link, { host }), host).toBe(other ? 403 : 200);
  }
  for (const origin of [
    'null',
    `http://${hostname}`,
    `http://localhost:${port}`,
    `https://${hostname}:${port}`,
  ])
    expect(await statusOf(place(), { [KEY_HEADER]: key, origin }), origin).toBe(403);
  expect(await statusOf(place(), { [KEY_HEADER]: key, host: `${hostname.toUpperCase()}:${port}` })).toBe(200);
});

test('no other server has the second address that a browser tries for the name', async ({ skip }) => {
  const taken = createServer();
  const free = await new Promise<boolean>((done) => {
    taken.once('error', () => done(false)).listen(0, '::1', () => done(true));
  });
  if (!free) return skip();
  const { port } = taken.address() as { port: number };
  const start = (gateway: string[] | undefined) =>
    startFileServer({ path: caches, port, host: '127.0.0.1', origin: undefined, gateway });
  for (const gateway of [['h:1094'], undefined])
    await expect(start(gateway)).rejects.toMatchObject({ message: expect.stringMatching(/::1 .*taken/) });
  await new Promise((done) => taken.close(done));
  const own = await start(['h:1094']);
  for (const host of ['127.0.0.1', '::1'])
    await expect(
      new Promise((done, failed) => {
        const socket = connect(port, host, () => done(socket.destroy()));
        socket.on('error', failed);
      }),
    ).resolves.toBeDefined();
  await own.close();
});

test('the page does not choose the name by which the gateway logs in', async () => {
  const read = await asPage();
  const path = `/root/${encodeURIComponent(`somebody@127.0.0.1:${remote.port}`)}//f.root`;
  const answer = await read(origin() + path);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'ARGUMENT', fix: expect.stringContaining('somebody@') });
  expect(remote.asked).toEqual([]);
});

test('what is no plain request gets nothing through the gateway', async () => {
  const { host, port } = new URL(site.url);
  const key = await keyOf(site.link);
  const path = `/root/127.0.0.1:${remote.port}//f.root`;
  const head = (line: string, ...more: string[]) =>
    [line, `Host: ${host}`, `${KEY_HEADER}: ${key}`, ...more, '', ''].join('\r\n');
  const hidden = head(`GET ${path} HTTP/1.1`, 'Range: bytes=0-9');
  const lures: [text: string, statuses: number[]][] = [
    // Two lengths of one body: what one party takes for a body is a request to another.
    [
      head('POST / HTTP/1.1', `Content-Length: ${hidden.length}`, 'Transfer-Encoding: chunked') + hidden,
      [400],
    ],
    [head('GET / HTTP/1.1', 'Content-Length: 0', `Content-Length: ${hidden.length}`) + hidden, [400]],
    [head('GET / HTTP/1.1', 'Transfer-Encoding: xchunked') + hidden, [400, 501]],
    // A body is not taken for a request.
    [head('GET / HTTP/1.1', `Content-Length: ${hidden.length}`, 'Connection: close') + hidden, [200]],
    [head(`GET http://evil.example${path} HTTP/1.1`, 'Connection: close'), [404]],
    [head(`CONNECT 127.0.0.1:${remote.port} HTTP/1.1`), []],
    [
      head(
        `GET ${path} HTTP/1.1`,
        'Origin: https://evil.example',
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ),
      [403],
    ],
  ];
  for (const [text, statuses] of lures) {
    const answer = await new Promise<string>((done) => {
      let got = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (data) => {
        got += data.toString('latin1');
      });
      socket.on('error', () => done(got)).on('close', () => done(got));
    });
    const found = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
    expect(found.length, text).toBe(Math.min(1, statuses.length));
    for (const status of found) expect(statuses, text).toContain(status);
  }
  expect(remote.asked).toEqual([]);
});

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
  const source = await throughGateway(remote.url);
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
  const source = await throughGateway(remote.url);
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

test('a link with a key that the gateway does not know takes no key from a page', async () => {
  const key = await keyOf(site.link);
  const wrong = 'k'.repeat(key.length);
  expect(await keyToUse(wrong, key, origin())).toBe(key);
  // The gateway was started anew.
  expect(await keyToUse(key, wrong, origin())).toBe(key);
  expect(await keyToUse(key, undefined, origin())).toBe(key);
  expect(await keyToUse(undefined, key, origin())).toBe(key);
});

test('a file from before 1970 is read whole', async () => {
  const read = await asPage();
  special = ({ code }) => {
    if (code === CODE.open) return [0, opened(content.length, -5)];
    return code === CODE.stat ? [0, Buffer.from(`1 ${content.length} 0 -5\0`)] : 'usual';
  };
  for (const range of [undefined, 'bytes=0-9']) {
    const answer = await read(place(), range === undefined ? {} : { headers: { Range: range } });
    expect(answer.headers.get('last-modified')).toBe('Wed, 31 Dec 1969 23:59:55 GMT');
    const wanted = range === undefined ? content : content.subarray(0, 10);
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), Buffer.from(wanted))).toBe(0);
  }
});

test('refusals have a status and the typed error', async () => {
  const read = await asPage();
  special = ({ code }) =>
    code === CODE.open ? [4003, Buffer.from('\0\0\x0b\xc3no such file\0', 'latin1')] : 'usual';
  expect((await read(place())).status).toBe(404);
  const source = await throughGateway(remote.url);
  await expect(source.read(0, 10)).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: expect.stringContaining('no such file'), where: { url: remote.url } },
    fix: 'Check the path of the address.',
  });
  const elsewhere = await throughGateway('root://other.example//f.root');
  await expect(elsewhere.read(0, 10)).rejects.toMatchObject({
    ...{ code: 'UNSUPPORTED', message: expect.stringContaining('other.example:1094') },
    fix: expect.stringContaining('--gateway other.example:1094'),
  });
  special = undefined;
  await remote.close();
  const gone = await throughGateway(remote.url);
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
    await expect(
      openThroughGateway('root://data.example:1095//f.root', own, 'k', none),
    ).rejects.toMatchObject({
      ...{ code: 'UNSUPPORTED', where: { url: 'root://data.example:1095//f.root' } },
      fix: expect.stringContaining('"xylem serve --gateway data.example:1095"'),
    });
  }
  // A server that answers everything with its own page is no gateway, and has no file.
  const page: typeof fetch = async () => new Response('<html>', { status: 200 });
  await expect(openThroughGateway('root://h//f.root', 'https://x', undefined, page)).rejects.toMatchObject({
    where: { url: 'root://h//f.root' },
  });
  const door: typeof fetch = async (input) =>
    String(input) === 'https://h:1094/a%20b.root'
      ? new Response('root', { status: 206 })
      : new Response('', { status: 404 });
  await expect(openThroughGateway('root://h//a b.root', 'https://x', undefined, door)).rejects.toMatchObject({
    where: { url: 'root://h//a b.root', instead: ['https://h:1094/a%20b.root'] },
  });
});

test.skipIf(realServers.XRootD.program === undefined)('a real server, through the gateway', async () => {
  const running = await startRealServer(realServers.XRootD, sample);
  const { port } = new URL(running.url);
  const own = await startFileServer({
    path: resolve(import.meta.dirname, '../../fixtures/files'),
    ...{ port: 0, host: '127.0.0.1', origin: undefined, gateway: [`127.0.0.1:${port}`] },
  });
  try {
    const key = await keyOf(own.link);
    const source = await openThroughGateway(`root://127.0.0.1:${port}//file.root`, own.url.slice(0, -1), key);
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
