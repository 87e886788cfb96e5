// Needs features: all.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  countLines,
  messagesSinceRecord,
  reasonFor,
  sizeLine,
  sizeLines,
  tellSize,
} from '../../scripts/sizes.mjs';

// Bytes are told as a server that compresses sends them; what is tested is which parts are fetched.
const page = resolve(import.meta.dirname, '../../dist/page');
const loader = resolve(import.meta.dirname, '../../dist/xylem-viewer.js');
const rest = resolve(import.meta.dirname, '../../dist/xylem-viewer');

const compressed = async (paths: Iterable<string>): Promise<number> => {
  let sum = 0;
  for (const path of paths) sum += gzipSync(await readFile(path), { level: 9 }).length;
  return sum;
};

/** Scripts and all that they import statically. */
async function withImports(paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    found.add(path);
    const code = await readFile(path, 'utf8');
    for (const [, name] of code.matchAll(/(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+\.js)["']/g))
      if (name) await follow(resolve(path, '..', name));
  };
  for (const path of paths) await follow(path);
  return found;
}

/** The scripts of the page and all that they import statically. */
async function firstScripts(): Promise<Set<string>> {
  const html = await readFile(join(page, 'index.html'), 'utf8');
  const names = html.matchAll(/(?:src|href)="(\.\/assets\/[^"]+\.js)"/g);
  return withImports([...names].map(([, name = '']) => resolve(page, name)));
}

test('the loader of the element', async () => {
  const scripts = await withImports([loader]);
  tellSize('the loader of the element, gzip', await compressed(scripts));
  expect(await readFile(loader, 'utf8')).toMatch(
    /import\(["'`]\.\/xylem-viewer\/whole-viewer-[\w-]+\.js["'`]\)/,
  );
});

test('what the element fetches for the first plot of a branch', async () => {
  const files = (await readdir(rest)).filter((file) => /^(whole-viewer|page-plot)-/.test(file));
  expect(files).toHaveLength(2);
  const scripts = await withImports([loader, ...files.map((file) => join(rest, file))]);
  tellSize('the element until the first plot of a branch, gzip', await compressed(scripts));
  for (const script of scripts)
    expect(script).not.toMatch(/xylem-(math|export|zstd|xz|ntuple)|insight-script/);
});

test('the scripts that the page starts with', async () => {
  const scripts = await firstScripts();
  expect(scripts.size).toBeGreaterThan(1);
  tellSize('first scripts of the page, gzip', await compressed(scripts));
});

test.each([
  ['core', /^xylem-(?!math-|export-|write-|fit-).*\.wasm$/],
  ['mathematical functions', /^xylem-math-.*\.wasm$/],
  ['encoder of Parquet files', /^xylem-export-.*\.wasm$/],
  ['worker', /^xylem\.worker-.*\.js$/],
])('the %s is one file', async (what, name) => {
  const files = (await readdir(join(page, 'assets'))).filter((file) => name.test(file));
  expect(files).toHaveLength(1);
  tellSize(`the page: ${what}, gzip`, await compressed(files.map((file) => join(page, 'assets', file))));
});

describe('the library in a page', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'xylem-size-'));
    const entry = join(folder, 'main.js');
    const library = resolve(import.meta.dirname, '../../dist/index.js');
    await writeFile(
      entry,
      `import { openRoot } from ${JSON.stringify(library)}; globalThis.open = openRoot;`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: { rolldownOptions: { input: entry }, assetsInlineLimit: 0, reportCompressedSize: false },
    });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  const named = async (name: RegExp): Promise<string[]> =>
    (await readdir(join(folder, 'dist/assets')))
      .filter((file) => name.test(file))
      .map((file) => join(folder, 'dist/assets', file));

  test('writing, and other formats, are no part of openRoot alone', async () => {
    const scripts = await withImports(await named(/^main-.*\.js$/));
    tellSize('openRoot alone on the thread of the page, gzip', await compressed(scripts));
    expect((await named(/^(arrow|parquet|new-file)-.*\.js$/)).length).toBe(3);
  });

  test('with it come the worker that reads, and the core', async () => {
    const scripts = await withImports(await named(/^main-.*\.js$/));
    const rest = await named(/^xylem(\.worker)?-[\w-]{8}\.(js|wasm)$/);
    expect(rest).toHaveLength(2);
    tellSize('openRoot with worker and core, gzip', await compressed([...scripts, ...rest]));
  });
});

test('the frame of JSROOT compiles no formula', async () => {
  const script = await readFile(join(page, 'jsroot/frame.js'), 'utf8');
  // One is left that nothing in a file leads to: for macros that a geometry's option names.
  const compiled = [...script.matchAll(/(?<![\w.])Function\(.(\w+)/g)].map(([, name]) => name);
  expect(compiled.sort()).toEqual(['gGeoManager']);
});

describe('figures inform', () => {
  test('one that grew by more than 3 % is warned of', () => {
    expect(sizeLine('the page', 103_000, 100_000)).toEqual({
      line: 'the page: 103,000 (recorded 100,000, +3.0 %)',
      grew: false,
    });
    expect(sizeLine('the page', 104_000, 100_000)).toEqual({
      line: 'warning: it grew: the page: 104,000 (recorded 100,000, +4.0 %)',
      grew: true,
    });
    expect(sizeLine('the page', 90_000, 100_000).line).toContain('−10.0 %');
    expect(sizeLine('new', 5, undefined)).toEqual({ line: 'new: 5 (not recorded yet)', grew: false });
  });

  test('a reason in the message of a commit takes the place of the warning', () => {
    const messages = 'codec: LZ4 is written\n\nSize: the encoder of LZ4\nLines of docs: a table of codecs\n';
    expect(sizeLine('the page', 104_000, 100_000, messages)).toEqual({
      line: 'the page: 104,000 (recorded 100,000, +4.0 %: the encoder of LZ4)',
      grew: false,
    });
    expect(reasonFor('docs, lines', messages)).toBe('a table of codecs');
    expect(reasonFor('code, lines', messages)).toBeUndefined();
    expect(reasonFor('npm test: stories, s', messages)).toBeUndefined();
  });

  test.each([
    ['code: more', undefined],
    ['code: more\n\nLines: a table of codecs', 'a table of codecs'],
    ['code: more\n\nSize: a table of codecs', undefined],
    ['code: more\n\nLines of docs: a table of codecs', undefined],
  ])('after the commit %j the reason for more lines of code is %s', async (message, reason) => {
    const folder = await mkdtemp(join(tmpdir(), 'xylem-reasons-'));
    try {
      const git = (...args: string[]) =>
        execFileSync(
          'git',
          ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false', ...args],
          {
            cwd: folder,
          },
        );
      git('init', '-q');
      // A reason that stands before the last record is of figures that were recorded then.
      git('commit', '-q', '--allow-empty', '-m', 'code: less\n\nLines: an old reason');
      await mkdir(join(folder, 'scripts'));
      await writeFile(join(folder, 'scripts/sizes.json'), '{}');
      git('add', '.');
      git('commit', '-q', '-m', 'sizes: recorded');
      git('commit', '-q', '--allow-empty', '-m', message);
      const { line, grew } = sizeLine('code, lines', 104, 100, messagesSinceRecord(folder));
      expect(grew).toBe(reason === undefined);
      expect(line).toBe(
        reason === undefined
          ? 'warning: it grew: code, lines: 104 (recorded 100, +4.0 %)'
          : `code, lines: 104 (recorded 100, +4.0 %: ${reason})`,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('npm test prints all of them, with lines of code and of documents', () => {
    countLines();
    const text = sizeLines().join('');
    expect(text).toMatch(/^(warning: it grew: )?docs, lines: [\d,]+ \(/m);
    expect(text).toMatch(/code of web, workers and wasm\/src, lines: \d{3},\d{3} \(/);
  });
});
