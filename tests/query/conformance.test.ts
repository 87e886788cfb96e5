import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId, Frequencies } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { makeEngine } from '../engine/fixtures';
import { lacks } from '../needs';
import { conformancePage } from './conformance-page';
import { draw, judge, judgeLabels } from './judge';
import { figure, isHere, nameOf, openPairs, type Pair, recordedPairs, sourceOf } from './recorded-pairs';

const open = openPairs();
const pairs = recordedPairs();
const agreeing = pairs.filter((pair) => !pair.deviation && !pair.error && !open.has(nameOf(pair)));
const proven = pairs.filter(({ proof }) => proof !== undefined);

describe("ROOT's TTree::Draw and TTree::Scan", () => {
  let engine: EngineApi;
  const files = new Map<string, FileId>();
  beforeAll(async () => {
    engine = await makeEngine();
  });
  afterAll(async () => {
    for (const file of files.values()) await engine.close(file);
  });

  async function openFile(file: string): Promise<FileId> {
    const known = files.get(file);
    if (known !== undefined) return known;
    const { id } = await engine.open(sourceOf(file));
    files.set(file, id);
    return id;
  }

  // Some files have no such pair: all of theirs are errors of ROOT without a proof.
  for (const file of new Set([...agreeing, ...proven].map((pair) => pair.file))) {
    const here = <T extends Pair>(some: readonly T[]) =>
      some.filter((pair) => pair.file === file).map((pair): [string, T] => [nameOf(pair), pair]);
    describe.skipIf(
      lacks(file.startsWith('corpus/') ? 'the files of XYLEM_CORPUS' : `the file ${file}`, isHere(file)),
    )(file, () => {
      test.each(here(agreeing))('%s', async (_name, pair) => {
        expect(await judge(engine, await openFile(file), pair)).toEqual([]);
      });

      // Where ROOT is wrong the values are those that uproot and numpy find.
      test.each(here(proven))('%s is right', async (_name, pair) => {
        const { values = 0, sum, axis, labels } = pair.proof ?? {};
        if (labels) {
          const { tree, expr, cut } = pair;
          const got = (await engine.draw(await openFile(file), { tree, expr, cut })) as Frequencies;
          expect(judgeLabels(labels, values, got)).toEqual([]);
          return;
        }
        const got = await draw(engine, await openFile(file), pair, axis && [axis]);
        expect(got.fills).toBe(values);
        const total = (got.mean[0] || 0) * got.weight;
        expect(Math.abs(total - figure(sum))).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(total)));
      });
    });
  }

  test.each(
    pairs.filter((pair) => open.get(nameOf(pair)) === 'refused').map((pair) => [nameOf(pair), pair] as const),
  )('%s is refused, at its place', async (_name, pair) => {
    if (!isHere(pair.file)) return;
    await expect(judge(engine, await openFile(pair.file), pair)).rejects.toSatisfy(
      (thrown) => thrown instanceof XylemError && thrown.where?.offset !== undefined,
    );
  });

  const chained = pairs.filter((pair) => pair.deviation?.startsWith('Comparisons'));
  test.each(chained.map((pair) => [nameOf(pair), pair] as const))('%s is refused', async (_name, pair) => {
    await expect(judge(engine, await openFile(pair.file), pair)).rejects.toSatisfy(
      (thrown) =>
        thrown instanceof XylemError && thrown.code === 'ARGUMENT' && thrown.where?.offset !== undefined,
    );
  });

  // Written by "npx vitest run tests/query/conformance.test.ts -u".
  test('docs/conformance.md says what agrees, and what ROOT does otherwise', async () => {
    await expect(conformancePage(pairs, open)).toMatchFileSnapshot('../../docs/conformance.md');
  });
});
