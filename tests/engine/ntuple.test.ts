import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BranchInfo, FileId, Histogram, TreeInfo } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { Column } from '../../web/core/columns';
import { spreadOptional } from '../../web/core/ntuple-optional';
import { concatColumns } from '../../web/pass/columns/concat';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine, readGolden } from './fixtures';

const name = 'ntuple_fields_stored';
const golden = readGolden(name).trees.n?.branches ?? {};

interface Point {
  x: number;
  base: number;
  pairs: [number, string][];
}

function values<T>(branch: string): T[] {
  return (golden[branch]?.values ?? []) as T[];
}

describe('fields', () => {
  let reader: EngineApi;
  let id: FileId;
  let info: TreeInfo;

  beforeAll(async () => {
    reader = await makeEngine();
    id = (await reader.open(bufferSpec(name, fixtureBytes(name)))).id;
    info = await reader.tree(id, 'n');
  });

  afterAll(() => reader.close(id));

  function field(path: string): BranchInfo {
    const found = info.branches.filter((branch) => branch.path === path);
    expect(found, path).toHaveLength(1);
    return found[0] as BranchInfo;
  }

  async function draw(branch: string): Promise<Histogram> {
    const result = await reader.draw(id, { tree: 'n', branch });
    if (result.kind !== 'histogram') throw new Error(`a histogram was expected, not ${result.kind}`);
    return result;
  }

  async function read(branch: string, entries?: [number, number]): Promise<unknown[]> {
    const [result] = await reader.arrays(id, { tree: 'n', branches: [branch], entries });
    if (!result?.column) throw new Error(result?.error?.message);
    return canonicalRows(result.column);
  }

  test('are listed with those below them, by dotted paths', () => {
    expect(info).toMatchObject({ kind: 'RNTuple', className: 'ROOT::RNTuple', entries: 60 });
    expect(field('points')).toMatchObject({ depth: 0, typeName: 'std::vector<NtPoint>', kind: 'object' });
    expect(field('points._0')).toMatchObject({ depth: 1, typeName: 'NtPoint' });
    expect(field('points.x')).toMatchObject({ depth: 2, kind: 'number', entries: 60 });
    expect(field('points.pairs._0')).toMatchObject({ typeName: 'std::pair<std::int32_t,std::string>' });
    expect(field('points.label')).toMatchObject({ kind: 'string' });
    expect(field('n_points')).toMatchObject({ kind: 'number' });
  });

  test('count their pages and bytes with those below, and the tree each page once', () => {
    const top = info.branches.filter((branch) => branch.depth === 0);
    const projected = ['n_points', 'points_x'];
    const own = top.filter((branch) => !projected.includes(branch.name));
    expect(own.reduce((sum, branch) => sum + branch.totalBytes, 0)).toBe(info.totalBytes);
    expect(own.reduce((sum, branch) => sum + branch.storedBytes, 0)).toBe(info.storedBytes);
    expect(field('points').baskets).toBeGreaterThan(field('points.x').baskets);
  });

  test('nested branches are lists within those above them', async () => {
    const points = values<Point[]>('points');
    expect(await read('points.x')).toEqual(points.map((list) => list.map((point) => point.x)));
    expect(await read('points._0')).toEqual(points);
    expect(await read('points.pairs._0._0', [17, 40])).toEqual(
      points.slice(17, 40).map((list) => list.map((point) => point.pairs.map(([first]) => first))),
    );
    expect(await read('point.:_0.base')).toEqual(values<Point>('point').map((point) => point.base));
  });

  test('of an alternative of a variant are there in the rows that hold it', async () => {
    const variant = values<unknown>('variant');
    expect(await read('variant._0')).toEqual(variant.map((v) => (typeof v === 'number' ? v : null)));
    expect(await read('variant._1', [5, 60])).toEqual(
      variant.slice(5).map((v) => (typeof v === 'string' ? v : null)),
    );
  });

  test('can be drawn where they are numbers: nulls are no zeros', async () => {
    const x = await draw('points.x');
    const all = values<Point[]>('points').flat();
    expect(x).toMatchObject({ fills: all.length, entries: 60, max: [Math.max(...all.map((p) => p.x))] });
    const integers = values<unknown>('variant').filter((v): v is number => typeof v === 'number');
    expect(await draw('variant._0')).toMatchObject({ fills: integers.length, nan: 0 });
    const optionals = values<(number | null)[]>('optionals').flat();
    expect(await draw('optionals')).toMatchObject({
      fills: optionals.filter((v) => v !== null).length,
      nan: 0,
    });
    const sizes = values<number>('n_points');
    expect(await draw('n_points')).toMatchObject({ fills: 60, max: [Math.max(...sizes)], integer: [true] });
  });

  test('of any entry range are the same as of all', async () => {
    const branches = ['points', 'variants', 'unique_array', 'deep', 'bits', 'optional_point'];
    for (const branch of branches) {
      for (const [from, to] of [
        [0, 1],
        [12, 14],
        [13, 26],
        [25, 27],
        [59, 60],
        [60, 60],
      ] as const) {
        expect(await read(branch, [from, to]), `${branch} ${from}:${to}`).toEqual(
          values(branch).slice(from, to),
        );
      }
    }
  });

  test('come in at most three round trips', async () => {
    const cold = await makeEngine((source) => ({ ...source, info: () => ({}) }));
    const file = (await cold.open(bufferSpec(name, fixtureBytes(name)))).id;
    await cold.draw(file, { tree: 'n', branch: 'points.x' });
    expect((await cold.traceSummary(file)).roundTrips).toBeLessThanOrEqual(3);
    await cold.close(file);
  });
});

describe('damage', () => {
  async function opened(hurt: (bytes: Uint8Array) => void): Promise<{ reader: EngineApi; id: FileId }> {
    const bytes = fixtureBytes(name).slice();
    hurt(bytes);
    const reader = await makeEngine();
    return { reader, id: (await reader.open(bufferSpec(name, bytes))).id };
  }

  /** Offset of the anchor's members: after the key, the byte count and the class version. */
  function anchorAt(bytes: Uint8Array): number {
    const text = new TextDecoder('latin1').decode(bytes);
    const view = new DataView(bytes.buffer);
    for (let at = text.indexOf('\rROOT::RNTuple'); at >= 0; at = text.indexOf('\rROOT::RNTuple', at + 1)) {
      const key = at - 26;
      if (view.getUint32(key + 18) === key) return key + view.getUint16(key + 14) + 6;
    }
    throw new Error('there is no anchor');
  }

  /** Place and size of the header (0) or footer (1). */
  function envelope(bytes: Uint8Array, which: number): { at: number; size: number } {
    const view = new DataView(bytes.buffer);
    const at = anchorAt(bytes) + 8 + 24 * which;
    return { at: Number(view.getBigUint64(at)), size: Number(view.getBigUint64(at + 8)) };
  }

  test('of a page names field, cluster and checksum, and leaves the others alone', async () => {
    const { reader, id } = await opened((bytes) => {
      // The strings of "strings" hold runs of "s"; the longest ones lie in the last full cluster.
      const at = new TextDecoder('latin1').decode(bytes).lastIndexOf('s'.repeat(30));
      bytes[at + 7] = 0;
    });
    const [hurt, whole] = await reader.arrays(id, { tree: 'n', branches: ['strings', 'tuple'] });
    expect(hurt?.error).toMatchObject({
      code: 'CHECKSUM',
      message: expect.stringMatching(/^Cluster 3 of strings: .*xxh3/),
    });
    expect(hurt?.error?.where?.offset).toBeGreaterThan(0);
    expect(whole?.column && canonicalRows(whole.column)).toEqual(values('tuple'));
    const good = await reader.arrays(id, { tree: 'n', branches: ['strings'], entries: [0, 39] });
    expect(good[0]?.column && canonicalRows(good[0].column)).toEqual(values('strings').slice(0, 39));
  });

  test.each([
    [0, 'header'],
    [1, 'footer'],
  ])('of an envelope is seen by its checksum (%i)', async (which, word) => {
    const { reader, id } = await opened((bytes) => {
      const { at, size } = envelope(bytes, which);
      bytes[at + size - 20] = (bytes[at + size - 20] ?? 0) ^ 4;
    });
    await expect(reader.tree(id, 'n')).rejects.toMatchObject({
      code: 'CHECKSUM',
      message: expect.stringContaining(word),
    });
  });

  test('of the anchor is seen by its checksum', async () => {
    const { reader, id } = await opened((bytes) => {
      bytes[anchorAt(bytes) + 63] = 1;
    });
    await expect(reader.tree(id, 'n')).rejects.toMatchObject({ code: 'CHECKSUM' });
  });

  test('an anchor of before version 1 is named as such', async () => {
    const { reader, id } = await opened((bytes) => {
      bytes[anchorAt(bytes) + 1] = 0;
    });
    await expect(reader.tree(id, 'n')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('pre-release'),
    });
  });
});

describe('optional columns', () => {
  const rows = fc.array(fc.option(fc.tuple(fc.integer(), fc.array(fc.integer(), { maxLength: 3 }))), {
    maxLength: 20,
  });

  /** A column of what is there, as the core gives it, spread to all rows. */
  function optional(items: ([number, number[]] | null)[]): Column {
    const there = items.filter((item) => item !== null);
    const offsets = new Int32Array(there.length + 1);
    there.forEach(([, list], i) => {
      offsets[i + 1] = (offsets[i] ?? 0) + list.length;
    });
    const flat = there.flatMap(([, list]) => list);
    const number: Column = {
      kind: 'primitive',
      length: there.length,
      dtype: 'i32',
      data: Int32Array.from(there, ([n]) => n),
    };
    const child: Column = {
      kind: 'primitive',
      length: flat.length,
      dtype: 'i32',
      data: Int32Array.from(flat),
    };
    const list: Column = { kind: 'list', length: there.length, offsets, child };
    const struct: Column = {
      kind: 'struct',
      length: there.length,
      typeName: 'std::pair<int,list>',
      names: ['first', 'second'],
      children: [number, list],
    };
    return spreadOptional(
      Uint8Array.from(items, (item) => (item ? 1 : 0)),
      struct,
    );
  }

  test('give each row its value or none, also when put together of parts', () => {
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const column = concatColumns([optional(first), optional(second)]);
        expect(canonicalRows(column)).toEqual([...first, ...second]);
      }),
    );
  });
});
