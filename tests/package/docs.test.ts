// Needs features: all.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CODES } from '../../web/base/codes';

// Runs every code block of the documents. Blocks in other languages than those below are run elsewhere:
// html in e2e/element/library.spec.ts and package.spec.ts, tsx in e2e/element/package.spec.ts, yaml in recipes.test.ts, nginx
// in tests/features/probe/shared-caches.test.ts, python in hosts/jupyter/tests.
const ELSEWHERE = ['html', 'json', 'tsx', 'yaml', 'nginx', 'python', 'text'];

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Block {
  page: string;
  language: string;
  text: string;
  /** The block of text that follows at once: what the program prints. */
  output: string | undefined;
}

let folder = '';
const pages: [page: string, text: string][] = [];
let blocks: Block[] = [];

beforeAll(async () => {
  const names = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'bench/README.md'];
  for (const name of await readdir(join(root, 'docs'), { recursive: true })) {
    if (name.endsWith('.md')) names.push(join('docs', name));
  }
  for (const name of names) pages.push([name, await readFile(join(root, name), 'utf8')]);
  blocks = pages.flatMap(([page, text]) =>
    [...text.matchAll(/```(\w*)\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)].map(
      ([, language = '', code = '', output]) => ({ page, language, text: code, output }),
    ),
  );
  folder = await mkdtemp(join(tmpdir(), 'xylem-docs-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/xylem'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await copyFile(join(root, 'public/sample.root'), join(folder, 'sample.root'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const node = (args: string[]) => run(process.execPath, args, { cwd: folder });
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Two processes at a time, because there are two cores. */
async function each<T>(list: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const queue = list.entries();
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all([worker(), worker()]);
}

/** The headings of a document, as links name them. */
const headingsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The features that the table of web/features/README.md names, and that were taken out of this checkout. */
const gone = [...readFileSync(join(root, 'web/features/README.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)]
  .map(([, id = '']) => id)
  .filter((id) => !existsSync(join(root, 'web/features', id)));
const isGone = (path: string) => gone.some((id) => path.match(/features\/(\w+)/)?.[1] === id);

test('blocks have languages that are run, and links and files exist', () => {
  for (const { language, page, text } of blocks) {
    expect(['console', 'js', 'ts', ...ELSEWHERE], `${page}: ${text.slice(0, 60)}`).toContain(language);
  }
  for (const [page, text] of pages) {
    const prose = text.replace(/```[\s\S]*?```/g, '');
    for (const [, target = '', heading] of prose.matchAll(/\]\(([^)#:\s]*)(?:#([^)]*))?\)/g)) {
      const path = target === '' ? join(root, page) : join(root, dirname(page), target);
      if (isGone(path)) continue;
      expect(existsSync(path), `${page} links to ${target}`).toBe(true);
      if (heading !== undefined && path.endsWith('.md'))
        expect(headingsOf(path), `${page} links to ${target}#${heading}`).toContain(heading);
    }
    for (const [, path = ''] of prose.matchAll(
      /`((?:web|wasm|workers|hosts|tests|scripts|e2e)\/[\w./-]+)`/g,
    )) {
      // The changelog names files of the past.
      if (page !== 'CHANGELOG.md' && !isGone(path))
        expect(existsSync(join(root, path)), `${page} names ${path}`).toBe(true);
    }
    const named = /`(\w+)` (?:in|of)\s+`((?:web|wasm|workers|hosts|tests|scripts)\/[\w./-]+\.\w+)`/g;
    for (const [, name = '', path = ''] of [...prose.matchAll(named)].filter(
      ([, , path = '']) => !isGone(path),
    ))
      expect(readFileSync(join(root, path), 'utf8'), `${page} names ${name} in ${path}`).toContain(name);
  }
});

test('the README shows a picture at once', () => {
  const [, readme = ''] = pages.find(([page]) => page === 'README.md') ?? [];
  expect(readme.split('\n').findIndex((line) => line.startsWith('!['))).toBeLessThan(20);
});

test('command lines print the output in the document', async () => {
  const shown = inLanguage('console');
  expect(shown.length).toBeGreaterThanOrEqual(15);
  await each(shown, async ({ page, text }) => {
    const [line = '', ...output] = text.split('\n');
    const words = line.replace(/^\$ xylem /, '').match(/'[^']*'|\S+/g) ?? [];
    const args = words.map((word) => word.replace(/^'(.*)'$/, '$1'));
    const { stdout } = await node(['node_modules/xylem/dist/cli/xylem.js', ...args]);
    expect(stdout.trimEnd(), `${page}: ${line}`).toBe(output.join('\n').trimEnd());
  });
}, 90_000);

test('programs compile in strict mode, and print the output in the document', async () => {
  const programs = inLanguage('ts', 'js');
  expect(programs.length).toBeGreaterThanOrEqual(12);
  await mkdir(join(folder, 'src'), { recursive: true });
  for (const [i, { text }] of programs.entries()) {
    const element = text.includes("'xylem-viewer'") ? "import 'xylem/element';\n" : '';
    const named = /import [^;]* from/.test(text) || element ? '' : 'export {};\n';
    await writeFile(join(folder, `src/p${i}.${programs[i]?.language}`), element + named + text);
  }
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
  const options = {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    allowJs: true,
    outDir: 'out',
    rootDir: 'src',
    types: ['node'],
    typeRoots: [resolve(root, 'node_modules/@types')],
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['src'] }),
  );
  const said = await node([tsc, '-p', '.']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(said).toBe('');
  await each(programs, async ({ page, text, output }, i) => {
    if (/\bdocument\b|postMessage/.test(text)) return;
    expect(output, `${page} says what this prints: ${text.slice(0, 80)}`).toBeDefined();
    const { stdout, stderr } = await node([`out/p${i}.js`]);
    expect(stderr).toBe('');
    expect(stdout, `${page}: ${text}`).toBe(output);
  });
}, 90_000);

test('docs/errors.md has every code of errors', () => {
  const codes = Object.keys(CODES);
  const [, page = ''] = pages.find(([name]) => name === 'docs/errors.md') ?? [];
  expect(codes.length).toBeGreaterThan(15);
  expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code).sort()).toEqual(codes.sort());
});
