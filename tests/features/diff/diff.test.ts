import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  chi2Probability,
  chi2Test,
  kolmogorovProbability,
  kolmogorovTest,
} from '../../../web/bins/compare-histograms';
import { comparedBins } from '../../../web/bins/compared-bins';
import { histogramOfObject } from '../../../web/bins/stored-histogram';
import type { DiffReport } from '../../../web/features/diff/work/diff-report';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const folder = resolve(import.meta.dirname, '../../fixtures/files');
const file = (name: string): string => resolve(folder, `${name}.root`);
const before = file('pairs/before');
const after = file('pairs/after');

/** Values that ROOT computes. */
interface Figures {
  kolmogorov: [z: number, p: number][];
  probability: [chi2: number, ndf: number, p: number][];
}
interface Figure {
  chi2: number;
  chi2_per_ndf: number;
  p: number;
  distance?: number;
  ks?: number;
}
const figures = JSON.parse(readFileSync(resolve(folder, 'pairs/figures.json'), 'utf8')) as Figures &
  Record<string, Figure>;

const reader = withReader();

async function diff(...args: string[]): Promise<{ status: number; report: DiffReport }> {
  const { status, out } = await run(reader, 'diff', ...args, '--json');
  return { status, report: JSON.parse(out) as DiffReport };
}

test.each(figures.kolmogorov)('KolmogorovProb(%d)', (z, p) => {
  // ROOT's constant, the root of two pi, has nine digits.
  expect(kolmogorovProbability(z)).toBeCloseTo(p, 8);
});

test.each(figures.probability)('TMath::Prob(%d, %d)', (chi2, ndf, p) => {
  expect(Math.abs(chi2Probability(chi2, ndf) - p)).toBeLessThanOrEqual(1e-11 * Math.max(p, 1e-300));
});

test.each(['counts', 'weighted', 'apart', 'plane'])(
  '%s: chi2 and Kolmogorov as ROOT gives them',
  async (name) => {
    const objects = await Promise.all(
      [before, after].map(async (path) => {
        const { id } = await reader.open({ kind: 'path', path });
        return comparedBins(histogramOfObject(await reader.object(id, name)));
      }),
    );
    const [a, b] = objects;
    const wanted = figures[name];
    if (!a || !b || !wanted) throw new Error(`${name} is no histogram`);
    const { chi2, ndf, p } = chi2Test(a, b);
    expect(chi2 / wanted.chi2).toBeCloseTo(1, 12);
    expect(chi2 / ndf / wanted.chi2_per_ndf).toBeCloseTo(1, 12);
    expect(p / wanted.p).toBeCloseTo(1, 9);
    if (wanted.distance === undefined) return;
    const kolmogorov = kolmogorovTest(a, b);
    expect(kolmogorov?.distance).toBeCloseTo(wanted.distance, 12);
    expect((kolmogorov?.p ?? 0) / (wanted.ks ?? 0)).toBeCloseTo(1, 9);
  },
);

test('finds exactly the changes between two files', async () => {
  const { status, report } = await diff(before, after);
  expect(status).toBe(1);
  expect(report.same).toBe(false);
  expect(report.keys).toEqual({ added: ['added'], removed: [], changed: [] });
  expect(report.trees).toEqual([
    {
      path: 't',
      entries: [120, 120],
      added: ['new'],
      removed: ['old'],
      changed: [{ path: 'kind', from: 'int32_t', to: 'float' }],
    },
  ]);
  expect(report.values).toEqual([
    expect.objectContaining({ branch: 'energy', different: 1, first: 42, entries: 120 }),
    expect.objectContaining({ branch: 'many', different: 1, first: 77, maxAbs: 1 }),
    expect.objectContaining({ branch: 'word', different: 1, first: 99 }),
  ]);
  expect(report.objects.map(({ path }) => path)).toEqual(['counts', 'weighted', 'apart', 'plane', 'bins']);
  expect(report.objects[0]?.chi2?.p).toBeCloseTo(figures.counts?.p ?? 0, 12);
  expect(report.objects[4]?.chi2, 'other bins cannot be compared').toBeUndefined();
  expect(report.compared).toEqual({ trees: 1, branches: 6, entries: 120, objects: 6 });
});

test('tolerances, probability and parts leave differences out', async () => {
  const values = await diff(before, after, '--parts', 'values', '--rtol', '1e-8');
  expect(values.report.values.map(({ branch }) => branch)).toEqual(['many', 'word']);
  const close = await diff(before, after, '--parts', 'values', '--atol', '1');
  expect(close.report.values.map(({ branch }) => branch)).toEqual(['word']);
  const objects = await diff(before, after, '--parts', 'objects', '--p-value', '0.01');
  expect(objects.report.objects.map(({ path }) => path)).toEqual(['apart', 'bins']);
  expect((await diff(before, after, '--parts', 'entries')).status).toBe(0);
});

test('profiles that differ are compared by the chi2 of their means', async () => {
  const sample = resolve(import.meta.dirname, '../../../public/sample.root');
  const made = mkdtempSync(join(tmpdir(), 'xylem-profiles-'));
  const [a, b] = ['a', 'b'].map((name) => join(made, `${name}.root`)) as [string, string];
  const words = ['draw', sample, 'Events', 'MET_pt:PV_npvs', '--option', 'prof', '--hist', '10,0,60'];
  await run(reader, ...words, '--entries', '0:1200', '--root', a);
  await run(reader, ...words, '--entries', '1200:2400', '--root', b);
  // TProfile::Chi2TestX of ROOT 6.40 with the option WW.
  const { report } = await diff(a, b, '--parts', 'objects', '--p-value', '0.43');
  expect(report.objects).toMatchObject([{ className: 'TProfile', chi2: { ndf: 7 } }]);
  expect(report.objects[0]?.chi2?.chi2).toBeCloseTo(7.06682387551569, 9);
  expect(report.objects[0]?.chi2?.p).toBeCloseTo(0.4219555362839277, 9);
  expect((await diff(a, b, '--parts', 'objects', '--p-value', '0.42')).report.objects).toEqual([]);
  rmSync(made, { recursive: true });
});

test('only differences in the parts of --fail-on fail; all are reported', async () => {
  const all = await run(reader, 'diff', before, after);
  expect(all.status).toBe(1);
  // The two have as many entries.
  for (const [part, status] of Object.entries({ schema: 1, entries: 0, values: 1, objects: 1 })) {
    expect(await run(reader, 'diff', before, after, '--fail-on', part), part).toMatchObject({
      ...all,
      status,
    });
  }
  const codecs = [file('codec_zlib'), file('codec_lz4'), '--parts', 'schema,values,layout'];
  expect((await run(reader, 'diff', ...codecs)).status).toBe(1);
  const told = await run(reader, 'diff', ...codecs, '--fail-on', 'schema,values');
  expect(told.status).toBe(0);
  expect(told.out).toContain('compression');
  expect((await run(reader, 'diff', ...codecs, '--fail-on', 'objects')).status).toBe(2);
  expect((await run(reader, 'diff', before, after, '--fail-on', 'nonsense')).status).toBe(2);
});

test('a file is the same as itself; compressed in another way it is the same but for its layout', async () => {
  const itself = await diff(before, before, '--parts', 'schema,entries,values,objects,layout');
  expect(itself).toMatchObject({ status: 0, report: { same: true, layout: [] } });
  const zlib = file('codec_zlib');
  const zstd = file('codec_zstd');
  expect((await diff(zlib, zstd)).report).toMatchObject({ same: true, compared: { branches: 4 } });
  const { status, report } = await diff(zlib, zstd, '--parts', 'layout');
  expect(status).toBe(1);
  expect([...new Set(report.layout.map(({ what }) => what))].sort()).toEqual(
    expect.arrayContaining(['compression', 'storedBytes']),
  );
});

test('values of every shape are the same as themselves', async () => {
  const names = [
    'collections_split99',
    'ntuple_fields',
    'stl',
    'strings',
    'leaves',
    'objects_split0',
    'objects_split99',
  ];
  for (const name of names) {
    const { report } = await diff(file(name), file(name));
    expect(report.values.filter(({ error }) => error === undefined)).toEqual([]);
    expect(report.compared.branches, name).toBeGreaterThan(0);
  }
  // RNTuples with and without compression, column by column.
  expect(
    (await diff(file('ntuple_fields'), file('ntuple_fields_stored'), '--parts', 'values')).report.values,
  ).toEqual([]);
});

test('text names each difference and ends in a verdict', async () => {
  const { out } = await run(reader, 'diff', before, after);
  expect(out.split('\n')[0]).toBe(
    `different  ${before} -> ${after}  1 trees, 6 branches, 120 entries, 6 objects compared`,
  );
  expect(out).toMatch(/^added +key +added$/m);
  expect(out).toMatch(/^removed +branch +t\/old$/m);
  expect(out).toMatch(/^changed +branch +t\/kind +int32_t -> float$/m);
  expect(out).toMatch(
    /^changed +values +t\/energy +1 of 120 entries differ, the first is 42, by up to \S+ \(relative 1e-9\)/m,
  );
  expect(out).toMatch(
    /^changed +TH1D +counts +differs in \S+; chi2\/ndf 42\.13\/24, p 0\.01249; Kolmogorov distance 0\.1051, p/m,
  );
});

test.each([
  [['diff', 'a'], 'B is missing'],
  [['diff', 'a', 'b', '--parts', 'rain'], '--parts does not take "rain"'],
  [['diff', 'a', 'b', '--rtol', '-1'], '--rtol takes'],
  [['diff', 'a', 'b', '--p-value', 'x'], '--p-value takes'],
  [['diff', 'a', 'b', '--p-value', '2'], '--p-value takes a number from 0 to 1'],
])('%j is status 2', async (args, message) => {
  const { status, err } = await run(reader, ...args);
  expect(status).toBe(2);
  expect(err).toContain(message);
});
