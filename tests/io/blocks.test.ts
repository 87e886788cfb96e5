import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { formatBlockBytes, parseBlockBytes } from '../../web/io/blocks';
import { createByteReader } from '../../web/io/fetch/reader';
import { createHttpSource } from '../../web/io/http/http-source';
import { planReads } from '../../web/io/planner';
import { subtract, totalLength, union } from '../../web/io/ranges';
import type { Range } from '../../web/io/source';
import { openRoot } from '../../web/node';
import { run } from '../cli/support';
import { withReader } from '../engine-reader';
import { type RangeServer, startRangeServer } from '../servers/range-server';

const BLOCK = 64 * 1024;
const bytes = new Uint8Array(
  readFileSync(resolve(import.meta.dirname, '../fixtures/files/page/scattered.root')),
);
const file = new Uint8Array(1_000_000).map((_, index) => (index * 7919) >> 5);

const reader = withReader();
let server: RangeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Each request is for one whole block, and no block was requested twice. */
function expectBlocks({ requests, bytes: served }: RangeServer, blockBytes = BLOCK): void {
  expect(requests.length).toBeGreaterThan(0);
  const starts = requests.map(({ range }) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    const whole = Math.min(Number(first) + blockBytes, served.length) - 1;
    expect(Number(first) % blockBytes, range).toBe(0);
    // Before the size is known the first block may reach past the end of the file.
    expect([whole, Number(first) + blockBytes - 1], range).toContain(Number(last));
    return first;
  });
  expect(new Set(starts).size).toBe(starts.length);
}

test.each([
  ['1MiB', 1_048_576],
  ['64KiB', 65_536],
  ['512 kib', 524_288],
  ['1m', 1_048_576],
  ['128k', 131_072],
  ['100000', 100_000],
  [' 16MiB ', 16_777_216],
])('blocks of %s', (text, size) => {
  expect(parseBlockBytes(text)).toBe(size);
  expect(parseBlockBytes(formatBlockBytes(size))).toBe(size);
});

test.each([
  ...['', '0', '-1', '1MB', '1.5MiB', '63KiB', '17MiB', '1GiB', '1e6', 'MiB', '9'.repeat(400)],
  ...['1048576x', '1 048 576', 'Infinity', '0x100000'],
])('no size of blocks: "%s"', (text) => {
  expect(() => parseBlockBytes(text)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
});

test.each([0, -BLOCK, 0.5, 65_535, 2 ** 25, Number.NaN, Number.POSITIVE_INFINITY, '1MiB' as never])(
  'a source refuses blocks of %s',
  (align) => {
    expect(() => createHttpSource('http://localhost/', { align })).toThrow(
      expect.objectContaining({ code: 'ARGUMENT' }),
    );
  },
);

test('the requests are the blocks that hold missing bytes, each once', () => {
  const ranges = fc.array(fc.record({ offset: fc.nat(999_999), length: fc.nat(90_000) }), { maxLength: 30 });
  fc.assert(
    fc.property(ranges, ranges, fc.integer({ min: 500, max: 200_000 }), (given, cached, blockBytes) => {
      const size = 1_000_000;
      const clip = ({ offset, length }: Range) => ({ offset, length: Math.min(length, size - offset) });
      const wanted = given.map(clip);
      const plan = planReads(wanted, cached, { blockBytes, size, maxRangeBytes: 1, concurrency: 3 });
      const missing = subtract(union(wanted), union(cached));
      const blocks = new Set<number>();
      for (let at = 0; at < size; at += blockBytes) {
        const block = { offset: at, length: blockBytes };
        if (totalLength(missing) > totalLength(subtract(missing, [block]))) blocks.add(at);
      }
      expect(plan.ranges.map(({ offset }) => offset)).toEqual([...blocks]);
      for (const { offset, length, pieces } of plan.ranges) {
        expect(length).toBe(Math.min(blockBytes, size - offset));
        expect(pieces.length).toBeGreaterThan(0);
      }
      expect(plan.ranges.reduce((sum, range) => sum + range.wanted, 0)).toBe(totalLength(missing));
      expect(plan.asked - plan.overread).toBe(totalLength(missing));
    }),
    { numRuns: 60 },
  );
});

test('scattered reads at the same time request each block once, and no several ranges', async () => {
  server = await startRangeServer(file, { etag: '"a"' });
  const source = createHttpSource(server.url, { align: BLOCK });
  const blocks = createByteReader(source);
  const wanted = Array.from({ length: 300 }, (_, i) => ({ offset: (i * 3301) % 990_000, length: 90 + i }));
  const read = async (some: Range[]) => {
    const got = await blocks.read(some);
    for (const [i, { offset, length }] of some.entries())
      expect(Buffer.compare(got[i] as Uint8Array, file.subarray(offset, offset + length))).toBe(0);
  };
  await read([{ offset: 10, length: 20 }]);
  await Promise.all([read(wanted.slice(0, 100)), read(wanted.slice(100, 200)), read(wanted.slice(200))]);
  await read([{ offset: 990_000, length: 10_000 }]);
  expectBlocks(server);
  expect(server.requests.length).toBe(Math.ceil(file.length / BLOCK));
  await blocks.close();
});

test('a file is drawn from whole blocks by the command line and by a program', async () => {
  server = await startRangeServer(bytes, { etag: '"a"' });
  const line = ['draw', server.url, 'events', 'weight', '--json', '--no-cache'];
  const plain = await run(reader, ...line);
  server.requests.length = 0;
  const aligned = await run(reader, ...line, '--align', '64KiB');
  expect(aligned).toEqual({ status: 0, err: '', out: plain.out });
  expectBlocks(server);

  server.requests.length = 0;
  await using opened = await openRoot(
    { kind: 'url', url: server.url, cache: 'none' },
    { reader, align: 2 * BLOCK },
  );
  await (await opened.tree('events')).arrays(['weight', 'q2']);
  expectBlocks(server, 2 * BLOCK);
  const wrong = openRoot(server.url, { reader, align: 1000 });
  await expect(wrong).rejects.toMatchObject({ code: 'ARGUMENT' });
  const { status, err } = await run(reader, ...line, '--align', '1MB');
  expect(status).toBe(2);
  expect(err).toContain('--align: "1MB" is not a size of blocks');
});
