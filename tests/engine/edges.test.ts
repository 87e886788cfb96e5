import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArraysResult } from '../../web/api/api';
import { bufferSpec, type Canonical, canonicalRows, fixtureFolder, makeEngine } from './fixtures';

/** Entries of all branches of the tree `t` of a file that make_edges.py made. */
async function readEdges(name: string, entries: [number, number] = [0, 3]): Promise<ArraysResult[]> {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec(name, readFileSync(join(fixtureFolder, `edges/${name}.root`))));
  const branches = (await reader.tree(id, 't')).branches.map((branch) => branch.path);
  return reader.arrays(id, { tree: 't', branches, entries });
}

function rows(result: ArraysResult | undefined): Canonical[] {
  if (!result?.column) throw new Error(`no column: ${result?.error?.message}`);
  return canonicalRows(result.column);
}

test('baskets in another file are refused by its name, those in the record of the tree are read', async () => {
  const [near, far, few] = await readEdges('elsewhere');
  expect(rows(near)).toEqual([0, 1, 2]);
  expect(rows(few)).toEqual([0, 2, 4]);
  expect(far?.error?.code).toBe('UNSUPPORTED');
  expect(far?.error?.message).toContain('"other.root"');
});

test('an empty member-wise collection of a class that is not described is empty', async () => {
  const [value] = await readEdges('empty_elements');
  expect(rows(value)).toEqual([0, 1, 2].map((i) => ({ before: i, unseen: [], after: 0 - i })));
});

test('members of base classes that others hide are named with their class', async () => {
  const [value] = await readEdges('hidden');
  const members = { 'Left::x': 1, 'Left::left': 2, x: 3, left: 4 };
  expect(rows(value)).toEqual([0, 1, 2].map((own) => ({ ...members, own })));
});

test('fixed arrays of texts and of objects have one header, however they are split', async () => {
  const member = (i: number): Record<string, Canonical> => ({
    before: i,
    texts: [0, 1].map((k) => `t${i}.${k}`),
    named: [0, 1].map((k) => ({ fName: `n${i}.${k}`, fTitle: 'x' })),
    plain: [{}, {}],
    grid: [0, 1].map((k) => [0, 1].map((l) => `g${i}.${k}${l}`)),
    after: 0 - i,
  });
  const list = (i: number) => Array.from({ length: i % 3 }, () => member(i));
  const entries = [0, 1, 2];
  const names = Object.keys(member(0));
  const read = (await readEdges('member_arrays')).map(rows).filter(({ length }) => length > 0);
  expect(read).toEqual([
    entries.map(member),
    entries.map((i) => ({ list: list(i) })),
    ...names.map((name) => entries.map((i) => member(i)[name])),
    entries.map((i) => list(i).length),
    ...names.map((name) => entries.map((i) => list(i).map((one) => one[name]))),
  ]);
});

test('counted arrays that are null pointers are empty, whatever their counter says', async () => {
  const of = (there: boolean, values: number[]) => (there ? values : []);
  const x = (i: number) =>
    of(
      i % 2 > 0,
      Array.from({ length: i }, (_, k) => i + k / 4),
    );
  const s = (i: number) =>
    of(
      i % 3 > 0,
      Array.from({ length: i }, (_, k) => 10 * i + k),
    );
  const entries = [0, 1, 2];
  const read = (await readEdges('absent_arrays')).map(rows).filter(({ length }) => length > 0);
  expect(read).toEqual([
    entries.map((n) => ({ n, x: x(n), s: s(n), after: 0 - n })),
    entries,
    entries.map(x),
    entries.map(s),
    entries.map((i) => 0 - i),
  ]);
});

test('member-wise collections of a class of several versions have the members of their own', async () => {
  const [whole] = await readEdges('two_versions', [4, 8]);
  const part = (i: number, old: boolean) => (old ? { a: i, b: 10 * i } : { a: i, b: 100 * i, c: i / 2 });
  expect(rows(whole)).toEqual(
    [4, 0, 1, 2].map((i, at) => ({
      before: i,
      parts: Array.from({ length: i % 3 }, () => part(i, at === 0)),
      after: 0 - i,
    })),
  );
});
