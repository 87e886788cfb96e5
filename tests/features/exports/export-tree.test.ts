import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import type { ExportFormat, ExportRequest } from '../../../web/api/export';
import type { Column } from '../../../web/core/columns';
import type { Table } from '../../../web/export/table';
import { exportTree } from '../../../web/features/exports/work/export-tree';
import { npz } from '../../../web/features/exports/work/npy';
import {
  bufferSpec,
  type Canonical,
  canonicalRows,
  difference,
  fixtureBytes,
  goldenNames,
  makeEngine,
  parseExact,
  readGolden,
} from '../../engine/fixtures';
import {
  canonicalValue,
  concat,
  inNumpy,
  inParquet,
  type PlainTable,
  parseCsv,
  readArrow,
  readable,
  readNpy,
  readParquet,
  unzip,
} from './read-back';

/** An entry of multiblock_* has millions of numbers: text of them takes long and shows nothing new. */
const withTrees = goldenNames().filter(
  (name) => !name.startsWith('multiblock') && Object.keys(readGolden(name).trees).length > 0,
);

/** Parquet with a compression that the reader in JavaScript knows. */
const compressed = (format: ExportFormat): Pick<ExportRequest, 'compression'> =>
  format === 'parquet' ? { compression: 'snappy' } : {};

describe.each(withTrees)('%s', (name) => {
  const golden = readGolden(name);
  let reader: EngineApi;
  let id: FileId;

  beforeAll(async () => {
    reader = await makeEngine();
    id = (await reader.open(bufferSpec(name, fixtureBytes(name)))).id;
  });
  afterAll(() => reader.close(id));

  for (const [path, tree] of Object.entries(golden.trees)) {
    test(path, async () => {
      const chosen = await readable(reader, id, path, tree.entries);
      if (chosen === undefined || chosen.names.length === 0) return;
      const { indices, names, columns, chunkBytes, entries } = chosen;
      const [, count] = entries;
      const write = (format: ExportFormat, branches = indices) =>
        concat(
          exportTree(reader, id, {
            tree: path,
            branches,
            entries,
            format,
            chunkBytes,
            ...compressed(format),
          }),
        );
      const rows = columns.map(canonicalRows);
      for (const [i, branch] of names.entries()) {
        const values = tree.branches[branch]?.values;
        if (values) expect(difference(values.slice(0, count), rows[i]), branch).toBeUndefined();
      }

      const check = (format: string, table: PlainTable, want = names): void => {
        for (const branch of want) {
          const i = names.indexOf(branch);
          const column = columns[i] as Column;
          const got = (table[branch] ?? []).map((value) => canonicalValue(value, column));
          expect(difference(rows[i] ?? [], got), `${format} ${branch}`).toBeUndefined();
        }
      };
      for (const format of ['arrow', 'arrows'] as const) check(format, readArrow(await write(format)));
      const plain = indices.filter((_, i) => inParquet(columns[i] as Column));
      check(
        'parquet',
        await readParquet(await write('parquet', plain)),
        names.filter((_, i) => inParquet(columns[i] as Column)),
      );

      const lines = Buffer.from(await write('jsonl'))
        .toString('utf8')
        .split('\n')
        .slice(0, -1);
      expect(lines).toHaveLength(count);
      const objects = lines.map(parseExact) as { [branch: string]: Canonical }[];
      for (const [i, branch] of names.entries()) {
        expect(
          difference(
            rows[i] ?? [],
            objects.map((line) => line[branch] ?? null),
          ),
          `jsonl ${branch}`,
        ).toBeUndefined();
      }

      for (const [format, separator] of [
        ['csv', ','],
        ['tsv', '\t'],
      ] as const) {
        const [head, ...body] = parseCsv(Buffer.from(await write(format)).toString('utf8'), separator);
        expect(head).toEqual(names);
        expect(body).toHaveLength(count);
        for (const [i, branch] of names.entries()) {
          const got = body.map((cells) => fromCell(cells[i] ?? null, columns[i] as Column));
          expect(difference(rows[i] ?? [], got), `${format} ${branch}`).toBeUndefined();
        }
      }

      const numbers = indices.filter((_, i) => inNumpy(columns[i] as Column));
      const members = unzip(await write('npz', numbers));
      for (const [i, branch] of names.entries()) {
        const file = branch.replaceAll('/', '.');
        if (inNumpy(columns[i] as Column)) checkNumpy(file, columns[i] as Column, members, count);
      }
    }, 60_000);
  }
});

function fromCell(text: string | null, column: Column): Canonical {
  if (column.kind === 'optional') return text === null ? null : fromCell(text, column.child);
  if (column.kind === 'string' || text === null) return text;
  return /^-?(nan|inf)$/.test(text) ? text : parseExact(text);
}

function flatten(rows: Canonical): Canonical[] {
  return Array.isArray(rows) ? rows.flatMap(flatten) : [rows];
}

function checkNumpy(branch: string, column: Column, members: Map<string, Uint8Array>, entries: number): void {
  const member = (name: string) => readNpy(members.get(`${name}.npy`) ?? new Uint8Array(0));
  const numbers = column.kind === 'list' ? column.child : column;
  const content = member(column.kind === 'list' ? `${branch}_content` : branch);
  let flat = numbers;
  const shape: number[] = [];
  for (; flat.kind === 'fixed'; flat = flat.child) shape.push(flat.size);
  if (flat.kind !== 'primitive') throw new Error('numbers were expected');
  expect(content.shape, branch).toEqual([numbers.length, ...shape]);
  const got = {
    ...flat,
    data: new (flat.data.constructor as Float64ArrayConstructor)(content.data.slice().buffer),
  };
  expect(canonicalRows({ ...got, length: got.data.length }), branch).toEqual(flatten(canonicalRows(numbers)));
  if (column.kind !== 'list') return;
  const offsets = member(`${branch}_offsets`);
  expect(offsets).toMatchObject({ descr: "'<i8'", shape: [entries + 1] });
  expect(Array.from(new BigInt64Array(offsets.data.slice().buffer), Number), branch).toEqual([
    ...column.offsets,
  ]);
}

test('each array of an NPZ has a file of its own, and none lies in another folder', async () => {
  const numbers = (...values: number[]): Column => ({
    kind: 'primitive',
    dtype: 'f64',
    length: values.length,
    data: Float64Array.from(values),
  });
  const list: Column = { kind: 'list', length: 2, offsets: Int32Array.of(0, 1, 3), child: numbers(1, 2, 3) };
  const columns = new Map<string, Column>([
    ['y_content', numbers(5, 6)],
    ['x', list],
    ['y', list],
    ['x_offsets', numbers(41, 42)],
    ['../../../tmp/evil', numbers(7, 8)],
    ['/abs\\evil', numbers(9, 9)],
    ['x.npy', numbers(1, 1)],
    ['', numbers(0, 0)],
    ['a/b', numbers(1, 2)],
    ['a.b', numbers(3, 4)],
    ['n'.repeat(100_000), numbers(5, 5)],
  ]);
  const all = [...columns.values()];
  const table: Table = {
    names: [...columns.keys()],
    rows: 2,
    async *parts(only) {
      yield { rows: 2, columns: only === undefined ? all : all.slice(only, only + 1) };
    },
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of npz(table)) pieces.push(piece);
  const members = unzip(new Uint8Array(Buffer.concat(pieces)));
  const names =
    'y_content x_offsets x_content y_2_offsets y_2_content x_offsets_2 _tmp.evil _abs.evil x_npy _ a.b a.b_2';
  expect([...members.keys()]).toEqual([...names.split(' '), 'n'.repeat(200)].map((name) => `${name}.npy`));
  const read = (name: string) => readNpy(members.get(`${name}.npy`) ?? new Uint8Array(0)).data.slice().buffer;
  expect([...new BigInt64Array(read('x_offsets'))]).toEqual([0n, 1n, 3n]);
  expect([...new Float64Array(read('x_offsets_2'))]).toEqual([41, 42]);
  expect([...new Float64Array(read('a.b_2'))]).toEqual([3, 4]);
});

test('lists of lists are refused by NPZ as such, and not sent to NPZ', async () => {
  const flat: Column = { kind: 'primitive', dtype: 'i32', length: 1, data: Int32Array.of(1) };
  const inner: Column = { kind: 'list', length: 1, offsets: Int32Array.of(0, 1), child: flat };
  const column: Column = { kind: 'list', length: 1, offsets: Int32Array.of(0, 1), child: inner };
  const table: Table = {
    names: ['vv'],
    rows: 1,
    async *parts() {
      yield { rows: 1, columns: [column] };
    },
  };
  const write = async () => {
    for await (const _ of npz(table));
  };
  await expect(write()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: 'NPZ has no form for vv: it holds lists of lists of varying length.',
    fix: 'Write Arrow, Parquet or JSON Lines, or leave it out.',
  });
});
