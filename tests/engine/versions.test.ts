import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ArraysResult, Histogram } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { bufferSpec, type Canonical, canonicalRows, fixtureFolder, makeEngine } from './fixtures';

/*
 * Files that describe classes in several layouts, and collections of enums. make_versions.py made them, and
 * `versions.json` is what ROOT reads from them with the programs that wrote them.
 */
const folder = join(fixtureFolder, 'versions');
const known = JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8')) as Record<
  string,
  Record<string, Canonical[]>
>;

let engine: EngineApi;
beforeAll(async () => {
  engine = await makeEngine();
});

async function open(name: string): Promise<number> {
  return (await engine.open(bufferSpec(name, readFileSync(join(folder, name))))).id;
}

async function readAll(id: number, tree: string): Promise<ArraysResult[]> {
  const branches = (await engine.tree(id, tree)).branches.filter(({ kind }) => kind !== 'group');
  return engine.arrays(id, { tree, branches: branches.map(({ path }) => path), entries: [0, 6] });
}

/** Pairs have the form of xylem's rows of maps, and members one order. */
function plain(value: Canonical): Canonical {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const members = value as Record<string, Canonical>;
  if (Object.keys(members).join() === 'first,second') return Object.values(members).map(plain);
  const names = Object.keys(members).filter((name) => name !== '_typename');
  return Object.fromEntries(names.sort().map((name) => [name, plain(members[name] ?? null)]));
}

/** The members that a path names; of lists, those of all elements. */
function memberAt(value: Canonical, [name, ...rest]: string[]): Canonical {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => memberAt(one, [name, ...rest]));
  return memberAt((value as Record<string, Canonical>)[name] ?? null, rest);
}

const cases = Object.entries(known).flatMap(([file, trees]) =>
  Object.keys(trees).map((tree) => [file, tree]),
);

test.each(cases)(
  '%s:%s has the values that ROOT reads with the program that wrote it',
  async (file, tree) => {
    const entries = known[file ?? '']?.[tree ?? ''] ?? [];
    for (const { branch, column, error } of await readAll(await open(file ?? ''), tree ?? '')) {
      expect(error, branch.path).toBeUndefined();
      const last =
        branch.path
          .replaceAll(/\[\d+\]/g, '')
          .split('/')
          .pop() ?? '';
      const path = last.split('.').slice(1).filter(Boolean);
      const wanted = entries.map((entry) => memberAt(entry, path));
      const counts = branch.kind === 'number' && wanted.every((one) => Array.isArray(one));
      const found = column ? canonicalRows(column) : [];
      const isCount = counts && found.every((one) => typeof one === 'number');
      const right = isCount ? wanted.map((one) => (one as Canonical[]).length) : wanted.map(plain);
      expect(found.map(plain), branch.path).toEqual(right);
    }
  },
);

test('members of base classes are drawn in the layout of their tree', async () => {
  const id = await open('layouts.root');
  for (const [tree, branch] of [
    ['a1', 'a'],
    ['b1', 'a'],
    ['b1', 'l'],
    ['a0', 'a'],
    ['b0', 'p'],
  ] as const) {
    const entries = known['layouts.root']?.[tree] ?? [];
    const keys = entries.flatMap((entry) => memberAt(entry, [branch, 'key']) as number[]);
    const expr = tree.endsWith('0') ? `aux..${branch}.key` : `${branch}.key`;
    const drawn = (await engine.draw(id, { tree, expr })) as Histogram;
    expect(drawn.fills, `${tree} ${expr}`).toBe(keys.length);
    const mean = keys.reduce((sum, key) => sum + key, 0) / keys.length;
    expect(drawn.mean[0], `${tree} ${expr}`).toBeCloseTo(mean, 9);
  }
});

test('a member that a layout lacks has no value, neither 0 nor an empty text', async () => {
  const id = await open('layouts.root');
  for (const tree of ['a0', 'ao0', 'b0', 'bo0']) {
    const entries = known['layouts.root']?.[tree] ?? [];
    const count = entries.flatMap((entry) => memberAt(entry, ['a', 'key']) as number[]).length;
    const drawn = (await engine.draw(id, { tree, expr: 'aux..a.more' })) as Histogram;
    expect([tree, drawn.fills]).toEqual([tree, tree.startsWith('a') ? 0 : count]);
    expect(((await engine.draw(id, { tree, expr: 'aux..a.key' })) as Histogram).fills).toBe(count);
  }
});

test('a description that is repeated counts once, and objects have one shape', async () => {
  const [once, twice] = [await open('layouts.root'), await open('twice.root')];
  for (const [id, most] of [
    [once, 2],
    [twice, 1],
  ] as const) {
    const types = (await engine.types(id)).filter(({ name }) => name === 'LBase');
    expect(types).toHaveLength(most);
  }
  for (const tree of ['a0', 'a1', 'ao1']) {
    const found = (await readAll(twice, tree)).map(({ column }) => column && canonicalRows(column));
    const other = (await readAll(once, tree)).map(({ column }) => column && canonicalRows(column));
    expect(found).toEqual(other);
  }
});

test('enums that ROOT does not write whole are refused by name, whatever else is there is read', async () => {
  const id = await open('enums.root');
  const found = (await readAll(id, 'lossy')).concat(await readAll(id, 'array'));
  const told = found.map(({ branch, error }) => [branch.path, error?.code]);
  expect(told).toEqual([
    ['aux./aux.n', undefined],
    ['aux./aux.in', 'UNSUPPORTED'],
    ['aux./aux.mvv', 'UNSUPPORTED'],
    ['aux./aux.n', undefined],
    ['aux./aux.arr[2]', 'UNSUPPORTED'],
  ]);
  for (const { error } of found) if (error) expect(error.message).toContain('vector<Tone>');
});

test('enums are drawn as numbers', async () => {
  const id = await open('enums.root');
  for (const member of ['v', 'vt', 'vv', 'l']) {
    const values = (known['enums.root']?.a1 ?? []).flatMap((entry) =>
      (memberAt(entry, [member]) as Canonical[]).flat(9),
    ) as number[];
    const drawn = (await engine.draw(id, { tree: 'a1', expr: member })) as Histogram;
    expect(drawn.fills, member).toBe(values.length);
    expect(drawn.mean[0], member).toBeCloseTo(values.reduce((a, b) => a + b, 0) / values.length, 9);
  }
});
