import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { DrawRequest, DrawResult } from '../../web/api/api';
import { engineOf } from '../../web/api/engine-api';
import { openRoot } from '../../web/node';
import { run } from '../cli/support';
import { bufferSpec, fixtureBytes, makeEngine } from './fixtures';

const sample = resolve(import.meta.dirname, '../../public/sample.root');

/**
 * Returns the members that have to be equal. Means are rounded, because they are summed in a different
 * order and their last digits may differ.
 */
function essence(result: DrawResult): object {
  if (result.kind === 'frequencies') return { top: result.top, values: result.values };
  if (result.kind !== 'histogram') throw new Error(`a histogram was expected, not ${result.kind}`);
  const rounded = (values: number[]) => values.map((value) => Number(value.toPrecision(12)));
  const { sums, squares, fills, entries, nan, weight, effective, min, max, integer } = result;
  return {
    axes: result.axes.map(({ bins, low, high }) => ({ bins, low, high })),
    ...{ sums: [...sums], squares: [...squares], fills, entries, nan, weight, effective, min, max, integer },
    mean: rounded(result.mean),
    stdDev: rounded(result.stdDev),
  };
}

const fixtures: [file: string, branches: number][] = [
  ['leaves', 16],
  ['arrays', 37],
  ['collections_split99', 8],
  ['clusters', 4],
  ['objects_split1', 36],
  ['ntuple_fields', 98],
];

test.each(fixtures)('each branch of %s gives one histogram, with the cut 1, too', async (file, least) => {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec(file, fixtureBytes(file)));
  const keys = (await engine.keys(id)).filter(({ kind }) => kind === 'tree' || kind === 'ntuple');
  let compared = 0;
  for (const { path: tree } of keys) {
    const { branches } = await engine.tree(id, tree);
    for (const { path, index, kind, depth } of branches) {
      if (kind !== 'number' && kind !== 'string') continue;
      const draw = async (request: Partial<DrawRequest>) =>
        essence(await engine.draw(id, { tree, bins: 50, ...request }));
      const plain = await draw({ branch: index });
      expect(await draw({ branch: index, cut: '1' }), path).toEqual(plain);
      // A path of several names may also be read as a division.
      if (depth === 0) expect(await draw({ expr: path }), path).toEqual(plain);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThanOrEqual(least);
});

test.each(['MET_pt', 'nMuon', 'Muon_eta'])('hist, draw and the library agree on %s', async (branch) => {
  await using file = await openRoot(sample, { workers: 0 });
  const tree = await file.tree('Events');
  const { reader, info } = file;
  const wanted = essence(await tree.draw(branch));
  const draw = async (request: Partial<DrawRequest>) =>
    essence(await reader.draw(info.id, { tree: 'Events', ...request }));
  expect(await draw({ branch })).toEqual(wanted);
  expect(await draw({ expr: branch, cut: '1' })).toEqual(wanted);
  const tight = await draw({ branch, axes: [{ rule: 'tight' }] });
  expect(tight).not.toEqual(wanted);
  expect(essence(await tree.draw(branch, { axis: 'tight' }))).toEqual(tight);
  for (const line of [
    ['hist', sample, 'Events', branch],
    ['draw', sample, 'Events', branch],
    ['draw', sample, branch, '1'],
  ]) {
    const { status, out } = await run(engineOf(reader), ...line, '--json');
    expect(status).toBe(0);
    expect(essence(JSON.parse(out)), line.join(' ')).toEqual(wanted);
  }
  const line = ['hist', sample, 'Events', branch, '--axes', 'tight', '--json'];
  expect(essence(JSON.parse((await run(engineOf(reader), ...line)).out))).toEqual(tight);
});
