import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { XylemError } from '../../web/base/errors';
import type { FileId, FilledHistogram, ReaderApi } from '../../web/file/api';
import { makeEngine } from '../file/fixtures';
import { conformancePage, type Ours, type Pair } from './conformance-page';

const root = join(import.meta.dirname, '../..');
const corpus = process.env.XYLEM_CORPUS ?? join(root, '../shared/corpus/files');
const places: Record<string, string> = {
  fixtures: join(root, 'tests/fixtures/files'),
  query: import.meta.dirname,
  public: join(root, 'public'),
  corpus,
};
/** Pairs that do not agree yet, "file | expression | cut": open.json shrinks, it never grows. */
const open = new Set(JSON.parse(readFileSync(join(import.meta.dirname, 'open.json'), 'utf8')) as string[]);
const pairs = JSON.parse(readFileSync(join(import.meta.dirname, 'conformance.json'), 'utf8')) as Pair[];
const agreeing = pairs.filter(
  (pair) => !pair.deviation && !pair.error && !open.has([pair.file, pair.expr, pair.cut].join(' | ')),
);

function pathOf(file: string): string {
  const [place = '', ...rest] = file.split('/');
  return join(places[place] ?? '', ...rest);
}

const TOLERANCE = 1e-9;
const number = (value: number | string | undefined): number =>
  value === 'nan'
    ? Number.NaN
    : value === 'inf'
      ? Infinity
      : value === '-inf'
        ? -Infinity
        : Number(value ?? 0);

/** Sums agree to 1e-9 of what was added up; counts are sums of ones and agree exactly. */
function differs(ours: number, theirs: number, scale = Math.abs(theirs)): boolean {
  if (Object.is(ours, theirs) || ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs)))
    return false;
  if (Number.isInteger(theirs) && Number.isInteger(ours) && scale < 2 ** 53 && scale === Math.abs(theirs)) {
    return Math.abs(ours - theirs) > TOLERANCE * scale;
  }
  return !(Math.abs(ours - theirs) <= TOLERANCE * Math.max(scale, 1e-300));
}

/** What is not the same; empty when all is. */
function compare(pair: Pair, got: FilledHistogram): string[] {
  const wrong: string[] = [];
  const check = (name: string, ours: number, theirs: number | string | undefined, scale?: number) => {
    if (differs(ours, number(theirs), scale)) wrong.push(`${name}: ${ours}, in ROOT ${theirs}`);
  };
  check('fills', got.fills, pair.fills);
  const counted = new Set<number>();
  for (const [cell, theirs] of Object.entries(pair.cells)) {
    const i = Number(cell);
    counted.add(i);
    const [content, second, third] = theirs;
    if (!got.profile) {
      check(`bin ${i}`, got.sums[i] ?? Number.NaN, content, Math.sqrt(Math.abs(number(second))));
      check(`squares of bin ${i}`, got.squares[i] ?? Number.NaN, second);
      continue;
    }
    const weight = got.weights?.[i] ?? 0;
    check(`weight of bin ${i}`, weight, second);
    check(
      `bin ${i}`,
      (got.sums[i] ?? 0) / weight,
      content,
      Math.abs(number(content)) + 1e-6 * Math.abs(number(third)),
    );
  }
  got.sums.forEach((sum, i) => {
    if (!counted.has(i) && (sum !== 0 || got.squares[i] !== 0))
      wrong.push(`bin ${i}: ${sum}, in ROOT nothing`);
  });
  const [sumw, sumw2, sumwx, sumwx2, sumwy, sumwy2] = pair.stats.map(number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Sums of both signs are as exact as what was added up.
  check('sum of weights', got.weight, sumw, Math.sqrt(sumw2 * pair.fills) || 1);
  const spread = Math.sqrt(Math.abs(sumwx2 * sumw));
  // Where the weights add up to nothing there is no mean.
  if (sumw !== 0) {
    check('sum of w x', (got.mean[0] || 0) * got.weight, sumwx, spread || 1);
    // Weights of both signs may leave a negative variance, of which the amount is taken.
    if (got.stdDev.every((value) => !Number.isNaN(value))) {
      const square = sumwx2 / sumw;
      const variance = Math.abs(square - (sumwx / sumw) ** 2);
      check('variance', (got.stdDev[0] ?? 0) ** 2, variance, Math.abs(square) + (sumwx / sumw) ** 2);
    }
    if (pair.axes.length > 1) {
      check('sum of w y', (got.mean[1] ?? 0) * got.weight, sumwy, Math.sqrt(Math.abs(sumwy2 * sumw)) || 1);
    }
  }
  return wrong;
}

describe("ROOT's TTree::Draw", () => {
  let engine: ReaderApi;
  const files = new Map<string, FileId>();
  beforeAll(async () => {
    engine = await makeEngine();
  });
  afterAll(async () => {
    for (const file of files.values()) await engine.close(file);
  });

  async function openFile(file: string): Promise<FileId> {
    const path = pathOf(file);
    const known = files.get(path);
    if (known !== undefined) return known;
    const { id } = await engine.open({ kind: 'path', path });
    files.set(path, id);
    return id;
  }

  /** What the pairs that can be run here came to. */
  const ours = new Map<Pair, Ours>();

  test('there are at least 300 pairs that agree by their kind', () => {
    expect(agreeing.length).toBeGreaterThanOrEqual(300);
  });

  for (const file of new Set(pairs.map((pair) => pair.file))) {
    const here = agreeing.filter((pair) => pair.file === file);
    // Files of the corpus are not part of the repository.
    describe.skipIf(!existsSync(pathOf(file)))(file, () => {
      test.each(here.map((pair) => [[pair.file, pair.expr, pair.cut].join(' | '), pair] as const))(
        '%s',
        async (_name, pair) => {
          const id = await openFile(pair.file);
          const { tree, expr, cut, option } = pair;
          const axes = pair.axes.map(([bins, low, high]) => ({
            bins,
            range: [low, high] as [number, number],
          }));
          const got = await engine.query(id, { tree, expr, cut, option, axes });
          expect(got.kind).toBe('filled');
          const filled = got as FilledHistogram;
          expect(compare(pair, filled)).toEqual([]);
          ours.set(pair, { fills: filled.fills, weight: filled.weight, mean: filled.mean[0] ?? Number.NaN });
          if (!pair.automatic || pair.axesDeviation) return;
          const automatic = (await engine.query(id, { tree, expr, cut })) as FilledHistogram;
          automatic.axes.forEach(({ bins, low, high }, i) => {
            const [theirBins, theirLow, theirHigh] = pair.automatic?.[i] ?? [0, 0, 0];
            expect(bins).toBe(theirBins);
            expect(differs(low, theirLow, theirHigh - theirLow)).toBe(false);
            expect(differs(high, theirHigh, theirHigh - theirLow)).toBe(false);
          });
        },
      );
    });
  }

  test.each(pairs.filter((pair) => pair.deviation?.startsWith('Comparisons')))(
    '$expr {$cut} is refused',
    async (pair) => {
      const id = await openFile(pair.file);
      const { tree, expr, cut } = pair;
      await expect(engine.query(id, { tree, expr, cut })).rejects.toSatisfy(
        (thrown) =>
          thrown instanceof XylemError && thrown.code === 'ARGUMENT' && thrown.where?.offset !== undefined,
      );
    },
  );

  // Written by "npx vitest run tests/query/conformance.test.ts -u".
  test('docs/conformance.md says what agrees, and what ROOT does otherwise', async () => {
    await expect(conformancePage(pairs, ours)).toMatchFileSnapshot('../../docs/conformance.md');
  });
});
