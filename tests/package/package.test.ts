import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RangeServer, startRangeServer } from '../servers/range-server';

const root = resolve(import.meta.dirname, '../..');
const sample = resolve(root, 'public/sample.root');
const run = promisify(execFile);

/** A folder into which the packed package was installed, and nothing else. */
let folder = '';
let files: string[] = [];
let server: RangeServer;

/** Only Node and npm: no Emscripten, no compiler, nothing of the checkout. */
const environment = { ...process.env, PATH: [dirname(process.execPath), '/bin'].join(delimiter) };

const inFolder = (command: string, args: string[]) => run(command, args, { cwd: folder, env: environment });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-package-'));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse((await run('npm', pack, { cwd: root })).stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  files = packed.files.map(({ path }) => path);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await inFolder('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.filename]);
  await copyFile(sample, join(folder, 'sample.root'));
  server = await startRangeServer(await readFile(sample));
}, 60_000);

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test('holds what is promised, the licences, and none of the sources', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'THIRD_PARTY.md',
      'dist/cli/xylem.js',
      'dist/index.js',
      'dist/node.js',
      'dist/page/index.html',
      'dist/types/web/index.d.ts',
      'dist/types/web/node.d.ts',
      'dist/xylem-viewer.js',
      'dist/xylem.wasm',
    ]),
  );
  expect(
    files.filter((path) => !/^(dist\/|LICENSE$|README\.md$|THIRD_PARTY\.md$|package\.json$)/.test(path)),
  ).toEqual([]);
});

test('npx xylem ls and hist work in a folder of their own', async () => {
  const { stdout } = await inFolder('npx', ['--offline', 'xylem', 'ls', 'sample.root', 'Events']);
  expect(stdout).toContain('2,400 entries');
  expect(stdout).toMatch(/^Muon_pt +float\[\]/m);
  const drawn = await inFolder('npx', [
    '--offline',
    'xylem',
    'hist',
    'sample.root',
    'Events',
    'nMuon',
    '--json',
  ]);
  expect(JSON.parse(drawn.stdout)).toMatchObject({ kind: 'histogram', entries: 2400 });
});

test('the example of the README for Node runs as it stands', async () => {
  const readme = await readFile(resolve(root, 'README.md'), 'utf8');
  const example = /```js\n\/\/ read\.mjs\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(example, 'the README has an example for Node').toBeDefined();
  await writeFile(join(folder, 'read.mjs'), example ?? '');
  const { stdout } = await inFolder(process.execPath, ['read.mjs', server.url]);
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toBe('Events TTree');
  expect(stdout).toMatch(/2400 entries, mean \d+\.\d+/);
  expect(server.requests.length).toBeGreaterThan(0);
});

test('the example of the README for chunks and exports runs as it stands', async () => {
  const readme = await readFile(resolve(root, 'README.md'), 'utf8');
  const example = /```js\n\/\/ chunks\.mjs\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(example, 'the README has an example for chunks').toBeDefined();
  await writeFile(join(folder, 'chunks.mjs'), example ?? '');
  const { stdout } = await inFolder(process.execPath, ['chunks.mjs']);
  expect(stdout).toMatch(/^mean 17\.29622\d*\ntrue about\n$/);
});

test('the command line of the README prints what the README shows', async () => {
  const readme = await readFile(resolve(root, 'README.md'), 'utf8');
  const shown = [...readme.matchAll(/```console\n\$ xylem ([^\n]*)\n([\s\S]*?)```/g)];
  expect(shown.length).toBeGreaterThanOrEqual(5);
  for (const [, args = '', output] of shown) {
    const { stdout } = await inFolder(process.execPath, [
      'node_modules/xylem/dist/cli/xylem.js',
      ...(args.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')),
    ]);
    expect(stdout.trimEnd(), args).toBe(output?.trimEnd());
  }
}, 90_000);

test.each([
  ['Node', 'openReader', 'xylem/node', ['--module', 'nodenext']],
  ['Node, by the main name', 'openReader', 'xylem', ['--module', 'nodenext']],
  ['a bundler', 'createReader', 'xylem', ['--module', 'esnext', '--moduleResolution', 'bundler']],
])('its types serve a strict program for %s', async (_for, make, from, resolution) => {
  await writeFile(
    join(folder, 'use.ts'),
    `import { ${make}, type FileInfo, XylemError } from '${from}';
     export async function size(path: string): Promise<number> {
       const info: FileInfo = await (await ${make}()).open({ kind: 'path', path });
       return info.size;
     }
     export const isOurs = (thrown: unknown): boolean => thrown instanceof XylemError;
     // @ts-expect-error a number is no source
     export const wrong = async () => (await ${make}()).open(1);`,
  );
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'];
  const types = ['--typeRoots', resolve(root, 'node_modules/@types'), '--types', 'node'];
  const failed = await inFolder(process.execPath, [tsc, ...options, ...types, ...resolution, 'use.ts']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(failed).toBe('');
});

test("the element's types serve a strict program", async () => {
  await writeFile(
    join(folder, 'element.ts'),
    `import 'xylem/element';
     import type { ViewerState, XylemViewer } from 'xylem/element';
     export const viewer: XylemViewer | null = document.querySelector('xylem-viewer');
     export const made: XylemViewer = document.createElement('xylem-viewer');
     made.file = new Blob([]);
     made.addEventListener('xylem-plot', ({ detail }) => { if (detail.kind === 'branch') made.draw = detail.branch; });
     export const size = async (state: ViewerState): Promise<number> => (await made.restore(state)).size;
     // @ts-expect-error a number is no theme
     made.theme = 1;`,
  );
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.iterable',
    '--types',
    '',
  ];
  const failed = await inFolder(process.execPath, [
    tsc,
    ...options,
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    'element.ts',
  ]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(failed).toBe('');
});
