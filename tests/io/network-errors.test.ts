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
