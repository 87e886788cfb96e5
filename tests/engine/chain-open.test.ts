import { expect, test } from 'vitest';
import type { FileSource } from '../../web/api/api';
import { fixtureFolder, makeEngine } from './fixtures';

// More files than a chain keeps open, read by calls at the same time.

test('a file that a call has taken is not closed by another one that makes room', async () => {
  // The servers of these files have no validators, and take a moment to say that they are the same.
  const engine = await makeEngine((source) => ({
    ...source,
    read: (...rest) => source.read(...rest),
    info: () => ({ size: source.info().size }),
    unverified: 1,
    readAgain: async () => {
      await new Promise((go) => setTimeout(go, 2));
      return 1;
    },
  }));
  const path = `${fixtureFolder}/clusters.root`;
  const files = Array.from({ length: 40 }, () => ({ source: { kind: 'path', path } as FileSource }));
  const { id } = await engine.open({ kind: 'chain', files });
  const { branches } = await engine.tree(id, 't');
  const names = branches.filter(({ kind }) => kind === 'number').map((branch) => branch.path);
  const { entries } = await engine.tree(id, 't');
  const calls = Array.from({ length: 12 }, async (_, i) => {
    await new Promise((go) => setTimeout(go, 5 * i));
    return engine.arrays(id, { tree: 't', branches: names, entries: [0, entries] });
  });
  const ends = await Promise.allSettled(calls);
  expect(ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))).toEqual([]);
});
