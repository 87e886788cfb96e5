import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Send } from '../../web/io/http/http-client';
import { createHttpSource } from '../../web/io/http/http-source';
import { createNodeSend } from '../../web/io/http/node-http';
import { SENDERS } from './senders';

const file = new Uint8Array(100_000).map((_, index) => (index * 7919) >> 3);
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve: RequestListener = (request, response) => {
  const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const bytes = file.subarray(Number(first), Number(last) + 1);
  response.writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${file.length}` }).end(bytes);
};

test('a redirect keeps headers on its host, and gives none of the caller to another', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const note: RequestListener = (request, response) => {
    seen.push(request.headers);
    if (request.url === '/data') serve(request, response);
    else if (request.url === '/here') response.writeHead(302, { Location: `${other}/data` }).end();
    else response.writeHead(307, { Location: '/here' }).end('moved');
  };
  const other = await start(note);
  const url = await start(note);
  const headers = { Authorization: 'Bearer secret', 'X-Other': 'kept' };
  const source = createHttpSource(`${url}/start`, { headers, send: createNodeSend() });
  expect(await source.read(10, 20)).toEqual(file.subarray(10, 30));
  expect(seen.map(({ authorization }) => authorization)).toEqual([
    'Bearer secret',
    'Bearer secret',
    undefined,
  ]);
  // Tokens go by many names.
  expect(seen.map((one) => one['x-other'])).toEqual(['kept', 'kept', undefined]);
  expect(seen.map(({ range }) => range)).toEqual(['bytes=10-29', 'bytes=10-29', 'bytes=10-29']);
});

test.each([
  ['never comes', undefined],
  ['never ends', 'x'.repeat(10_000)],
])('a redirect whose body %s is followed, and its connection closed', async (_what, body) => {
  let flood: ReturnType<typeof setInterval> | undefined;
  let open = 0;
  const url = await start((request, response) => {
    if (request.url === '/data') return serve(request, response);
    open++;
    response.on('close', () => {
      open--;
      clearInterval(flood);
    });
    response.writeHead(302, { Location: '/data', 'Content-Length': 1_000_000_000 }).flushHeaders();
    if (body) flood = setInterval(() => response.write(body), 1);
  });
  const source = createHttpSource(`${url}/start`, { send: createNodeSend() });
  expect(await source.read(10, 20)).toEqual(file.subarray(10, 30));
  await expect.poll(() => open, { timeout: 3000 }).toBe(0);
});

test('the connection of a redirect with a short body is used again', async () => {
  const ports = new Set<number | undefined>();
  const url = await start((request, response) => {
    ports.add(request.socket.remotePort);
    if (request.url === '/data') return serve(request, response);
    response.writeHead(302, { Location: '/data' }).end('moved');
  });
  const source = createHttpSource(`${url}/start`, { send: createNodeSend() });
  for (let i = 0; i < 4; i++) {
    expect(await source.read(10 * i, 20)).toEqual(file.subarray(10 * i, 10 * i + 20));
    await new Promise((go) => setTimeout(go, 10));
  }
  expect(ports.size).toBeLessThanOrEqual(2);
});

test.each([
  ['without end', '/again', 21, /redirects from one address to another without end/],
  ['to what is no http', 'ftp://127.0.0.1/data', 1, /redirects to an address that cannot be read/],
  ['to what is no address', 'http://[bad', 1, /redirects to an address that cannot be read/],
])('a redirect %s fails at once, and says so', async (_what, location, most, message) => {
  let requests = 0;
  const url = await start((_request, response) => {
    requests++;
    response.writeHead(301, { Location: location }).end();
  });
  const source = createHttpSource(url, { send: createNodeSend(), backoffMs: 1 });
  await expect(source.read(0, 10)).rejects.toMatchObject({
    code: 'NETWORK',
    message: expect.stringMatching(message),
    fix: expect.not.stringContaining('Access-Control'),
  });
  expect(requests).toBe(most);
});

test('what a caller sends with fails without talk of pages and their permissions', async () => {
  const failing = () => Promise.reject(new Error('the token service is down'));
  const source = createHttpSource('http://127.0.0.1:9/run.root', { send: failing, backoffMs: 1 });
  await expect(source.read(0, 10)).rejects.toMatchObject({
    code: 'NETWORK',
    message: expect.not.stringContaining('CORS'),
    cause: expect.objectContaining({ message: 'the token service is down' }),
  });
});

describe.each(SENDERS)('by %s, a server that refuses connections', (_name, send) => {
  test('is waited for while it starts again, also for a file that was not asked for before', async () => {
    const url = await start(serve);
    const before = createHttpSource(`${url}/one.root`, { send });
    await before.read(0, 10);
    const { port } = new URL(url);
    const gone = servers.splice(0);
    for (const server of gone) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
    const back = setTimeout(() => {
      const again = createServer(serve);
      servers.push(again);
      again.listen(Number(port), '127.0.0.1');
    }, 150);
    try {
      const other = createHttpSource(`${url}/two.root`, { send });
      const both = await Promise.all([before.read(20, 10), other.read(30, 10)]);
      expect(both).toEqual([file.subarray(20, 30), file.subarray(30, 40)]);
    } finally {
      clearTimeout(back);
    }
  });

  test('and that never answered is not waited for', async () => {
    const address = await start(serve);
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    let tries = 0;
    const counting: Send = (url, init) => {
      tries++;
      return send ? send(url, init) : fetch(url, init);
    };
    const source = createHttpSource(`${address}/one.root`, { send: counting });
    await expect(source.read(0, 10)).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(tries).toBe(1);
  });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a whole file that comes compressed though that was not asked for: %s', async (encoding, compress) => {
  const url = await start((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { 'Content-Encoding': encoding }).end(compress(file));
  });
  const source = createHttpSource(url, { send: createNodeSend() });
  expect(await source.read(99_000, 500)).toEqual(file.subarray(99_000, 99_500));
});

test('connections are used again, and one that the server closed meanwhile is opened again at once', async () => {
  let connections = 0;
  const url = await start(serve);
  servers[0]?.on('connection', () => connections++);
  const source = createHttpSource(url, { send: createNodeSend(), retries: 0 });
  for (let i = 0; i < 5; i++) await source.read(i * 10, 10);
  expect(connections).toBe(1);
  servers[0]?.closeAllConnections();
  expect(await source.read(0, 10)).toEqual(file.subarray(0, 10));
  expect(connections).toBe(2);
});
