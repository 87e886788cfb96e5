import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FitResult, TogetherResult } from '../../../web/api/fit';
import { fitHistogram, fitTogether, openRoot } from '../../../web/node';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const reader = withReader();
const SAMPLE = 'public/sample.root';
const MASS = ['draw', SAMPLE, 'Events', 'Dimuon_mass'];
const BINS = ['--hist', '40,70,110'];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-fit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const json = async (...words: string[]): Promise<FitResult> => {
  const { out, err, status } = await run(reader, ...words, '--json');
  expect(status, err).toBe(0);
  return JSON.parse(out) as FitResult;
};

const numbers = ({ parameters }: FitResult, digits = 4) =>
  parameters.map(({ value, error }) => [value.toFixed(digits), error.toFixed(digits)]);

describe('draw --fit', () => {
  test('tells what ROOT tells', async () => {
    const made = await json(...MASS, ...BINS, '--fit', 'gaus');
    expect(numbers(made)).toEqual([
      ['89.6928', '4.8563'],
      ['90.8126', '0.1073'],
      ['2.5366', '0.0872'],
    ]);
    expect(made).toMatchObject({ status: 0, valid: true, ndf: 31, points: 34, minimizer: 'Minuit2' });
    expect(made.chi2).toBeCloseTo(36.7698, 4);
    const { out, err } = await run(reader, ...MASS, ...BINS, '--fit', 'gaus');
    expect(err).toBe('');
    expect(out).toContain('good  Fit of gaus');
    expect(out).toContain('36.7698 / 31');
    expect(out).toMatch(/Mean +90\.813 ± 0\.107/);
    expect(out).toMatch(/Sigma +−0\.634 +−0\.138 +1\.000/);
  });

  test('takes options, a range, start values, limits and fixed values', async () => {
    const words = ['--fit', 'gaus(0)+pol0(3)', '--fit-options', 'LE', '--fit-range', '75:105'];
    const start = ['--fit-parameters', '0=90,1=91[85:97],2=2.5|fixed,3=4'];
    const made = await json(...MASS, ...BINS, ...words, ...start);
    expect(made).toMatchObject({ method: 'likelihood', points: 30, ndf: 27, range: [[75, 105]] });
    expect(made.parameters[2]).toMatchObject({ value: 2.5, error: 0, fixed: true });
    expect(made.parameters[1]).toMatchObject({ low: 85, high: 97, minos: { valid: true } });
    expect(made.parameters[2]?.minos).toBeUndefined();
  });

  test('draws the function, its band and pulls', async () => {
    const out = join(folder, 'z.svg');
    await run(reader, ...MASS, ...BINS, '--fit', 'gaus', '--svg', out);
    const svg = await readFile(out, 'utf8');
    expect(svg).toContain('>Pull<');
    expect(svg).toMatch(/fill-opacity="0\.3"/);
    expect(svg).toContain('36.7698 / 31');
    await run(reader, ...MASS, ...BINS, '--fit', 'gaus', '--fit-below', 'none', '--svg', out);
    expect(await readFile(out, 'utf8')).not.toContain('>Pull<');
  });

  test('a function of a hostile text is escaped in pictures', async () => {
    const out = join(folder, 'hostile.svg');
    const { status } = await run(reader, ...MASS, ...BINS, '--fit', '[0]*(x<100)*(x>1)', '--svg', out);
    expect(status).toBe(0);
    expect(await readFile(out, 'utf8')).not.toMatch(/\(x<100\)/);
  });

  test('values without bins, under a cut', async () => {
    const words = [...MASS, 'nMuon==2', ...BINS, '--fit', 'gausn', '--fit-unbinned', '--fit-range', '70:110'];
    const made = await json(...words);
    expect(made.method).toBe('unbinned');
    // The best Gaussian of values has their mean and their standard deviation, if little of it lies outside of the range.
    const file = await openRoot(SAMPLE);
    const events = await file.tree('Events');
    const { Dimuon_mass: column } = await events.arrays('Dimuon_mass', { cut: 'nMuon==2' });
    const all = [...(column as Iterable<number>)].map(Number).filter((one) => one >= 70 && one <= 110);
    await file.close();
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    expect(made.points).toBe(all.length);
    expect(Math.abs((made.parameters[0]?.value ?? 0) / all.length - 1)).toBeLessThan(1e-3);
    expect(Math.abs((made.parameters[1]?.value ?? 0) - mean)).toBeLessThan(0.01);
  });

  test('two axes, and profiles', async () => {
    const plane = ['draw', SAMPLE, 'Events', 'PV_npvs:MET_pt', '--hist', '10,0,50,10,0,50'];
    const made = await json(...plane, '--fit', '[0]+[1]*x+[2]*y', '--fit-options', 'W');
    expect(made.range).toEqual([
      [0, 50],
      [0, 50],
    ]);
    const profile = ['draw', SAMPLE, 'Events', 'MET_pt:PV_npvs', '--option', 'prof', '--hist', '10,0,50'];
    expect((await json(...profile, '--fit', 'pol1')).minimizer).toBe('linear');
  });

  test.each([
    [['--fit', 'gauss'], 'Did you mean "gaus"'],
    [['--fit', 'xygaus'], 'The function has 2 coordinates, the histogram one axis.'],
    [['--fit', 'gaus', '--fit-options', 'Z'], '"Z" is not an option of a fit.'],
    [['--fit', 'gaus', '--fit-parameters', 'Men=3'], 'has no parameter "Men"'],
    [['--fit', 'gaus', '--fit-parameters', 'Mean=3[4:5]'], 'outside of its limits'],
    [['--fit', 'gaus', '--fit-range', '200:300'], 'The fit has no data'],
    [['--fit', '[0]/([1]-[1])'], 'no value at any point'],
    [['--fit-range', '80:90'], '--fit-range is for --fit.'],
    [['--fit', 'gaus', '--csv', 'a.csv'], '--fit goes with'],
    [['--fit', 'gaus', '--fit-below', 'ratio'], '--fit-below takes'],
  ])('%j is told', async (words, message) => {
    const { status, err, out } = await run(reader, ...MASS, ...BINS, ...words);
    expect(err).toContain(message);
    expect(out).toBe('');
    expect(status).not.toBe(0);
  });

  test('a fit without a minimum ends with status 1, and says why', async () => {
    const { status, out } = await run(reader, ...MASS, ...BINS, '--fit', '[0]*exp(-[1]*x)*[2]');
    expect(out).toMatch(/^(bad|fair) +Fit of/m);
    const { status: other } = await run(reader, ...MASS, ...BINS, '--fit', 'gaus', '--json');
    expect([status === 0 || status === 1, other]).toEqual([true, 0]);
  });
});

describe('fitHistogram', () => {
  test('takes histograms, bins, points and values', async () => {
    const file = await openRoot(SAMPLE);
    const events = await file.tree('Events');
    const mass = await events.draw('Dimuon_mass', { bins: 40, range: [70, 110] });
    const made = await fitHistogram(mass as never, 'gaus', {
      range: [80, 100],
      contours: [['Mean', 'Sigma']],
    });
    expect(made.valid).toBe(true);
    const [contour] = made.contours ?? [];
    const [, mean, sigma] = made.parameters;
    expect(contour?.points).toHaveLength(40);
    // A contour at one standard deviation touches value and error of each parameter.
    const most = Math.max(...(contour?.points ?? []).map(([x]) => x));
    expect(Math.abs(most - ((mean?.value ?? 0) + (mean?.error ?? 0)))).toBeLessThan(
      0.02 * (mean?.error ?? 0),
    );
    expect(sigma?.error).toBeGreaterThan(0);
    await file.close();
    const points = { kind: 'graph' as const, x: Float64Array.of(0, 1, 2), y: Float64Array.of(1, 3, 5) };
    const line = await fitHistogram(points, 'pol1');
    expect(line.parameters.map(({ value }) => Math.round(value * 1e9) / 1e9)).toEqual([1, 2]);
    const bins = { counts: [4, 4, 4, 4], edges: [0, 1, 2, 3, 4] };
    expect((await fitHistogram(bins, 'pol0')).parameters[0]).toMatchObject({ value: 4, error: 1 });
  });

  test('gives up after the limit of time, and refuses wrong options', async () => {
    const x = Float64Array.from({ length: 400_000 }, (_, i) => Math.sin(i) * 3);
    const long = fitHistogram({ kind: 'values', x }, '[0]*exp(-[1]*x*x)+[2]*TMath::Voigt(x,[3],[4])', {
      limitMs: 20,
    });
    await expect(long).rejects.toMatchObject({
      code: 'BUDGET',
      message: expect.stringContaining('did not end'),
    });
    const bins = { counts: [4, 4], edges: [0, 1, 2] };
    await expect(fitHistogram(bins, 'pol0', { option: 'L' } as never)).rejects.toThrow('no option "option"');
  });
});

describe('draw --fit with --layer', () => {
  const two = [...MASS, 'nMuon==2', ...BINS, '--layer', '; cut=nMuon==3'];
  const shared = ['--fit', 'gaus', '--fit-shared', 'Mean,Sigma'];

  test('fits layers together, with shared parameters', async () => {
    const { out, err, status } = await run(reader, ...two, ...shared, '--json');
    expect(status, err).toBe(0);
    const made = JSON.parse(out) as TogetherResult;
    expect(made).toMatchObject({ kind: 'fits', shared: ['Mean', 'Sigma'], status: 0, valid: true });
    expect(made.parameters.map(({ name }) => name)).toEqual(['Constant_1', 'Mean', 'Sigma', 'Constant_2']);
    expect(made.parts.map(({ parameters }) => parameters.map(({ name }) => name))).toEqual([
      ['Constant_1', 'Mean', 'Sigma'],
      ['Constant_2', 'Mean', 'Sigma'],
    ]);
    // The library gives the same.
    const file = await openRoot(SAMPLE);
    const events = await file.tree('Events');
    const filled = await Promise.all(
      ['nMuon==2', 'nMuon==3'].map((cut) => events.draw('Dimuon_mass', { cut, bins: 40, range: [70, 110] })),
    );
    await file.close();
    const library = await fitTogether(filled as never[], 'gaus', { shared: ['Mean', 'Sigma'] });
    expect(JSON.parse(JSON.stringify(library.parameters))).toEqual(made.parameters);
    const terminal = await run(reader, ...two, ...shared);
    expect(terminal.out).toContain('of 2 data, which share Mean, Sigma');
    expect(terminal.out).toMatch(/Constant_2 +[\d.]+ ± [\d.]+/);
  });

  test('draws a panel for each', async () => {
    const out = join(folder, 'together.svg');
    await run(reader, ...two, ...shared, '--svg', out);
    const svg = await readFile(out, 'utf8');
    expect(svg.match(/>Pull</g)).toHaveLength(2);
  });

  test.each([
    [[...two, '--fit', 'gaus'], '--fit-shared names the parameters'],
    [[...MASS, ...BINS, ...shared], 'name others with --layer'],
    [[...two, '--fit', 'gaus', '--fit-shared', 'Men'], 'No two functions have the parameter "Men"'],
    [
      [...two, '--fit', 'gaus', '--fit', 'expo', '--fit', 'pol1', '--fit-shared', 'Mean'],
      '2 layers and 3 functions',
    ],
    [[...MASS, ...BINS, '--fit', 'gaus', '--fit', 'expo'], 'Several functions are for several layers'],
    [[...two, ...shared, '--fit-unbinned'], '--fit-unbinned does not go with --layer'],
    [[...two, ...shared, '--normalise', 'area'], '--normalise does not go with --fit'],
  ])('%j is told', async (words, message) => {
    const { status, err, out } = await run(reader, ...words);
    expect(err).toContain(message);
    expect([out, status === 0]).toEqual(['', false]);
  });
});

describe('contours and programs', () => {
  test('a contour is a plot beside the fit', async () => {
    const out = join(folder, 'contour.svg');
    const { err } = await run(
      reader,
      ...MASS,
      ...BINS,
      '--fit',
      'gaus',
      '--fit-contour',
      'Mean,Sigma',
      '--svg',
      out,
    );
    expect(err).toContain('a contour of Mean and Sigma');
    const svg = await readFile(out, 'utf8');
    expect(svg).toContain('Sigma against Mean');
    // Only the part of the axis that the contour has.
    expect(svg).toMatch(/>90\.80?</);
    expect(svg).not.toMatch(/>91\.20?</);
    const made = await json(...MASS, ...BINS, '--fit', 'pol2', '--fit-contour', '0,1');
    expect(made.contours?.[0]?.points).toHaveLength(40);
  });

  test.each([
    [['--fit-contour', 'Mean'], 'does not name two parameters'],
    [['--fit-contour', 'Mean,Men'], 'are not two parameters'],
    [['--code', 'uproot'], '--fit has programs for root and iminuit, not for uproot.'],
    [['--code', 'root', '--json'], '--json does not go with --code'],
    [['--code', 'root', '--entries', '0:10'], '--entries does not go with --code'],
  ])('%j is told', async (words, message) => {
    const { err, out, status } = await run(reader, ...MASS, ...BINS, '--fit', 'gaus', ...words);
    expect(err).toContain(message);
    expect([out, status === 0]).toEqual(['', false]);
  });

  test.each(['root', 'iminuit'])('a program for %s', async (tool) => {
    const words = ['--fit', 'gaus(0)+pol0(3)', '--fit-parameters', '0=90,1=91[85:97],2=2.5|fixed,3=4'];
    const { out, status } = await run(reader, ...MASS, ...BINS, ...words, '--code', tool);
    expect(status).toBe(0);
    expect(out).toContain(tool === 'root' ? 'f->SetParLimits(1, 85, 97);' : 'm.limits[1] = (85, 97)');
    const stored = await run(reader, 'draw', SAMPLE, 'plots/dimuonMass', '--fit', 'gaus', '--code', tool);
    expect(stored.out).toContain('plots/dimuonMass');
    const alone = await run(reader, ...MASS, ...BINS, '--code', 'iminuit');
    expect(alone.err).toContain('--code iminuit is for --fit');
  });
});

describe('combine --fit', () => {
  test('fits the sum of partial results, with the numbers of one run', async () => {
    const parts = [join(folder, 'part1.json'), join(folder, 'part2.json')];
    const file = await openRoot(SAMPLE);
    const { entries } = (await file.tree('Events')).info;
    await file.close();
    const ranges = ['#Events[0:1500]', `#Events[1500:${entries}]`];
    for (const [i, part] of parts.entries()) {
      const { err, status } = await run(
        reader,
        ...['draw', `${SAMPLE}?${ranges[i]}`, 'Events', 'Dimuon_mass', ...BINS, '--partial', part],
      );
      expect(status, err).toBe(0);
    }
    const whole = await json(...MASS, ...BINS, '--fit', 'gaus', '--fit-options', 'L');
    const sum = await json('combine', ...parts, '--fit', 'gaus', '--fit-options', 'L');
    expect(sum).toEqual(whole);
    const out = join(folder, 'sum.svg');
    const both = await run(
      reader,
      'combine',
      ...parts,
      '--fit',
      'gaus',
      '--svg',
      out,
      '--partial',
      join(folder, 'all.json'),
    );
    expect(both.status, both.err).toBe(0);
    expect(await readFile(out, 'utf8')).toContain('>Pull<');
    const wrong = await run(reader, 'combine', ...parts, '--fit-range', '80:90');
    expect(wrong.err).toContain('--fit-range is for --fit.');
  });
});
