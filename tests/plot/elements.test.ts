import { expect, test } from 'vitest';
import { elementsTitle } from '../../web/query/compile/elements';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

test.each([
  ['collections_split99', 't', ['hits', 'clones']],
  // The numbers of a collection's field are those of its elements.
  ['ntuple_fields', 'n', []],
])('in %s numbers of %s that are counts of elements say so', async (name, path, counts) => {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec(name, fixtureBytes(name)));
  const tree = await engine.tree(id, path);
  const titled = tree.branches.flatMap((branch) => elementsTitle(branch, tree) ?? []);
  expect(titled).toEqual(counts.map((one) => `Number of elements of ${one}`));
});
