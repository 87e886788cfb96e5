import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createByteReader } from '../../web/io/fetch/reader';
import { createHttpSource } from '../../web/io/http/http-source';
import type { ByteSource } from '../../web/io/source';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';

// Requests that are sent to a server that refuses, is overloaded, or does not answer.

const file = new Uint8Array(400_000).map((_, index) => (index * 7919) >> 3);
let server: RangeServer;

/** ms by which the clock is ahead, so that no test waits. */
let ahead = 0;
beforeEach(() => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  return server.close();
});

/** Reads forty ranges that no gap joins; the codes of the errors, and how many came. */
async function readMany(source: ByteSource) {
  const codes = new Set<string>();
  const messages = new Set<string>();
  let right = 0;
  const wanted = Array.from({ length: 40 }, (_, i) => ({ offset: 10_000 * i + 100, length: 50 }));
  await createByteReader(source, { gapBytes: 0 }).stream(wanted, {
    onRange: (i, bytes) => {
      const { offset, length } = wanted[i] ?? { offset: 0, length: 0 };
      if (Buffer.compare(bytes, file.subarray(offset, offset + length)) === 0) right++;
    },
    onError: (_, error) => {
      codes.add(error.code);
      messages.add(error.message);
    },
  });
  return { right, codes: [...codes], messages: [...messages] };
}

function inPage(): void {
  vi.stubGlobal('location', new URL('http://page.example/'));
}

async function setUp(faults: Partial<Faults> = {}, options = {}) {
  server = await startRangeServer(file, { etag: '"one"' });
  const source = createHttpSource(server.url, { backoffMs: 2, ...options });
  await source.read(0, 10);
  server.requests.length = 0;
  server.faults = { etag: '"one"', ...faults };
  return source;
}

describe.each([
  ['a page, range by range', true],
  ['Node, many ranges at a time', false],
])('in %s', (_where, isPage) => {
  test.each<[string, Partial<Faults>, string]>([
    ['401', { status: 401 }, 'HTTP_STATUS'],
    ['403', { status: 403 }, 'HTTP_STATUS'],
    ['404', { status: 404 }, 'HTTP_STATUS'],
    ['410', { status: 410 }, 'HTTP_STATUS'],
    ['416', { status: 416 }, 'HTTP_STATUS'],
    ['429', { status: 429 }, 'HTTP_STATUS'],
    ['500', { status: 500 }, 'HTTP_STATUS'],
    ['503', { status: 503 }, 'HTTP_STATUS'],
    ['broken connections', { reset: true }, 'NETWORK'],
    ['answers that break off', { truncate: true }, 'HTTP_LENGTH'],
    ['short answers', { lessBytes: 10 }, 'HTTP_LENGTH'],
    ['other ranges', { shift: 5 }, 'HTTP_LENGTH'],
  ])('%s: at most ten requests are sent after the first refusal', async (_what, faults, code) => {
    if (isPage) inPage();
    const source = await setUp(faults);
    expect(await readMany(source)).toMatchObject({ right: 0, codes: [code] });
    expect(server.requests.length).toBeLessThanOrEqual(11);
    // Later reads ask once before the rest goes.
    ahead += 5000;
    server.requests.length = 0;
    expect(await readMany(source)).toMatchObject({ right: 0, codes: [code] });
    expect(server.requests.length).toBeLessThanOrEqual(1);
    ahead += 5000;
    server.faults = { etag: '"one"' };
    expect(await readMany(source)).toMatchObject({ right: 40, codes: [] });
  });
});

test('Retry-After of one answer is the wait of all, and one request goes first', async () => {
  inPage();
  const source = await setUp({ status: 429, retryAfter: '1', times: 1 }, { concurrency: 5 });
  const reading = readMany(source);
  await expect.poll(() => server.requests.filter(({ status }) => status !== undefined).length).toBe(5);
  expect(server.requests.filter(({ status }) => status === 429)).toHaveLength(1);
  server.faults = { etag: '"one"', latencyMs: 20 };
  expect(await reading).toMatchObject({ right: 40, codes: [] });
  expect(server.requests.slice(5, 9).map(({ open }) => open)).toEqual([1, 1, 2, 3]);
});

test('a server that hangs is given up for all that wait at once, and the error counts the tries', async () => {
  const source = await setUp({ hang: true }, { timeoutMs: 30 });
  const { right, codes, messages } = await readMany(source);
  expect({ right, codes }).toEqual({ right: 0, codes: ['TIMEOUT'] });
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/nothing came from the server.*It was tried 4 times/);
  expect(server.requests.length).toBeLessThanOrEqual(11);
});

test('a refusal concerns one file, and the others of the host go on', async () => {
  const one = await setUp({ status: 503, only: /file\.root/ });
  server.files.set('/data/other.root', file);
  const other = createHttpSource(server.url.replace('file.root', 'other.root'), { backoffMs: 2 });
  const [refused, well] = await Promise.all([readMany(one), readMany(other)]);
  expect(refused).toMatchObject({ right: 0, codes: ['HTTP_STATUS'] });
  expect(well).toMatchObject({ right: 40, codes: [] });
});

describe.each([
  ['silence', { hang: true }],
  ['an answer whose body stops', { stall: true }],
])('%s of several files', (_what, fault) => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  async function sourcesOf(names: string[]) {
    server = await startRangeServer(file, { etag: '"one"', ...fault, only: /silent/ });
    for (const name of names) server.files.set(`/data/${name}`, file);
    return names.map((name) =>
      createHttpSource(server.url.replace('file.root', name), { backoffMs: 2, timeoutMs: 100 }),
    );
  }
  const failureOf = (source: ByteSource) =>
    source.read(0, 1000).then(String, ({ message }: Error) => message);

  test('does not end those that are read well, also when they began later', async () => {
    const [one, ...silent] = await sourcesOf(['good', ...names.map((name) => `silent-${name}`)]);
    const failed = Promise.all(silent.map(failureOf));
    await expect.poll(() => server.requests.length).toBeGreaterThanOrEqual(silent.length);
    // The first time-outs are over; nothing else was answered until then.
    await new Promise((go) => setTimeout(go, 150));
    expect(await one?.read(0, 100)).toEqual(file.subarray(0, 100));
    const went = (await failed).map((message) => /silent-(\w)/.exec(message)?.[1]);
    // Each is named by its own address.
    expect(went).toEqual(names);
  });
});

test('of a host of http, a page uses five connections for all files', async () => {
  inPage();
  const one = await setUp({ latencyMs: 5 });
  server.files.set('/data/other.root', file);
  const other = createHttpSource(server.url.replace('file.root', 'other.root'));
  const results = await Promise.all([readMany(one), readMany(other)]);
  expect(results.map(({ right }) => right)).toEqual([40, 40]);
  expect(Math.max(...server.requests.map(({ open }) => open))).toBe(5);
});

test('trouble is told: silence, the next try, and how many there are', async () => {
  const source = await setUp({ hang: true }, { timeoutMs: 60_000 });
  const controller = new AbortController();
  const reading = source.read(100, 10, controller.signal).catch(() => {});
  await expect.poll(() => server.requests.length).toBe(1);
  expect(source.trouble?.()).toBeUndefined();
  ahead += 4000;
  expect(source.trouble?.()).toMatchObject({ tried: 1, tries: 1, nextMs: 0 });
  expect(source.trouble?.()?.silentMs).toBeGreaterThan(3900);
  controller.abort();
  await reading;
  expect(source.trouble?.()).toBeUndefined();
});

test('a wait that the server asks for is told with the number of the try', async () => {
  const source = await setUp({ status: 503, retryAfter: '20' });
  const controller = new AbortController();
  const reading = source.read(100, 10, controller.signal).catch(() => {});
  await expect.poll(() => source.trouble?.()).toMatchObject({ tried: 2, tries: 4, silentMs: 0 });
  expect(source.trouble?.()?.nextMs).toBeGreaterThan(10_000);
  controller.abort();
  await reading;
});
