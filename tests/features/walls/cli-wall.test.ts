import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathMatcher } from '../../../web/base/glob';
import { checkWallBytes } from '../../../web/features/walls/work/items';
import { fileSink, writeRoot } from '../../../web/node';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { startRangeServer } from '../../servers/range-server';

const files = resolve(import.meta.dirname, '../../fixtures/files');
const [made, reference] = [join(files, 'walls/new.root'), join(files, 'walls/reference.root')];
const folder = mkdtempSync(join(tmpdir(), 'xylem-wall-'));
const at = (name: string): string => join(folder, name);
const hasPoppler = spawnSync('pdftoppm', ['-v']).error === undefined;

const reader = withReader();
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

interface Plot {
  name: string;
  entries: number | null;
  error?: string;
  state?: string;
  why?: string[];
}

async function plots(...args: string[]): Promise<Plot[]> {
  const { out, err } = await run(reader, 'wall', ...args, '--json');
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { plots: Plot[] }).plots;
}
const namesOf = (list: readonly Plot[]): string[] => list.map(({ name }) => name);

test.each([
  ['dqm/**', 'dqm/a', true],
  ['dqm/**', 'dqm/a/b/c', true],
  ['dqm/**', 'dqm', true],
  ['dqm/*', 'dqm/a/b', false],
  ['**/b', 'b', true],
  ['**/b', 'a/c/b', true],
  ['**/**/**/b', 'a/b', true],
  ['**', 'a/b', true],
  ['h[0-3]?', 'h2x', true],
  ['h[0-3]?', 'dqm/h2x', false],
  [`${'**/'.repeat(50)}x`, `${'a/'.repeat(2000)}y`, false],
])('the pattern "%s" and "%s"', (pattern, path, fits) => {
  expect(pathMatcher(pattern)(path)).toBe(fits);
});

test('a folder, a pattern, one object, the top level, and everything', async () => {
  expect(await plots(made, 'dqm')).toHaveLength(10);
  expect(await plots(made, 'dqm/**')).toHaveLength(20);
  expect(namesOf(await plots(made, 'dqm/d*', 'graph'))).toEqual(['dqm/double', 'graph']);
  expect(namesOf(await plots(made, '/'))).toContain('hostile<b>');
  const all = await plots(made);
  expect(all).toHaveLength(34);
  // A TNamed is not a plot; a graph in polar coordinates is one that is not drawn, and says so.
  expect(namesOf(all)).not.toContain('note');
  expect(all.find(({ name }) => name === 'polar')?.error).toMatch(/TGraphPolar/);
  const { status, err } = await run(reader, 'wall', made, 'nothing');
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringMatching(/There is no "nothing".*NOT_FOUND/),
  });
});

test('sorted, filtered, and limited', async () => {
  const byEntries = await plots(made, '--sort', 'entries');
  expect(byEntries[0]).toMatchObject({ name: 'many', entries: 40_000 });
  expect(namesOf(await plots(made, 'dqm', '--sort', 'name')).slice(0, 3)).toEqual([
    'dqm/byte',
    'dqm/double',
    'dqm/float',
  ]);
  expect(namesOf(await plots(made, '--filter', 'WEIGHTS two'))).toEqual(['plane_weighted']);
  const { status, err } = await run(reader, 'wall', made, '--limit', '33');
  expect(status).toBe(1);
  expect(err).toMatch(/34 plots were chosen, and the wall may have 33\..*BUDGET/);
});

test('objects that would fill the memory are refused', async () => {
  const { id } = await reader.open({ kind: 'path', path: made });
  const keys = await reader.keys(id);
  expect(() => checkWallBytes(keys)).not.toThrow();
  const large = keys.map((key) => ({ ...key, objectBytes: 2 ** 28 }));
  expect(() => checkWallBytes(large)).toThrow(/a wall may have 1073741824/);
});

test('objects that lie together come with one request', async () => {
  const bytes = readFileSync(made);
  const server = await startRangeServer(bytes);
  try {
    const { status, err } = await run(
      reader,
      'wall',
      server.url,
      '--no-cache',
      '--trace',
      at('trace.json'),
      '--svg',
      at('wall.svg'),
    );
    expect([status, err]).toEqual([0, expect.stringContaining('written')]);
    const trace = JSON.parse(readFileSync(at('trace.json'), 'utf8')) as { summary: { requests: number } };
    // The start and the end of the file, and at most one for all 34 objects.
    expect(trace.summary.requests).toBeLessThanOrEqual(3);
  } finally {
    await server.close();
  }
});

test('the picture has all plots, each name once in its document, and no text of a file that is not escaped', async () => {
  await run(reader, 'wall', made, '--svg', at('all.svg'), '--columns', '5', '--same-axes', '--log');
  const svg = readFileSync(at('all.svg'), 'utf8');
  expect(svg.match(/<svg /g)).toHaveLength(1 + 1 + 2 * 34);
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(svg).not.toContain('<script');
  expect(svg).toContain('It is a TGraphPolar');
});

test('the page is one file that asks for nothing, and runs nothing of a title', async () => {
  await run(reader, 'wall', made, '--html', at('wall.html'));
  const html = readFileSync(at('wall.html'), 'utf8');
  expect(html).toContain(`content="default-src 'none';`);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<figure/g)).toHaveLength(34);
  // Only parts of itself are referred to.
  expect(html).not.toMatch(/src=|href=[^#]|url\([^#]/);
  expect(html).toContain('&lt;/svg&gt;&lt;script&gt;');
  // Controls, and marks that turn the direction of text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(html).not.toMatch(/[\u001b\u202e]/);
});

test('branches and expressions of a tree are drawn in one pass', async () => {
  const tree = join(files, 'clusters.root');
  const list = await plots(tree, '--tree', 't', 'x', 'x*2', '--cut', 'x>3');
  expect(namesOf(list)).toEqual(['x', 'x*2']);
  expect(list[0]?.entries).toBe(list[1]?.entries);
  expect((await plots(tree, '--tree', 't'))[0]?.entries).toBeGreaterThan(list[0]?.entries ?? 0);
  const wrong = await plots(tree, '--tree', 't', 'x', 'nosuch+1');
  expect(wrong.map(({ error }) => error)).toEqual([undefined, expect.stringContaining('nosuch')]);
});

test('a tree and its reference have the same axes', async () => {
  const [before, after] = [join(files, 'pairs/before.root'), join(files, 'pairs/after.root')];
  const list = await plots(after, '--tree', 't', 'number', 'energy', '--reference', before);
  expect(list.map(({ state }) => state)).toEqual(['same', 'same']);
});

test('a reference: the worst first, the exit status, and JUnit', async () => {
  const line = ['wall', made, '--reference', reference];
  const alike = await run(reader, ...(line as [string]), 'dqm/s*', '--fail-on', 'chi2<0.01');
  expect([alike.status, alike.out]).toEqual([
    0,
    expect.stringContaining('3 plots: 0 alarms, 3 compared (1 the same)'),
  ]);

  const { status, out } = await run(
    reader,
    ...(line as [string]),
    '--fail-on',
    'chi2<0.01,missing',
    '--junit',
    at('junit.xml'),
  );
  expect(status).toBe(1);
  expect(out).toMatch(
    /^error +dqm\/deep\/one_empty .*\nerror +dqm\/deep\/other_bins .*10 bins along x, and 12/m,
  );
  expect(out).toMatch(/failed +dqm\/deep\/apart +chi2<0.01: chi2 is 8.642e-31/);
  expect(out).toMatch(/failed +hostile<b> +It is not in the reference/);
  expect(out).toMatch(/error +dqm\/deep\/one_empty +The reference is empty/);
  expect(out).toMatch(/same +dqm\/same/);
  const xml = readFileSync(at('junit.xml'), 'utf8');
  expect(xml).toContain('tests="34" failures="3" errors="5" skipped="2"');
  expect(xml).toContain(
    '<testcase classname="new.root/dqm/deep" name="apart"><failure message="chi2&lt;0.01',
  );
});

test('rules of a file are for the plots that their patterns name', async () => {
  writeFileSync(
    at('rules.json'),
    JSON.stringify({ band: 0.5, rules: [{ items: 'dqm/deep/a*', failOn: 'ks<0.01' }] }),
  );
  const list = await plots(made, 'dqm/**', '--reference', reference, '--fail-on', at('rules.json'));
  expect(list.filter(({ state }) => state === 'failed').map(({ name, why }) => [name, why])).toEqual([
    ['dqm/deep/apart', [expect.stringMatching(/^ks<0.01: kolmogorov is 2\.081e-35$/)]],
  ]);
  // A check that compares nothing does not pass.
  const rules = ['--fail-on', at('rules.json')];
  const none = await run(reader, 'wall', made, 'graph', '--reference', reference, ...rules);
  expect([none.status, none.err]).toEqual([
    1,
    'note: the rule for "dqm/deep/a*" is for none of the plots\nnote: Nothing was compared: no histogram that can be compared is in both files.\n',
  ]);
  const { status, err } = await run(reader, 'wall', made, '--fail-on', 'chi2<0.01');
  expect([status, err]).toEqual([2, expect.stringContaining('--fail-on goes with --reference')]);
});

test('a filter chooses pairs by the title of the first file, and what only the reference has by its own', async () => {
  const line = ['--reference', reference];
  const lost = join(files, 'walls/lost.root');
  const paths = async (file: string, ...more: string[]) =>
    (await plots(file, ...more, ...line)).map(({ name, state }) => `${name} ${state}`);
  expect(await paths(lost, '--filter', 'counts in')).toContain('dqm/double same');
  expect(await paths(lost, '--filter', 'far apart')).toEqual(['dqm/deep/apart missing']);
  // A path that only the reference has is no mistake; one that neither has is.
  expect(await paths(lost, 'dqm/same', 'dqm/double')).toEqual(['dqm/same missing', 'dqm/double same']);
  expect((await run(reader, 'wall', lost, 'dqm/nosuch', ...line)).err).toContain('There is no "dqm/nosuch"');
});

test('branches that only one of two trees has are told', async () => {
  const [one, two] = ['one.root', 'two.root'].map(at);
  const values = Float64Array.from({ length: 100 }, (_, i) => i % 10);
  const text = Array.from({ length: 100 }, (_, i) => `t${i % 3}`);
  for (const [path, columns] of [
    [one, { a: values, text, both: values }],
    [two, { b: values, both: values, text }],
  ] as const)
    await writeRoot(fileSink(path ?? ''), async (file) => await (await file.tree('t')).append(columns));
  const states = async (...patterns: string[]) =>
    Object.fromEntries(
      (await plots(one ?? '', '--tree', 't', ...patterns, '--reference', two ?? '')).map(
        ({ name, state, why }) => [name, `${state} ${why}`],
      ),
    );
  expect(await states()).toEqual({
    a: 'missing It is not in the reference.',
    both: 'same ',
    text: 'other It is not a histogram, and was not compared.',
    b: 'missing It is only in the reference.',
  });
  expect(await states('b*', 'both', 'a*2')).toEqual({
    both: 'same ',
    'a*2': 'missing It is not in the reference.',
    b: 'missing It is only in the reference.',
  });
});

describe('trees of which one lacks a branch, and chains of which a file is missing', () => {
  const [whole, less] = ['whole.root', 'less.root'].map(at) as [string, string];
  beforeAll(async () => {
    const x = Float64Array.from({ length: 100 }, (_, i) => i % 10);
    for (const [path, columns] of [
      [whole, { x, w: x }],
      [less, { x }],
    ] as const)
      await writeRoot(fileSink(path), async (file) => await (await file.tree('t')).append(columns));
  });

  test('a cut that cannot be evaluated makes no plot missing', async () => {
    const lack = 'There is no branch "w" in the tree "t".';
    const cut = ['--tree', 't', 'x', '--cut', 'w>0', '--reference'];
    const both: [string[], string][] = [
      [[whole, ...cut, less], `The reference cannot be read: ${lack}`],
      [[less, ...cut, whole], lack],
    ];
    for (const [line, why] of both) {
      expect(await plots(...line)).toMatchObject([{ name: 'x', state: 'error' }]);
      const { status, out, err } = await run(reader, 'wall', ...line);
      expect([status, out]).toEqual([1, expect.stringMatching(RegExp(`^error +x +${why}$`, 'm'))]);
      expect(err).toContain('Nothing was compared: no histogram that can be compared is in both files.');
    }
    // A branch that the file itself lacks is missing there.
    const [one] = await plots(less, '--tree', 't', 'w', '--cut', 'x>0', '--reference', whole);
    expect(one).toMatchObject({ name: 'w', state: 'missing' });
  });

  test('a chain with a file that cannot be read is a part, names it, and ends with status 1', async () => {
    const chain = `${whole},${at('none.root')}`;
    const { status, out } = await run(reader, 'wall', chain, '--tree', 't', 'x');
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/^x +100 {2}Partial: 1 of 2 parts .*none\.root/m),
    ]);
    const [one] = await plots(whole, '--tree', 't', 'x', '--reference', chain);
    expect(one).toMatchObject({
      state: 'error',
      why: [expect.stringContaining('none.root: there is no such file')],
    });
  });

  test('the page, the PDF and the SVG say which line is the reference', async () => {
    const line = [whole, '--tree', 't', 'x'];
    for (const [option, name] of [
      ['--html', 'legend.html'],
      ['--svg', 'legend.svg'],
    ] as const) {
      await run(reader, 'wall', ...line, option, at(name));
      expect(readFileSync(at(name), 'utf8')).not.toContain('>the reference<');
      await run(reader, 'wall', ...line, '--reference', less, option, at(name));
      expect(readFileSync(at(name), 'utf8')).toMatch(
        /<path[^>]*>\s*<text[^>]*>this file<[\s\S]*>the reference</,
      );
    }
    await run(reader, 'wall', ...line, '--reference', less, '--pdf', at('legend.pdf'));
    if (!hasPoppler) return;
    const words = execFileSync('pdftotext', ['-layout', at('legend.pdf'), '-'], { encoding: 'utf8' });
    expect(words).toMatch(/this file +the reference/);
  });
});

test('conditions that are none are told as that', async () => {
  const failing = async (text: string) =>
    await run(reader, 'wall', made, '--reference', reference, '--fail-on', text);
  for (const text of ['', ' ', ','])
    expect(await failing(text)).toMatchObject({
      status: 2,
      err: expect.stringContaining('--fail-on names no condition'),
    });
  for (const text of ['chi2', 'MISSING', 'chi2<x'])
    expect(await failing(text)).toMatchObject({
      status: 2,
      err: expect.stringContaining(`"${text}" is not a condition`),
    });
  expect((await failing('none.json')).err).toContain('there is no such file');
});

test('what only the reference has is told, too', async () => {
  const list = await plots(reference, '--reference', made, '--sort', 'name');
  expect(list.find(({ name }) => name === 'hostile<b>')).toMatchObject({
    state: 'missing',
    why: ['It is only in the reference.'],
  });
});

describe('PDF', () => {
  const zoo = join(files, 'page/zoo.root');

  test('is a file whose table leads to its objects, the same each time', async () => {
    const written = async (name: string) => {
      expect((await run(reader, 'wall', zoo, '--pdf', at(name))).status).toBe(0);
      return readFileSync(at(name));
    };
    const bytes = await written('zoo.pdf');
    expect(bytes.equals(await written('again.pdf'))).toBe(true);
    const text = bytes.toString('latin1');
    expect(text.slice(0, 8)).toBe('%PDF-1.7');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    expect(text.slice(start, start + 5)).toBe('xref\n');
    const places = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
    expect(places.length).toBeGreaterThan(15);
    places.forEach((place, i) => {
      expect(text.slice(place, place + 12)).toMatch(new RegExp(`^${i + 1} 0 obj`));
    });
  });

  test('takes one form only, and says which letters no font of it has', async () => {
    const both = await run(reader, 'wall', zoo, '--pdf', at('x.pdf'), '--svg', at('x.svg'));
    expect([both.status, both.err]).toEqual([2, expect.stringContaining('--pdf')]);
    expect((await run(reader, 'wall', zoo, 'c_latex', '--pdf', at('x.pdf'))).err).toContain(
      '1 letters are "?"',
    );
    expect((await run(reader, 'wall', zoo, 'h1', '--pdf', at('x.pdf'))).err).not.toContain('?');
  });

  test.skipIf(lacks('poppler', hasPoppler))('is drawn by a reader of PDF', async () => {
    await run(reader, 'wall', zoo, 'h1*', 'profile', 'c_hist', '--pdf', at('zoo.pdf'));
    const words = execFileSync('pdftotext', ['-layout', at('zoo.pdf'), '-'], { encoding: 'utf8' });
    for (const word of ['zoo.root', '9 plots', 'Weights', 'Unequal bins', 'η', '−4', 'c_hist_h'])
      expect(words).toContain(word);
    expect(words).toMatch(/[Δ∆][φϕ]/);
    const complaints = spawnSync('pdftoppm', ['-r', '100', at('zoo.pdf'), at('zoo')], { encoding: 'utf8' });
    expect([complaints.status, complaints.stderr]).toEqual([0, '']);
    const ppm = readFileSync(at('zoo-1.ppm'));
    const [head = '', wide = '', tall = ''] =
      /^P6\n(\d+) (\d+)\n255\n/.exec(ppm.toString('latin1', 0, 40)) ?? [];
    expect([wide, tall]).toEqual(['827', '1170']);
    const pixel = (x: number, y: number) => {
      const from = head.length + 3 * (y * Number(wide) + x);
      return [...ppm.subarray(from, from + 3)];
    };
    const count = (colour: string) => {
      let found = 0;
      for (let y = 0; y < Number(tall); y++)
        for (let x = 0; x < Number(wide); x++) if (String(pixel(x, y)) === colour) found++;
      return found;
    };
    // Lines of histograms, their area, and the filling of the canvas as its file has it.
    expect(count('31,122,92')).toBeGreaterThan(200);
    expect(count('153,204,255')).toBeGreaterThan(1000);
    expect(pixel(5, 1100)).toEqual([255, 255, 255]);
  });
});

test('a canvas is a picture of its own, scaled to its place', async () => {
  const zoo = join(files, 'page/zoo.root');
  await run(reader, 'wall', zoo, 'c_fit', 'c_three', '--svg', at('canvas.svg'));
  const svg = readFileSync(at('canvas.svg'), 'utf8');
  expect(svg).toMatch(/<svg [^>]*width="320" height="230" viewBox="0 0 \d{3,} \d{3,}"/);
  expect(svg).toContain('c_fit_h');
  const list = await plots(zoo, 'c_*');
  expect(list.length).toBeGreaterThan(20);
  expect(list.find(({ name }) => name === 'c_fit')?.error).toBeUndefined();
  expect(list.find(({ name }) => name === 'c_three')?.error).toMatch(/^Not drawn: TH3F/);
});

test('stored objects of several files are refused: those of the first would be taken for all', async () => {
  const two = `${made},${reference}`;
  for (const line of [
    ['draw', two, 'dqm/same'],
    ['object', two, 'dqm/same'],
    ['wall', two],
    ['wall', made, '--reference', two],
  ] as [string, ...string[]][]) {
    const { status, err, out } = await run(reader, ...line);
    expect([status, out, err]).toEqual([1, '', expect.stringContaining('xylem merge')]);
  }
  // The trees of several files are one.
  const trees = [join(files, 'pairs/before.root'), join(files, 'pairs/after.root')].join(',');
  expect((await run(reader, 'wall', trees, '--tree', 't', 'number')).status).toBe(0);
});
