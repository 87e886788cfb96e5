import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TreeLayout } from '../../web/api/api';
import { isTree } from '../../web/model/keys';
import { drawingSvg } from '../../web/plot/drawing/drawing';
import { explain, PICTURED } from '../../web/plot/explain';
import { bufferSpec, makeEngine } from '../engine/fixtures';

const sample = join(import.meta.dirname, '../../public/sample.root');
const unwell = join(import.meta.dirname, '../fixtures/reads/unwell.root');
const encodings = join(import.meta.dirname, '../fixtures/reads/encodings.root');

async function layoutOf(path: string): Promise<TreeLayout> {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('file', readFileSync(path)));
  const key = (await engine.keys(id)).find(isTree);
  return await engine.layout(id, key?.path ?? '');
}

test('words are explained with the baskets of the file', async () => {
  const layout = await layoutOf(sample);
  const caption = (word: (typeof PICTURED)[number]): string => explain(word, layout)?.caption ?? '';
  // The largest branch, as uproot lists it: 4 baskets, the first of 975 entries.
  expect(caption('Baskets')).toBe(
    'Muon_eta has 4 baskets with 19.6 kB, here at their places in the file. The first has 7.88 kB, the values of 975 entries.',
  );
  expect(caption('Clusters')).toMatch(/^Events has 3 clusters: a line where each begins\./);
  expect(caption('Round trip')).toMatch(
    /^The first 4 baskets of Muon_eta, .*: 4 round trips of 20 ms, 82 ms in all\./,
  );
  expect(caption('TTreeCache')).toMatch(
    /^A job that reads Muon_eta, Muon_phi, Muon_pt .* gets 12 baskets, 57\.7 kB, /,
  );
});

test('an over-read is what lies between two baskets that follow each other', async () => {
  const layout = await layoutOf(sample);
  const { caption = '' } = explain('Over-read', layout) ?? {};
  const branch = layout.tree.branches.findIndex(({ path }) => path === 'Muon_eta');
  const places: (readonly [at: number, bytes: number])[] = [];
  for (let i = layout.basketStart[branch] ?? 0; i < (layout.basketStart[branch + 1] ?? 0); i++)
    places.push([layout.offset[i] ?? 0, layout.storedBytes[i] ?? 0] as const);
  places.sort(([a], [b]) => a - b);
  const gaps = places.slice(1).map(([at], i) => at - (places[i]?.[0] ?? 0) - (places[i]?.[1] ?? 0));
  expect(caption).toContain(`and ${(Math.min(...gaps) / 1000).toPrecision(3)} kB lie between them`);
});

test('pictures of a TTree without clusters, and of an RNTuple with its pages', async () => {
  for (const path of [sample, unwell, encodings]) {
    const layout = await layoutOf(path);
    for (const word of PICTURED) {
      const made = explain(word, layout);
      if (made === undefined) continue;
      expect(drawingSvg(made.drawing)).not.toMatch(/NaN|Infinity/);
      expect(made.caption).not.toMatch(/NaN|undefined|Infinity/);
    }
  }
  const ntuple = await layoutOf(encodings);
  expect(explain('TTreeCache', ntuple)).toBeUndefined();
  expect(explain('Pages', ntuple)?.caption).toMatch(/ has \d+ pages? with /);
});
