import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBlobSource } from '../../../web/io/blob-source';
import { createBufferSource } from '../../../web/io/buffer-source';
import { createByteReader } from '../../../web/io/fetch/reader';
import { estimateLink } from '../../../web/io/link';
import { openNodeFile } from '../../../web/io/node-file-source';
import type { ByteSource } from '../../../web/io/source';

const bytes = new Uint8Array(5000).map((_, index) => index * 31);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const kinds: [string, () => Promise<ByteSource>][] = [
  ['buffer', async () => createBufferSource(bytes.slice().buffer, 'name')],
  ['blob', async () => createBlobSource(new Blob([bytes]), 'name')],
  ['file', async () => openNodeFile(await fileWith('plain.root'))],
];

describe.each(kinds)('%s', (_kind, open) => {
  test('gives exact ranges, shorter at the end, TRUNCATED from there on', async () => {
    const source = await open();
    expect(source.info().size).toBe(5000);
    expect(await source.read(10, 90)).toEqual(bytes.subarray(10, 100));
    expect(await source.read(4990, 90)).toEqual(bytes.subarray(4990));
    await expect(source.read(5000, 1)).rejects.toMatchObject({ code: 'TRUNCATED' });
    await expect(source.read(-1, 1)).rejects.toMatchObject({ code: 'ARGUMENT' });
    await expect(source.read(0, 1, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
    await source.close?.();
  });
});

test('a Blob that can no longer be read is FILE_CHANGED', async () => {
  const blob = new Blob([bytes]);
  const arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  blob.slice = () => Object.assign(new Blob([bytes]), { arrayBuffer });
  await expect(createBlobSource(blob, 'name').read(0, 10)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('ranges of a Blob that lie far apart come with few reads, and close ones with what lies between', async () => {
  const content = new Uint8Array(12_000_000).map((_, i) => (i * 31) >> 8);
  const source = createBlobSource(new Blob([content]), 'name');
  const reader = createByteReader(source);
  const readsOf = async (count: number, apart: number) => {
    const ranges = Array.from({ length: count }, (_, i) => ({ offset: i * apart, length: 90 }));
    const before = reader.trace.records().length;
    const got = await reader.read(ranges);
    for (const [i, { offset, length }] of ranges.entries())
      expect(Buffer.compare(got[i] as Uint8Array, content.subarray(offset, offset + length))).toBe(0);
    const reads = reader.trace.records().slice(before);
    return { reads: reads.length, asked: reads.reduce((sum, { asked }) => sum + asked, 0) };
  };
  expect(await readsOf(60, 200_000)).toEqual({ reads: 1, asked: 5400 });
  const close = await readsOf(60, 20_000);
  expect(close.reads).toBeLessThan(8);
  expect(close.asked).toBeGreaterThan(1_000_000);
  await reader.close();
});

test('a read of a Blob ends when it is stopped, and its link need not be measured', async () => {
  const source = createBlobSource(new Blob([new Uint8Array(1_000_000)]), 'name');
  const reader = createByteReader(source);
  await reader.read([{ offset: 0, length: 1_000_000 }]);
  expect(estimateLink(reader.trace.records())).toBeUndefined();
  const stop = new AbortController();
  const stopped = source.read(0, 1_000_000, stop.signal);
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });

  const file = createByteReader(await openNodeFile(await fileWith('whole.root')));
  await file.read([{ offset: 0, length: 5000 }]);
  expect(estimateLink(file.trace.records())).toBeUndefined();
  await file.close();
});

describe.each(kinds)('ranges of a %s into one array', (kind, open) => {
  test('come in the given order, close ones with one read of a file', async () => {
    const reader = createByteReader(await open());
    const many = Array.from({ length: 1200 }, (_, i) => ({ offset: 4 * i, length: 1 + (i % 3) }));
    // Not ascending, next to each other, one twice, and overlapping.
    const few = [
      { offset: 4000, length: 1000 },
      { offset: 10, length: 5 },
      { offset: 15, length: 100 },
      { offset: 10, length: 5 },
      { offset: 0, length: 4500 },
    ];
    for (const ranges of [few, many, many.toReversed(), []]) {
      const wanted = Buffer.concat(
        ranges.map(({ offset, length }) => bytes.subarray(offset, offset + length)),
      );
      const into = new Uint8Array(wanted.length);
      const before = reader.trace.records().length;
      await reader.fill(ranges, into);
      expect(Buffer.compare(into, wanted)).toBe(0);
      const reads = reader.trace.records().slice(before);
      if (kind === 'file' && ranges.length === many.length) {
        expect(reads.length).toBeLessThan(5);
        expect(reads.reduce((sum, { wanted: own }) => sum + own, 0)).toBe(wanted.length);
      }
    }
    const beyond = reader.fill([{ offset: 4990, length: 20 }], new Uint8Array(20));
    await expect(beyond).rejects.toMatchObject({ code: 'TRUNCATED' });
    await reader.close();
    await expect(reader.fill([{ offset: 0, length: 1 }], new Uint8Array(1))).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});

test('a file that grows or is touched after opening is FILE_CHANGED', async () => {
  const grown = await fileWith('grown.root');
  const source = await openNodeFile(grown);
  await source.read(0, 10);
  await appendFile(grown, 'more');
  await expect(source.read(0, 10)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  const range = { offset: 0, length: 10, parts: [new Uint8Array(10)] };
  await expect(source.readInto?.([range])).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await source.close?.();

  const touched = await fileWith('touched.root');
  const second = await openNodeFile(touched);
  await utimes(touched, new Date(0), new Date(0));
  await expect(second.read(0, 10)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await second.close?.();
  await expect(second.read(0, 10)).rejects.toMatchObject({ code: 'IO' });
});

test('a path that is not a file gives an error that says so', async () => {
  await expect(openNodeFile(join(folder, 'none.root'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('no such file'),
  });
  await expect(openNodeFile(folder)).rejects.toMatchObject({
    code: 'ARGUMENT',
    message: expect.stringContaining('a folder'),
  });
});

describe('a file within a file', () => {
  test('is read from where it begins, and its bytes are those of the file alone', async () => {
    const { bufferSpec, fixtureBytes, makeEngine } = await import('../../engine/fixtures');
    const bytes = fixtureBytes('leaves');
    const outer = new Uint8Array(1000 + bytes.length + 77).fill(0xee);
    outer.set(bytes, 1000);
    const engine = await makeEngine();
    const alone = await engine.open(bufferSpec('leaves', bytes));
    const within = await engine.open({
      kind: 'within',
      outer: { kind: 'buffer', name: 'outer.bin', buffer: outer.buffer },
      offset: 1000,
    });
    expect(within.name).toBe('outer.bin@1000');
    expect(await engine.keys(within.id)).toEqual(await engine.keys(alone.id));
    const request = { tree: 't', branches: ['leaf_I', 'leaf_C'] };
    expect(await engine.arrays(within.id, request)).toEqual(await engine.arrays(alone.id, request));
    const wrong = { kind: 'buffer' as const, name: 'outer.bin', buffer: outer.buffer };
    await expect(engine.open({ kind: 'within', outer: wrong, offset: -1 })).rejects.toMatchObject({
      code: 'ARGUMENT',
    });
    await expect(engine.open({ kind: 'within', outer: wrong, offset: 3 })).rejects.toMatchObject({
      code: 'NOT_ROOT',
    });
  });
});
