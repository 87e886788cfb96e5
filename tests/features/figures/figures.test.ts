import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { presetNames, type Style } from '../../../web/features/figures/work/style';
import { plotSvg } from '../../../web/plot/public/plot-svg';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';

// Figures as the command line writes them. Poppler says what is in a PDF.
const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'xylem-figures-'));
const reader = withReader();
afterAll(() => rmSync(folder, { recursive: true }));

const EVENTS = [join(root, 'public/sample.root'), 'Events'];
const MASS = [...EVENTS, 'Dimuon_mass', '--hist', '30,60,120'];
const stored = (file: string, path: string) => [join(root, `tests/fixtures/files/${file}.root`), path];
const LAYERS = ['--layer', 'cut=nMuon==3;label=Three', '--layer', 'cut=nMuon>1;label=Data'];
const hasPoppler = (process.env.PATH ?? '')
  .split(delimiter)
  .some((path) => existsSync(join(path, 'pdffonts')));

function styleFile(style: Style): string {
  const path = join(folder, `style-${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(path, JSON.stringify(style));
  return path;
}

async function drawn(
  form: 'svg' | 'pdf' | 'png',
  words: readonly string[],
  style: Style | string,
): Promise<Buffer> {
  const out = join(folder, `figure.${form}`);
  const named = typeof style === 'string' ? style : styleFile(style);
  const result = await run(reader, 'draw', ...words, '--style', named, `--${form}`, out);
  expect(result).toMatchObject({ status: 0 });
  expect(result.err).not.toContain('lack');
  return readFileSync(out);
}

const svgOf = async (words: readonly string[], style: Style | string) =>
  (await drawn('svg', words, style)).toString();

/** The texts of a document, each with its anchor. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, inner = '']) =>
    inner
      .replace(/<title>.*?<\/title>/g, '')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&gt;', '>'),
  );

const PLOTS: [string, readonly string[], Style][] = [
  ['a histogram', MASS, {}],
  [
    'layers with a ratio',
    [...MASS, ...LAYERS, '--ratio'],
    { preset: 'atlas', bands: { statistics: 'filled' } },
  ],
  [
    'a stack with data',
    [...MASS, 'nMuon==2', ...LAYERS],
    {
      ...{
        preset: 'cms',
        ratio: { show: 'ratio', band: true },
        label: { text: 'Private Work', luminosity: 138 },
      },
      layers: [{ as: 'stacked' }, { as: 'stacked' }, { as: 'points', colour: '#000000' }],
    },
  ],
  ['a map', [...EVENTS, 'Muon_eta:Muon_phi', '--hist', '16,-3.2,3.2,12,-2.4,2.4'], { preset: 'alice' }],
  ['a profile', [...EVENTS, 'MET_pt:PV_npvs', '--option', 'prof'], { preset: 'belle2' }],
  ['a graph', stored('graphs', 'asymmetric'), { preset: 'lhcb' }],
  ['a stored stack', stored('page/plots', 'stack'), { preset: 'cms' }],
  ['a histogram with fits and names', stored('page/plots', 'h_two_fits'), {}],
];

describe('a PDF', () => {
  test.skipIf(lacks('pdffonts', hasPoppler)).each(PLOTS)(
    'of %s has its size, its fonts and its letters',
    async (_, words, style) => {
      await drawn('pdf', words, { ...style, width: 100, height: 80 });
      const out = join(folder, 'figure.pdf');
      const info = execFileSync('pdfinfo', [out], { encoding: 'utf8' });
      const [, wide, tall] = /Page size:\s+([\d.]+) x ([\d.]+) pts/.exec(info) ?? [];
      expect(
        [Number(wide) * (25.4 / 72), Number(tall) * (25.4 / 72)].map((mm) => Math.round(mm * 100) / 100),
      ).toEqual([100, 80]);
      const fonts = execFileSync('pdffonts', [out], { encoding: 'utf8' }).trim().split('\n').slice(2);
      expect(fonts.length).toBeGreaterThan(0);
      for (const line of fonts) expect(line).toMatch(/CID TrueType +Identity-H +yes yes yes/);
      // Poppler says nothing of a document that it reads without repairs.
      expect(
        execFileSync('pdftotext', ['-layout', out, '-'], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ).toMatch(/\d/);
    },
  );

  test('has the query in its information, and what XMP says of it', async () => {
    const pdf = (await drawn('pdf', [...MASS, 'nMuon>1'], 'cms')).toString('latin1');
    const subject = 'Dimuon_mass {nMuon>1} of Events in sample.root';
    const hex = Buffer.from(subject, 'utf16le').swap16().toString('hex');
    expect(pdf).toContain(`/Subject <feff${hex}>`);
    const [, told = ''] = /<xylem:figure>(.*?)<\/xylem:figure>/.exec(pdf) ?? [];
    const record = JSON.parse(told.replaceAll('&quot;', '"').replaceAll('&gt;', '>'));
    expect(record).toMatchObject({
      ...{ file: 'sample.root', tree: 'Events', draw: 'Dimuon_mass', cut: 'nMuon>1' },
      ...{ options: { hist: '30,60,120' }, style: { preset: 'cms' } },
    });
    expect(record.program).toMatch(/^xylem \d/);
  });
});

describe('an SVG', () => {
  test.each(PLOTS)('of %s has its size in mm and its letters in it', async (_, words, style) => {
    const svg = await svgOf(words, { ...style, width: 90.5, height: 70 });
    expect(svg).toContain('width="90.5mm" height="70mm"');
    const ranges = [...svg.matchAll(/unicode-range:([^}]*)}/g)].flatMap(([, list = '']) => list.split(','));
    const letters = new Set(textsOf(svg).flatMap((text) => [...text]));
    const has = new Set(ranges.map((one) => Number.parseInt(one.slice(2), 16)));
    for (const letter of letters) expect(has.has(letter.codePointAt(0) ?? 0), letter).toBe(true);
    expect(svg).not.toMatch(/NaN|Infinity/);
  });

  test('tells what it shows, without secrets and without folders of this machine', async () => {
    const svg = await svgOf([...MASS, '--layer', `file=${EVENTS[0]};label=Same`], 'plain');
    const [, told = ''] = /<metadata>(.*?)<\/metadata>/.exec(svg) ?? [];
    expect(JSON.parse(told.replaceAll('&quot;', '"'))).toMatchObject({
      ...{ file: 'sample.root', draw: 'Dimuon_mass', style: { preset: 'plain' } },
      layers: [{ file: 'sample.root', draw: 'Dimuon_mass' }],
    });
    expect(svg).not.toContain(root);
  });

  test('has texts of hostile styles as text', async () => {
    const hostile = '</text></metadata><script>alert(1)</script>&"\u0000#bf{';
    const svg = await svgOf(MASS, {
      ...{ title: hostile, x: { title: hostile }, legend: { title: hostile } },
      ...{
        label: { experiment: hostile, text: hostile, extra: hostile, right: hostile },
        layers: [{ label: hostile }],
      },
    });
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u0000');
    expect(svg.match(/<metadata>/g)).toHaveLength(1);
  });

  test.each([
    ['places of the label', { label: { experiment: 'CMS', text: 'Preliminary' } }, ['CMS', 'Preliminary']],
    ['a formula', { x: { title: '#sqrt{s} #frac{a}{b}' } }, ['s', 'a', 'b']],
    ['exponents', { x: { title: 'm_{#mu#mu} [GeV/#it{c}^{2}]' } }, ['c', '2]']],
  ] as [string, Style, string[]][])('has %s', async (_, style, expected) => {
    const texts = textsOf(await svgOf(MASS, style)).map((text) => text.trim());
    for (const text of expected) expect(texts).toContain(text);
  });

  test.each(presetNames)('in the style %s is as somebody looked at it', async (preset) => {
    const label = { text: 'Preliminary', luminosity: 138, energy: 13 };
    const svg = await svgOf([...MASS, ...LAYERS, '--ratio'], {
      preset,
      label,
      x: { title: 'm_{#mu#mu} [GeV]' },
    });
    const [head = '', rest = ''] = svg.split(/<style>[\s\S]*<\/style>/);
    await expect(`${head.replace(/xylem \d[^&]*/, 'xylem')}${rest}`).toMatchFileSnapshot(
      `golden/${preset}.svg`,
    );
  });
});

describe('a PNG', () => {
  test('has 300 pixels in an inch, and its query', async () => {
    const png = await drawn('png', MASS, { preset: 'cms', width: 50.8, height: 25.4 });
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([600, 300]);
    const chunks = chunksOf(png);
    expect(chunks.find(({ type }) => type === 'pHYs')?.data.toString('hex')).toBe('00002e2300002e2301');
    const texts = chunks.filter(({ type }) => type === 'iTXt').map(({ data }) => data.toString('utf8'));
    const record = texts.find((text) => text.startsWith('xylem\0'));
    expect(JSON.parse(record?.slice('xylem\0\0\0\0\0'.length) ?? '')).toMatchObject({ draw: 'Dimuon_mass' });
    // It has more than white.
    const rows = inflateSync(
      Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
    );
    expect(rows.some((byte) => byte !== 0 && byte !== 255)).toBe(true);
  });
});

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

describe('a program', () => {
  const counts = { counts: [4, 9, 2], edges: [0, 1, 2, 4] };

  test('draws figures by the option figure', async () => {
    const svg = await plotSvg(counts, { figure: 'cms', xTitle: 'm [GeV]' });
    expect(svg).toContain('width="86mm"');
    expect(textsOf(svg)).toContain('CMS');
    expect(textsOf(svg)).toContain('m [GeV]');
    const layers = ['one', 'two'].map((label) => ({ plot: counts, label }));
    const style = { ratio: { lines: [0.5] }, legend: { title: 'Two' }, width: 50 };
    const two = await plotSvg(layers, { figure: JSON.stringify(style), below: 'ratio' });
    expect(two).toContain('width="50mm"');
    expect(textsOf(two)).toEqual(expect.arrayContaining(['Two', 'one', 'two']));
  });

  test.each([
    ['cns', {}, 'There is no style "cns"'],
    ['{"legnd": {}}', {}, 'the style has no option "legnd"'],
    ['cms', { width: 500 }, 'The size of a figure is in its style'],
    ['no style', {}, 'figure'],
  ])('is told what is wrong with %s %j', async (figure, options, message) => {
    await expect(plotSvg(counts, { figure, ...options })).rejects.toThrow(message);
  });
});

describe('the command', () => {
  test.each([
    ['a style without a picture', [...MASS, '--style', 'cms'], '--style is for pictures'],
    ['a preset that is not there', [...MASS, '--style', 'cns', '--svg', '-'], 'Did you mean cms?'],
    ['a file that is not there', [...MASS, '--style', 'none.json', '--svg', '-'], 'none.json'],
    [
      'a canvas',
      [...stored('page/plots', 'canvas_fit'), '--style', 'cms', '--svg', '-'],
      'not drawn in a style',
    ],
  ])('refuses %s', async (_, words, message) => {
    const { status, out, err } = await run(reader, 'draw', ...words);
    expect({ status, out }).toEqual({ status: expect.any(Number), out: '' });
    expect(status).not.toBe(0);
    expect(err).toContain(message);
  });

  test('refuses stacked layers with different bins', async () => {
    const style = styleFile({ layers: [{ as: 'stacked' }, { as: 'stacked' }] });
    const words = [...stored('histograms', 'weighted'), '--layer', 'edges', '--style', style, '--svg', '-'];
    const { status, err } = await run(reader, 'draw', ...words);
    expect(status).toBe(1);
    expect(err).toContain('cannot be stacked');
  });
});
