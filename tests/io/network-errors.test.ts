import { afterEach, expect, test, vi } from 'vitest';
import { explainNetworkError } from '../../web/io/http/network-errors';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a secure page that asks an insecure address is told to use https', async () => {
  vi.stubGlobal('location', new URL('https://page.example/'));
  const given = 'http://data.example/run.root';
  const thrown = new TypeError('Failed to fetch');
  const failed = { url: new URL(given), given, thrown, answeredBefore: false, credentials: false };
  expect(await explainNetworkError({ ...failed, headers: [] })).toMatchObject({
    code: 'NETWORK',
    message: expect.stringContaining('this page is secure (https)'),
    fix: expect.stringContaining('Use the https:// address'),
  });
});

test('a server that compresses parts of a file is not said to refuse the page', async () => {
  vi.stubGlobal('location', new URL('https://page.example/'));
  const given = 'https://data.example/run.root';
  const thrown = new TypeError('Failed to fetch');
  const failed = { url: new URL(given), given, thrown, credentials: false, headers: [] };
  // It answers a request that needs no permission, and one for the whole file.
  const asked: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    asked.push(init);
    return new Response('all of it');
  });
  const compressed = /may read from it.*Content-Encoding/;
  const first = await explainNetworkError({ ...failed, answeredBefore: false });
  expect(first.message).toMatch(compressed);
  expect(asked.map(({ mode }) => mode)).toEqual(['no-cors', undefined]);
  // One that was answered before needs no second look.
  expect((await explainNetworkError({ ...failed, answeredBefore: true })).message).toMatch(compressed);
  expect(asked).toHaveLength(3);
  // A page that may not read at all: CORS.
  vi.stubGlobal('fetch', async (_address: string, { mode }: RequestInit) => {
    if (mode !== 'no-cors') throw new TypeError('Failed to fetch');
    return new Response();
  });
  const refused = await explainNetworkError({ ...failed, answeredBefore: false });
  expect(refused.message).toContain('CORS');
  expect(refused.fix).toContain('Access-Control-Allow-Origin');
});
