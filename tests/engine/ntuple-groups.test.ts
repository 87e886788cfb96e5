import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EntrySelection, FileId } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { Core } from '../../web/core/core';
import { createBufferSource } from '../../web/io/buffer-source';
import { createByteReader } from '../../web/io/fetch/reader';
import { createTrace, type ReadRecord } from '../../web/io/trace';
import { RootFile } from '../../web/model/root-file';
import { readBranches } from '../../web/pass/read-branches';
import { runTask } from '../../web/pass/task';
import type { TaskRunner } from '../../web/pass/types';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine, readGolden } from './fixtures';

// Made by fixtures/make_groups.py: eight cluster groups of 500 entries, each with a page list of its own.
const name = 'ntuple/groups';
const GROUPS = 8;
const ENTRIES = 500;
const bytes = fixtureBytes(name);

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => (from + i) / 2);
const hits = (from: number, to: number): number[][] =>
  Array.from({ length: to - from }, (_, i) => {
    const entry = from + i;
    return Array.from({ length: (7 * entry) % 129 }, (_, k) => (entry + k) % 7);
  });

describe('page lists of an RNTuple with several cluster groups', () => {
  let reader: EngineApi;
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
    const [result] = await reader.arrays(id, { tree: 'n', branches: [branch], entries });
    if (!result?.column) throw new Error(result?.error?.message);
    return canonicalRows(result.column);
  }

  test('are read of the groups that hold the entries asked for, in any order, and once', async () => {
    expect(await read('number', [2010, 2020])).toEqual(numbers(2010, 2020));
    const one = await listBytes();
    expect(one).toBeGreaterThan(0);
    expect(await read('hits', [2100, 2102])).toEqual(hits(2100, 2102));
    expect(await listBytes()).toBe(one);
    expect(await read('number', [490, 510])).toEqual(numbers(490, 510));
    const three = await listBytes();
    expect(three).toBeGreaterThan(2.5 * one);
    expect(three).toBeLessThan(4 * one);
    expect(await read('number')).toEqual(numbers(0, GROUPS * ENTRIES));
    expect(await read('hits')).toEqual(hits(0, GROUPS * ENTRIES));
    expect(await listBytes()).toBeGreaterThan((GROUPS - 0.5) * one);
  });

  test('that a sample or a list of entries does not touch are not read', async () => {
    expect(await read('number', Float64Array.of(3, 3999))).toEqual([1.5, 1999.5]);
    const two = await listBytes();
    expect(await read('number', [3, 4])).toEqual([1.5]);
    expect(await listBytes()).toBe(two);
    expect(await read('number', [700, 700])).toEqual([]);
    expect(await listBytes()).toBe(two);
  });

  test('are all read for results about all entries: sizes and places', async () => {
    await read('number', [3999, 4000]);
    const info = await reader.tree(id, 'n');
    const layout = await reader.layout(id, 'n');
    expect(info.branches.reduce((sum, { depth, baskets }) => sum + (depth === 0 ? baskets : 0), 0)).toBe(
      layout.offset.length,
    );
    expect(layout.parts.filter((part) => part.name.startsWith('page list'))).toHaveLength(GROUPS);
    expect([...layout.clusterStart]).toEqual([0, 500, 1000, 1100, 1500, 2000, 2500, 3000, 3500]);
    const [numberField] = info.branches;
    expect(numberField?.totalBytes).toBe(4 * GROUPS * ENTRIES);
  });

  test('cost no round trip more where they lie at the end, and one for all groups where they do not', async () => {
    await reader.draw(id, { tree: 'n', branch: 'number', entries: [3900, 4000] });
    expect((await reader.traceSummary(id)).roundTrips).toBeLessThanOrEqual(3);
    await reader.close(id);
    id = (await reader.open(bufferSpec(name, bytes))).id;
    const all = await reader.draw(id, { tree: 'n', branch: 'number' });
    expect(all).toMatchObject({ fills: GROUPS * ENTRIES, max: [1999.5] });
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
    expect(await read('number', [1500, 4000])).toEqual(numbers(1500, 4000));
    const [failed] = await reader.arrays(id, { tree: 'n', branches: ['number'], entries: [1490, 1510] });
    expect(failed?.error).toMatchObject({ code: 'CHECKSUM' });
    expect(await read('number', [0, 1000])).toEqual(numbers(0, 1000));
  });
});

describe('a range of entries within a cluster', () => {
  let reader: EngineApi;
  let id: FileId;

  beforeEach(async () => {
    // The cost of a round trip is measured only for networks, not for a disk.
    reader = await makeEngine((source) => ({ ...source, origin: 'disk', info: () => ({}) }));
    id = (await reader.open(bufferSpec(name, bytes))).id;
  });

  afterEach(() => reader.close(id));

  /** Bytes of values that were wanted, from wherever they came. */
  async function valueBytes(): Promise<number> {
    const records = await reader.trace(id);
    return records
      .filter(({ purpose, origin }) => purpose === 'hits' && origin !== 'decode')
      .reduce((sum, { wanted }) => sum + wanted, 0);
  }

  // In the last range the list is empty.
  test.each([
    [500, 501],
    [600, 610],
    [999, 1000],
    [2050, 2150],
    [990, 1010],
    [129 * 12, 129 * 12 + 1],
  ])('%i:%i takes the pages that hold its elements', async (from, to) => {
    const [result] = await reader.arrays(id, { tree: 'n', branches: ['hits'], entries: [from, to] });
    expect(result?.column && canonicalRows(result.column)).toEqual(hits(from, to));
    const own = 4 * hits(from, to).flat().length;
    const got = await valueBytes();
    expect(got).toBeGreaterThan(own);
    // Pages of 2 kB: at most one more at each end, of values and of offsets, in each of two clusters.
    expect(got).toBeLessThanOrEqual(own + (own / 2048) * 8 + 4 * 2 * 2056);
  });

  test('is read so by queries too', async () => {
    const drawn = await reader.draw(id, { tree: 'n', expr: 'hits', entries: [600, 610] });
    expect(drawn).toMatchObject({ kind: 'histogram', entries: 10 });
    expect(await valueBytes()).toBeLessThan(16_000);
  });
});

test.each(['ntuple_fields', 'ntuple_fields_stored', 'ntuple_late', 'ntuple_representations'])(
  'values of %s are the same where offsets are read before',
  async (fixture) => {
    const core = await Core.create(await WebAssembly.compile(readFileSync('build/xylem.wasm')));
    // A link on which a round trip is worth nothing.
    const link: ReadRecord = {
      ...{ offset: 0, wanted: 65_536, asked: 65_536, got: 65_536, origin: 'network', purpose: 'head' },
      ...{ queued: 0, started: 0, answered: 0, done: 1 },
    };
    const trace = createTrace();
    const reads: ReadRecord[] = [];
    const source = createBufferSource(fixtureBytes(fixture).slice().buffer, fixture);
    const file = await RootFile.open(
      core,
      createByteReader(source, {
        trace: { ...trace, add: (read) => reads.push(read), records: () => [link] },
      }),
    );
    const tree = await file.tree('n');
    const runner: TaskRunner = {
      concurrency: 1,
      readsFiles: false,
      run: (task) => runTask(core, task),
      encode: () => Promise.reject(new Error('nothing is written here')),
      makeBaskets: () => Promise.reject(new Error('nothing is written here')),
    };
    const golden = readGolden(fixture).trees.n?.branches ?? {};
    const paths = Object.keys(golden);
    for (const [from, to] of [
      [1, 2],
      [7, 9],
      [12, 14],
      [17, 18],
      [44, 60],
    ] as const) {
      const request = { tree: 'n', branches: paths, entries: [from, to] as [number, number] };
      const results = await readBranches(tree, runner, request, {});
      for (const [i, path] of paths.entries()) {
        const { column, error } = results[i] ?? {};
        const rows = column && canonicalRows(column);
        expect(rows, `${path} ${from}:${to} ${error?.message}`).toEqual(
          golden[path]?.values?.slice(from, to),
        );
      }
    }
    expect(reads.filter(({ purpose }) => purpose.endsWith('offsets')).length).toBeGreaterThan(0);
    await file.close();
  },
);
