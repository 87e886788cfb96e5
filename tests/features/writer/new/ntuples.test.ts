import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineOf } from '../../../../web/api/engine-api';
import type { Column } from '../../../../web/core/columns';
import { DTYPES, makeArray } from '../../../../web/core/dtypes';
import {
  type ColumnValues,
  memorySink,
  type NewNtupleOptions,
  openReader,
  openRoot,
  type RootHandle,
  writeRoot,
  type XylemReader,
} from '../../../../web/node';
import { lacks } from '../../../needs';
import { oraclePython } from '../../../oracle';
import { partsOf, tables } from './random-columns';

const folder = mkdtempSync(join(tmpdir(), 'xylem-new-ntuples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Columns = Record<string, ColumnValues>;
const options = { workers: 0 };

/** Writes parts as an RNTuple `dir/n`, and opens the file. */
async function written(
  parts: readonly Columns[],
  ntuple: NewNtupleOptions = {},
  codec?: string,
  reader?: XylemReader,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; file: RootHandle }> {
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      const made = await file.ntuple('dir/n', ntuple);
      for (const part of parts) await made.append(part);
      expect(made.entries).toBe(parts.reduce((sum, part) => sum + lengthOf(part), 0));
    },
    { codec, reproducible: true, name: 'new.root', ...(reader && { reader }) },
  );
  return { bytes: sink.bytes(), file: await openRoot(sink.bytes(), options) };
}

const lengthOf = (part: Columns): number =>
  Object.values(part)
    .slice(0, 1)
    .reduce((_, one) => (one as { length: number }).length, 0);

async function readBack(file: RootHandle): Promise<Record<string, unknown[]>> {
  const tree = await file.tree('dir/n');
  return Object.fromEntries(Object.entries(await tree.arrays()).map(([name, rows]) => [name, [...rows]]));
}

describe('RNTuples of columns', () => {
  test('columns of random types are read as they were written', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ types, rows, cuts, clusterBytes, codec }) => {
        const { names, parts } = partsOf(types, rows, cuts);
        const { file } = await written(parts, { types, clusterBytes }, codec);
        try {
          const found = await readBack(file);
          for (const [i, name] of names.entries()) expect(found[name]).toEqual(rows.map((row) => row[i]));
        } finally {
          await file.close();
        }
      }),
      { numRuns: 25, seed: 20 },
    );
  });

  test('objects, lists of them, arrays of them, and values that may be missing', async () => {
    const child = { kind: 'primitive', length: 4, dtype: 'i32', data: Int32Array.of(1, 9, 2, 3) } as const;
    const validity = Uint8Array.of(1, 0, 1, 1);
    const structs = { kind: 'struct', length: 4, typeName: '', names: ['a'], children: [child] } as const;
    const ids = [0, 1, 2, 3];
    const columns: Columns = {
      maybe: { kind: 'optional', length: 4, validity, child },
      one: { kind: 'optional', length: 4, validity, child: { ...structs, names: ['a'], children: [child] } },
      vertex: ids.map((x) => ({ x, name: `v${x}`, hit: x > 1 })),
      jets: ids.map((i) => Array.from({ length: i }, (_, j) => ({ pt: i + j / 4, ids: [j] }))),
      corners: {
        ...{ kind: 'fixed', length: 2, size: 2 },
        child: { ...structs, names: ['a'], children: [child] },
      },
    };
    await expect(written([columns])).rejects.toThrow(/"maybe" has 4 values and "corners" has 2/);
    const { corners = [], ...four } = columns;
    const { file } = await written([four, four]);
    const found = await readBack(file);
    const twice = (rows: unknown[]) => [...rows, ...rows];
    expect(found.maybe).toEqual(twice([1, null, 2, 3]));
    expect(found.one).toEqual(twice([[{ a: 1 }], [], [{ a: 2 }], [{ a: 3 }]]));
    expect(found.vertex).toEqual(twice(four.vertex as unknown[]));
    expect(found.jets).toEqual(twice(four.jets as unknown[]));
    await file.close();
    const pairs = await written([{ corners }]);
    expect((await readBack(pairs.file)).corners).toEqual([{ a: [1, 9] }, { a: [2, 3] }]);
    await pairs.file.close();
  });

  test('long columns have several pages, and their lists end in the right places', async () => {
    const rows = 300_000;
    const x = Float64Array.from({ length: rows }, (_, i) => i / 2);
    const offsets = Int32Array.from({ length: rows + 1 }, (_, i) => 2 * i - (i % 2));
    const data = Uint16Array.from({ length: offsets[rows] ?? 0 }, (_, i) => i);
    const child = { kind: 'primitive', length: data.length, dtype: 'u16', data } as const;
    const { file } = await written([{ x, lists: { kind: 'list', length: rows, offsets, child } }]);
    const found = await (await file.tree('dir/n')).arrays(['x', 'lists']);
    const list = found.lists?.column as Column & { kind: 'list'; child: { data: Uint16Array } };
    const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
      new Uint8Array(buffer, byteOffset, byteLength);
    for (const [is, was] of [
      [found.x?.data as Float64Array, x],
      [list.offsets, offsets],
      [list.child.data, data],
    ] as const)
      expect(Buffer.compare(bytesOf(is), bytesOf(was))).toBe(0);
    const { branches } = (await file.tree('dir/n')).info;
    expect(branches.map(({ baskets }) => baskets)).toEqual([3, 5, 2]);
    await file.close();
  });

  test('many clusters are divided into groups', async () => {
    const rows = 5100;
    const data = { i: Int32Array.from({ length: rows }, (_, i) => i), j: new Uint8Array(rows).fill(3) };
    const { file } = await written([data], { clusterBytes: 5, title: 'about' }, 'none');
    expect((await file.tree('dir/n')).info.title).toBe('about');
    expect((await engineOf(file.reader).layout(file.info.id, 'dir/n')).clusterStart).toHaveLength(rows);
    expect((await file.reader.check(file.info.id)).findings).toEqual([]);
    expect((await readBack(file)).i).toEqual([...data.i]);
    await file.close();
  });

  test('one of no entries, and one without fields', async () => {
    const { file } = await written([{ x: new Float32Array(0), l: [] }], { types: { l: 'f32[]' } });
    expect(await readBack(file)).toEqual({ x: [], l: [] });
    await file.close();
    const none = await written([]);
    expect((await none.file.tree('dir/n')).info).toMatchObject({ entries: 0, branches: [] });
    await none.file.close();
  });

  const wrong: [why: RegExp, ...parts: Columns[]][] = [
    [/"a" has 2 values and "b" has 1/, { a: [1, 2], b: [1] }],
    [/"a" was float at first, and is double now/, { a: new Float32Array(1) }, { a: new Float64Array(1) }],
    [/no field "b"/, { a: [1] }, { a: [1], b: [1] }],
    [/"b" is missing/, { a: [1], b: [1] }, { a: [1] }],
    [/"a.b" cannot be the name of a field/, { 'a.b': [1] }],
    [/"x y" cannot be the name of a field/, { a: [{ 'x y': 1 }] }],
    [
      /"a": its arrays have no values/,
      {
        a: {
          kind: 'fixed',
          length: 1,
          size: 0,
          child: { kind: 'primitive', length: 0, dtype: 'u8', data: new Uint8Array(0) },
        },
      },
    ],
    [
      /"a": its values are of several types/,
      { a: { kind: 'variant', length: 1, tags: Uint8Array.of(0), offsets: Int32Array.of(0), children: [] } },
    ],
  ];
  test('what cannot be written is refused, and the file stays whole', async () => {
    for (const [why, ...parts] of wrong) await expect(written(parts), String(why)).rejects.toThrow(why);
    const sink = memorySink();
    await writeRoot(sink, async (file) => {
      await expect(file.ntuple('a name')).rejects.toMatchObject({ code: 'ARGUMENT' });
      await expect(file.ntuple('n', { clusterBytes: 0 })).rejects.toMatchObject({ code: 'ARGUMENT' });
      const [ntuple, tree] = [await file.ntuple('dir/n'), await file.tree('dir/t')];
      await ntuple.append({ a: [1] });
      await tree.append({ b: [2] });
      await expect(ntuple.append({ a: ['x'] })).rejects.toThrow(/is not of type f64/);
      await ntuple.append({ a: [3] });
    });
    await using file = await openRoot(sink.bytes(), options);
    expect(await readBack(file)).toEqual({ a: [1, 3] });
    expect((await file.keys()).map(({ className }) => className)).toEqual([
      'TDirectory',
      'ROOT::RNTuple',
      'TTree',
    ]);
  });

  test('pages are compressed in workers, and the file does not depend on their number', async () => {
    const rows = 150_000;
    const noise = Float32Array.from({ length: rows }, (_, i) => Math.sin(i * i));
    const columns = { x: noise, i: Uint16Array.from(noise.keys()), y: noise.map((value) => 2 * value) };
    const [none, two] = [await openReader({ workers: 0 }), await openReader({ workers: 2 })];
    try {
      const write = (reader: XylemReader) => written([columns], { clusterBytes: 600_000 }, 'zlib:1', reader);
      const [here, there] = [await write(none), await write(two)];
      expect(Buffer.compare(here.bytes, there.bytes)).toBe(0);
      expect((await readBack(there.file)).y?.at(-1)).toBe(Math.fround(2 * (noise[rows - 1] ?? 0)));
      await Promise.all([here.file.close(), there.file.close()]);
    } finally {
      none.terminate();
      two.terminate();
    }
  });
});

describe.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'other readers',
  () => {
    interface Found {
      root: Record<string, unknown>[];
      sums: Record<string, number>;
      types: Record<string, string>;
      uproot: Record<string, unknown>[];
      whole: boolean;
    }
    const ids = Array.from({ length: 60 }, (_, i) => i);
    const numbers = (of: (i: number) => number) => ({
      kind: 'primitive' as const,
      ...{ length: 60, dtype: 'f32' as const, data: Float32Array.from(ids, of) },
    });
    const columns: Columns = {
      ...Object.fromEntries(
        DTYPES.filter((dtype) => dtype !== 'bool').map((dtype) => {
          const data = makeArray(dtype, 60);
          const sign = /^[if]/.test(dtype) ? -1 : 1;
          data.set(
            ids.map((i) => (/^[iu]64/.test(dtype) ? BigInt(sign * (i + 1)) : sign * (i + 1))) as never,
          );
          return [dtype, data];
        }),
      ),
      ok: ids.map((i) => i % 3 === 0),
      pt: ids.map((i) => Array.from({ length: i % 4 }, (_, j) => i + j / 4)),
      matrix: ids.map((i) => [
        [i, 1, 2],
        [3, 4, 5],
      ]),
      text: ids.map((i) => 'é'.repeat(i)),
      texts: ids.map((i) => Array.from({ length: i % 3 }, (_, j) => `${i} ${j}`)),
      nested: ids.map((i) => Array.from({ length: i % 3 }, (_, j) => [i, j, 1].slice(j))),
      vertex: ids.map((x) => ({ x, name: `v${x}`, hit: x % 2 === 0 })),
      jets: ids.map((i) => Array.from({ length: (i % 2) + 1 }, (_, j) => ({ pt: i + j / 4, ids: [j, i] }))),
      pairs: {
        ...{ kind: 'list', length: 60, offsets: Int32Array.from({ length: 61 }, (_, i) => i) },
        child: {
          kind: 'list',
          length: 60,
          offsets: Int32Array.from({ length: 61 }, (_, i) => i),
          child: {
            ...{ kind: 'struct', length: 60, typeName: '', names: ['e'], children: [numbers((i) => i / 2)] },
          },
        },
      },
      maybe: {
        ...{ kind: 'optional', length: 60, validity: Uint8Array.from(ids, (i) => i % 2) },
        child: numbers((i) => i / 4),
      },
    };
    const types = { matrix: 'f32[2][3]', nested: 'u64[][]' } as const;
    let found: Found[] = [];
    let ours: Record<string, unknown>[] = [];

    beforeAll(async () => {
      const args: string[] = [];
      for (const codec of ['zstd:5', 'lz4:4', 'zlib:1', 'lzma:5', 'none']) {
        const { bytes, file } = await written([columns, columns], { types, clusterBytes: 20_000 }, codec);
        const rows = await readBack(file);
        ours = Array.from({ length: 120 }, (_, i) =>
          Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, plain(values[i])])),
        );
        await file.close();
        const path = join(folder, `${codec.replace(':', '')}.root`);
        writeFileSync(path, bytes);
        args.push(path, 'dir/n');
      }
      const program = resolve(import.meta.dirname, 'read_new_ntuples.py');
      const output = execFileSync(oraclePython ?? '', ['-W', 'ignore', program, ...args], {
        encoding: 'utf8',
      });
      found = JSON.parse(output);
    }, 180_000);

    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));

    test('ROOT reads all values, and the file has no gap or overlap', () => {
      expect(found).toHaveLength(5);
      for (const { root, whole } of found) {
        expect(root).toEqual(ours);
        expect(whole).toBe(true);
      }
      expect(found[0]?.types).toMatchObject({
        u16: 'std::uint16_t',
        matrix: 'std::array<std::array<float,3>,2>',
        nested: 'std::vector<std::vector<std::uint64_t>>',
        maybe: 'std::optional<float>',
        jets: '',
      });
    });

    test('RDataFrame with threads has the sums', () => {
      const sumOf = (value: unknown): number =>
        Array.isArray(value) ? value.reduce<number>((sum, one) => sum + sumOf(one), 0) : Number(value);
      const at = (row: unknown, [first, ...others]: string[]): unknown => {
        if (first === undefined) return row;
        if (Array.isArray(row)) return row.map((one) => at(one, [first, ...others]));
        return at((row as Record<string, unknown>)[first], others);
      };
      for (const { sums } of found) {
        expect(Object.keys(sums)).toHaveLength(5);
        for (const [name, sum] of Object.entries(sums))
          expect(sum, name).toBe(sumOf(ours.map((row) => at(row, name.split('.')))));
      }
    });

    test('uproot has the values', () => {
      for (const { uproot } of found) expect(uproot).toEqual(ours);
    });
  },
);
