import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import type { XylemError } from '../../web/base/errors';
import { fromRecord, toXylemError } from '../../web/base/errors';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../engine/fixtures';

// The files of make_hostile.py, read beside a good one that is open in the same reader.

const names = readdirSync(resolve(fixtureFolder, 'hostile'))
  .map((name) => name.replace(/\.root$/, ''))
  // Half a gigabyte when decompressed, which has a test of its own.
  .filter((name) => name !== 'nulls');

/** Everything of a file that can be asked for; gives what failed. */
async function readAll(reader: EngineApi, id: number): Promise<XylemError[]> {
  const failures: XylemError[] = [];
  const tried = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await run();
    } catch (thrown) {
      failures.push(toXylemError(thrown));
      return undefined;
    }
  };
  await tried(() => reader.types(id));
  for (const { path, kind } of (await tried(() => reader.keys(id))) ?? []) {
    if (kind === 'directory') continue;
    if (kind !== 'tree') {
      const object = await tried(() => reader.object(id, path));
      // As people see it.
      if (object)
        expect(JSON.stringify(object, (_, v) => (typeof v === 'bigint' ? 0 : v)).length).toBeGreaterThan(1);
      continue;
    }
    for (const { index, entries } of (await tried(() => reader.tree(id, path)))?.branches ?? []) {
      const spans: [number, number][] = [
        [0, 300],
        [282, Math.min(entries, 2 ** 31)],
        [entries - 1, entries],
      ];
      for (const raw of [false, true])
        for (const span of spans) {
          const request = { tree: path, branches: [index], entries: span, raw };
          const [result] = (await tried(() => reader.arrays(id, request))) ?? [];
          if (result?.error) failures.push(fromRecord(result.error));
        }
    }
  }
  await tried(() => reader.check(id));
  return failures;
}

test.each(names)(
  '%s',
  async (name) => {
    const reader = await makeEngine();
    const good = await reader.open(bufferSpec('leaves', fixtureBytes('leaves')));
    const request = { tree: 't', branches: [0, 1, 2] };
    const before = await reader.arrays(good.id, request);
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(`hostile/${name}`)));
    for (const { code, message } of await readAll(reader, id)) {
      expect(code, message).not.toBe('INTERNAL');
      expect(code, message).not.toBe('CORE_LOST');
      expect(message.length).toBeGreaterThan(15);
    }
    expect(await reader.arrays(good.id, request)).toEqual(before);
  },
  60_000,
);

test('a list of more values than an array holds says so, and the rest of the object is read', async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('nulls', fixtureBytes('hostile/nulls')));
  const list = (await reader.object(id, 'b')) as { arr?: unknown };
  expect(list).toMatchObject({
    _typename: 'TObjArray',
    arr: { $error: expect.stringMatching(/130000000 values/) },
  });
}, 60_000);

test('members that are named as marks are renamed, and marks stay what they are', async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('marks', fixtureBytes('hostile/names_of_marks')));
  const evil = (await reader.object(id, 'e')) as Record<string, unknown>;
  expect(evil._typename).toBe('Evil');
  expect(evil.__typename).toMatchObject({ _typename: 'Foo', toString: 1, valueOf: 2 });
  for (const mark of ['$id', '$ref', '$error', '$bytes', '$pid', '$target', '$uuid', '$process']) {
    expect(evil[mark], mark).toBeUndefined();
    expect(evil[`_${mark}`], mark).toMatchObject({ _typename: 'Foo' });
  }
  expect(evil).toMatchObject({ fUniqueID: 5, x: 7 });
  expect(await reader.object(id, 'p')).toMatchObject({ _typename: 'Plain', __typename: 0, _$process: 8 });
});

test('directories within each other are all listed', async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('deep', fixtureBytes('hostile/deep_directories')));
  const keys = await reader.keys(id);
  expect(keys).toHaveLength(201);
  expect(keys.at(-1)?.path.split('/')).toHaveLength(201);
  expect((await reader.check(id)).findings).toEqual([]);
});

test('a tree whose branches cannot be read says so', async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('impossible', fixtureBytes('hostile/impossible_baskets')));
  const tree = await reader.tree(id, 't');
  expect(tree.branches).toEqual([]);
  expect(tree.lost).toMatchObject({ failed: 4, total: 4, errors: [{ code: 'CORRUPT' }] });
  const { findings } = await reader.check(id);
  expect(findings[0]).toMatchObject({
    rule: 'tree-damaged',
    message: expect.stringMatching(/4 of 4 branches/),
  });
});

test('baskets that changed places are found by their own keys', async () => {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('exchanged', fixtureBytes('hostile/exchanged_baskets')));
  const { findings } = await reader.check(id);
  expect(findings.map(({ rule, path, offset }) => ({ rule, path, offset }))).toEqual([
    { rule: 'key-mismatch', path: 't/jagged', offset: 256 },
    { rule: 'key-mismatch', path: 't/jagged', offset: 3373 },
  ]);
});
