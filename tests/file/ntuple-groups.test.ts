import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EntrySelection, FileId, ReaderApi } from '../../web/file/api';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from './fixtures';

// Made by fixtures/make_groups.py: eight cluster groups of 250 entries, each with a page list of its own.
const name = 'ntuple_groups';
const GROUPS = 8;
const ENTRIES = 250;
const bytes = fixtureBytes(name);

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => (from + i) / 2);
const hits = (from: number, to: number): number[][] =>
  Array.from({ length: to - from }, (_, i) => {
    const entry = from + i;
    return Array.from({ length: (7 * entry) % 129 }, (_, k) => (entry + k) % 7);
  });

describe('page lists of an RNTuple with several cluster groups', () => {
  let reader: ReaderApi;
  let id: FileId;

  beforeEach(async () => {
    // As over a network: nothing is known of the file but what was read.
    reader = await makeEngine((source) => ({ ...source, origin: 'network', info: () => ({}) }));
    id = (await reader.open(bufferSpec(name, bytes))).id;
  });

  afterEach(() => reader.close(id));

  /** Wanted bytes of all page lists that were read so far. */
  async function listBytes(): Promise<number> {
    const records = await reader.trace(id);
    return records
      .filter(({ purpose, origin }) => purpose.endsWith('page lists') && origin !== 'decode')
      .reduce((sum, { wanted }) => sum + wanted, 0);
  }

  async function read(branch: string, entries?: EntrySelection): Promise<unknown[]> {
    const [result] = await reader.read(id, { tree: 'n', branches: [branch], entries });
    if (!result?.column) throw new Error(result?.error?.message);
    return canonicalRows(result.column);
  }

  test('are read of the groups that hold the entries asked for, in any order, and once', async () => {
    expect(await read('number', [1010, 1020])).toEqual(numbers(1010, 1020));
    const one = await listBytes();
    expect(one).toBeGreaterThan(0);
    expect(await read('hits', [1100, 1102])).toEqual(hits(1100, 1102));
    expect(await listBytes()).toBe(one);
    expect(await read('number', [240, 260])).toEqual(numbers(240, 260));
    const three = await listBytes();
    expect(three).toBeGreaterThan(2.5 * one);
    expect(three).toBeLessThan(4 * one);
    expect(await read('number')).toEqual(numbers(0, GROUPS * ENTRIES));
    expect(await read('hits')).toEqual(hits(0, GROUPS * ENTRIES));
    expect(await listBytes()).toBeGreaterThan((GROUPS - 0.5) * one);
  });

  test('that a sample or a list of entries does not touch are not read', async () => {
    expect(await read('number', Float64Array.of(3, 1999))).toEqual([1.5, 999.5]);
    const two = await listBytes();
    expect(await read('number', [3, 4])).toEqual([1.5]);
    expect(await listBytes()).toBe(two);
    expect(await read('number', [700, 700])).toEqual([]);
    expect(await listBytes()).toBe(two);
  });

  test('are all read for what tells of all entries: sizes and places', async () => {
    await read('number', [1999, 2000]);
    const info = await reader.tree(id, 'n');
    const layout = await reader.layout(id, 'n');
    expect(info.branches.reduce((sum, { depth, baskets }) => sum + (depth === 0 ? baskets : 0), 0)).toBe(
      layout.offset.length,
    );
    expect(layout.parts.filter((part) => part.name.startsWith('page list'))).toHaveLength(GROUPS);
    expect([...layout.clusterStart]).toEqual([0, 250, 500, 600, 750, 1000, 1250, 1500, 1750]);
    const [numberField] = info.branches;
    expect(numberField?.totalBytes).toBe(4 * GROUPS * ENTRIES);
  });

  test('cost no round trip more where they lie at the end, and one for all groups where they do not', async () => {
    await reader.draw(id, { tree: 'n', branch: 'number', entries: [1900, 2000] });
    expect((await reader.traceSummary(id)).roundTrips).toBeLessThanOrEqual(3);
    await reader.close(id);
    id = (await reader.open(bufferSpec(name, bytes))).id;
    const all = await reader.draw(id, { tree: 'n', branch: 'number' });
    expect(all).toMatchObject({ values: GROUPS * ENTRIES, max: 999.5 });
    expect((await reader.traceSummary(id)).roundTrips).toBeLessThanOrEqual(4);
  });

  test('that are damaged keep only their own entries from being read', async () => {
    const { parts } = await reader.layout(id, 'n');
    const list = parts.find((part) => part.name === 'page list 2');
    const hurt = bytes.slice();
    const at = (list?.offset ?? 0) + 40;
    hurt[at] = (hurt[at] ?? 0) ^ 1;
    await reader.close(id);
    id = (await reader.open(bufferSpec(name, hurt))).id;
    expect(await read('number', [750, 2000])).toEqual(numbers(750, 2000));
    const [failed] = await reader.read(id, { tree: 'n', branches: ['number'], entries: [740, 760] });
    expect(failed?.error).toMatchObject({ code: 'CHECKSUM' });
    expect(await read('number', [0, 500])).toEqual(numbers(0, 500));
  });
});
