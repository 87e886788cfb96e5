// A file behind a redirector, or behind servers that name its content in different ways.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpSource } from '../../web/io/http/http-source';

const content = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7) % 251);
const other = content.map((byte) => byte ^ 1);
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

type Headers = Record<string, string>;
type Told = (request: IncomingMessage) => { status: number; headers: Headers; body?: Uint8Array };

async function listen(answer: Told): Promise<string> {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(request);
    response.writeHead(status, headers).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/f.root`;
}

const firstOf = ({ headers }: IncomingMessage): number =>
  Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1]);

/** A server of a file whose bytes and headers may change. */
const serve = (of: () => [bytes: Uint8Array, headers: Headers]) =>
  listen((request) => {
    const [bytes, headers] = of();
    const [, first = 0, last = 0] = (/bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []).map(Number);
    const end = Math.min(last, bytes.length - 1);
    const range = { 'Content-Range': `bytes ${first}-${end}/${bytes.length}` };
    return { status: 206, headers: { ...headers, ...range }, body: bytes.subarray(first, end + 1) };
  });

const redirect = (to: (request: IncomingMessage) => string) =>
  listen((request) => ({ status: 302, headers: { Location: to(request) } }));

test('another host with another content is FILE_CHANGED, though its validator never changed', async () => {
  const a = await serve(() => [content, { ETag: '"a"' }]);
  const b = await serve(() => [other, { ETag: '"b"' }]);
  let host = a;
  const source = createHttpSource(await redirect(() => host));
  await source.read(0, 4096);
  expect(source.unverified).toBe(0);
  host = b;
  await source.read(8000, 100);
  expect(source.unverified).toBe(1);
  await expect(source.readAgain?.()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('another kind of validator does not name the content that was opened', async () => {
  let told: [Uint8Array, Headers] = [content, { ETag: '"a"' }];
  const source = createHttpSource(await serve(() => told));
  await source.read(0, 4096);
  told = [other, { 'Last-Modified': 'Sun, 02 Jan 2022 00:00:00 GMT' }];
  await source.read(8000, 100);
  expect(source.unverified).toBe(1);
  await expect(source.readAgain?.()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('copies with one content and times of their own are compared once, by turns', async () => {
  const hosts = await Promise.all(
    ['01', '02', '03'].map((day) =>
      serve(() => [content, { 'Last-Modified': `Sat, ${day} Jan 2022 00:00:00 GMT` }]),
    ),
  );
  let turn = 0;
  const source = createHttpSource(await redirect(() => hosts[turn++ % hosts.length] as string));
  await source.read(0, 4096);
  for (const at of [5000, 6000, 7000]) expect(await source.read(at, 10)).toEqual(content.slice(at, at + 10));
  expect(await source.readAgain?.()).toBe(4096);
  const before = source.unverified;
  for (const at of [5000, 6000, 7000]) await source.read(at, 10);
  expect(source.unverified).toBe(before);
});

test('a host whose start is never seen is not believed', async () => {
  const a = await serve(() => [content, { ETag: '"a"' }]);
  const b = await serve(() => [other, { ETag: '"b"' }]);
  const source = createHttpSource(await redirect((request) => (firstOf(request) === 0 ? a : b)));
  await source.read(0, 4096);
  await source.read(8000, 100);
  const message = expect.stringContaining('could not be compared');
  await expect(source.readAgain?.()).rejects.toMatchObject({ code: 'FILE_CHANGED', message });
});

test('a start that comes after bytes of another host is compared with that host', async () => {
  const a = await serve(() => [content, { ETag: '"a"' }]);
  const b = await serve(() => [other, { ETag: '"b"' }]);
  let host = b;
  const source = createHttpSource(await redirect(() => host));
  await source.read(8000, 100);
  host = a;
  await source.read(0, 4096);
  expect(source.unverified).toBeGreaterThan(0);
  host = b;
  await expect(source.readAgain?.()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});
