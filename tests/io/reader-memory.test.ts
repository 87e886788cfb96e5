import { expect, test } from 'vitest';
import { XylemError } from '../../web/base/errors';
import { createExtentBudget } from '../../web/io/extents';
import { createByteReader } from '../../web/io/fetch/reader';
import type { ByteSource } from '../../web/io/source';
import type { StoredExtents } from '../../web/io/stored';
import { createTrace } from '../../web/io/trace';
import { createHeldSource, turn } from './held-source';

const file = Uint8Array.from({ length: 5000 }, (_, i) => i * 31);
const aborted = expect.objectContaining({ code: 'ABORTED' });

/** A source that answers at once, and counts. */
function source(more: Partial<ByteSource> = {}) {
  const reads: [number, number][] = [];
  let closed = 0;
  const own: ByteSource = {
    name: 'a',
    concurrency: 3,
    info: () => ({ size: file.length }),
    read: async (offset, length, _signal, onAnswer) => {
      reads.push([offset, length]);
      onAnswer?.();
      return file.slice(offset, offset + length);
    },
    close: async () => {
      closed++;
    },
    ...more,
  };
  return { own, reads, closed: () => closed };
}

function stored() {
  const saved: [number, number][] = [];
  let flushed = 0;
  const extents = {
    file: { key: 'k', name: 'a', place: 'p' },
    find: () => [],
    load: async () => undefined,
    save: (offset: number, bytes: Uint8Array) => saved.push([offset, bytes.length]),
    flush: async () => {
      flushed++;
    },
  } as unknown as StoredExtents;
  return { extents, saved, flushed: () => flushed };
}

test('what is kept is read from memory, and a range is held when all of it is there', async () => {
  const { own, reads } = source();
  const reader = createByteReader(own);
  reader.keep({ offset: 100, length: 50, bytes: file.slice(100, 150) });
  const holds = (offset: number, length: number) => reader.holds({ offset, length });
  expect([holds(100, 50), holds(120, 10), holds(99, 2), holds(149, 2), holds(150, 1)]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(await reader.read([{ offset: 110, length: 20 }])).toEqual([file.slice(110, 130)]);
  expect(reads).toEqual([]);
  expect(reader.answered).toBe(false);
  await reader.read([{ offset: 1000, length: 20 }]);
  expect(reads).toEqual([[1000, 20]]);
  expect(reader.answered).toBe(true);
  expect(holds(1000, 20)).toBe(true);
});

test('fetched bytes go into the store from when it is given; closing waits for it and closes once', async () => {
  const { own, closed } = source();
  const reader = createByteReader(own);
  const { extents, saved, flushed } = stored();
  await reader.read([{ offset: 0, length: 10 }]);
  expect(reader.stored).toBeUndefined();
  reader.keepIn(extents);
  expect(reader.stored).toBe(extents);
  await reader.read([{ offset: 3000, length: 10 }]);
  reader.keep({ offset: 500, length: 5, bytes: file.slice(500, 505) });
  expect(saved).toEqual([
    [3000, 10],
    [500, 5],
  ]);
  await reader.close();
  expect([flushed(), closed()]).toEqual([1, 1]);
  await reader.close();
  expect([flushed(), closed()]).toEqual([1, 1]);
  await expect(reader.read([{ offset: 0, length: 1 }])).rejects.toThrow(aborted);
  expect(reader.holds({ offset: 500, length: 5 })).toBe(false);
});

test('a read with a signal that was aborted before asks for nothing', async () => {
  const { own, reads } = source();
  const reader = createByteReader(own);
  await expect(reader.read([{ offset: 0, length: 1 }], { signal: AbortSignal.abort() })).rejects.toThrow(
    aborted,
  );
  expect(reads).toEqual([]);
  await reader.read([{ offset: 0, length: 1 }], { signal: new AbortController().signal });
  expect(reads).toEqual([[0, 1]]);
});

test('the end is read when the source can, and stands in the trace as asked and as it came', async () => {
  const end = { offset: 4000, bytes: file.slice(4000) };
  const { own } = source({
    readEnd: async (_length, _signal, onAnswer) => {
      onAnswer?.();
      return end;
    },
  });
  const trace = createTrace();
  const reader = createByteReader(own, { trace });
  expect(await reader.readEnd(2000, { purpose: 'the end' })).toEqual({ ...end, length: 1000 });
  expect(reader.trace).toBe(trace);
  const [record, ...more] = trace.records();
  expect(more).toEqual([]);
  expect(record).toMatchObject({ offset: 4000, wanted: 1000, asked: 1000, got: 1000, purpose: 'the end' });
  expect(record?.origin).toBe('network');
  expect(record).not.toHaveProperty('failed');
  const { queued = 0, started = 0, answered = 0, done = 0 } = record ?? {};
  expect(queued).toBe(started);
  expect(answered).toBeGreaterThan(started);
  expect(done).toBeGreaterThan(answered);
  // It is in memory only after it was kept.
  expect(reader.holds({ offset: 4000, length: 10 })).toBe(false);
});

test('the end of a source that cannot read it, that does not know it, or that fails', async () => {
  expect(await createByteReader(source().own).readEnd(10)).toBeUndefined();
  const unknown = createByteReader(source({ readEnd: async () => undefined }).own);
  expect(await unknown.readEnd(10)).toBeUndefined();
  expect(unknown.trace.records()).toEqual([]);
  const failing = source({
    origin: 'disk',
    readEnd: async () => {
      throw new XylemError({ code: 'HTTP_STATUS', message: 'no' });
    },
  });
  const reader = createByteReader(failing.own);
  expect(await reader.readEnd(10)).toBeUndefined();
  const [record] = reader.trace.records();
  expect(record).toMatchObject({
    offset: 0,
    wanted: 0,
    asked: 10,
    got: 0,
    purpose: 'end',
    failed: 'HTTP_STATUS',
  });
  expect(record).toMatchObject({ origin: 'disk' });
  expect(record?.answered).toBe(record?.started);
});

test('a change that one read saw fails the next ones before they ask', async () => {
  const { own, reads } = source();
  const changed = new XylemError({ code: 'FILE_CHANGED', message: 'another content' });
  let fails = true;
  const reader = createByteReader({
    ...own,
    read: (offset, length) => (fails ? Promise.reject(changed) : own.read(offset, length)),
  });
  await expect(reader.read([{ offset: 0, length: 1 }])).rejects.toBe(changed);
  fails = false;
  await expect(reader.read([{ offset: 0, length: 1 }])).rejects.toBe(changed);
  await expect(reader.verifyUnchanged()).rejects.toBe(changed);
  expect(reads).toEqual([]);
});

test('requests under way: as many as the source can use, as many as are allowed, and at least one', async () => {
  for (const [concurrency, maxInFlight, want] of [
    [3, undefined, 3],
    [3, 2, 2],
    [3, 0, 1],
    [0, undefined, 1],
  ] as const) {
    const { source: held, reads } = createHeldSource(file, concurrency);
    const reader = createByteReader(held, { maxInFlight, gapBytes: 0 });
    const all = reader.read([0, 1000, 2000, 3000, 4000].map((offset) => ({ offset, length: 10 })));
    all.catch(() => undefined);
    await turn();
    expect(reads.length, `${concurrency}, ${maxInFlight}`).toBe(want);
    await reader.close();
    await expect(all).rejects.toThrow(aborted);
  }
});

test('the longest request, the gap and the bytes in memory are as they were given', async () => {
  const { own, reads } = source();
  const reader = createByteReader(own, { maxRangeBytes: 100, gapBytes: 5, budget: createExtentBudget(0) });
  await reader.read([{ offset: 0, length: 250 }]);
  expect(reads.map(([, length]) => length)).toEqual([84, 83, 83]);
  reads.length = 0;
  await reader.read([
    { offset: 1000, length: 10 },
    { offset: 1015, length: 10 },
    { offset: 1031, length: 10 },
  ]);
  expect(reads).toEqual([
    [1000, 25],
    [1031, 10],
  ]);
  expect(reader.holds({ offset: 1000, length: 10 })).toBe(false);
});
