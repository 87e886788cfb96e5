import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bufferSpec, makeEngine } from '../engine/fixtures';

// RooFit writes several classes by hand. tests/fixtures/make_workspaces.py asked ROOT what each workspace holds.

interface Workspace {
  /** Value, minimum and maximum (null: none), error. */
  variables: Record<string, [number, number | null, number | null, number]>;
  categories: Record<string, [number, Record<string, number>]>;
  functions: string[];
  pdfs: string[];
  data: Record<string, number>;
  snapshots: Record<string, Record<string, number>>;
}

type Item = Record<string, unknown> & { _typename: string; fName?: string; _name?: string };

const folder = resolve(import.meta.dirname, '../fixtures/files/workspaces');
const answers = JSON.parse(readFileSync(`${folder}/workspaces.json`, 'utf8')) as Record<string, Workspace>;
const bytes = new Uint8Array(readFileSync(`${folder}/workspaces.root`));

const TREE = 'a tree';

/** All objects below a value, in the order in which they are stored, each once. */
function itemsIn(value: unknown): Item[] {
  const found = new Set<Item>();
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || found.has(next as Item))
      continue;
    if ('_typename' in next || '$error' in next) found.add(next as Item);
    left.push(...Object.values(next).reverse());
  }
  return [...found];
}

function byName(items: readonly Item[], isWanted: (className: string) => boolean): Map<string, Item> {
  const named = new Map<string, Item>();
  for (const item of items) {
    if (!isWanted(item._typename ?? '')) continue;
    const name = String(item.fName ?? item._name);
    if (!named.has(name)) named.set(name, item);
  }
  return named;
}

/** Number of entries of a data set that is kept in vectors or as a histogram. The tree of another has a key of its own. */
function entriesOf(data: Item | undefined): unknown {
  if (data?._typename === 'RooDataHist') return data._arrSize;
  const store = data?._dstore as Item;
  if (store._typename === 'RooTreeDataStore') return TREE;
  const [first] = store._realStoreList as { _vec: ArrayLike<number> }[];
  return first?._vec.length;
}

const limit = (value: unknown): number | null => (Number.isFinite(value) ? (value as number) : null);

describe.each(Object.entries(answers))('workspace %s', (name, expected) => {
  test('has the variables, functions, data and snapshots that ROOT reads, and no error', async () => {
    const engine = await makeEngine();
    const file = await engine.open(bufferSpec('workspaces.root', bytes));
    const workspace = (await engine.object(file.id, name)) as unknown as Item;
    expect(itemsIn(workspace).filter((item) => '$error' in item)).toEqual([]);
    const nodes = itemsIn(workspace._allOwnedNodes);
    const variables = byName(nodes, (cls) => cls === 'RooRealVar');
    const values = Array.from(variables, ([key, item]) => {
      const { _xlo, _xhi } = item._binning as Item;
      return [key, [item._value, limit(_xlo), limit(_xhi), Math.max(0, item._error as number)]];
    });
    expect(Object.fromEntries(values)).toEqual(expected.variables);
    const all = byName(nodes, (cls) => cls.startsWith('Roo'));
    for (const one of [...expected.functions, ...expected.pdfs]) expect(all.has(one), one).toBe(true);
    for (const [key, [index, states]] of Object.entries(expected.categories)) {
      const category = all.get(key) as Item;
      if (category._typename !== 'RooCategory') continue;
      expect(category._currentIndex, key).toBe(index);
      const pairs = category._stateNames as { first: string; second: number }[];
      expect(Object.fromEntries(pairs.map(({ first, second }) => [first, second])), key).toEqual(states);
    }
    const data = byName(itemsIn(workspace), (cls) => cls === 'RooDataSet' || cls === 'RooDataHist');
    for (const [key, entries] of Object.entries(expected.data)) {
      const read = entriesOf(data.get(key));
      const tree =
        read === TREE && (await engine.tree(file.id, 'RooTreeDataStore_data_Generated_From_model'));
      expect(tree ? tree.entries : read, key).toBe(entries);
    }
    const snapshots = byName(itemsIn(workspace._snapshots), (cls) => cls === 'RooArgSet');
    for (const [key, inside] of Object.entries(expected.snapshots)) {
      const stored = byName(itemsIn(snapshots.get(key)), (cls) => cls === 'RooRealVar');
      expect(Object.fromEntries(Array.from(stored, ([of, item]) => [of, item._value])), key).toEqual(inside);
    }
  });
});

test('a check calls the file good', async () => {
  const engine = await makeEngine();
  const file = await engine.open(bufferSpec('workspaces.root', bytes));
  const { findings } = await engine.check(file.id);
  expect(findings).toEqual([]);
});
