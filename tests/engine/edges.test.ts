import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArraysResult } from '../../web/api/api';
import { bufferSpec, type Canonical, canonicalRows, fixtureFolder, makeEngine } from './fixtures';

/** The first three entries of all branches of the tree `t` of a file that make_edges.py made. */
async function readEdges(name: string): Promise<ArraysResult[]> {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec(name, readFileSync(join(fixtureFolder, `edges/${name}.root`))));
  const branches = (await reader.tree(id, 't')).branches.map((branch) => branch.path);
  return reader.arrays(id, { tree: 't', branches, entries: [0, 3] });
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
