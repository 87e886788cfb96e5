import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode, XylemError } from '../../web/base/errors';
import type { HttpOptions, Send } from '../../web/io/http/http-client';
import { statusError } from '../../web/io/http/http-errors';
import { createHttpSource } from '../../web/io/http/http-source';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';
import { SENDERS } from './senders';

const file = new Uint8Array(100_000).map((_, index) => (index * 7919) >> 3);
let server: RangeServer;
let send: Send | undefined;

afterEach(() => {
  vi.unstubAllGlobals();
  return server.close();
});

async function setUp(faults: Partial<Faults> = {}, options: HttpOptions = {}, bytes = file) {
  server = await startRangeServer(bytes, faults);
  return createHttpSource(server.url, { backoffMs: 5, send, ...options });
}

async function failure(promise: Promise<unknown>): Promise<XylemError> {
  return promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: XylemError) => error,
  );
}

async function expectFailure(promise: Promise<unknown>, code: ErrorCode, text: RegExp, fix?: RegExp) {
  const error = await failure(promise);
  expect(error.code, error.message).toBe(code);
  expect(error.message).toMatch(text);
  if (fix) expect(error.fix).toMatch(fix);
  return error;
}

describe.each(SENDERS)('by %s', (_name, by) => {
  beforeEach(() => {
    send = by;
  });

  describe('ranges that are served', () => {
    test('a read is one GET of one bounded range', async () => {
      const source = await setUp({ etag: '"a"' });
      expect(await source.read(1000, 50)).toEqual(file.subarray(1000, 1050));
      expect(server.requests).toMatchObject([
        { method: 'GET', url: '/data/file.root', range: 'bytes=1000-1049' },
      ]);
      expect(source.info()).toEqual({ size: file.length, validator: '"a"' });
    });

    test('an address of WebDAV is one of HTTP', async () => {
      await setUp({});
      const source = createHttpSource(server.url.replace('http:', 'dav:'), { send });
      expect(await source.read(10, 5)).toEqual(file.subarray(10, 15));
      expect(source.name).toBe(createHttpSource(server.url, { send }).name);
    });

    test('a server that gives the length of the part as the size of the file is read, and not believed', async () => {
      const source = await setUp({ partAsSize: true });
      expect(await source.read(0, 65_536)).toEqual(file.subarray(0, 65_536));
      expect(source.info().size).toBeUndefined();
      expect(await source.read(70_000, 1000)).toEqual(file.subarray(70_000, 71_000));
      expect(await source.read(99_000, 1000)).toEqual(file.subarray(99_000));
      expect(source.info().size).toBeUndefined();
      const parts: Uint8Array[] = [];
      await source.readParts?.(
        [
          { offset: 70_000, length: 50 },
          { offset: 90_000, length: 50 },
        ],
        (i, bytes) => {
          parts[i] = bytes;
        },
      );
      for (const [i, at] of [70_000, 90_000].entries())
        if (parts[i]) expect(parts[i]).toEqual(file.subarray(at, at + 50));
    });

    test('a file that ends where its first range ends has that size', async () => {
      const source = await setUp({}, {}, file.subarray(0, 65_536));
      expect(await source.read(0, 65_536)).toEqual(file.subarray(0, 65_536));
      expect(source.info().size).toBe(65_536);
      expect(server.requests.map(({ range }) => range)).toEqual(['bytes=0-65535', 'bytes=65536-65536']);
      await expectFailure(source.read(65_536, 10), 'TRUNCATED', /65536|65,536/);
      expect(await source.read(65_000, 536)).toEqual(file.subarray(65_000, 65_536));
      expect(server.requests).toHaveLength(3);
    });

    test('the last bytes come with their place, though the size is not known', async () => {
      const source = await setUp({ etag: '"a"' });
      expect(await source.readEnd?.(1000)).toEqual({ offset: 99_000, bytes: file.subarray(99_000) });
      expect(await source.readEnd?.(200_000)).toEqual({ offset: 0, bytes: file });
      expect(server.requests.map(({ range }) => range)).toEqual(['bytes=-1000', 'bytes=-200000']);
      expect(source.info()).toEqual({ size: file.length, validator: '"a"' });
      server.faults = { etag: '"b"' };
      await expectFailure(source.read(0, 10), 'FILE_CHANGED', /ETag/);
    });

    test.each<[string, Partial<Faults>]>([
      ['refuses it', { etag: '"a"', suffix: 'refuse' }],
      ['gives the whole file', { etag: '"a"', suffix: 'ignore' }],
      ['does no ranges', { etag: '"a"', noRanges: true }],
      ['fails', { etag: '"a"', status: 500 }],
      ['closes the connection', { etag: '"a"', reset: true }],
      ['breaks off', { etag: '"a"', truncate: true }],
      ['gives other bytes than it says', { etag: '"a"', shift: -1 }],
      ['does not say where it begins', { etag: '"a"', hideContentRange: true }],
      ['compresses it', { etag: '"a"', gzip: true }],
      ['does not say which content it is of', {}],
    ])('the last bytes are not had of a server that %s, and nothing is lost', async (_what, faults) => {
      const source = await setUp(faults);
      expect(await source.readEnd?.(1000)).toBeUndefined();
      expect(server.requests).toHaveLength(1);
      server.faults = {};
      expect(await source.read(0, 100)).toEqual(file.subarray(0, 100));
    });

    test('a read past the end gives what there is, one from the end on TRUNCATED', async () => {
      const source = await setUp();
      expect(await source.read(99_990, 50)).toEqual(file.subarray(99_990));
      await expectFailure(source.read(100_000, 1), 'TRUNCATED', /ends at 100000/);
      expect(server.requests).toHaveLength(1); // the size is known by then
    });

    test('the end is found by 416, too', async () => {
      const source = await setUp();
      await expectFailure(source.read(200_000, 10), 'TRUNCATED', /ends at 100000/);
    });

    test.each([false, true])('a server that refuses ranges past the end, size hidden: %s', async (hide) => {
      const source = await setUp({ strict: true, hideContentRange: hide });
      expect(await source.read(0, 200_000)).toEqual(file);
    });

    test('an empty file is TRUNCATED', async () => {
      const source = await setUp({}, {}, new Uint8Array(0));
      await expectFailure(source.read(0, 100), 'TRUNCATED', /ends at 0/);
    });

    test('headers and the query are sent as given', async () => {
      const source = await setUp({}, { headers: { 'X-Token': 'secret' } });
      await createHttpSource(`${server.url}?sig=a%2Fb&x=%20`, {
        headers: { 'X-Token': 'secret' },
        send,
      }).read(0, 1);
      expect(server.requests[0]).toMatchObject({
        url: '/data/file.root?sig=a%2Fb&x=%20',
        headers: { 'x-token': 'secret' },
      });
      expect(source.name).toBe(server.url);
    });

    test('user and password go into a header and appear nowhere', async () => {
      await setUp({ status: 403 });
      const secret = server.url.replace('http://', 'http://me:p%40ss@');
      const source = createHttpSource(`${secret}?token=abc#frag`, { send });
      const error = await expectFailure(source.read(0, 1), 'HTTP_STATUS', /403/);
      expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`);
      expect(source.name).toBe(server.url);
      expect(JSON.stringify(error.toRecord())).not.toMatch(/p%40ss|p@ss|abc|frag/);
    });

    test("the caller's fetch is used", async () => {
      const seen: unknown[] = [];
      const source = await setUp(
        {},
        {
          credentials: 'include',
          fetch: (input, init) => {
            seen.push([input, init?.credentials, init?.cache]);
            return fetch(input, init);
          },
        },
      );
      await source.read(0, 1);
      expect(seen).toEqual([[server.url, 'include', 'no-store']]);
    });
  });

  describe('servers without ranges', () => {
    test.each([false, true])('a small file is taken whole, once (length hidden: %s)', async (chunked) => {
      const source = await setUp({ noRanges: true, chunked });
      const [head, tail] = await Promise.all([source.read(0, 10), source.read(99_000, 5000)]);
      expect(head).toEqual(file.subarray(0, 10));
      expect(tail).toEqual(file.subarray(99_000));
      const { length } = server.requests;
      expect(await source.read(500, 10)).toEqual(file.subarray(500, 510));
      expect(server.requests).toHaveLength(length);
      expect(server.requests.filter((request) => !request.range)).toHaveLength(1);
      await expectFailure(source.read(100_000, 10), 'TRUNCATED', /ends at 100000/);
    });

    test('of a large file the start is read and the rest is an error', async () => {
      const large = new Uint8Array(80_000_000).fill(7, 0, 1000);
      const source = await setUp({ noRanges: true }, {}, large);
      expect(await source.read(500, 1000)).toEqual(large.subarray(500, 1500));
      const request = source.read(79_000_000, 1000);
      await expectFailure(request, 'HTTP_NO_RANGES', /whole file \(80\.0 MB\)/, /Download/);
    });

    test('a range of a compressed copy is refused', async () => {
      const source = await setUp({ gzip: true });
      await expectFailure(source.read(0, 100), 'HTTP_NO_RANGES', /gzip/, /Content-Encoding/);
    });
  });

  describe('refusals', () => {
    test.each([
      [401, /log in/, /credentials/],
      [403, /refused/, /expire/],
      [404, /no such file/, /misspellings/],
      [410, /removed/, /new place/],
      [418, /418/, /browser/],
    ])('%i is told at once', async (status, text, fix) => {
      const source = await setUp({ status });
      await expectFailure(source.read(0, 10), 'HTTP_STATUS', text, fix);
      expect(server.requests).toHaveLength(1);
    });

    test('the address of a folder is said to be one', () => {
      const fixOf = (url: string) => statusError(url, 404).fix;
      expect(fixOf('https://h/data/')).toMatch(/folder/);
      expect(fixOf('https://h/data/?token=1')).toMatch(/folder/);
      expect(fixOf('https://h/data/f.root?x=a/b')).toMatch(/misspellings/);
    });

    test('a refusal for good does not ask to wait', async () => {
      const source = await setUp({ status: 403, retryAfter: '1' });
      const error = await expectFailure(source.read(0, 10), 'HTTP_STATUS', /refused/);
      expect(error.message).not.toContain('wait');
    });

    test('a web page with status 200 in the middle of a file is said to be one', async () => {
      const source = await setUp({ etag: '"a"' });
      await source.read(0, 10);
      server.faults = { webPage: '<html>Please log in</html>' };
      await expectFailure(source.read(5000, 10), 'NOT_ROOT', /a web page \(HTML\) in place of/, /login/);
      server.faults = { etag: '"a"' };
      source.begin?.();
      expect(await source.read(5000, 10)).toEqual(file.subarray(5000, 5010));
    });

    test('500 is tried again, and three times at most', async () => {
      const source = await setUp({ status: 500, times: 2 });
      expect(await source.read(0, 10)).toEqual(file.subarray(0, 10));
      expect(server.requests).toHaveLength(3);
      server.faults = { status: 503 };
      await expectFailure(source.read(0, 10), 'HTTP_STATUS', /503.*overloaded/, /later/);
      expect(server.requests).toHaveLength(7);
    });

    test('429 waits as long as Retry-After says', async () => {
      const source = await setUp({ status: 429, retryAfter: '1', times: 1 });
      const before = performance.now();
      expect(await source.read(0, 10)).toEqual(file.subarray(0, 10));
      expect(performance.now() - before).toBeGreaterThan(990);
    });

    test('a long Retry-After is told, not waited for', async () => {
      const source = await setUp({ status: 429, retryAfter: '3600' });
      await expectFailure(source.read(0, 10), 'HTTP_STATUS', /wait 3600 s/);
      expect(server.requests).toHaveLength(1);
    });

    test.each(['root://host/file', 'ftp://host/file', 'file:///x', 'no url'])(
      '%s is no http URL',
      async (url) => {
        await setUp();
        expect(() => createHttpSource(url)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
      },
    );
  });

  describe('wrong and broken answers', () => {
    test.each<[string, Partial<Faults>, RegExp]>([
      ['short', { lessBytes: 10 }, /90 came/],
      ['long', { lessBytes: -10 }, /more came/],
      ['cut off', { truncate: true }, /broke after/],
      ['shifted', { shift: 5 }, /sent 1005 to 1104/],
      ['of no range that can be read', { rangeTold: 'bytes 1e3-1099/4096' }, /Content-Range is "bytes 1e3/],
      ['behind the end', { rangeTold: 'bytes 1000-1099/0' }, /sent 1000 to 1099 of 0/],
      ['short, no Content-Range', { lessBytes: 10, hideContentRange: true }, /90 came/],
    ])('%s: tried again, then HTTP_LENGTH', async (_name, faults, text) => {
      const source = await setUp({ ...faults, times: 2 });
      expect(await source.read(1000, 100)).toEqual(file.subarray(1000, 1100));
      server.requests.length = 0;
      server.faults = faults;
      await expectFailure(source.read(1000, 100), 'HTTP_LENGTH', text, /Download|download/);
      expect(server.requests).toHaveLength(4);
    });

    test('a reset connection is tried again, then NETWORK', async () => {
      const source = await setUp({ reset: true, times: 2 });
      expect(await source.read(0, 10)).toEqual(file.subarray(0, 10));
      server.faults = { reset: true };
      await expectFailure(source.read(0, 10), 'NETWORK', /broke the connection/);
    });

    test('a refused connection is NETWORK at once', async () => {
      const source = await setUp();
      await server.close();
      const before = performance.now();
      await expectFailure(source.read(0, 10), 'NETWORK', /ECONNREFUSED/, /address/);
      expect(performance.now() - before).toBeLessThan(1000);
    });

    test('what a page sees of CORS or a dead host names both and the way out', async () => {
      vi.stubGlobal('location', new URL('https://page.example/'));
      const source = await setUp(
        {},
        {
          headers: { 'X-Token': 't' },
          fetch: () => Promise.reject(new TypeError('Failed to fetch http://x/?sig=hidden')),
        },
      );
      const fix = /Access-Control-Allow-Origin: .*Access-Control-Allow-Headers: X-Token.*drop it here/;
      await expectFailure(source.read(0, 10), 'NETWORK', /cannot be reached.*CORS/, fix);
    });

    test('silence is TIMEOUT', async () => {
      const source = await setUp({ stall: true }, { timeoutMs: 50 });
      await expectFailure(source.read(0, 1000), 'TIMEOUT', /nothing came.*0\.\d s.*tried 4 times/);
      expect(server.requests).toHaveLength(4);
    });

    test('bytes that come one by one are TIMEOUT, too', async () => {
      const source = await setUp({ drip: 10 }, { timeoutMs: 200 });
      await expectFailure(source.read(0, 1000), 'TIMEOUT', /0\.\d s.*tried 4 times/);
    });
  });

  describe('a file that changes', () => {
    test.each<[string, Partial<Faults>, Partial<Faults>]>([
      ['ETag', { etag: '"a"' }, { etag: '"b"' }],
      [
        'Last-Modified',
        { lastModified: 'Sat, 01 Jan 2022 00:00:00 GMT' },
        { lastModified: 'Sun, 02 Jan 2022 00:00:00 GMT' },
      ],
    ])('%s', async (name, before, after) => {
      const source = await setUp(before);
      await source.read(0, 10);
      server.faults = after;
      const error = await expectFailure(
        source.read(10, 10),
        'FILE_CHANGED',
        /changed on the server/,
        /again/,
      );
      expect(error.message).toContain(name);
    });

    test('size', async () => {
      const source = await setUp();
      await source.read(0, 10);
      server.bytes = file.subarray(1);
      await expectFailure(source.read(10, 10), 'FILE_CHANGED', /100000 bytes and is 99999/);
    });

    test('a weak ETag of the same content is no change', async () => {
      const source = await setUp({ etag: '"a"' });
      await source.read(0, 10);
      server.faults = { etag: 'W/"a"' };
      expect(await source.read(10, 10)).toEqual(file.subarray(10, 20));
    });
  });

  describe('abort', () => {
    test.each<[string, Partial<Faults>]>([
      ['before the answer', { latencyMs: 5000 }],
      ['in the body', { stall: true }],
      ['while it waits to try again', { status: 503, retryAfter: '10' }],
      ['while a whole file comes', { noRanges: true, stall: true }],
    ])('%s', async (_name, faults) => {
      const source = await setUp(faults);
      const controller = new AbortController();
      const reading = failure(source.read(0, 1000, controller.signal));
      await expect.poll(() => server.requests.length).toBeGreaterThan(0);
      const before = performance.now();
      controller.abort();
      expect((await reading).code).toBe('ABORTED');
      expect(performance.now() - before).toBeLessThan(5000); // 100 ms, with room for a busy machine
      if (!faults.retryAfter && !faults.latencyMs) await expect.poll(() => server.open).toBe(0);
    });

    test('of one waiter for a whole file leaves the other its bytes', async () => {
      const source = await setUp({ noRanges: true, latencyMs: 150 });
      const controller = new AbortController();
      const first = failure(source.read(0, 10, controller.signal));
      const second = source.read(50, 10);
      const wholeIsAsked = () => server.requests.some((request) => !request.range);
      await expect.poll(wholeIsAsked, { interval: 5 }).toBe(true);
      controller.abort();
      expect((await first).code).toBe('ABORTED');
      expect(await second).toEqual(file.subarray(50, 60));
    });
  });
});
