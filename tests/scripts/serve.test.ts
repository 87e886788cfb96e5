import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRange, serve } from '../../scripts/serve.mjs';

let folder: string;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-'));
  await writeFile(join(folder, 'a b.root'), 'root0123456789');
  await writeFile(join(folder, 'secret'), 'not served');
  server = await serve({ port: 0, file: join(folder, 'a b.root') });
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** GET with the path as it is written: fetch() would resolve the dots. */
function rawStatus(path: string): Promise<number | undefined> {
  const { port } = new URL(server.url);
  return new Promise((settle, reject) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      settle(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  [undefined, undefined],
  ['bytes=0-3', [0, 3]],
  ['bytes=4-', [4, 13]],
  ['bytes=-4', [10, 13]],
  ['bytes=10-99', [10, 13]],
  ['bytes=14-', 'unsatisfiable'],
  ['bytes=3-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,4-5', undefined],
])('range %s of 14 bytes', (header, expected) => {
  expect(parseRange(header, 14)).toEqual(expected);
});

test('a range of the local file comes as 206, uncached, with the policy of the page', async () => {
  const response = await fetch(`${server.url}files/a%20b.root`, { headers: { Range: 'bytes=4-6' } });
  expect(response.status).toBe(206);
  expect(await response.text()).toBe('012');
  expect(response.headers.get('content-range')).toBe('bytes 4-6/14');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval'");
});

test('only that file and the page are served', async () => {
  expect(await rawStatus('/files/a%20b.root')).toBe(200);
  for (const path of [
    '/files/secret',
    '/files/../package.json',
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/%2e%2e%2fnode.js',
    '/%',
    '/%00',
  ]) {
    expect(await rawStatus(path), path).toBe(404);
  }
});
