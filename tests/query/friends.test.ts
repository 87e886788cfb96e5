import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FriendTree, Histogram, SourceSpec } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { nodeModules } from '../../web/core/modules/node-modules';
import { createInsight } from '../../web/insight/api';
import { openWith, ownLease } from '../../web/library/open-root';
import { createWriter } from '../../web/library/writer';
import { runInPage } from '../../web/verbs/run-in-page';
import { makeEngine } from '../engine/fixtures';

/*
 * The values of friends are compared with ROOT in conformance.test.ts. These tests are about finding friends,
 * and about those that the caller gives. The files are made by recorders/friends.py.
 */
const folder = join(import.meta.dirname, 'files');
const at = (name: string): SourceSpec & { kind: 'path' } => ({ kind: 'path', path: join(folder, name) });

describe('friends', () => {
  let engine: EngineApi;
  const ids: Record<string, number> = {};
  let apart = '';

  beforeAll(async () => {
    engine = await makeEngine();
    for (const name of ['friends', 'friends_number', 'friends_index']) {
      ids[name] = (await engine.open(at(`${name}.root`))).id;
    }
    // The same tree where its friends are not.
    apart = mkdtempSync(join(tmpdir(), 'xylem-friends-'));
    copyFileSync(join(folder, 'friends.root'), join(apart, 'friends.root'));
    ids.alone = (await engine.open({ kind: 'path', path: join(apart, 'friends.root') })).id;
  });
  afterAll(async () => {
    for (const id of Object.values(ids)) await engine.close(id);
    rmSync(apart, { recursive: true });
  });

  const id = (name: string): number => ids[name] ?? -1;
  const friend = (name: string, tree: string, more: Partial<FriendTree> = {}): FriendTree => ({
    file: id(name),
    tree,
    ...more,
  });
  const draw = async (file: string, expr: string, cut = '', friends?: FriendTree[]) =>
    (await engine.draw(id(file), { tree: 't', expr, cut, friends })) as Histogram;
  const scan = async (file: string, columns: string, friends?: FriendTree[], entries?: [number, number]) =>
    (await engine.scan(id(file), { tree: 't', columns, friends, entries, limit: 1000 })).values;

  test('a tree lists its friends', async () => {
    const { friends } = await engine.tree(id('friends'), 't');
    expect(friends).toEqual([
      { name: 'f', tree: 'extra', file: 'friends_number.root' },
      { name: 'ix', tree: 'indexed', file: 'friends_index.root' },
      { name: 'few', tree: 'few', file: 'friends_index.root' },
      { name: 'beside', tree: 'beside', file: '' },
    ]);
  });

  test.each([
    ['f.z:x', 'f.m>1', 'friends_number', 'extra', { alias: 'f' }],
    ['extra.z:x', 'm>1', 'friends_number', 'extra', {}],
    ['vec:a', 'word=="whole"', 'friends_number', 'extra', {}],
    ['ix.w:x', 'Sum$(ix.hits)>10', 'friends_index', 'indexed', { alias: 'ix' }],
    ['few.w:x', '', 'friends_index', 'few', {}],
  ] as const)('%s {%s} is the same by a friend that is given', async (expr, cut, file, tree, more) => {
    const own = await draw('friends', expr, cut);
    expect(own.fills).toBeGreaterThan(20);
    expect(await draw('alone', expr, cut, [friend(file, tree, more)])).toEqual(own);
  });

  test('an index is made of expressions as ROOT stored it', async () => {
    const stored = await draw('friends', 'few.w:x');
    const index: [string, string] = ['run', 'event'];
    expect(await draw('alone', 'few.w:x', '', [friend('friends_index', 'few', { index })])).toEqual(stored);
    const sums: [string, string] = ['run*2', 'event-run'];
    expect(await draw('alone', 'few.w:x', '', [friend('friends_index', 'few', { index: sums })])).toEqual(
      stored,
    );
  });

  test('only one number is an index, too; the first of several entries is taken', async () => {
    const [run, w] = await scan('alone', 'run:g.w', [
      friend('friends_index', 'indexed', { alias: 'g', index: ['run'] }),
    ]);
    const [runs, ws] = (
      await engine.scan(id('friends_index'), { tree: 'indexed', columns: 'run:w', limit: 1000 })
    ).values;
    expect(w).toEqual(run?.map((one) => ws?.[runs?.indexOf(one) ?? -1]));
  });

  test('what has no partner has no value', async () => {
    const [event, w] = await scan('friends', 'Entry$:few.w');
    event?.forEach((entry, i) => {
      expect(w?.[i]).toBe((entry as number) % 4 === 0 ? null : (entry as number) / 2);
    });
    // The tree is the friend of a longer one.
    const short = (
      await engine.scan(id('friends_index'), {
        tree: 'indexed',
        columns: 'Entry$:t.x:t.n:Length$(t.a)',
        friends: [friend('friends', 't')],
        entries: [230, 260],
      })
    ).values;
    expect(short[1]?.slice(0, 11)).toEqual([...Array.from({ length: 10 }, (_, i) => 129.5 + i), null]);
    expect(short[3]?.slice(9, 12)).toEqual([6, 0, 0]);
    const filled = (await engine.draw(id('friends_index'), {
      tree: 'indexed',
      expr: 't.x',
      friends: [friend('friends', 't')],
    })) as Histogram;
    expect(filled.fills).toBe(240);
  });

  test('a tree of a file that was opened by itself has them, too', async () => {
    const own = await makeEngine();
    const reader = Object.assign(own, {
      insight: createInsight(own, async () => runInPage),
      writer: createWriter(
        own,
        () => Promise.reject(new Error('Nothing is written here.')),
        () => nodeModules('write'),
      ),
      terminate: () => undefined,
    });
    const file = await openWith(ownLease(reader), at('friends.root'), { named: () => at('friends.root') });
    const tree = await file.tree('t');
    const drawn = await tree.draw('f.z:x', { cut: 'few.w>5' });
    expect(drawn).toEqual(await draw('friends', 'f.z:x', 'few.w>5'));
    const rows = [];
    for await (const row of tree.scan('f.z', { limit: 2 })) rows.push(row);
    expect(rows).toEqual([{ 'f.z': -11 }, { 'f.z': -10.75 }]);
    expect((await tree.arrays(['f.z'], { entries: [0, 2] }))['f.z'].toJSON()).toEqual([-11, -10.75]);
    await file.close();
  });

  test('parts of the entries', async () => {
    const all = await scan('friends', 'x:f.z:ix.w:Sum$(vec):b');
    const some = await scan('friends', 'x:f.z:ix.w:Sum$(vec):b', undefined, [57, 133]);
    expect(some).toEqual(all.map((column) => column.slice(57, 133)));
    const list = Float64Array.of(3, 4, 90, 91, 92, 239);
    const listed = await engine.scan(id('friends'), { tree: 't', columns: 'f.z:few.w', entries: list });
    expect(listed.values[0]).toEqual(Array.from(list, (entry) => entry * 0.25 - 11));
    expect(listed.values[1]).toEqual(Array.from(list, (entry) => (entry % 4 === 0 ? null : entry / 2)));
  });

  test('in a chain, a given friend uses the entry numbers of the chain, a friend of a tree those of the tree', async () => {
    const files = ['friends.root', 'friends.root'].map((name) => ({ source: at(name) }));
    const chain = await engine.open({ kind: 'chain', files });
    const twice = await engine.open({
      kind: 'chain',
      files: ['friends_number.root', 'friends_number.root'].map((name) => ({ source: at(name) })),
    });
    const table = async (columns: string, friends?: FriendTree[]) =>
      (await engine.scan(chain.id, { tree: 't', columns, friends, limit: 1000 })).values;
    const own = await table('f.z:ix.w:Sum$(vec)');
    expect(own[0]?.slice(240)).toEqual(own[0]?.slice(0, 240));
    expect(own[1]?.slice(240)).toEqual(own[1]?.slice(0, 240));
    const given = await table('g.z:g.z:Sum$(g.vec)', [{ file: twice.id, tree: 'extra', alias: 'g' }]);
    expect(given[0]).toEqual(own[0]);
    expect(given[2]).toEqual(own[2]);
    // A friend of one file ends in the middle.
    const half = await table('g.z', [friend('friends_number', 'extra', { alias: 'g' })]);
    expect(half[0]?.slice(0, 240)).toEqual(own[0]?.slice(0, 240));
    expect(half[0]?.slice(240).every((value) => value === null)).toBe(true);
    // Both chains do not end at the same entries.
    const single = (
      await engine.scan(twice.id, {
        tree: 'extra',
        columns: 'z:t.x',
        friends: [{ file: chain.id, tree: 't' }],
        limit: 1000,
      })
    ).values;
    expect(single[1]).toEqual(Array.from({ length: 480 }, (_, i) => (i % 240) - 100.5));
    await engine.close(chain.id);
    await engine.close(twice.id);
  });

  const failure = async (run: Promise<unknown>): Promise<XylemError> => {
    const thrown = await run.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (thrown instanceof XylemError) return thrown;
    throw new Error(`It should have failed with a XylemError, not ${thrown}.`);
  };

  test('a file that is not there matters only where it is needed', async () => {
    expect((await draw('alone', 'x', 'n>2')).fills).toBeGreaterThan(0);
    expect((await draw('alone', 'beside.b')).fills).toBe(240);
    const qualified = await failure(draw('alone', 'x:f.z'));
    expect(qualified).toMatchObject({
      code: 'NOT_FOUND',
      where: { expression: 'x:f.z', offset: 2, length: 3 },
    });
    expect(qualified.message).toContain('friend "f" (friends_number.root)');
    const alone = await failure(draw('alone', 'x', 'vec>1'));
    expect(alone).toMatchObject({ code: 'NOT_FOUND', where: { expression: 'vec>1', offset: 0 } });
    expect(alone.message).toContain('friends_number.root');
  });

  test.each([
    ['f.zz', '"f.z"'],
    ['f.wrd=="a"', '"f.word"'],
    ['ix.hit', '"ix.hits"'],
    ['besid.b', '"beside.b"'],
  ])('%s: did you mean %s', async (expr, wanted) => {
    const error = await failure(draw('friends', expr));
    expect(error.code).toBe('NOT_FOUND');
    expect(error.fix).toContain(wanted);
  });

  test('an index of values that are not numbers is refused', async () => {
    const error = await failure(
      draw('alone', 'g.w', '', [friend('friends_index', 'indexed', { alias: 'g', index: ['hits'] })]),
    );
    expect(error).toMatchObject({ code: 'ARGUMENT' });
    expect(error.message).toContain('"hits"');
  });

  test('a friend of a file that is not open', async () => {
    expect(await failure(draw('alone', 'g.w', '', [{ file: 999, tree: 'indexed' }]))).toMatchObject({
      code: 'ARGUMENT',
    });
  });
});

test('a branch of objects that no expression names does not break an expression over a friend', async () => {
  const engine = await makeEngine();
  const objects = (await engine.open(at('objects.root'))).id;
  const extra = (await engine.open(at('friends_number.root'))).id;
  // The TClonesArray of c0 is not split, so only its entries tell what members it has.
  const kinds = (await engine.tree(objects, 'c0')).branches.map(({ typeName }) => typeName);
  expect(kinds).toContain('TClonesArray');
  const { entries } = await engine.tree(objects, 'c0');
  const friends = [{ file: extra, tree: 'extra', alias: 'f' }];
  const drawn = (await engine.draw(objects, { tree: 'c0', expr: 'z', friends })) as Histogram;
  expect(drawn.fills).toBe(entries);
  const scanned = await engine.scan(objects, { tree: 'c0', columns: 'z:Entry$', friends, limit: 1000 });
  const own = await engine.scan(extra, { tree: 'extra', columns: 'z', limit: 1000 });
  expect(scanned.values[0]).toEqual(own.values[0]?.slice(0, entries));
  // As the friend of another tree, and to index one.
  const other = [{ file: objects, tree: 'c0', alias: 'o' }];
  await expect(engine.draw(extra, { tree: 'extra', expr: 'nowhere', friends: other })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const index: [string] = ['z'];
  const looked = [{ file: objects, tree: 'c0', alias: 'o', index }];
  await expect(
    engine.draw(extra, { tree: 'extra', expr: 'o.nowhere', friends: looked }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await engine.close(objects);
  await engine.close(extra);
});
