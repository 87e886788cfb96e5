import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createHttpSource } from '../../web/io/http/http-source';
import { createNodeSend } from '../../web/io/http/node-http';
import { limitRequests, parseRequestLimits, requestLimit } from '../../web/io/http/server-limits';

const bytes = readFileSync(resolve(import.meta.dirname, '../../public/sample.root'));
let server: Server;
let [active, most, refusals] = [0, 0, 0];

beforeAll(async () => {
  server = createServer(async ({ headers }, response) => {
    active += 1;
    most = Math.max(most, active);
    await sleep(30);
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (refusals > 0) {
      refusals -= 1;
      response.writeHead(429, { 'Retry-After': '1' }).end();
    } else {
      const end = Math.min(Number(last), bytes.length - 1);
      response.writeHead(206, { 'Content-Range': `bytes ${first}-${end}/${bytes.length}`, ETag: '"1"' });
      response.end(bytes.subarray(Number(first), end + 1));
    }
    active -= 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => void server.close());
afterEach(() => limitRequests(new Map()));

const send = createNodeSend();

/** Reads parts of several files at once. Returns the most requests that the server had at once. */
async function readMany(): Promise<number> {
  const { port } = server.address() as AddressInfo;
  most = 0;
  const read = Array.from({ length: 12 }, async (_, i) => {
    const source = createHttpSource(`http://127.0.0.1:${port}/${i % 4}.root`, { send });
    expect([...(await source.read(100 * i, 50))]).toEqual([...bytes.subarray(100 * i, 100 * i + 50)]);
  });
  await Promise.all(read);
  return most;
}

test('a host gets at most as many requests at once as the user allows, for all files together', async () => {
  expect(await readMany()).toBeGreaterThan(3);
  limitRequests(parseRequestLimits('127.0.0.1=2'));
  expect(await readMany()).toBe(2);
  const { port } = server.address() as AddressInfo;
  limitRequests(parseRequestLimits(`other.example=1, 127.0.0.1:${port}=3`));
  expect(await readMany()).toBe(3);
  limitRequests(new Map());
  expect(await readMany()).toBeGreaterThan(3);
});

test('refused requests wait as long as the server says, within the limit', async () => {
  limitRequests(parseRequestLimits('127.0.0.1=2'));
  refusals = 2;
  const began = performance.now();
  expect(await readMany()).toBe(2);
  expect(performance.now() - began).toBeGreaterThan(950);
});

test('limits are for hosts, with a port or not, and for domains', () => {
  limitRequests(parseRequestLimits('A.example=1,*.example=2,*.b.example=3,c.b.example:8443=4'));
  const limit = (url: string) => requestLimit(new URL(url));
  expect(limit('https://a.example/f')).toBe(1);
  expect(limit('https://x.example/f')).toBe(2);
  expect(limit('https://x.b.example/f')).toBe(3);
  expect(limit('https://c.b.example:8443/f')).toBe(4);
  expect(limit('https://c.b.example/f')).toBe(3);
  expect(limit('https://example/f')).toBeUndefined();
  for (const text of ['a', 'a=0', 'a=1001', 'a=x', '=1', 'https://a=1', 'a=1.5'])
    expect(() => parseRequestLimits(text), text).toThrow('is no limit of requests');
});
