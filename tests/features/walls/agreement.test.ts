import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { agreementOf } from '../../../web/bins/agreement';
import { type Bins, chi2Test, kolmogorovTest } from '../../../web/bins/compare-histograms';
import { comparedBins, otherBins } from '../../../web/bins/compared-bins';
import { histogramIfAny } from '../../../web/bins/stored-histogram';
import { judge, parseCondition, parseRules } from '../../../web/features/walls/work/rules';
import { newestKeys } from '../../../web/model/keys';
import { readObjects } from '../../../web/model/read-objects';
import { withReader } from '../../engine-reader';

const folder = resolve(import.meta.dirname, '../../fixtures/files/walls');

/** Results of ROOT's tests: see tests/fixtures/make_walls.py. */
interface Figures {
  UU: { chi2: number; ndf: number; p: number; test: number };
  WW: { chi2: number; ndf: number; p: number; test: number };
  ks: number;
  distance: number;
}
const figures = JSON.parse(readFileSync(resolve(folder, 'figures.json'), 'utf8')) as Record<string, Figures>;

/** Pairs that are not compared: ROOT compares other bins by their numbers, or says an error and gives 0. */
const APART: Record<string, RegExp> = {
  other_bins: /10 bins along x, and 12/,
  other_ends: /other ends/,
  other_edges: /other ends/,
};
const EMPTY = ['both_empty', 'one_empty'];
/** Pairs for which the option that is chosen is not UU. */
const WEIGHTED = /^(weighted|scaled|one_weighted|negative|plane_weighted|profile|spread|profile_weighted)$/;

const reader = withReader();
const pairs = new Map<string, ReturnType<typeof histogramIfAny>[]>();
beforeAll(async () => {
  for (const name of ['new', 'reference']) {
    const { id } = await reader.open({ kind: 'path', path: resolve(folder, `${name}.root`) });
    const keys = [...newestKeys(await reader.keys(id)).values()].filter(({ kind }) => kind === 'histogram');
    const outcomes = await readObjects(reader, id, keys);
    for (const [i, key] of keys.entries()) {
      const known = pairs.get(key.name) ?? [];
      known.push(histogramIfAny(outcomes[i]?.object));
      pairs.set(key.name, known);
    }
  }
});

type Pair = { axes: Histogram['axes']; bins: Bins };
function pairOf(name: string) {
  const [a, b] = pairs.get(name) ?? [];
  if (!a || !b) throw new Error(`${name} is not in both files`);
  return [a, b].map((one) => ({ axes: one.axes, bins: comparedBins(one) })) as [Pair, Pair];
}

const close = (value: number, wanted: number, part: number): void =>
  expect(Math.abs(value - wanted)).toBeLessThanOrEqual(part * Math.max(Math.abs(wanted), 1e-12));

const names = Object.keys(figures);
const compared = names.filter((name) => !(name in APART) && !EMPTY.includes(name));

test('there are pairs of all kinds', () => {
  expect(compared.length).toBeGreaterThanOrEqual(24);
});

describe.each(compared)('%s', (name) => {
  test.each(['UU', 'WW'] as const)('Chi2Test of ROOT with option %s', (option) => {
    const [a, b] = pairOf(name);
    // The errors of ROOT's profiles always count; UU is no option for them.
    if (option === 'UU' && /profile|spread/.test(name)) return;
    const wanted = figures[name]?.[option];
    const found = chi2Test(a.bins, b.bins, option === 'WW');
    // ROOT says an error and returns 0, because the errors are those of the spread.
    if (name === 'spread') {
      expect(wanted?.test).toBe(0);
      expect(found.p).toBeNaN();
      return;
    }
    expect(found.ndf).toBe(wanted?.ndf);
    close(found.chi2, wanted?.chi2 ?? Number.NaN, 1e-9);
    close(found.p, wanted?.p ?? Number.NaN, 1e-8);
  });

  test('KolmogorovTest of ROOT, and the option that is chosen', () => {
    const [a, b] = pairOf(name);
    const { option } = agreementOf(a.bins, b.bins, { band: 0.1, sameArea: false });
    expect(option).toBe(WEIGHTED.test(name) ? 'WW' : 'UU');
    const found = kolmogorovTest(a.bins, b.bins);
    // ROOT's distance of three axes is one sixth of the mean of its six distances.
    if (name === 'cube') return expect(found).toBeUndefined();
    close(found?.distance ?? Number.NaN, figures[name]?.distance ?? Number.NaN, 1e-9);
    close(found?.p ?? Number.NaN, figures[name]?.ks ?? Number.NaN, 1e-11);
  });
});

test.each(Object.keys(APART))('%s: other bins are not compared', (name) => {
  const [a, b] = pairOf(name);
  expect(otherBins(a.axes, b.axes)).toMatch(APART[name] ?? /^$/);
  expect(figures[name]?.ks).toBe(0);
});

test.each(EMPTY)('%s: no figure is defined where ROOT says an error', (name) => {
  const [a, b] = pairOf(name);
  expect(chi2Test(a.bins, b.bins).p).toBeNaN();
  expect(kolmogorovTest(a.bins, b.bins)?.p).toBeNaN();
  expect(figures[name]?.UU.p).toBe(0);
  const verdict = judge(agreementOf(a.bins, b.bins, { band: 0.1, sameArea: false }), [
    parseCondition('chi2<0.01'),
  ]);
  expect(verdict.state).toBe(name === 'both_empty' ? 'same' : 'error');
});

test('one bin with contents always agrees', () => {
  const bin = (count: number) => {
    const counts = Float64Array.of(0, count, 0);
    const bins = { counts, variances: counts, weighted: false, bins: [3] };
    return { ...bins, withFlow: bins };
  };
  const agreement = agreementOf(bin(1000), bin(1003), { band: 0.1, sameArea: false });
  expect(agreement.chi2).toEqual({ chi2: 0, ndf: 0, p: 1 });
  const conditions = ['chi2<0.01', 'chi2/ndf>2', 'ks<0.01'].map(parseCondition);
  expect(judge(agreement, conditions)).toMatchObject({ state: 'ok', why: [] });
});

describe('Chi2Test of ROOT takes under- and overflow where the axes of the first one show them', () => {
  /** A histogram of counts, with under- and overflow, whose squared errors are `part` times the counts. */
  const stored = (counts: number[], bins: number[], shown?: [number, number][], part = 1) => {
    const sums = Float64Array.from(counts);
    const axes = bins.map((n, i) => ({ bins: n, low: 0, high: n, shown: shown?.[i] }));
    const squares = sums.map((sum) => sum * part);
    return comparedBins({ kind: 'histogram', axes, sums, squares, profile: false } as never);
  };
  const a = [10, 5, 8, 12, 6, 20];
  const b = [4, 6, 9, 10, 5, 35];

  test.each([
    [0, 5, 1, 6.617550409005695, 5, 0.2506720868377173],
    [1, 5, 1, 2.8654519644139023, 4, 0.58058820068087],
    [0, 4, 1, 2.3611231371379904, 4, 0.6696640403429963],
    [2, 5, 1, 2.856726263896059, 3, 0.4142466941642906],
    [1, 4, 1, 0.4061756080731413, 3, 0.9389638248531111],
    [0, 5, 1.5, 4.317727459841116, 5, 0.5046346472371004],
    [2, 5, 1.5, 1.883060070431957, 3, 0.5970290131128255],
  ])('SetRange(%i, %i), squared errors %d times the contents', (first, last, part, chi2, ndf, p) => {
    const found = chi2Test(stored(a, [4], [[first, last]], part), stored(b, [4], undefined, part));
    expect(found.ndf).toBe(ndf);
    close(found.chi2, chi2, 1e-9);
    close(found.p, p, 1e-8);
  });

  test('of two axes', () => {
    const cells = Array.from({ length: 16 }, (_, i) => i);
    const one = cells.map((i) => 3 + ((i * i) % 7));
    const other = cells.map((i) => 4 + ((i * i * i) % 5));
    const shown: [number, number][] = [
      [0, 2],
      [1, 3],
    ];
    const found = chi2Test(stored(one, [2, 2], shown), stored(other, [2, 2]));
    expect(found.ndf).toBe(8);
    close(found.chi2, 3.929482474047691, 1e-9);
    close(found.p, 0.8634290618675948, 1e-8);
  });

  test('they are not the same where only their overflows differ', () => {
    const options = { band: 0.1, sameArea: false };
    const other = stored([...a.slice(0, 5), 900], [4]);
    expect(agreementOf(stored(a, [4]), other, options)).toMatchObject({ same: false, onlyFlow: true });
    expect(agreementOf(stored(a, [4]), stored(a, [4]), options)).toMatchObject({
      same: true,
      onlyFlow: false,
    });
    const found = agreementOf(stored(a, [4], [[0, 5]]), other, options);
    expect(found).toMatchObject({ same: false, onlyFlow: false });
    expect(found.chi2.p).toBeLessThan(1e-9);
  });
});

test('ratio, pull and band', () => {
  const bins = (counts: number[]) => {
    const own = { counts: Float64Array.from(counts), variances: Float64Array.from(counts, Math.abs) };
    return { ...own, withFlow: own, weighted: false, bins: [counts.length] };
  };
  const [a, b] = [bins([100, 10_000, 0, 0]), bins([100, 20_000, 0, 4])];
  const { ratio, pull, outside, same } = agreementOf(a, b, { band: 0.1, sameArea: false });
  expect({ same, ratio }).toEqual({ same: false, ratio: 1 });
  expect(pull).toBeCloseTo(10_000 / Math.sqrt(30_000), 9);
  // The second bin and the last one, of three with contents.
  expect(outside).toBeCloseTo(2 / 3, 9);
  expect(agreementOf(a, b, { band: 2, sameArea: false }).outside).toBe(0);
  const scaled = agreementOf(bins([10, 20]), bins([1000, 2000]), { band: 0.1, sameArea: true });
  expect(scaled.ratio).toBeCloseTo(0, 12);
});

test.each([
  ['a content is not a number', [Number.NaN, 20], [1, 20], 'error'],
  ['an error is not a number', [10, 20], [Number.NaN, 20], 'error'],
  ['contents without errors differ', [11, 20], [0, 20], 'failed'],
  ['contents without errors are equal', [10, 20], [0, 20], 'ok'],
] as const)('pull>5 where %s', (_, counts, variances, state) => {
  const of = (contents: readonly number[], squares: readonly number[]) => {
    const own = { counts: Float64Array.from(contents), variances: Float64Array.from(squares) };
    return { ...own, withFlow: own, weighted: true, bins: [2] };
  };
  const [one, other] = [of(counts, variances), of([10, 21], [0, 21])];
  for (const [a, b] of [[one, other] as const, [other, one] as const]) {
    const agreement = agreementOf(a, b, { band: 0.1, sameArea: false });
    expect(judge(agreement, [parseCondition('pull>5')]).state).toBe(state);
  }
});

test.each([
  ['chi2<', /not a condition/],
  ['chi3<0.1', /not a condition/],
  ['constructor<1', /not a condition/],
  ['chi2<0,01', /not a condition/],
])('a condition "%s" is refused', (text, message) => {
  expect(() => text.split(',').map(parseCondition)).toThrow(message);
});

test.each([
  ['{', /not JSON/],
  ['[]', /no list "rules"/],
  ['{"rules": [{"items": "a", "failon": ["chi2<1"]}]}', /"failon" is not one of items, failOn/],
  ['{"rules": [{"failOn": [1]}]}', /not a list of conditions/],
  ['{"rules": [], "band": "x"}', /"band" is not a number/],
])('rules %s are refused', (text, message) => {
  expect(() => parseRules(text)).toThrow(message);
});

test('a bin with contents and no error has no chi2, and the degrees of freedom are those of all bins', () => {
  const of = (counts: number[], variances: number[]) => {
    const flow = { counts: Float64Array.from(counts), variances: Float64Array.from(variances) };
    return { ...flow, weighted: true, bins: [counts.length], withFlow: flow };
  };
  const chi2 = chi2Test(of([4, 5, 0, 0, 6], [0, 1, 0, 0, 1]), of([4, 6, 0, 0, 6], [0, 1, 0, 0, 1]));
  expect(chi2).toEqual({ chi2: Number.NaN, ndf: 2, p: Number.NaN });
  const alone = chi2Test(of([4, 0], [0, 0]), of([5, 0], [0, 0]));
  expect(alone).toEqual({ chi2: Number.NaN, ndf: 0, p: Number.NaN });
});

test('a limit itself fails by >= and <=, and does not by > and <', () => {
  const [a, b] = pairs.get('shifted') ?? [...pairs.values()].find(([one, two]) => one && two) ?? [];
  if (!a || !b) throw new Error('there is no pair to compare');
  const agreement = {
    ...agreementOf(comparedBins(a), comparedBins(b), { band: 0.1, sameArea: false }),
    same: false,
    outside: 0.25,
  };
  const stateOf = (text: string) => judge(agreement, [parseCondition(text)]).state;
  expect(['outside>=0.25', 'outside<=0.25', 'outside>0.25', 'outside<0.25'].map(stateOf)).toEqual([
    ...['failed', 'failed', 'ok', 'ok'],
  ]);
  expect(['outside>=0.26', 'outside<=0.24', 'outside>0.24', 'outside<0.26'].map(stateOf)).toEqual([
    ...['ok', 'ok', 'failed', 'failed'],
  ]);
});
