import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceSpec, TreeLayout } from '../../../web/api/api';
import type { EngineApi, WalkedRecords } from '../../../web/api/engine-api';
import { sortedOrder } from '../../../web/base/sort';
import {
  bytesByKind,
  type FileMap,
  fileMap,
  segmentAt,
  segmentKinds,
  segmentName,
} from '../../../web/features/map/work/map';
import { type MapResult, readMap } from '../../../web/features/map/work/read-map';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../../engine/fixtures';
import { openReader } from '../../engine-reader';
import { lacks } from '../../needs';

/** Every byte is in exactly one segment. */
function expectWhole(map: FileMap): void {
  expect(map.start[0]).toBe(0);
  expect(map.start[map.count]).toBe(map.size);
  for (let i = 0; i < map.count; i++) {
    if (!((map.start[i + 1] ?? 0) > (map.start[i] ?? 0)))
      throw new Error(`segment ${i} is empty or runs back`);
  }
  expect(bytesByKind(map).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(map.size);
}

async function mapOf(reader: EngineApi, source: SourceSpec, walk: boolean): Promise<MapResult> {
  const { id } = await reader.open(source);
  try {
    return await readMap(reader, id, { walk });
  } finally {
    await reader.close(id);
  }
}

const unknownBytes = (map: FileMap): number =>
  bytesByKind(map).find(({ kind }) => kind === 'unknown')?.bytes ?? 0;

describe('every byte of a fixture has its place', () => {
  const whole = ['.', 'page'].flatMap((folder) =>
    readdirSync(join(fixtureFolder, folder))
      .filter((name) => name.endsWith('.root'))
      .map((name) => join(folder, name)),
  );
  test.each(whole)('%s', async (name) => {
    const reader = await makeEngine();
    const bytes = fixtureBytes(name.replace('.root', ''));
    const plain = await mapOf(reader, bufferSpec(name, bytes), false);
    expectWhole(plain.map);
    const { map, notes } = await mapOf(reader, bufferSpec(name, bytes), true);
    expectWhole(map);
    expect(map.size).toBe(bytes.length);
    expect(notes).toEqual([]);
    expect(map.overlaps).toEqual([]);
    expect(unknownBytes(map)).toBe(0);
  });

  const damaged = readdirSync(join(fixtureFolder, 'damaged')).filter((name) => name.endsWith('.root'));
  test.each(damaged)('damaged/%s, or it says what it does not know', async (name) => {
    const reader = await makeEngine();
    const bytes = fixtureBytes(`damaged/${name.replace('.root', '')}`);
    const result = await mapOf(reader, bufferSpec(name, bytes), true).catch((thrown: unknown) => thrown);
    if (result instanceof Error) return;
    const { map, notes } = result as MapResult;
    expectWhole(map);
    if (unknownBytes(map) > 0) expect(notes.join()).toMatch(/walk ended|not on the map|free space/);
  });
});

const corpus = process.env.XYLEM_CORPUS ?? '';
describe.skipIf(lacks('the files of XYLEM_CORPUS', existsSync(corpus)))(
  'every byte of a file of the corpus has its place',
  () => {
    const files = existsSync(corpus)
      ? readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.root'))
      : [];
    // Zeros follow its list of keys, and its free list is longer than the size of the file in the header.
    const damaged: Record<string, number> = { 'skhep/uproot-issue261.root': 22 };
    test.each(files)('%s', { timeout: 60_000 }, async (name) => {
      const reader = await openReader({ workers: 0 });
      const path = resolve(corpus, name);
      const { map, notes } = await mapOf(reader, { kind: 'path', path }, true);
      expectWhole(map);
      expect(map.size).toBe(statSync(path).size);
      expect(unknownBytes(map)).toBe(damaged[name] ?? 0);
      expect(map.overlaps).toHaveLength(name in damaged ? 1 : 0);
      if (name in damaged) expect(notes.join()).toMatch(/walk ended/);
    });
  },
);

/** A tree of one branch with baskets at these places. */
function layoutOf(places: [offset: number, bytes: number][]): TreeLayout {
  const count = places.length;
  const branch = { index: 0, parent: -1, depth: 0, path: 'x', name: 'x', title: '', typeName: 'int' };
  const sizes = { entries: count, totalBytes: 0, storedBytes: 0 };
  return {
    tree: {
      ...{ path: 't', name: 't', title: '', kind: 'TTree', className: 'TTree', ...sizes },
      branches: [{ ...branch, ...sizes, kind: 'number', baskets: count }],
    },
    record: { offset: 0, length: 0, objectBytes: 0 },
    parts: [],
    basketStart: Uint32Array.of(0, count),
    offset: Float64Array.from(places, ([offset]) => offset),
    storedBytes: Float64Array.from(places, ([, bytes]) => bytes),
    firstEntry: Float64Array.from(places, (_, i) => i),
    entries: new Float64Array(count).fill(1),
    exact: Uint8Array.of(1),
    clusterStart: Float64Array.of(0),
    trueStart: Float64Array.of(0),
    autoFlush: 1,
    autoSave: 0,
    flushedBytes: 0,
    compress: Int32Array.of(1),
    basketSize: Float64Array.of(32000),
  };
}

const noRecords = (size: number) => ({ size, end: size, records: [], notes: [] });

test('baskets that claim the same bytes are named, and those that are one are not', () => {
  const layout = layoutOf([
    [10, 20],
    [25, 10],
    [40, 10],
    [40, 10],
  ]);
  const map = fileMap({ records: noRecords(60), layouts: [layout] });
  expectWhole(map);
  expect(map.overlaps).toEqual([{ offset: 25, length: 5, shown: 'basket 0 of x', hidden: 'basket 1 of x' }]);
  expect(segmentName(map, segmentAt(map, 31))).toBe('basket 1 of x');
  expect(segmentName(map, segmentAt(map, 59))).toBe('unknown');
});

test('whatever claims what, the map is whole and each basket is found where it lies', () => {
  const places = fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 40 })));
  fc.assert(
    fc.property(places, places, fc.integer({ min: 1, max: 100 }), (baskets, records, size) => {
      const walked: WalkedRecords = {
        offset: Float64Array.from(records, ([offset]) => offset),
        length: Float64Array.from(records, ([, length]) => length),
        keyBytes: new Float64Array(records.length),
        objectBytes: new Float64Array(records.length),
        className: new Uint32Array(records.length),
        name: new Uint32Array(records.length),
        title: new Uint32Array(records.length),
        texts: ['RBlob'],
        stopped: [],
      };
      const layouts = [layoutOf(baskets)];
      const map = fileMap({ records: noRecords(size), layouts, walked });
      expectWhole(map);
      const owner = (byte: number) => segmentKinds[map.kind[segmentAt(map, byte)] ?? 0];
      for (let byte = 0; byte < size; byte++) {
        const inBasket = baskets.some(([at, bytes]) => byte >= at && byte < at + bytes);
        const inRecord = records.some(([at, bytes]) => byte >= at && byte < at + bytes);
        expect(owner(byte)).toBe(inBasket ? 'basket' : inRecord ? 'blob' : 'unknown');
      }
    }),
  );
});

test('records of any class have a kind, also of one that is called as what all objects have', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'TH1F', 'TBasket'];
  const column = (values: number[]) => Float64Array.from(names, (_, i) => values[i] ?? 10);
  const walked: WalkedRecords = {
    offset: Float64Array.from(names, (_, i) => 10 * i),
    length: column([]),
    keyBytes: column([]),
    objectBytes: column([]),
    className: Uint32Array.from(names.keys()),
    name: new Uint32Array(names.length),
    title: new Uint32Array(names.length),
    texts: names,
    stopped: [],
  };
  const map = fileMap({ records: noRecords(60), layouts: [], walked });
  expectWhole(map);
  expect(bytesByKind(map).map(({ kind, bytes }) => [kind, bytes])).toEqual([
    ['object', 50],
    ['basket', 10],
  ]);
});

test('numbers are sorted as a comparison sorts them, and equal ones stay in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(9), fc.maxSafeNat())), (values) => {
      const expected = values
        .map((value, i) => ({ value, i }))
        .sort((a, b) => a.value - b.value || a.i - b.i);
      expect(Array.from(sortedOrder(Float64Array.from(values)))).toEqual(expected.map(({ i }) => i));
    }),
  );
});
