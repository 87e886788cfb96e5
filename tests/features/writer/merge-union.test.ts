import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Merged } from '../../../web/api/write';
import { toXylemError } from '../../../web/base/errors';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { mergeFiles } from '../../../web/features/writer/work/merge/merge-files';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { writeRoot } from '../../../web/node';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-union-'));
const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});
afterAll(() => rmSync(folder, { recursive: true }));

type Part = readonly [name: string, bytes: Uint8Array];

/** Merges parts, verifies the product, and checks that it is sound. */
async function union(...parts: Part[]): Promise<Merged & { id: number; data: Uint8Array }> {
  const sink = memorySink();
  const opened = async (name: string, bytes: Uint8Array) => {
    const info = await reader.open(bufferSpec(name, bytes));
    return { reader, info, close: () => reader.close(info.id) };
  };
  const merged = await mergeFiles(
    parts.map(([name, bytes]) => ({ name, open: () => opened(name, bytes) })),
    sink,
    { writer, name: 'new.root', reproducible: true, schema: 'union' },
    { written: () => opened('new', sink.bytes()) },
  );
  const data = sink.bytes();
  const { id } = await reader.open(bufferSpec('product', data));
  const { findings } = await reader.check(id);
  expect(findings).toEqual([]);
  return { ...merged, data, id };
}

async function rowsOf(id: number, path: string): Promise<Map<string, unknown[]>> {
  const { branches } = await reader.tree(id, path);
  const indices = branches.filter(({ kind }) => kind !== 'group').map(({ index }) => index);
  const results = await reader.arrays(id, { tree: path, branches: indices });
  return new Map(results.map(({ branch, column }) => [branch.path, column ? canonicalRows(column) : []]));
}

/** Whether a value consists of zeros and empty texts and lists. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === 0 || value === 0n || value === '' || value === false || value === null || value === '0';
}

/** A file that has only some branches of another one. */
async function branchesOnly(name: string, branches: string[]): Promise<Part> {
  const sink = memorySink();
  const info = await reader.open(bufferSpec(name, fixtureBytes(name)));
  await skimFile(reader, info, sink, { writer, name, selection: { branches, objects: [] } });
  return [`part of ${name}`, sink.bytes()];
}

/** Fixtures, with branches of which empty entries are not known. */
const FIXTURES: [name: string, ...without: string[]][] = [
  ...([['arrays'], ['clusters'], ['embedded'], ['leaflists'], ['vectors']] as [string][]),
  ['stl', 'pair', 'bitset'],
  ['strings', 'tobjstring'],
  ['collections_split99'],
];

test.each(FIXTURES)(
  '%s: entries of a file that lacks branches have no values of them, first or last',
  async (name, ...without) => {
    const file = await reader.open(bufferSpec(name, fixtureBytes(name)));
    const all = await reader.tree(
      file.id,
      (await reader.keys(file.id)).find(({ kind }) => kind === 'tree')?.path ?? '',
    );
    const tops = all.branches.flatMap(({ parent, path }) =>
      parent < 0 && !without.includes(path) ? path : [],
    );
    const whole = await branchesOnly(name, tops);
    const source = await reader.open(bufferSpec(name, whole[1]));
    const path = (await reader.keys(source.id)).find(({ kind }) => kind === 'tree')?.path ?? '';
    const right = await rowsOf(source.id, path);
    const { branches } = await reader.tree(source.id, path);
    const last = branches.findLast(({ parent, kind }) => parent < 0 && kind !== 'group')?.path ?? '';
    const part = await branchesOnly(name, [last]);
    const alone = await rowsOf((await reader.open(bufferSpec('part', part[1]))).id, path);
    expect(alone.size).toBeLessThan(right.size);
    for (const [at, parts] of [
      [1, [whole, part]],
      [0, [part, whole]],
    ] as const) {
      const product = await union(...parts);
      expect(product.notes.join()).toContain(`entries of ${part[0]}`);
      expect(product.leftOut).toEqual([]);
      const got = await rowsOf(product.id, path);
      expect([...got.keys()].sort()).toEqual([...right.keys()].sort());
      for (const [branch, rows] of right) {
        const both = got.get(branch) ?? [];
        const halves = [both.slice(0, rows.length), both.slice(rows.length)];
        expect(halves[1 - at], branch).toEqual(rows);
        if (alone.has(branch)) expect(halves[at], branch).toEqual(rows);
        else
          expect(
            halves[at]?.filter((row) => !isEmpty(row)),
            branch,
          ).toEqual([]);
      }
    }
  },
);

/** A file with some columns of the same entries. */
async function fileOf(name: string, entries: number, ...names: string[]): Promise<Part> {
  const sink = memorySink();
  const lists = Array.from({ length: entries }, (_, i) => Array.from({ length: i % 4 }, (_, k) => i + k / 8));
  const all: Record<string, unknown[]> = {
    x: lists.map((_, i) => i / 4),
    pt: lists,
    eta: lists.map((list) => list.map((value) => -value)),
    word: lists.map((_, i) => `word ${i}`),
    nested: lists.map((list) => list.map((value) => `${value}`)),
  };
  await writeRoot(sink, async (file) => {
    const tree = await file.tree('deep/t', { counters: { pt: 'n', eta: 'n' }, clusterBytes: 4000 });
    await tree.append(Object.fromEntries(names.map((own) => [own, all[own] ?? []])) as never);
  });
  return [`${name}.root`, sink.bytes()];
}

const COUNTS = [7, 2000, 30];

/** No file has all branches; `eta` has the lengths of `pt` where there is only this one. */
async function threeParts(): Promise<Part[]> {
  return [
    await fileOf('a', COUNTS[0] ?? 0, 'x', 'pt'),
    await fileOf('b', COUNTS[1] ?? 0, 'pt', 'eta', 'word'),
    await fileOf('c', COUNTS[2] ?? 0, 'x', 'nested'),
  ];
}

test('branches that no file has all of come from several files', async () => {
  const parts = await threeParts();
  const { id, notes, trees } = await union(...parts);
  expect(notes).toEqual([
    'deep/t: 2 branches eta, word without values (zeros, empty texts and lists) in 37 entries of a.root, c.root',
    'deep/t: branch nested without values (zeros, empty texts and lists) in 2,007 entries of a.root, b.root',
    'deep/t: branch x without values (zeros, empty texts and lists) in 2,000 entries of b.root',
    'deep/t: 2 branches n, pt without values (zeros, empty texts and lists) in 30 entries of c.root',
  ]);
  expect(trees).toMatchObject([{ entries: 2037, parts: 3 }]);
  const got = await rowsOf(id, 'deep/t');
  expect([...got.keys()]).toEqual(['x', 'n', 'pt', 'eta', 'word', 'nested']);
  const lengths = (rows: unknown[] = []) => rows.map((row) => (row as unknown[]).length);
  expect(lengths(got.get('eta'))).toEqual(lengths(got.get('pt')));
  let from = 0;
  for (const [k, [name, bytes]] of parts.entries()) {
    const to = from + (COUNTS[k] ?? 0);
    const alone = await rowsOf((await reader.open(bufferSpec(name, bytes))).id, 'deep/t');
    for (const [branch, rows] of got) {
      const own = alone.get(branch);
      if (own) expect(rows.slice(from, to), branch).toEqual(own);
      else expect(rows.slice(from, to).filter((row) => !isEmpty(row))).toEqual([]);
    }
    from = to;
  }
  const { clusterStart, trueStart } = await reader.layout(id, 'deep/t');
  expect(clusterStart).toEqual(trueStart);
});

test('a branch of which empty entries are not known, or of another type, is refused', async () => {
  const part = await branchesOnly('stl', ['list']);
  const unknown = await union(['stl', fixtureBytes('stl')], part).catch(toXylemError);
  expect(unknown).toMatchObject({
    code: 'UNSUPPORTED',
    message:
      'part of stl: Branch pair is missing in a file, and entries without values cannot be made of its type (pair<int,float>).',
  });
  const bytes = memorySink();
  await writeRoot(bytes, async (file) => {
    await (await file.tree('deep/t')).append({ word: Float32Array.of(1) });
  });
  const other = await union(await fileOf('a', 3, 'word'), ['b', bytes.bytes()]).catch(toXylemError);
  expect(other).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('another type or leaves of word'),
  });
});

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT reads the values of all parts, and hadd merges the product again',
  async () => {
    const parts = await threeParts();
    const { id, data } = await union(...parts);
    const out = join(folder, 'union.root');
    writeFileSync(out, data);
    const program = resolve(import.meta.dirname, 'merge_trees.py');
    const text = execFileSync(oraclePython ?? '', ['-W', 'ignore', program, 'values', out, 'deep/t'], {
      encoding: 'utf8',
    });
    const found = JSON.parse(text) as { warnings: number; again: number; values: Record<string, unknown[]> };
    expect(found).toMatchObject({ warnings: 0, again: 4074 });
    const own = await reader.arrays(id, { tree: 'deep/t', branches: Object.keys(found.values) });
    expect(own.length).toBe(6);
    for (const { branch, column } of own)
      expect(found.values[branch.path], branch.path).toEqual(column ? canonicalRows(column) : []);
  },
  180_000,
);
