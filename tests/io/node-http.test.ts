import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createHttpSource } from '../../web/io/http-source';
import { createNodeSend } from '../../web/io/node-http';

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

test('a redirect keeps headers on its host, and gives none that are for one host to another', async () => {
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
  expect(seen.map((one) => one['x-other'])).toEqual(['kept', 'kept', 'kept']);
  expect(seen.map(({ range }) => range)).toEqual(['bytes=10-29', 'bytes=10-29', 'bytes=10-29']);
});

test.each([
  ['without end', '/again'],
  ['to what is no http', 'ftp://127.0.0.1/data'],
])('a redirect %s is a failure of the network', async (_what, location) => {
  let requests = 0;
  const url = await start((_request, response) => {
    requests++;
    response.writeHead(301, { Location: location }).end();
  });
  const source = createHttpSource(url, { send: createNodeSend(), backoffMs: 1, retries: 0 });
  await expect(source.read(0, 10)).rejects.toMatchObject({ code: 'NETWORK' });
  expect(requests).toBeLessThan(30);
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
