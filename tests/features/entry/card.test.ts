import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import { readCard } from '../../../web/features/entry/work/card';
import { cardJson } from '../../../web/features/entry/work/card-json';
import {
  bufferSpec,
  type Canonical,
  difference,
  fixtureBytes,
  goldenNames,
  makeEngine,
  parseExact,
  readGolden,
} from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';

const reader = withReader(() => makeEngine());
const notYet = new Set<string>(
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../engine/not-yet.json'), 'utf8')) as string[],
);

interface Shown {
  path: string;
  value?: Canonical;
  error?: { code: string };
}

/** Returns the branches of a card as its JSON has them, by their paths. */
async function cardOf(file: FileInfo, tree: string, entry: number): Promise<Map<string, Shown>> {
  const info = await reader.tree(file.id, tree);
  const card = await readCard(reader, file, info, { tree, entry });
  const json = parseExact([...cardJson(card)].join('')) as unknown as { groups: { branches: Shown[] }[] };
  return new Map(json.groups.flatMap(({ branches }) => branches.map((one) => [one.path, one])));
}

/** Compares cards of entries with the values of ROOT; returns how many values were compared, and the first difference. */
async function compare(
  file: FileInfo,
  tree: string,
  entries: readonly number[],
  wanted: readonly (readonly [path: string, values: readonly Canonical[]])[],
) {
  let compared = 0;
  const wrong: string[] = [];
  for (const entry of entries) {
    const card = await cardOf(file, tree, entry);
    for (const [path, values] of wanted) {
      const want = values[entry];
      if (want === undefined) continue;
      const { value, error } = card.get(path) ?? {};
      // A branch that cannot be decoded is named with its error, and the others are there.
      if (error?.code === 'UNSUPPORTED' || error?.code === 'NO_STREAMER') continue;
      compared += 1;
      const found = value === undefined ? 'no value' : difference(want, value);
      if (found !== undefined) wrong.push(`${path} of entry ${entry}: ${found}`);
    }
  }
  return { compared, wrong };
}

describe('every value of a card equals that of ROOT', () => {
  test.each(goldenNames())(
    'in %s',
    async (name) => {
      const golden = readGolden(name);
      const file = await reader.open(bufferSpec(name, fixtureBytes(name)));
      for (const [path, tree] of Object.entries(golden.trees)) {
        if (notYet.has(`${name} ${path}`)) continue;
        const wanted = Object.entries(tree.branches).flatMap(([branch, { group, values }]) =>
          group || values === undefined || notYet.has(`${name} ${path} ${branch}`)
            ? []
            : [[branch, values] as const],
        );
        const entries = Array.from({ length: Math.min(tree.entries, 12) }, (_, i) =>
          Math.floor((i * tree.entries) / Math.min(tree.entries, 12)),
        );
        const { compared, wrong } = await compare(file, path, entries, wanted);
        expect(wrong).toEqual([]);
        if (wanted.length > 0 && tree.entries > 0) expect(compared).toBeGreaterThan(0);
      }
      await reader.close(file.id);
    },
    60_000,
  );
});

/** Files of experiments: NanoAOD in RNTuple, EDM, trees of objects, arrays and vectors, H1. */
const REAL = [
  'roottest/io__hadd__cms_opendata_0_100',
  'roottest/treeformula__parse__CaloJets',
  'roottest/io__evolution__skim',
  'skhep/uproot-HZZ-objects',
  'skhep/uproot-HZZ',
  'skhep/uproot-issue-816',
  'roottest/tree__friend__data12_Feb2000_h1900_off-3-100',
  'skhep/uproot-issue431',
];
const corpus = process.env.XYLEM_CORPUS ?? '';
/** Number of entries of each tree that are compared. */
const ENTRIES = 60;

describe.skipIf(lacks('the files of XYLEM_CORPUS', existsSync(corpus)))('files of experiments', () => {
  test.each(REAL)(
    '%s',
    async (name) => {
      const expected = parseExact(
        gunzipSync(readFileSync(join(corpus, '../expected', `${name}.json.gz`))).toString('utf8'),
      ) as unknown as {
        trees: Record<string, { entries: number; branches: Record<string, Record<string, Canonical>> }>;
      };
      const file = await reader.open(
        bufferSpec(name, new Uint8Array(readFileSync(join(corpus, `${name}.root`)))),
      );
      let all = 0;
      for (const [path, tree] of Object.entries(expected.trees)) {
        const wanted = Object.entries(tree.branches).flatMap(
          ([branch, { first, group, approx, duplicate }]) =>
            group || approx || duplicate || !Array.isArray(first)
              ? []
              : [[branch, first as Canonical[]] as const],
        );
        const entries = Array.from({ length: Math.min(tree.entries, ENTRIES) }, (_, i) => i);
        const { compared, wrong } = await compare(file, path, entries, wanted);
        all += compared;
        expect(wrong.slice(0, 5)).toEqual([]);
      }
      expect(all).toBeGreaterThan(100);
      process.stderr.write(`${name}: ${all} values\n`);
      await reader.close(file.id);
    },
    60_000,
  );
});
