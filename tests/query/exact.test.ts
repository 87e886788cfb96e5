import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { DrawRequest, FileId, Histogram } from '../../web/api/api';
import { addSums, termsOf } from '../../web/core/sums/exact-sums';
import { makeEngine } from '../engine/fixtures';
import { withReader } from '../engine-reader';

const reader = withReader(makeEngine);
let file: FileId;
let entries: number;
beforeAll(async () => {
  const buffer = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../public/sample.root')))
    .buffer;
  file = (await reader.open({ kind: 'buffer', buffer, name: 'sample.root' })).id;
  ({ entries } = await reader.tree(file, 'Events'));
});

async function draw(request: Omit<DrawRequest, 'tree'>): Promise<Histogram> {
  const result = await reader.draw(file, { tree: 'Events', ...request });
  if (result.kind !== 'histogram') throw new Error(result.kind);
  return result;
}

const allTerms = ({ exact }: Histogram): number[][] => {
  if (!exact) throw new Error('There are no exact sums.');
  return Array.from(exact.high, (_, i) => termsOf(exact, i));
};

const requests: [string, string | undefined, string | undefined][] = [
  ['Muon_pt>>h(20,0,100)', undefined, undefined],
  ['Muon_pt>>h(20,0,100)', 'MET_pt*1e-9+sin(Muon_phi)', undefined],
  ['Muon_phi:Muon_eta>>h(6,-3,3,5,-4,4)', 'exp(MET_pt)', undefined],
  ['Muon_pt:Muon_eta:Muon_phi>>h(3,-3,3,2,-2.5,2.5,4,0,80)', 'MET_pt', undefined],
  ['Muon_pt:Muon_eta>>h(6,-3,3)', 'MET_pt', 'profs'],
];

test.each(requests)(
  '%s {%s}: parts add up to the same bits, and to the plain sums',
  async (expr, cut, option) => {
    const whole = await draw({ expr, cut, option, exact: true });
    const plain = await draw({ expr, cut, option });
    const borders = [0, 7, 500, 501, 1333, entries];
    const sums: Histogram[] = [];
    for (let i = 1; i < borders.length; i++) {
      sums.push(
        await draw({ expr, cut, option, exact: true, entries: [borders[i - 1] ?? 0, borders[i] ?? 0] }),
      );
    }
    const [last = whole, ...others] = sums.reverse();
    for (const { exact } of others) if (last.exact && exact) addSums(last.exact, exact);
    expect(allTerms(last)).toEqual(allTerms(whole));
    for (const name of ['sums', 'squares', 'means', 'errors'] as const) {
      const exact = whole[name];
      plain[name]?.forEach((value, i) => {
        expect(Math.abs((exact?.[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-12 * Math.abs(value));
      });
      expect(exact?.length).toBe(plain[name]?.length);
    }
    for (const name of ['mean', 'stdDev'] as const) {
      whole[name].forEach((value, i) => {
        expect(Math.abs(value - (plain[name][i] ?? 0))).toBeLessThan(1e-9 * Math.abs(value) + 1e-9);
      });
    }
    expect(whole.covariance).toBeCloseTo(plain.covariance, 9);
    for (const name of ['fills', 'nan', 'entries', 'min', 'max', 'integer', 'axes', 'title'] as const)
      expect(whole[name]).toEqual(plain[name]);
  },
);

test('weights that are not finite, and subnormal ones', async () => {
  const expr = 'nMuon>>h(4,0,4)';
  const { sums } = await draw({ expr, cut: 'nMuon==2 ? 1e300*1e300 : 1e-310', exact: true });
  const plain = await draw({ expr, cut: 'nMuon==2 ? 1e300*1e300 : 1e-310' });
  expect(sums[3]).toBe(Infinity);
  expect(sums[4]).toBeGreaterThan(0);
  expect(sums[4]).toBe(plain.sums[4]);
});

test.each([
  [{ expr: 'Muon_pt' }, 'ARGUMENT'],
  [{ expr: 'Muon_pt>>h(10)' }, 'ARGUMENT'],
  [{ expr: 'Entry$>>h(10,0,10)' }, 'UNSUPPORTED'],
  [{ expr: 'nMuon>>h(10,0,10)', cut: 'Entry$<10' }, 'UNSUPPORTED'],
  [{ expr: 'nMuon/Entries$>>h(10,0,10)' }, 'UNSUPPORTED'],
  [{ expr: 'rndm>>h(10,0,10)' }, 'UNSUPPORTED'],
  [{ expr: '>>list', cut: 'nMuon>1' }, 'UNSUPPORTED'],
  [{ expr: 'nMuon>>h(10,0,10)', cut: '1e300' }, 'UNSUPPORTED'],
])('%o has no exact sums', async (request, code) => {
  await expect(draw({ ...request, exact: true })).rejects.toMatchObject({ code });
});

test('LocalEntry$ counts within a file, so it adds up', async () => {
  expect((await draw({ expr: 'LocalEntry$>>h(1,0,1e6)', exact: true })).sums[1]).toBe(entries);
});
