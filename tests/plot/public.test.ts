import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRoot } from '../../web/node';
import { lookNames } from '../../web/plot/look/look';
import { type PlotOptions, type Plottable, plotSvg } from '../../web/plot/public/plot-svg';

const fixtures = join(import.meta.dirname, '../fixtures');
const counts = { counts: [4, 9, 2], edges: [0, 1, 2, 4], errors: [1, 5, 1] };
let file: Awaited<ReturnType<typeof openRoot>>;

beforeAll(async () => {
  file = await openRoot(join(import.meta.dirname, '../../public/sample.root'), { workers: 0 });
});
afterAll(() => file.close());

/** The lengths of the vertical lines in the colour of the first line: error bars, in pixels. */
const bars = (svg: string): number =>
  [...svg.matchAll(/<path d="([^"]*)"[^>]*>/g)].reduce(
    (sum, [, d = '']) => sum + (d.match(/M[\d.]+ [\d.]+V[\d.]+/g)?.length ?? 0),
    0,
  );

describe('plotSvg', () => {
  it('draws all that the library gives, in the look that is asked for', async () => {
    const tree = await file.tree('Events');
    const drawn: Plottable[] = [
      await tree.draw('Dimuon_mass'),
      await tree.draw('MET_pt', { option: 'prof' }).catch(() => counts),
      await file.histogram('plots/upsilon'),
      await file.object('plots/upsilon'),
      await file.object('plots/muonEtaPhi'),
      await file.histogram('plots/muonEtaPhi'),
      await file.object('plots/ptByEta'),
      { kind: 'graph', x: [1, 2, 3], y: [1, 4, 9] },
      counts,
    ];
    for (const plot of drawn) {
      const svg = await plotSvg(plot, { log: 'y', width: 500, height: 300, title: 'A < B & "C"' });
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="500" height="300"/);
      expect(svg).toContain('A &lt; B &amp; ');
      expect(svg).not.toMatch(/NaN|Infinity|undefined|\[object/);
    }
  });

  it('draws errors of counts when it is asked to, and those that are given always', async () => {
    const stored = await file.object('plots/upsilon');
    expect(bars(await plotSvg(stored, { errors: '1' }))).toBeGreaterThan(bars(await plotSvg(stored)));
    const plain = { counts: counts.counts, edges: counts.edges };
    const even = { ...counts, edges: [0, 1, 2, 3] };
    expect(bars(await plotSvg(counts))).toBe(bars(await plotSvg(plain)) + 3);
    expect(bars(await plotSvg(even))).toBe(bars(await plotSvg({ ...plain, edges: even.edges })) + 3);
  });

  it('draws bins where their edges are', async () => {
    const svg = await plotSvg({ ...counts, errors: undefined }, { stats: false });
    const line = /<path d="(M[^"]*)" fill="none" stroke="[^"]*" stroke-width="1.4"/.exec(svg)?.[1] ?? svg;
    const places = [...new Set([...line.matchAll(/H([\d.]+)/g)].map(([, x]) => Number(x)))];
    const [one = 0, two = 0, four = 0] = places;
    expect((four - two) / (two - one)).toBeCloseTo(2, 1);
  });

  it('evaluates the functions of an object by a reader', async () => {
    const fits = await openRoot(join(fixtures, 'files/page/plots.root'), { workers: 0 });
    const { path } = (await fits.keys()).find(({ className }) => className === 'TF1') ?? { path: '' };
    expect(path).not.toBe('');
    const object = await fits.object(path);
    expect(await plotSvg(object, { reader: fits.reader })).toContain('<path');
    await expect(plotSvg(object)).rejects.toMatchObject({
      code: 'ARGUMENT',
      fix: expect.stringContaining('reader'),
    });
    await fits.close();
  });

  it('draws several things over each other', async () => {
    const layers = [
      { plot: counts, label: 'data' },
      { plot: { ...counts, counts: [8, 18, 4] }, label: 'MC', colour: 3 },
    ];
    const svg = await plotSvg(layers, { norm: 'first', below: 'ratio' });
    for (const word of ['data', 'MC', 'Ratio', 'height="600"']) expect(svg).toContain(word);
    const mixed = [...layers, { plot: await file.object('plots/muonEtaPhi'), label: 'map' }];
    await expect(plotSvg(mixed)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it.each([
    ['a look that there is not', { log: 'z' }],
    ['a look that is not a text', { errors: true }],
    ['a width of 5', { width: 5 }],
    ['a height that is not a number', { height: Number.NaN }],
    ['a range that does not ascend', { xRange: [2, 1] }],
    ['an option that there is not', { logs: 'y' }],
    ['a look of layers', { below: 'ratio' }],
    ['a width that is a text', { width: '500' }],
    ['a width that turns into another text', { width: { valueOf: () => 500, toString: () => '"><script>' } }],
    ['a title that is not a text', { title: 5 }],
    ['a range that is nothing', { xRange: null }],
    ['a reader that is none', { reader: {} }],
    ['options that are nothing', null],
  ] as unknown as [string, PlotOptions][])('refuses %s', async (_, options) => {
    await expect(plotSvg(counts, options)).rejects.toMatchObject({ code: 'ARGUMENT' });
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'h'],
    ['counts without edges', { counts: [1, 2] }],
    ['other numbers of counts than bins', { counts: [1, 2, 3, 4], edges: [0, 1] }],
    ['points of which some lack y', { kind: 'graph', x: [1, 2], y: [1] }],
    ['points without numbers', { kind: 'graph' }],
    ['points that only claim to be many', { kind: 'graph', x: { length: 1e15 }, y: { length: 1e15 } }],
    ['points that are large integers', { kind: 'graph', x: [1n], y: [1n] }],
    ['points whose errors lack sides', { kind: 'graph', x: [1], y: [1], errors: { left: [1] } }],
    ['points whose title is not a text', { kind: 'graph', x: [1], y: [1], title: {} }],
    ['a title that is not a text', { ...counts, title: 5 }],
    ['a title of an axis that is not a text', { ...counts, axisTitles: [5] }],
    ['texts without texts', { kind: 'frequencies', rows: [] }],
    ['no layers', []],
    ['a layer that is nothing', [null]],
    ['a layer without a label', [{ plot: counts }]],
    ['a colour that there is not', [{ plot: counts, label: 'a', colour: 25 }]],
  ])('refuses %s', async (_, plot) => {
    await expect(plotSvg(plot as Plottable)).rejects.toMatchObject({ code: 'ARGUMENT' });
  });

  it('refuses an object that is not drawn, and an axis that cannot be', async () => {
    await expect(plotSvg(await file.object('about'))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const wide = { counts: [1, 2], edges: [-1.7e308, 0, 1.7e308] };
    await expect(plotSvg(wide)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

it('the looks of the library are those of links', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/plot.md'), 'utf8');
  for (const name of lookNames) expect(page).toContain(`\`${name}\``);
});
