import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineOf } from '../../../../web/api/engine-api';
import type { EngineReader } from '../../../../web/api/reader';
import { DTYPES, makeArray } from '../../../../web/core/dtypes';
import { type ColumnValues, memorySink, openRoot, type RootHandle, writeRoot } from '../../../../web/node';
import { fixtureFolder } from '../../../engine/fixtures';
import { openReader } from '../../../engine-reader';
import { lacks } from '../../../needs';
import { oraclePython } from '../../../oracle';
import { partsOf, tables } from './random-columns';

const folder = mkdtempSync(join(tmpdir(), 'xylem-new-trees-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Columns = Record<string, ColumnValues>;
const options = { workers: 0 };

/** Writes parts as a tree `dir/t`, and opens the file. */
async function written(
  parts: readonly Columns[],
  tree: Parameters<Parameters<Parameters<typeof writeRoot>[1]>[0]['tree']>[1] = {},
  codec?: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; file: RootHandle }> {
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      const made = await file.tree('dir/t', tree);
      for (const part of parts) await made.append(part);
    },
    { codec, reproducible: true },
  );
  return { bytes: sink.bytes(), file: await openRoot(sink.bytes(), options) };
}

async function readBack(file: RootHandle): Promise<Record<string, unknown[]>> {
  const tree = await file.tree('dir/t');
  return Object.fromEntries(Object.entries(await tree.arrays()).map(([name, rows]) => [name, [...rows]]));
}

describe('trees of columns', () => {
  test('columns of random types are read as they were written', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ types, rows, cuts, clusterBytes, codec }) => {
        const { names, parts } = partsOf(types, rows, cuts);
        const { file } = await written(parts, { types, clusterBytes }, codec);
        try {
          const found = await readBack(file);
          for (const [i, name] of names.entries()) expect(found[name]).toEqual(rows.map((row) => row[i]));
          const tree = await file.tree('dir/t');
          const check = await engineOf(file.reader).layout(file.info.id, 'dir/t');
          expect(tree.info.entries).toBe(rows.length);
          expect(check.tree.partial).toBeUndefined();
        } finally {
          await file.close();
        }
      }),
      { numRuns: 40, seed: 20 },
    );
  });

  test('typed arrays, objects and columns that were read', async () => {
    const columns: Columns = {
      ...Object.fromEntries(
        DTYPES.filter((dtype) => dtype !== 'bool').map((dtype) => {
          const data = makeArray(dtype, 3);
          data.set((dtype.endsWith('64') && dtype !== 'f64' ? [1n, 0n, 7n] : [1, 0, 7]) as never);
          return [dtype, data];
        }),
      ),
      jets: [
        [],
        [{ pt: 1.5, ids: [1] }],
        [
          { pt: 2, ids: [] },
          { pt: 3, ids: [2, 3] },
        ],
      ],
      vertex: [1, 2, 3].map((x) => ({ x, name: `v${x}`, hit: x > 1 })),
      pt: [new Float32Array([1.5, 2]), new Float32Array(), new Float32Array([3])],
    };
    const { file } = await written([columns]);
    const found = await readBack(file);
    expect(found.i64).toEqual([1n, 0n, 7n]);
    expect(found.f32).toEqual([1, 0, 7]);
    expect(found['jets.pt']).toEqual([[], [1.5], [2, 3]]);
    expect(found['jets.ids']).toEqual([[], [[1]], [[], [2, 3]]]);
    expect(found.njets).toEqual([0, 1, 2]);
    expect(found['vertex.name']).toEqual(['v1', 'v2', 'v3']);
    expect(found['vertex.hit']).toEqual([false, true, true]);
    expect(found.pt).toEqual([[1.5, 2], [], [3]]);
    const empty = { ...columns, jets: [[], [], []], pt: [[], [], []] };
    const twice = await written([columns, empty]);
    expect((await readBack(twice.file)).pt).toEqual([...(found.pt as unknown[]), [], [], []]);
    await twice.file.close();
    const again = await written([await (await file.tree('dir/t')).arrays(['pt', 'jets.ids', 'vertex.name'])]);
    expect(await readBack(again.file)).toMatchObject({ pt: found.pt, 'jets.ids': found['jets.ids'] });
    await file.close();
    await again.file.close();
  });

  test('values that may be missing are lists of one or none', async () => {
    const child = { kind: 'primitive', length: 4, dtype: 'i32', data: Int32Array.of(1, 9, 2, 3) } as const;
    const validity = Uint8Array.of(1, 0, 1, 1);
    const { file } = await written([{ x: { kind: 'optional', length: 4, validity, child } }]);
    expect(await readBack(file)).toEqual({ nx: [1, 0, 1, 1], x: [[1], [], [2], [3]] });
    await file.close();
  });

  test('columns share a counter, which may be a column itself', async () => {
    const n = Uint32Array.of(1, 0, 2);
    const lists = { pt: [[1], [], [2, 3]], eta: [[4], [], [5, 6]] };
    const counters = { pt: 'nMuon', eta: 'nMuon' };
    const { file } = await written([{ ...lists, nMuon: n }], { counters });
    const { branches } = (await file.tree('dir/t')).info;
    expect(branches.map(({ title }) => title)).toEqual(['pt[nMuon]/D', 'eta[nMuon]/D', 'nMuon/i']);
    expect(await readBack(file)).toMatchObject(lists);
    await file.close();
    const unequal = { pt: [[1]], eta: [[1, 2]] };
    await expect(written([unequal], { counters })).rejects.toThrow(/differ in length/);
    await expect(written([{ pt: [[1]], npt: [2] }])).rejects.toThrow(/not their lengths/);
  });

  test('clusters have about the wanted size, and an empty tree is one', async () => {
    const rows = (n: number): Columns => ({ x: new Float64Array(n), i: new Int32Array(n) });
    const { file } = await written([rows(250), rows(600), rows(7)], { clusterBytes: 1200 });
    const layout = await engineOf(file.reader).layout(file.info.id, 'dir/t');
    expect([...layout.entries].slice(0, 9)).toEqual([100, 100, 100, 100, 100, 100, 100, 100, 57]);
    await file.close();
    const empty = await written([{ x: new Float64Array(0) }]);
    expect(await readBack(empty.file)).toEqual({ x: [] });
    await empty.file.close();
  });

  const wrong: [why: RegExp, ...parts: Columns[]][] = [
    [/"a" has 2 values and "b" has 1/, { a: [1, 2], b: [1] }],
    [/there are no columns/, {}],
    [/not a list, as others are/, { a: [[1], 2] }],
    [/"x" in entry 1 is not of type f64/, { a: [1, 'x'] }],
    [/no values yet that show its type/, { a: [[], []] }],
    [/300 in entry 0 does not fit i8/, { i8: [300] }],
    [/1.5 in entry 0 is not of type i8/, { i8: [1.5] }],
    [/entry 1 has 1 values and not 2/, { two: [[1, 2], [1]] }],
    [/members x, y of the first/, { a: [{ x: 1, y: 2 }, { x: 1 }] }],
    [/"x" in entry 0 is not of type f64/, { a: [1] }, { a: ['x'] }],
    [/"a" was f32 at first, and is f64 now/, { a: new Float32Array(1) }, { a: new Float64Array(1) }],
    [/no branch "b"/, { a: [1] }, { a: [1], b: [1] }],
    [/"b" is missing/, { a: [1], b: [1] }, { a: [1] }],
    [/two branches have the name "a.x"/, { a: [{ x: 1 }], 'a.x': [1] }],
    [/cannot be the name of a branch/, { 'a[0]': [1] }],
    [/cannot be the name of a branch/, { 'a\n': [1] }],
    [/there is no type "f16"/, { bad: [1] }],
    [/a missing value has no type/, { a: [null] }],
    [/neither an array nor a column/, { a: 5 as never }],
  ];
  test.each(wrong)('%s', async (why, ...parts) => {
    const types = { i8: 'i8', two: 'f64[2]', bad: 'f16' } as never;
    await expect(written(parts, { types })).rejects.toMatchObject({ code: 'ARGUMENT', message: why });
  });

  test('objects of other files are copied with their classes', async () => {
    await using source = await openRoot(join(fixtureFolder, 'histograms.root'), options);
    const paths = (await source.keys())
      .filter(({ kind }) => !['directory', 'tree', 'ntuple'].includes(kind))
      .map(({ path }) => path);
    const chosen = [...new Set(paths)];
    expect(chosen.length).toBeGreaterThan(3);
    const sink = memorySink();
    await writeRoot(sink, async (file) => {
      for (const path of chosen) await file.copy(source, path, `copied/${path}`);
      await expect(file.copy(source, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(file.copy(source, chosen[0] ?? '', 'copied')).rejects.toMatchObject({ code: 'ARGUMENT' });
    });
    await using copy = await openRoot(sink.bytes(), options);
    for (const path of chosen)
      expect(await copy.object(`copied/${path}`), path).toEqual(await source.object(path));
  });

  test('a failure ends the file, and a refused call leaves it whole', async () => {
    const calls: string[] = [];
    const full = {
      write: () => Promise.reject(new Error('no space left')),
      close: async () => void calls.push('close'),
      abort: async () => void calls.push('abort'),
    };
    const append = writeRoot(full, async (file) => {
      const tree = await file.tree('t', { clusterBytes: 1 });
      await tree.append({ a: [1] }).catch(() => {});
      await tree.append({ a: [1] });
    });
    await expect(append).rejects.toMatchObject({ code: 'IO' });
    expect(calls).toEqual(['abort']);
    const sink = memorySink();
    await writeRoot(sink, async (file) => {
      const tree = await file.tree('dir/t');
      await tree.append({ a: [1] });
      await expect(tree.append({ a: ['x'] })).rejects.toThrow(/is not of type f64/);
      await expect(file.tree('dir')).rejects.toThrow(/in the file already/);
      const unawaited = tree.append({ a: [2] });
      void unawaited;
    });
    const file = await openRoot(sink.bytes(), options);
    expect(await readBack(file)).toEqual({ a: [1, 2] });
    await file.close();
    await expect(writeRoot(memorySink(), async () => {}, { codec: 'zip' })).rejects.toThrow(/no codec/);
  });
});

describe.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'other readers',
  () => {
    interface Found {
      root: {
        entries: number;
        failed: number[];
        recovered: boolean;
        clusters: number[];
        leaves: Record<string, string[]>;
      };
      sums: Record<string, number>;
      uproot: Record<string, unknown[]>;
      whole: boolean;
    }
    const ids = Array.from({ length: 60 }, (_, i) => i);
    const columns: Columns = {
      ...Object.fromEntries(
        DTYPES.filter((dtype) => dtype !== 'bool').map((dtype) => {
          const data = makeArray(dtype, 60);
          data.set(ids.map((i) => (dtype.endsWith('64') && dtype !== 'f64' ? BigInt(i) : i)) as never);
          return [dtype, data];
        }),
      ),
      ok: ids.map((i) => i % 3 === 0),
      oks: ids.map((i) => Array.from({ length: i % 3 }, (_, j) => j === 0)),
      matrix: ids.map((i) => [
        [i, 1, 2],
        [3, 4, 5],
      ]),
      pairs: ids.map((i) => Array.from({ length: i % 4 }, (_, j) => [i, j])),
      text: ids.map((i) => 'é'.repeat(5 * i)),
      texts: ids.map((i) => Array.from({ length: i % 3 }, (_, j) => `${i} ${j}`)),
      nested: ids.map((i) => Array.from({ length: i % 3 }, (_, j) => [i, j, 1].slice(j))),
      flags: ids.map((i) => [[i % 2 === 0], []]),
      jets: ids.map((i) => Array.from({ length: (i % 2) + 1 }, (_, j) => ({ pt: i + j / 4, n: j }))),
    };
    const types = { matrix: 'f32[2][3]', pairs: 'i16[][2]', nested: 'u64[][]' } as const;
    let found: Found[] = [];
    let ours: Record<string, unknown[]> = {};

    beforeAll(async () => {
      const args: string[] = [];
      for (const codec of ['zstd:5', 'lz4:4', 'zlib:1', 'lzma:5', 'none']) {
        const { bytes, file } = await written([columns, columns], { types, clusterBytes: 20_000 }, codec);
        ours = await readBack(file);
        await file.close();
        const path = join(folder, `${codec.replace(':', '')}.root`);
        writeFileSync(path, bytes);
        args.push(path, 'dir/t');
      }
      const program = resolve(import.meta.dirname, 'read_trees.py');
      const output = execFileSync(oraclePython ?? '', ['-W', 'ignore', program, ...args], {
        encoding: 'utf8',
      });
      found = JSON.parse(output);
    }, 180_000);

    test('ROOT reads all entries, its clusters are ours, and the file has no gap or overlap', () => {
      expect(found).toHaveLength(5);
      for (const { root, whole } of found) {
        expect(root).toMatchObject({ entries: 120, failed: [], recovered: false });
        expect(root.clusters).toEqual(found[0]?.root.clusters);
        expect(root.clusters.length).toBeGreaterThan(2);
        expect(whole).toBe(true);
      }
      expect(found[0]?.root.leaves).toMatchObject({
        u16: ['u16/s', 'UShort_t'],
        oks: ['oks[noks]/O', 'Bool_t'],
        matrix: ['matrix[2][3]/F', 'Float_t'],
        pairs: ['pairs[npairs][2]/S', 'Short_t'],
        text: ['text', 'string'],
        nested: ['nested', 'vector<vector<ULong64_t> >'],
        'jets.pt': ['jets.pt[njets]/D', 'Double_t'],
      });
    });

    test('RDataFrame with threads has the sums', () => {
      const sumOf = (value: unknown): number =>
        Array.isArray(value) ? value.reduce<number>((sum, one) => sum + sumOf(one), 0) : Number(value);
      for (const { sums } of found) {
        expect(Object.keys(sums).length).toBeGreaterThan(15);
        for (const [name, sum] of Object.entries(sums)) expect(sum, name).toBe(sumOf(ours[name]));
      }
    });

    test('uproot has the values', () => {
      const plain = (value: unknown): unknown =>
        typeof value === 'bigint' ? Number(value) : Array.isArray(value) ? value.map(plain) : value;
      const expected = Object.fromEntries(Object.entries(ours).map(([name, rows]) => [name, plain(rows)]));
      for (const { uproot } of found) expect(uproot).toEqual(expected);
    });
  },
);

test('baskets are compressed in workers, and the file does not depend on their number', async () => {
  const rows = 200_000;
  const noise = Float32Array.from({ length: rows }, (_, i) => Math.sin(i * i));
  const write = async (reader: EngineReader) => {
    const sink = memorySink();
    let tasks = 0;
    const counted = {
      ...reader,
      makeBaskets: (...args: Parameters<EngineReader['makeBaskets']>) => {
        tasks += 1;
        return reader.makeBaskets(...args);
      },
    };
    await writeRoot(
      sink,
      async (file) => {
        const tree = await file.tree('t', { clusterBytes: 600_000 });
        await tree.append({
          x: noise,
          i: Uint16Array.from(noise.keys()),
          y: noise.map((value) => 2 * value),
        });
      },
      { name: 'new.root', codec: 'zlib:1', reproducible: true, reader: counted },
    );
    return { tasks, bytes: sink.bytes() };
  };
  const [none, two] = [await openReader({ workers: 0 }), await openReader({ workers: 2 })];
  try {
    const [here, there] = [await write(none), await write(two)];
    expect(here.tasks).toBeGreaterThan(2);
    expect(there.tasks).toBe(here.tasks);
    expect(Buffer.compare(here.bytes, there.bytes)).toBe(0);
    await using made = await openRoot(here.bytes, options);
    const { y } = await (await made.tree('t')).arrays('y');
    expect([y?.length, y?.data[rows - 1]]).toEqual([rows, Math.fround(2 * (noise[rows - 1] ?? 0))]);
  } finally {
    none.terminate();
    two.terminate();
  }
});
