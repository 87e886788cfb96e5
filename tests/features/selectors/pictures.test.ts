import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileNames } from '../../../web/features/selectors/cli/file-names';
import { stackOf } from '../../../web/features/selectors/cli/stack';
import type { Summand } from '../../../web/features/selectors/cli/systematics';
import { variationPlots } from '../../../web/features/selectors/cli/variation-plots';
import { processKind } from '../../../web/features/selectors/work/partial/process-kind';
import { scaledSamples } from '../../../web/features/selectors/work/partial/samples';
import { fileSink, writeRoot } from '../../../web/node';
import type { GraphModel, PlotModel } from '../../../web/plot/model';
import { plotPicture } from '../../../web/plot/svg';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-pictures-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SELECTOR = `export default {
  branches: { x: 'x' },
  begin: (job) => ({
    x: job.hist([8, 0, 8], { title: 'All of x', axes: ['x [cm]'] }),
    'in/odd name': job.hist([4, 0, 8]),
    BY: job.hist([2, 0, 8]),
    by: job.hist([2, 0, 8]),
    map: job.hist([4, 0, 8], [4, 0, 8]),
    cube: job.hist([2, 0, 8], [2, 0, 8], [2, 0, 8]),
  }),
  entry({ x }, out, { weight }) {
    out.x.fill(x, weight);
    out['in/odd name'].fill(x, weight);
    out.BY.fill(x, weight);
    out.by.fill(x, weight);
    out.map.fill(x, x, weight);
    out.cube.fill(x, x, x, weight);
  },
};`;

beforeAll(async () => {
  for (const [name, count] of Object.entries({ one: 400, two: 200, data: 90 }))
    await writeRoot(fileSink(at(`${name}.root`)), async (file) => {
      const tree = await file.tree('t');
      const x = Float64Array.from({ length: count }, (_, i) => (i * i) % 7);
      await tree.append(name === 'data' ? { x } : { x, w: x.map((_, i) => (i % 9 === 0 ? -0.5 : 1.25)) });
    });
  writeFileSync(at('s.mjs'), SELECTOR);
  const sample = (name: string, more: object) => ({ name, files: `${name}.root`, ...more });
  const list = [
    sample('one', { crossSection: 0.7, weight: 'w' }),
    sample('two', { crossSection: 0.3, weight: 'w' }),
    sample('data', {}),
  ];
  writeFileSync(at('samples.json'), JSON.stringify({ samples: list }));
});

const args = () => ['process', at('s.mjs'), '--samples', at('samples.json'), 't'];

test('one run writes a picture of each histogram, the ROOT file and JSON', async () => {
  const more = ['--pictures', at('plots'), '--ratio', '--root', at('all.root'), '--out', at('all.json')];
  const { err, status } = await xylem(...args(), '--lumi', '0.1/fb', ...more);
  expect(status).toBe(0);
  expect(err).toContain('5 pictures in');
  expect(err).toContain('no picture of cube');
  // Names lead to no other folder, and differ where case does not count.
  expect(readdirSync(at('plots'), { recursive: true }).sort()).toEqual(
    ['BY.svg', 'by-2.svg', 'in', 'in/odd_name.svg', 'map.svg', 'x.svg'].sort(),
  );
  const svg = readFileSync(at('plots/x.svg'), 'utf8');
  for (const word of [
    '>one<',
    '>two<',
    '>data<',
    '>x [cm]<',
    '>Ratio<',
    'Statistical error',
    'All of x, 0.1 fb',
  ])
    expect(svg).toContain(word);
  expect([existsSync(at('all.root')), existsSync(at('all.json'))]).toEqual([true, true]);
  const pdf = await xylem(...args(), '--lumi', '100', '--pictures', at('pdf'), '--picture-format', 'pdf');
  expect(pdf.status).toBe(0);
  expect(readFileSync(at('pdf/x.pdf'), 'latin1').slice(0, 5)).toBe('%PDF-');
});

test('combine makes the same pictures', async () => {
  await xylem(...args(), '--lumi', '100/pb', '--pictures', at('direct'), '--ratio');
  await xylem(...args(), '--partial', at('all.json.part'));
  await xylem('combine', at('all.json.part'), '--lumi', '100/pb', '--pictures', at('later'), '--ratio');
  expect(readFileSync(at('later/x.svg'), 'utf8')).toBe(readFileSync(at('direct/x.svg'), 'utf8'));
});

test('the points of the ratio have the errors of the data, and the band those of the simulation', async () => {
  await xylem(...args(), '--partial', at('p.json'));
  const { query, made } = JSON.parse(readFileSync(at('p.json'), 'utf8'));
  const sum = processKind.sumFrom(query, made, () => {
    throw new Error('not read');
  });
  const samples = scaledSamples(query.samples, sum.samples, 100);
  const model = (await stackOf('x', samples, { below: 'ratio', luminosity: '100' })) as GraphModel;
  const { out } = await xylem(...args(), '--lumi', '100', '--json');
  const { results, samples: each } = JSON.parse(out);
  const below = model.below?.model;
  const band = below?.points?.[0];
  for (let bin = 0; bin < 8; bin++) {
    const [sums, squares] = [results.x.sums[bin + 1], results.x.squares[bin + 1]];
    const data = each.data.results.x.sums[bin + 1];
    if (sums === 0) {
      expect(below?.values[bin]).toBeNaN();
      continue;
    }
    expect(below?.values[bin]).toBeCloseTo(data / sums, 12);
    expect(below?.errors?.[bin]).toBeCloseTo(Math.sqrt(data) / sums, 9);
    expect(band?.y[bin]).toBeCloseTo(1 + Math.sqrt(squares) / sums, 12);
  }
  expect(plotPicture(model, {}).why).toBeUndefined();
  // Without data there is nothing to compare, but there are errors.
  const alone = (await stackOf('x', samples.slice(0, 2), { below: 'ratio' })) as GraphModel;
  expect([alone.below, alone.overlays?.at(-1)?.title]).toEqual([undefined, 'Statistical error']);
});

test('what does not fit is an error', async () => {
  expect((await xylem('process', at('s.mjs'), at('one.root'), 't', '--ratio')).err).toMatch(
    /--ratio is for samples/,
  );
  for (const lumi of ['3/ab', '/fb', '-1/fb', '1 /m'])
    expect([lumi, (await xylem(...args(), '--lumi', lumi)).status]).toEqual([lumi, 2]);
  const bad = await xylem(...args(), '--lumi', '1', '--pictures', at('s.mjs'));
  expect([bad.status, bad.err]).toEqual([1, expect.stringContaining('cannot be made')]);
});

test('names of results lead to no other folder', () => {
  const names = fileNames(['../a', '/etc/b', 'c/../../d', '.', 'a:b\\c', 'x', 'X']);
  expect(names).toEqual(['_/a', '_/etc/b', 'c/_/_/d', '_', 'a_b_c', 'x', 'X-2']);
});

const VARIED = `export default {
  branches: { x: 'x' },
  begin(job) {
    const all = job.vary({ xUp: ({ x }) => ({ x: x + 0.4 }), xDown: ({ x }) => ({ x: x - 0.4 }), wUp: { weight: () => 1.2 },
      ...Object.fromEntries(Array.from({ length: 7 }, (_, i) => ['pdf' + i, { weight: () => 1 + i / 50 }])) });
    return { x: all.hist([16, 0, 8], { title: 'All of x', axes: ['x [cm]'] }), plain: job.counter() };
  },
  entry({ x }, out, { weight }) {
    out.x.fill(x + 0.2, weight);
    out.plain.add();
  },
};`;

test('each source of variations has a picture, of the sum of simulation or of all', async () => {
  writeFileSync(at('v.mjs'), VARIED);
  const more = ['--pictures', at('varied')];
  const { err, status } = await xylem(
    'process',
    at('v.mjs'),
    '--samples',
    at('samples.json'),
    't',
    '--lumi',
    '100',
    ...more,
  );
  expect(status).toBe(0);
  expect(err).toContain('1 picture, and 9 of variations in');
  const names = readdirSync(at('varied/variations')).sort();
  expect(names).toEqual([...Array.from({ length: 7 }, (_, i) => `x_pdf${i}.svg`), 'x_w.svg', 'x_x.svg']);
  const svg = readFileSync(at('varied/variations/x_x.svg'), 'utf8');
  for (const word of ['>not varied, reference<', '>xUp<', '>xDown<', '>Ratio<', 'All of x, x<'])
    expect(svg).toContain(word);
  await xylem('process', at('v.mjs'), at('one.root'), 't', '--pictures', at('single'));
  expect(readdirSync(at('single/variations'))).toHaveLength(9);
});

test('the ratio of a variation is that of the sums of its bins', async () => {
  writeFileSync(at('v.mjs'), VARIED);
  const { out } = await xylem('process', at('v.mjs'), at('one.root'), 't', '--json');
  const { results } = JSON.parse(out);
  await xylem('process', at('v.mjs'), at('one.root'), 't', '--partial', at('v.json'));
  const { query, made } = JSON.parse(readFileSync(at('v.json'), 'utf8'));
  const sum = processKind.sumFrom(query, made, () => {
    throw new Error('not read');
  });
  const plots = variationPlots('x', results.x, [sum as unknown as Summand]);
  const { model } = plots.find(({ source }) => source === 'x') as { model: PlotModel };
  const ratios = model.below?.model.overlays?.[0]?.values ?? model.below?.model.values;
  expect(ratios).toBeDefined();
  const wanted = results.x.sums.slice(1, -1).map((sum: number, i: number) => results.x_xUp.sums[i + 1] / sum);
  for (const [i, value] of wanted.entries())
    if (Number.isFinite(value)) expect(ratios?.[i]).toBeCloseTo(value, 12);
});

test('the overview has a line for a result with its variations', async () => {
  writeFileSync(at('v.mjs'), VARIED);
  const { out } = await xylem('process', at('v.mjs'), at('one.root'), 't');
  const lines = out.split('\n').filter((line) => /^(x|plain)/.test(line));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/fills.*; varied: pdf0, pdf1, pdf2, pdf3, pdf4, pdf5 and 4 more$/);
});
