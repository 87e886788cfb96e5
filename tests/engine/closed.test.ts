import { expect, test } from 'vitest';
import { settle } from '../../web/base/abort';
import { toXylemError } from '../../web/base/errors';
import { bufferSpec, fixtureBytes, makeEngine } from './fixtures';

// Files that are closed while calls read them: what belonged to them in the core is not used any more.

/** Numbers of microtasks before the file is closed. */
const MOMENTS = Array.from({ length: 60 }, (_, i) => i);

test.each([
  ['clusters', 't'],
  ['rntuple', 'n'],
])('%s is closed at any moment of its calls, which end as cancelled', async (name, path) => {
  const engine = await makeEngine();
  const spec = bufferSpec('read', fixtureBytes(name));
  const other = await engine.open(bufferSpec('other', fixtureBytes('leaves')));
  const codes = new Set<string>();
  for (const moments of MOMENTS) {
    const { id } = await engine.open(spec);
    const { branches } = await engine.tree(id, path);
    const names = branches.filter(({ kind }) => kind === 'number').map((branch) => branch.path);
    const calls = [
      ...names.map((branch) => engine.arrays(id, { tree: path, branches: [branch] })),
      engine.layout(id, path),
      engine.tree(id, path),
    ].map((call) => settle<unknown>(call));
    for (let i = 0; i < moments; i++) await undefined;
    await engine.close(id);
    for (const call of await Promise.all(calls)) if (!call.ok) codes.add(toXylemError(call.error).code);
    expect((await engine.tree(other.id, 't')).entries).toBe(150);
  }
  expect([...codes].filter((code) => code !== 'ABORTED')).toEqual([]);
});
