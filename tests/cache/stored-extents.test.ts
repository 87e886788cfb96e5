import { expect, test } from 'vitest';
import {
  type ExtentStore,
  eachPiece,
  openStoredExtents,
  type Pack,
  packName,
} from '../../web/cache/extent-store';
import type { StoredFileId } from '../../web/io/stored';

const FILE: StoredFileId = { key: 'k', name: 'a.root' } as StoredFileId;
const range = (offset: number, length: number) => ({ offset, length });
/** The byte of the file at an offset. */
const byteAt = (offset: number) => (offset * 7) % 251;
const bytesOf = (offset: number, length: number) => Uint8Array.from({ length }, (_, i) => byteAt(offset + i));

/** A store in memory that counts what is asked of it. */
function memoryStore(packs: Pack[], folder?: string) {
  const asked: Pack[] = [];
  const put: { pack: Pack; bytes: number[] }[] = [];
  const gone = new Set<Pack>();
  const store = {
    list: async () => packs,
    get: async (_file: StoredFileId, pack: Pack) => {
      asked.push(pack);
      if (gone.has(pack)) return undefined;
      return Uint8Array.from(pack.flatMap(({ offset, length }) => [...bytesOf(offset, length)]));
    },
    put: async (_file: StoredFileId, pack: Pack, bytes: readonly Uint8Array[]) => {
      put.push({ pack, bytes: bytes.flatMap((part) => [...part]) });
    },
    ...(folder !== undefined && { folderOf: () => folder }),
  } as unknown as ExtentStore;
  return { store, asked, put, gone };
}

test('found are the stored ranges that have bytes of those that are wanted', async () => {
  const { store } = memoryStore([[range(10, 10), range(40, 10)], [range(60, 5)]]);
  const extents = await openStoredExtents(store, FILE);
  const find = (...wanted: [number, number][]) =>
    extents.find(wanted.map(([offset, length]) => range(offset, length))).map(({ offset }) => offset);
  expect(find([0, 100])).toEqual([10, 40, 60]);
  expect(find([0, 10], [20, 20], [50, 10], [65, 5])).toEqual([]);
  expect(find([0, 11])).toEqual([10]);
  expect(find([19, 1])).toEqual([10]);
  expect(find([19, 22])).toEqual([10, 40]);
  expect(find([15, 1], [45, 1], [64, 1])).toEqual([10, 40, 60]);
  expect(find([64, 1])).toEqual([60]);
  expect(find()).toEqual([]);
});

test('a range is loaded from its place in its pack, and the pack is read once', async () => {
  const { store, asked } = memoryStore([[range(10, 10), range(40, 3)], [range(60, 5)]]);
  const extents = await openStoredExtents(store, FILE);
  expect(await extents.load(range(40, 3))).toEqual(bytesOf(40, 3));
  expect(await extents.load(range(10, 10))).toEqual(bytesOf(10, 10));
  expect(asked.length).toBe(1);
  expect(await extents.load(range(60, 5))).toEqual(bytesOf(60, 5));
  expect(asked.length).toBe(2);
  // Only a range that is stored as it is.
  for (const [offset, length] of [
    [10, 9],
    [11, 9],
    [10, 11],
    [70, 1],
    [0, 1],
  ] as const)
    expect(await extents.load(range(offset, length))).toBeUndefined();
});

test('eight packs stay at hand, those that were used last', async () => {
  const packs = Array.from({ length: 10 }, (_, i) => [range(10 * i, 5)]);
  const { store, asked } = memoryStore(packs);
  const extents = await openStoredExtents(store, FILE);
  const load = (i: number) => extents.load(range(10 * i, 5));
  for (let i = 0; i < 8; i++) await load(i);
  await load(0);
  expect(asked.length).toBe(8);
  await load(8); // 1 goes
  expect(asked.length).toBe(9);
  for (const i of [0, 2, 3, 4, 5, 6, 7, 8]) await load(i);
  expect(asked.length).toBe(9);
  await load(1);
  expect(asked.length).toBe(10);
});

test('all ranges of a missing pack are dropped', async () => {
  const packs = [[range(10, 10), range(40, 10)], [range(30, 5)]];
  const { store, gone, asked } = memoryStore(packs);
  const extents = await openStoredExtents(store, FILE);
  gone.add(packs[0] as Pack);
  expect(await extents.load(range(40, 10))).toBeUndefined();
  expect(extents.find([range(0, 100)])).toEqual([range(30, 5)]);
  expect(await extents.load(range(10, 10))).toBeUndefined();
  expect(asked.length).toBe(1);
  expect(await extents.load(range(30, 5))).toEqual(bytesOf(30, 5));
});

test('of packs that overlap, ranges within others are left out', async () => {
  const { store } = memoryStore([
    [range(10, 10)],
    [range(12, 5), range(15, 10)],
    [range(10, 12)],
    [range(10, 4)],
    [range(40, 5)],
    [range(39, 8)],
    [range(40, 7)],
  ]);
  const extents = await openStoredExtents(store, FILE);
  expect(extents.find([range(0, 100)])).toEqual([range(10, 12), range(15, 10), range(39, 8)]);
});

test('extents that arrive in one turn become one pack, ordered by offset; stored ones are not written again', async () => {
  const { store, put } = memoryStore([[range(10, 10)]]);
  const extents = await openStoredExtents(store, FILE);
  const save = (offset: number, length: number) => extents.save(offset, bytesOf(offset, length));
  save(50, 5);
  save(30, 4);
  save(10, 10);
  save(10, 5);
  save(15, 5);
  await Promise.resolve();
  await extents.flush();
  expect(put).toEqual([
    { pack: [range(30, 4), range(50, 5)], bytes: [...bytesOf(30, 4), ...bytesOf(50, 5)] },
  ]);
  expect(extents.find([range(0, 100)])).toEqual([range(10, 10), range(30, 4), range(50, 5)]);
  save(10, 11);
  save(15, 7);
  await Promise.resolve();
  await extents.flush();
  expect(put.length).toBe(2);
  expect(put[1]?.pack).toEqual([range(10, 11), range(15, 7)]);
});

test('a pack has a thousand ranges at most', async () => {
  const { store, put } = memoryStore([]);
  const extents = await openStoredExtents(store, FILE);
  for (let i = 0; i < 1500; i++) extents.save(10 * i, bytesOf(10 * i, 1));
  await Promise.resolve();
  await extents.flush();
  expect(put.map(({ pack }) => pack.length)).toEqual([1000, 500]);
});

test('no more than 256 MB wait to be written', async () => {
  const { store, put } = memoryStore([]);
  const extents = await openStoredExtents(
    { ...store, put: async (_file, pack) => void put.push({ pack, bytes: [] }) },
    FILE,
  );
  const quarter = new Uint8Array(64 * 1024 * 1024);
  for (let i = 0; i < 5; i++) extents.save(i * quarter.length, quarter);
  extents.save(1e12, new Uint8Array(1));
  await Promise.resolve();
  await extents.flush();
  expect(put.map(({ pack }) => pack.length)).toEqual([4]);
  // Once they are written there is room again.
  extents.save(1e12, new Uint8Array(1));
  await Promise.resolve();
  await extents.flush();
  expect(put[1]?.pack).toEqual([range(1e12, 1)]);
});

test('packs of a folder are read in place where all bytes of a range are stored', async () => {
  const packs = [[range(10, 10), range(40, 3)], [range(20, 5)]];
  const extents = await openStoredExtents(memoryStore(packs, '/cache/k').store, FILE);
  const direct = extents.direct;
  expect(direct?.file).toEqual({
    folder: '/cache/k',
    key: 'k',
    packs: packs.map((pack) => ({
      name: packName(pack),
      ranges: Float64Array.from(pack.flatMap(({ offset, length }) => [offset, length])),
    })),
    extents: Float64Array.of(10, 10, 0, 0, 20, 5, 1, 0, 40, 3, 0, 10),
  });
  expect(direct?.has(range(12, 13))).toBe(true);
  expect(direct?.has(range(12, 14))).toBe(false);
  expect(direct?.has(range(9, 2))).toBe(false);
  expect((await openStoredExtents(memoryStore(packs).store, FILE)).direct).toBeUndefined();
  expect((await openStoredExtents(memoryStore([], '/cache/k').store, FILE)).direct).toBeUndefined();
});

test('the name of a pack gives its start, its bytes, and its ranges when there are several', () => {
  expect(packName([range(900, 5)])).toBe('900-5');
  expect(packName([])).toBe('0-0');
  const two = packName([range(900, 5), range(1000, 7)]);
  expect(two).toMatch(/^900-12-2-[0-9a-f]+$/);
  expect(packName([range(900, 5), range(1001, 7)])).not.toBe(two);
  expect(packName([range(900, 7), range(1000, 5)])).not.toBe(two);
});

test('a range is found in the extents that have its bytes, up to the first gap', () => {
  // Offset, length, pack, place: 10 to 20, 18 to 30 and 40 to 50.
  const extents = Float64Array.of(10, 10, 0, 0, 18, 12, 1, 5, 40, 10, 2, 0);
  const find = (offset: number, length: number) => {
    const found: number[][] = [];
    const there = eachPiece(extents, offset, length, (...piece) => found.push(piece));
    return { there, found };
  };
  expect(find(12, 4)).toEqual({ there: 4, found: [[0, 2, 4]] });
  expect(find(15, 10)).toEqual({
    there: 10,
    found: [
      [0, 5, 5],
      [1, 7, 5],
    ],
  });
  expect(find(25, 20)).toEqual({ there: 5, found: [[1, 12, 5]] });
  expect(find(5, 8)).toEqual({ there: 0, found: [] });
  expect(find(50, 1)).toEqual({ there: 0, found: [] });
  expect(find(20, 1)).toEqual({ there: 1, found: [[1, 7, 1]] });
  expect(find(30, 10)).toEqual({ there: 0, found: [] });
  expect(find(49, 9)).toEqual({ there: 1, found: [[2, 9, 1]] });
  expect(find(12, 0)).toEqual({ there: 0, found: [] });
});
