import fc from 'fast-check';
import { expect, test } from 'vitest';
import { XylemError } from '../../web/base/errors';
import { createBufferSource } from '../../web/io/buffer-source';
import { createExtentBudget } from '../../web/io/extents';
import { createByteReader } from '../../web/io/fetch/reader';
import type { ByteSource } from '../../web/io/source';
import { createHeldSource, turn } from './held-source';

const file = new Uint8Array(1_000_000).map((_, index) => (index * 7919) >> 5);
const part = (offset: number, length: number) => file.subarray(offset, offset + length);
const far = { gapBytes: 100 };
const aborted = expect.objectContaining({ code: 'ABORTED' });

test('any reads, at the same time and repeated, give the bytes of the file', async () => {
  const range = fc.record({ offset: fc.nat(999_999), length: fc.nat(30_000) });
  const requests = fc.array(fc.array(range, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
  const limits = fc.record({
    gapBytes: fc.nat(20_000),
    maxRangeBytes: fc.integer({ min: 500, max: 50_000 }),
    memory: fc.constantFrom(0, 20_000, 10_000_000),
    maxInFlight: fc.integer({ min: 1, max: 6 }),
    aheadBytes: fc.constantFrom(1, 10_000, Number.POSITIVE_INFINITY),
    knowsSize: fc.boolean(),
    blockBytes: fc.constantFrom(undefined, 700, 65_536),
  });
  await fc.assert(
    fc.asyncProperty(
      requests,
      limits,
      async (lists, { knowsSize, aheadBytes, memory, blockBytes, ...options }) => {
        const whole = { ...createBufferSource(file, 'file'), blockBytes };
        const source: ByteSource = knowsSize ? whole : { ...whole, info: () => ({}) };
        const reader = createByteReader(source, { ...options, budget: createExtentBudget(memory) });
        for (let round = 0; round < 2; round++) {
          await Promise.all(
            lists.map(async (list) => {
              let told = 0;
              const seen = new Map<number, Uint8Array>();
              await reader.stream(list, {
                aheadBytes,
                onBytes: (bytes) => {
                  told += bytes;
                },
                onRange: async (index, bytes) => {
                  expect(seen.has(index)).toBe(false);
                  seen.set(index, bytes);
                  await turn();
                },
              });
              const expected = list.map(({ offset, length }) => part(offset, length));
              const right = expected.map(
                (bytes, index) => Buffer.compare(bytes, seen.get(index) ?? bytes) === 0,
              );
              expect(right).toEqual(list.map(() => true));
              expect(seen.size).toBe(list.length);
              expect(told).toBe(expected.reduce((sum, bytes) => sum + bytes.length, 0));
            }),
          );
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('close ranges are one request, and the results views of its bytes', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const reading = reader.read([
    { offset: 5150, length: 50 },
    { offset: 5000, length: 100 },
    { offset: 90_000, length: 10 },
  ]);
  expect(reads.map(({ offset, length }) => [offset, length])).toEqual([
    [5000, 200],
    [90_000, 10],
  ]);
  for (const read of reads) read.give();
  const [a, b, c] = await reading;
  expect([a, b, c]).toEqual([part(5150, 50), part(5000, 100), part(90_000, 10)]);
  expect(a?.buffer).toBe(b?.buffer);
});

test('no more requests are under way than allowed, and higher priority goes first', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, { ...far, maxInFlight: 2 });
  const low = reader.read([0, 1, 2, 3].map((index) => ({ offset: index * 10_000, length: 10 })));
  const high = reader.read([{ offset: 500_000, length: 10 }], { priority: 1 });
  expect(reads).toHaveLength(2);
  reads[0]?.give();
  await turn();
  expect(reads.map((read) => read.offset)).toEqual([0, 10_000, 500_000]);
  for (let at = 1; at < 5; at++) {
    reads[at]?.give();
    await turn();
  }
  await Promise.all([low, high]);
});

test('the same bytes are asked for once; the abort of one waiter leaves the others theirs', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const controller = new AbortController();
  const first = reader.read([{ offset: 100, length: 500 }], { signal: controller.signal });
  const second = reader.read([{ offset: 200, length: 100 }]);
  expect(reads).toHaveLength(1);
  controller.abort();
  await expect(first).rejects.toEqual(aborted);
  expect(reads[0]?.aborted).toBe(false);
  reads[0]?.give();
  expect(await second).toEqual([part(200, 100)]);
});

test('the abort of the last waiter cancels what runs and drops what is queued', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, { ...far, maxInFlight: 1 });
  const controller = new AbortController();
  const ranges = [0, 1, 2].map((index) => ({ offset: index * 10_000, length: 10 }));
  const both = [1, 2].map(() => reader.read(ranges, { signal: controller.signal }));
  controller.abort();
  for (const reading of both) await expect(reading).rejects.toEqual(aborted);
  await turn();
  expect(reads.map((read) => read.aborted)).toEqual([true]);
  const again = reader.read([{ offset: 0, length: 10 }]);
  await turn();
  reads[1]?.give();
  expect(await again).toEqual([part(0, 10)]);
});

test('what failed is not cached, and is asked for again', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const range = { offset: 100, length: 500 };
  const failing = [reader.read([range]), reader.read([range])];
  reads[0]?.fail(new XylemError({ code: 'HTTP_STATUS', message: 'no' }));
  for (const reading of failing) await expect(reading).rejects.toMatchObject({ code: 'HTTP_STATUS' });
  const again = reader.read([range]);
  expect(reads).toHaveLength(2);
  reads[1]?.give();
  expect(await again).toEqual([part(100, 500)]);
  expect(reader.trace.records().map((record) => record.failed)).toEqual(['HTTP_STATUS', undefined]);
});

test('with onError one failing range leaves the others', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const seen: unknown[] = [];
  const streaming = reader.stream(
    [
      { offset: 0, length: 10 },
      { offset: 50_000, length: 10 },
    ],
    {
      onRange: (index) => void seen.push(index),
      onError: (index, error) => void seen.push([index, error.code]),
    },
  );
  reads[0]?.fail(new XylemError({ code: 'HTTP_LENGTH', message: 'no' }));
  reads[1]?.give();
  await streaming;
  expect(seen).toEqual([[0, 'HTTP_LENGTH'], 1]);
});

test('what a callback throws ends the stream and its requests', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const streaming = reader.stream(
    [
      { offset: 0, length: 10 },
      { offset: 50_000, length: 10 },
    ],
    {
      onRange: () => {
        throw new XylemError({ code: 'BUDGET', message: 'too much' });
      },
      onError: () => expect.unreachable(),
    },
  );
  reads[0]?.give();
  await expect(streaming).rejects.toMatchObject({ code: 'BUDGET' });
  expect(reads[1]?.aborted).toBe(true);
});

test('a stream asks for no more than may be ahead of what was used up', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const release: (() => void)[] = [];
  const ranges = Array.from({ length: 6 }, (_, index) => ({ offset: index * 100_000, length: 1000 }));
  const streaming = reader.stream(ranges, {
    aheadBytes: 2000,
    onRange: () => new Promise<void>((resolve) => release.push(resolve)),
  });
  for (const read of reads) read.give(); // the six that may be in flight while nothing is used yet
  await turn();
  const asked = reads.length;
  expect(asked).toBeLessThanOrEqual(6);
  while (release.length > 0 || reads.length < 6) {
    release.shift()?.();
    await turn();
    for (const read of reads) read.give();
    await turn();
  }
  await streaming;
  expect(reads).toHaveLength(6);
});

test('a small bound on bytes ahead does not stop a range that needs many requests', async () => {
  const reader = createByteReader(createBufferSource(file, 'file'), {
    maxRangeBytes: 10_000,
    budget: createExtentBudget(0),
  });
  const seen: Uint8Array[] = [];
  await reader.stream([{ offset: 0, length: 1_000_000 }], {
    aheadBytes: 20_000,
    onRange: (_index, bytes) => void seen.push(bytes),
  });
  expect(seen.map((bytes) => Buffer.compare(bytes, file))).toEqual([0]);
});

test('past the end: shorter, then TRUNCATED, whether the size is known or not', async () => {
  const whole = createBufferSource(file, 'file');
  for (const source of [whole, { ...whole, info: () => ({}) }]) {
    const reader = createByteReader(source, { ...far, maxRangeBytes: 300 });
    expect(await reader.read([{ offset: 999_500, length: 2000 }])).toEqual([part(999_500, 500)]);
    const beyond = reader.read([
      { offset: 10, length: 5 },
      { offset: 1_000_000, length: 1 },
    ]);
    await expect(beyond).rejects.toMatchObject({ code: 'TRUNCATED' });
  }
});

test('a source that stops short in the middle is an error, never data', async () => {
  const whole = createBufferSource(file, 'file');
  const source: ByteSource = {
    ...whole,
    info: () => ({}),
    read: (offset, length) => whole.read(offset, offset === 0 ? length - 1 : length),
  };
  const reader = createByteReader(source, { maxRangeBytes: 1000 });
  await expect(reader.read([{ offset: 0, length: 3000 }])).rejects.toMatchObject({ code: 'IO' });
});

test('impossible ranges are ARGUMENT', async () => {
  const reader = createByteReader(createBufferSource(file, 'file'));
  for (const range of [
    { offset: -1, length: 5 },
    { offset: 0.5, length: 5 },
    { offset: 0, length: Number.NaN },
  ]) {
    await expect(reader.read([range])).rejects.toMatchObject({ code: 'ARGUMENT' });
  }
});

test('closing ends what is under way', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source);
  const reading = reader.read([{ offset: 0, length: 10 }]);
  await reader.close();
  await expect(reading).rejects.toEqual(aborted);
  expect(reads[0]?.aborted).toBe(true);
  await expect(reader.read([{ offset: 0, length: 10 }])).rejects.toEqual(aborted);
});

test('the trace tells requests, bytes, cached bytes and how deep requests waited for one another', async () => {
  const { source, reads } = createHeldSource(file);
  const reader = createByteReader(source, far);
  const wave = async (offsets: number[], purpose: string) => {
    const from = reads.length;
    const reading = reader.read(
      offsets.map((offset) => ({ offset, length: 100 })),
      { purpose },
    );
    for (const read of reads.slice(from)) read.give();
    await reading;
  };
  await wave([0], 'head');
  await wave([10_000, 20_000, 10_150], 'keys');
  await wave([0, 10_000], 'again');
  const { busyTime, ...counts } = reader.trace.summary();
  expect(counts).toEqual({ requests: 3, bytes: 450, cachedBytes: 200, storedBytes: 0, roundTrips: 2 });
  expect(busyTime).toBeGreaterThan(0);
  expect(reader.trace.records()[1]).toMatchObject({
    offset: 10_000,
    wanted: 200,
    asked: 250,
    purpose: 'keys',
  });
});

test('readers of several files keep within one bound together, and give it back', async () => {
  const budget = createExtentBudget(1000);
  const open = (name: string) => createByteReader(createBufferSource(file, name), { ...far, budget });
  const [a, b] = [open('a'), open('b')];
  await a.read([{ offset: 0, length: 600 }]);
  await b.read([{ offset: 0, length: 300 }]);
  expect(budget.bytes).toBe(900);
  await b.read([{ offset: 5000, length: 600 }]);
  expect(budget.bytes).toBe(900);
  const requests = a.trace.summary().requests;
  await a.read([{ offset: 0, length: 600 }]);
  expect(a.trace.summary().requests).toBe(requests + 1);
  await a.close();
  await b.close();
  expect(budget.bytes).toBe(0);
});
