import { beforeAll, describe, expect, test } from 'vitest';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { objectsOf } from '../../../web/features/writer/work/encode/tree-edit';
import { fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { valuesOf } from './all-verbs';
import { mergeFixtures } from './merging';
import { bothModules, recordsOf } from './module';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let modules: Awaited<ReturnType<typeof bothModules>>;
beforeAll(async () => {
  writer = await nodeModules('write');
  modules = await bothModules();
});

/** Room for the texts of each leaf of the tree "t": fLen. */
function rooms(bytes: Uint8Array): number[] {
  const { records, classes } = recordsOf(modules, bytes);
  const key = records.find(({ className }) => className === 'TTree');
  if (!key) throw new Error('there is no tree');
  const tree = classes.read(bytes.subarray(key.at, key.at + key.nbytes));
  classes.free();
  return objectsOf(tree, 'fLeaves').map(({ fLen }) => Number(fLen));
}

describe.each(['strict', 'filter', 'union'] as const)('--schema %s', (schema) => {
  test.each([[['written/texts5', 'written/texts30']], [['written/texts30', 'written/texts5']]])(
    'texts of which others are the longest are merged: %s',
    async (names) => {
      const product = await mergeFixtures(reader, names, { writer, schema });
      expect(product.leftOut).toEqual([]);
      const parts = await Promise.all(names.map((name) => valuesOf(reader, fixtureBytes(name), 't')));
      const merged = await valuesOf(reader, product.data, 't');
      expect([...merged.keys()]).toEqual([...(parts[0]?.keys() ?? [])]);
      for (const [path, rows] of merged)
        expect(rows, path).toEqual(parts.flatMap((part) => part.get(path) ?? []));
      const widest = names.map((name) => rooms(fixtureBytes(name)));
      expect(rooms(product.data)).toEqual(widest[0]?.map((room, i) => Math.max(room, widest[1]?.[i] ?? 0)));
      expect(new Set(widest.map(String)).size).toBe(2);
    },
  );
});
