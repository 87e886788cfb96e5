import { afterEach, describe, expect, test } from 'vitest';
import { createByteReader } from '../../web/io/fetch/reader';
import { Host } from '../../web/io/http/host';
import { createHttpSource } from '../../web/io/http/http-source';
import { boundaryOf, partReader } from '../../web/io/http/multipart';
import { createPartVerdicts } from '../../web/io/http/part-verdicts';
import type { ByteSource, Range } from '../../web/io/source';
import { type Faults, type RangeServer, startRangeServer } from '../servers/range-server';
import { SENDERS } from './senders';

const file = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5);
/** Many small ranges, far from each other: no request reads over the gaps. */
const wanted: Range[] = Array.from({ length: 300 }, (_, i) => ({
  offset: 70_000 + i * 9000,
  length: 40 + (i % 50),
}));
const expected = wanted.map(({ offset, length }) => file.subarray(offset, offset + length));

let server: RangeServer;
afterEach(() => server.close());

async function open(faults: Partial<Faults>) {
  server = await startRangeServer(file, faults);
  const source = createHttpSource(server.url, { backoffMs: 1 });
  const reader = createByteReader(source);
  // As a file is opened: a first read, by which the link is measured.
  await reader.read([{ offset: 0, length: 65_536 }]);
  return { source, reader };
}

const same = (bytes: Uint8Array[]) => bytes.map((one, i) => Buffer.compare(one, expected[i] ?? one));
const right = wanted.map(() => 0);

test.each(['parts', 'reversed'] as const)('many small ranges are few requests: %s', async (multi) => {
  const { reader } = await open({ multi, latencyMs: 5 });
  expect(same(await reader.read(wanted))).toEqual(right);
  // Connections share the work, and the first request has two bytes that are known, to compare.
  expect(server.requests.length).toBeLessThan(9);
  expect(server.requests[1]?.range).toMatch(/^bytes=0-47,65488-65535,70000-/);
  const records = reader.trace.records();
  expect(records.reduce((sum, { parts = 0 }) => sum + parts, 0)).toBe(wanted.length);
  expect(reader.trace.summary().bytes).toBe(65_536 + expected.reduce((sum, part) => sum + part.length, 0));
});

test('a server that gives a wrong size with several ranges is asked one by one', async () => {
  const { reader, source } = await open({ etag: '"a"', partsTold: file.length + 5, latencyMs: 5 });
  expect(same(await reader.read(wanted))).toEqual(right);
  expect(source.maxParts).toBe(0);
});

test.each(['first', 'whole', 'refuse', 'wrong'] as const)(
  'a server that gives something else for several ranges is asked one by one: %s',
  async (multi) => {
    const { reader, source } = await open({ multi, latencyMs: 5 });
    expect(same(await reader.read(wanted))).toEqual(right);
    expect(source.maxParts).toBe(0);
    // And no other file of this server is tried.
    const other = createByteReader(createHttpSource(server.url));
    await other.read([{ offset: 0, length: 65_536 }]);
    server.requests.length = 0;
    expect(same(await other.read(wanted))).toEqual(right);
    expect(server.requests.filter(({ range }) => range?.includes(','))).toEqual([]);
  },
);

describe.each(SENDERS)(
  'by %s, a server that fails at several ranges, and serves single ones',
  (_name, send) => {
    test.each(['hang', 'reset', 500, 501, 502, 503, 504, 520] as const)('%s', async (multi) => {
      server = await startRangeServer(file, { multi, latencyMs: 5 });
      const options = { send, backoffMs: 1, timeoutMs: 1500 };
      const source = createHttpSource(server.url, options);
      const reader = createByteReader(source);
      await reader.read([{ offset: 0, length: 65_536 }]);
      expect(same(await reader.read(wanted))).toEqual(right);
      expect(source.maxParts).toBe(0);
      // And no other file of this server is tried.
      const other = createByteReader(createHttpSource(server.url, options));
      await other.read([{ offset: 0, length: 65_536 }]);
      server.requests.length = 0;
      expect(same(await other.read(wanted))).toEqual(right);
      expect(server.requests.filter(({ range }) => range?.includes(','))).toEqual([]);
    });

    test('one that is down for all requests is the error of the server, and keeps several ranges', async () => {
      server = await startRangeServer(file, { latencyMs: 5 });
      const source = createHttpSource(server.url, { send, backoffMs: 1, retries: 1 });
      const reader = createByteReader(source);
      await reader.read([{ offset: 0, length: 65_536 }]);
      server.faults = { status: 500 };
      await expect(reader.read(wanted)).rejects.toMatchObject({ code: 'HTTP_STATUS' });
      server.faults = {};
      expect(source.maxParts).toBeGreaterThan(1);
      const again = createByteReader(createHttpSource(server.url, { send }));
      await again.read([{ offset: 0, length: 65_536 }]);
      server.requests.length = 0;
      expect(same(await again.read(wanted))).toEqual(right);
      expect(server.requests.length).toBeLessThan(9);
    });

    test('one that asks to wait is waited for', async () => {
      server = await startRangeServer(file, { latencyMs: 5 });
      const source = createHttpSource(server.url, { send, backoffMs: 1 });
      const reader = createByteReader(source);
      await reader.read([{ offset: 0, length: 65_536 }]);
      server.faults = { status: 503, retryAfter: '1', times: 1 };
      expect(same(await reader.read(wanted))).toEqual(right);
      expect(source.maxParts).toBeGreaterThan(1);
    });
  },
);

test.each([undefined, 200])(
  'thousands of ranges go by hundreds, where the server takes them: %s',
  async (most) => {
    const large = new Uint8Array(30_000_000);
    for (let at = 0; at < large.length; at += file.length) large.set(file, at);
    const many = Array.from({ length: 1500 }, (_, i) => ({
      offset: 70_000 + i * 19_000,
      length: 40 + (i % 50),
    }));
    server = await startRangeServer(large, { latencyMs: 5, ...(most && { maxRanges: most }) });
    const source = createHttpSource(server.url, { backoffMs: 1 });
    const reader = createByteReader(source);
    await reader.read([{ offset: 0, length: 65_536 }]);
    const came = await reader.read(many);
    const wrong = many.filter(
      ({ offset, length }, i) =>
        Buffer.compare(came[i] ?? file, large.subarray(offset, offset + length)) !== 0,
    );
    expect(wrong).toEqual([]);
    const counts = server.requests.map(({ range = '' }) => range.split(',').length);
    expect(Math.max(...counts)).toBeGreaterThan(200);
    expect(server.requests.every(({ range = '' }) => range.length < 8100)).toBe(true);
    // Those that were refused are asked for again by 160.
    expect(source.maxParts).toBe(most ? 160 : 431);
    expect(server.requests.length).toBeLessThan(most ? 24 : 9);
  },
);

test('a connection that breaks within the parts costs only those that had not come', async () => {
  const { reader } = await open({ latencyMs: 5 });
  server.faults = { multi: 'cut', times: 2 };
  expect(same(await reader.read(wanted))).toEqual(right);
});

describe('one odd answer does not take several ranges from a server', () => {
  const three = wanted.slice(0, 3);
  const values = expected.slice(0, 3);
  /** Reads three ranges by one request; gives what came, in the order of the ranges. */
  async function readThree(source: ByteSource): Promise<{ done: boolean | undefined; came: Uint8Array[] }> {
    const came: Uint8Array[] = [];
    const done = await source.readParts?.(three, (index, bytes) => {
      came[index] = bytes;
    });
    return { done, came };
  }

  test('the one range that a broken answer leaves open is asked for as one', async () => {
    const { source } = await open({});
    expect(await readThree(source)).toEqual({ done: true, came: values });
    server.requests.length = 0;
    server.faults = { multi: 'last', times: 1 };
    expect(await readThree(source)).toEqual({ done: true, came: values });
    expect(server.requests.map(({ range }) => range?.split(',').length)).toEqual([3, 1]);
    expect(source.maxParts).toBeGreaterThan(1);
  });

  test.each(['whole', 'first', 'refuse'] as const)('once, after right ones: %s', async (multi) => {
    const { source } = await open({});
    expect((await readThree(source)).done).toBe(true);
    for (let i = 0; i < 3; i++) {
      server.faults = { multi, times: 1 };
      expect((await readThree(source)).done).toBe(false);
      expect(source.maxParts).toBeGreaterThan(1);
      expect(await readThree(source)).toEqual({ done: true, came: values });
    }
    // But two in a row are more than chance.
    server.faults = { multi, times: 2 };
    await readThree(source);
    expect((await readThree(source)).done).toBe(false);
    expect(source.maxParts).toBe(0);
  });

  test('answers that always break off are given up, and the ranges are read one by one', async () => {
    const { reader, source } = await open({ multi: 'cut', latencyMs: 2 });
    expect(same(await reader.read(wanted))).toEqual(right);
    expect(source.maxParts).toBe(0);
  });

  test('ranges that a server joins are taken, however it frames them', async () => {
    server = await startRangeServer(file, { multi: 'joined' });
    const source = createHttpSource(server.url, { backoffMs: 1 });
    await source.read(60_000, 5000);
    server.requests.length = 0;
    expect(await readThree(source)).toEqual({ done: true, came: values });
    expect(server.requests).toHaveLength(1);
    expect(source.maxParts).toBeGreaterThan(1);
  });

  test('a joined answer whose bytes are others than those known is not used', async () => {
    server = await startRangeServer(file, { multi: 'joined' });
    const source = createHttpSource(server.url, { backoffMs: 1 });
    await source.read(60_000, 5000);
    server.faults = { multi: 'joined', shift: 0 };
    server.bytes = file.map((byte) => byte ^ 1);
    expect(await readThree(source)).toEqual({ done: false, came: [] });
  });

  test('and only for files of its folder, and for a time that grows', async () => {
    let now = 1e12;
    const verdicts = createPartVerdicts(() => now);
    const at = (path: string) => new URL(path, 'https://host.example/');
    const pass = (seconds: number) => {
      now += seconds * 1000;
    };
    verdicts.refuse(at('/a/run.root'), 5);
    expect(verdicts.most(at('/a/other.root?x=1'))).toBe(0);
    expect(verdicts.most(at('/a/deeper/run.root'))).toBe(0);
    for (const path of ['/b/run.root', '/run.root', '/ab/run.root', 'http://host.example/a/run.root']) {
      expect(verdicts.most(at(path))).toBe(Number.POSITIVE_INFINITY);
    }
    pass(31);
    expect(verdicts.most(at('/a/run.root'))).toBe(Number.POSITIVE_INFINITY);
    verdicts.refuse(at('/a/run.root'), 5);
    pass(31);
    expect(verdicts.most(at('/a/run.root'))).toBe(0);
    pass(31);
    verdicts.accept(at('/a/run.root'), 5);
    verdicts.refuse(at('/a/run.root'), 5);
    pass(31);
    expect(verdicts.most(at('/a/run.root'))).toBe(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 40; i++) verdicts.refuse(at('/a/run.root'), 5);
    pass(3601);
    expect(verdicts.most(at('/a/run.root'))).toBe(Number.POSITIVE_INFINITY);
    verdicts.refuse(at('/c/run.root'), 400);
    expect(verdicts.most(at('/c/run.root'))).toBe(160);
    verdicts.accept(at('/c/run.root'), 5);
    expect(verdicts.most(at('/c/run.root'))).toBe(160);
    pass(31);
    expect(verdicts.most(at('/c/run.root'))).toBe(Number.POSITIVE_INFINITY);
  });
});

test('parts are handed over while the others come', async () => {
  const { reader } = await open({ latencyMs: 5 });
  server.faults = { stall: true };
  const controller = new AbortController();
  const came: number[] = [];
  const first = new Promise<void>((go) => {
    reader
      .stream(wanted, {
        signal: controller.signal,
        onRange: (index, bytes) => {
          came.push(index);
          expect(Buffer.compare(bytes, expected[index] ?? bytes)).toBe(0);
          if (came.length === 20) go();
        },
      })
      .catch(() => {});
  });
  // Half of each answer comes and then nothing more.
  await first;
  controller.abort();
  expect(came.length).toBeLessThan(wanted.length);
});

test('a file that changes is not mixed', async () => {
  const { reader } = await open({ latencyMs: 5, etag: '"one"' });
  server.faults = { etag: '"two"' };
  await expect(reader.read(wanted)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('no request is left under way when the reader gives up', async () => {
  const { reader } = await open({ latencyMs: 5 });
  server.faults = { stall: true };
  const controller = new AbortController();
  const reading = reader.read(wanted, { signal: controller.signal });
  while (server.open === 0) await new Promise((go) => setTimeout(go, 5));
  const before = performance.now();
  controller.abort();
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  while (server.open > 0) await new Promise((go) => setTimeout(go, 1));
  expect(performance.now() - before).toBeLessThan(5000); // 100 ms, with room for a busy machine
});

test('the boundary is what the header says', () => {
  expect(boundaryOf('multipart/byteranges; boundary=abc')).toBe('abc');
  expect(boundaryOf('Multipart/ByteRanges;charset=x; boundary="a b"')).toBe('a b');
  expect(boundaryOf('application/octet-stream')).toBeUndefined();
  expect(boundaryOf(null)).toBeUndefined();
});

test('a body that claims more than it has gives only what is there', () => {
  const text = (range: string) => `--b\r\nContent-Range: bytes ${range}\r\n\r\n`;
  const body = (value: string) => new TextEncoder().encode(value);
  const parts = (bytes: Uint8Array, boundary: string) => partReader(boundary)(bytes);
  expect(parts(body(`${text('0-2/9')}abc\r\n${text('5-8/9')}def`), 'b')).toMatchObject([
    { offset: 0, length: 3 },
  ]);
  expect(parts(body(`${text('5-2/9')}abc`), 'b')).toEqual([]);
  expect(parts(body(`${text('0-99999999999999/9')}abc`), 'b')).toEqual([]);
  expect(parts(body('--other\r\nContent-Range: bytes 0-2/9\r\n\r\nabc'), 'b')).toEqual([]);
});

test.each<[string, object | undefined]>([
  ['Content-Range: bytes 5-7/9', { offset: 5, length: 3, size: 9 }],
  ['CONTENT-RANGE:bytes  5-7/* ', { offset: 5, length: 3, size: undefined }],
  ['Content-Type: text/plain\r\ncontent-range: \tBytes 5-7/9', { offset: 5, length: 3, size: 9 }],
  ['X-Content-Range: bytes 5-7/9', undefined],
  ['Content-Range: bytes 5-7', undefined],
  ['Content-Range: bytes 5-7/9 and more', undefined],
  ['Content-Range: bytes -7/9', undefined],
  ['Content-Range: lines 5-7/9', undefined],
  ['Content-Range: bytes 5-7777777777777777/9', undefined],
])('the head of a part: %s', (head, part) => {
  const body = new TextEncoder().encode(`\r\n--b\r\n${head}\r\n\r\nabc\r\n--b--\r\n`);
  expect(partReader('b')(body)).toMatchObject(part ? [part] : []);
  expect(partReader('other')(body)).toEqual([]);
  // As it comes, byte by byte.
  const read = partReader('b');
  const parts = Array.from(body, (_, i) => read(body.subarray(0, i + 1))).flat();
  expect(parts).toMatchObject(part ? [{ ...part, bytes: new TextEncoder().encode('abc') }] : []);
});

test('the first request of several ranges has a third of the time, and more where a host is slow', () => {
  const host = new Host(new URL('https://h.example/'));
  expect(host.patienceForParts(12_000)).toBe(4000);
  host.answered(2000, 12_000);
  expect(host.patienceForParts(12_000)).toBe(8000);
  host.answered(30_000, 12_000);
  expect(host.patienceForParts(12_000)).toBe(host.patience(12_000));
});
