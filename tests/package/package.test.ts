// Needs features: all.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json';
import { tellSize } from '../../scripts/sizes.mjs';
import registry from '../../web/core/modules/registry.json';
import { type RangeServer, startRangeServer } from '../servers/range-server';

const root = resolve(import.meta.dirname, '../..');
const sample = resolve(root, 'public/sample.root');
const run = promisify(execFile);

/** A folder into which the packed package was installed, and nothing else. */
let folder = '';
let files: string[] = [];
/** Bytes of the packed package. */
let bytes = 0;
let server: RangeServer;

/** Only Node and npm: no Emscripten, no compiler, nothing of the checkout. */
const environment = { ...process.env, PATH: [dirname(process.execPath), '/bin'].join(delimiter) };

const inFolder = (command: string, args: string[]) => run(command, args, { cwd: folder, env: environment });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-package-'));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse((await run('npm', pack, { cwd: root })).stdout) as [
    { filename: string; size: number; files: { path: string }[] },
  ];
  bytes = packed.size;
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

test('contains the promised files and the licences, and no sources', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'adapters/Snakefile',
      'adapters/xylem_dask.py',
      'adapters/xylem_futures.py',
      'adapters/xylem_tasks.py',
      'LICENSE',
      'custom-elements.json',
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
      ...Object.keys(registry).map((name) => `dist/xylem-${name}.wasm`),
    ]),
  );
  const opened = Object.keys(manifest.exports).filter((path) => path.startsWith('./xylem-'));
  expect(opened.filter((path) => path.endsWith('.wasm')).sort()).toEqual(
    Object.keys(registry)
      .map((name) => `./xylem-${name}.wasm`)
      .sort(),
  );
  expect(
    files.filter(
      (path) =>
        !/^(dist\/|docs\/|adapters\/(?!__pycache__)|((LICENSE|(README|CHANGELOG|THIRD_PARTY)\.md|package\.json|custom-elements\.json)$))/.test(
          path,
        ),
    ),
  ).toEqual([]);
});

test('its types are those that its entries lead to, and no others', async () => {
  const declarations = files.filter((path) => path.endsWith('.d.ts'));
  expect(declarations).toContain('dist/types/web/library/open-root.d.ts');
  tellSize('declaration files of the package, number', declarations.length);
  for (const path of declarations)
    expect(await readFile(join(root, path), 'utf8'), path).not.toMatch(
      /\b(PageInsight|FleetRequest|DecodeTask)\b/,
    );
});

test('has no pictures, and the parts that page and element share once', () => {
  tellSize('the package', bytes);
  expect(files.filter((path) => /\.(png|svg)$/.test(path) && path.startsWith('docs/'))).toEqual([]);
  for (const name of [/\/frame\.js$/, /\/xylem(-\w{8})?\.wasm$/, /\/xylem-write(-\w{8})?\.wasm$/])
    expect(files.filter((path) => name.test(path))).toHaveLength(1);
});

test('its page has all of its parts, wherever they lie', async () => {
  const to = join(folder, 'copied');
  await inFolder('npx', ['--offline', 'xylem', 'serve', '--copy-page', to]);
  const names = async (path: string) => (await readdir(path, { recursive: true })).sort();
  expect(await names(to)).toEqual(await names(resolve(root, 'dist/page')));
});

test('bundlers keep every script of the element', async () => {
  const { sideEffects } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    sideEffects: string[];
  };
  const patterns = sideEffects.map(
    (text) => new RegExp(`^${text.slice(2).replaceAll('**', '.+').replaceAll('*', '[^/]+')}$`),
  );
  const parts = files.filter((path) => /^dist\/xylem-viewer(\.js$|\/)/.test(path));
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
  // A bare import of another part is dropped with a warning where package.json says that it has no effects.
  for (const path of files.filter((path) => /^dist\/(chunks\/)?[^/]+\.js$/.test(path)))
    expect(await readFile(join(root, path), 'utf8'), path).not.toMatch(/^import\s*["']\.{1,2}\//m);
});

test('bundlers look for no folder beside the element, which Turbopack would not find', async () => {
  const loader = await readFile(join(root, 'dist/xylem-viewer.js'), 'utf8');
  expect(loader).toContain('import.meta.url');
  expect(loader).not.toContain('new URL(');
});

test('the library is imported without the right to ask for the name of the machine', async () => {
  await writeFile(
    join(folder, 'no-name.mjs'),
    `import os from 'node:os';
     import { syncBuiltinESMExports } from 'node:module';
     os.hostname = () => { throw new Error('Requires sys access to "hostname"'); };
     syncBuiltinESMExports();
     const { openRoot } = await import('xylem');
     const file = await openRoot('sample.root', { workers: 0 });
     console.log((await (await file.tree('Events')).draw('nMuon')).entries);
     await file.close();`,
  );
  expect((await inFolder(process.execPath, ['no-name.mjs'])).stdout).toBe('2400\n');
});

test('plots are drawn without the page, and nothing of it is loaded', async () => {
  await writeFile(
    join(folder, 'plot.mjs'),
    `import { openRoot } from 'xylem';
     import { plotSvg } from 'xylem/plot';
     const file = await openRoot('sample.root', { workers: 0 });
     const drawn = await plotSvg(await (await file.tree('Events')).draw('Dimuon_mass'), { log: 'xy' });
     const stored = await plotSvg(await file.object('plots/muonEtaPhi'), { reader: file.reader });
     const both = ['data', 'MC'].map((label) => ({ label, plot: { counts: [1, 2], edges: [0, 1, 3] } }));
     const layers = await plotSvg(both, { below: 'ratio' });
     console.log([drawn, stored, layers].every((svg) => /^<svg [^]*<\\/svg>\\s*$/.test(svg)));
     await file.close();`,
  );
  expect((await inFolder(process.execPath, ['plot.mjs'])).stdout).toBe('true\n');
  const seen = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const code = await readFile(path, 'utf8');
    expect(code, path).not.toMatch(/preact|uPlot|customElements|\.wasm\b|\bdocument\./);
    for (const [, name = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g))
      await follow(resolve(path, '..', name));
  };
  await follow(join(folder, 'node_modules/xylem/dist/plot.js'));
  expect(seen.size).toBeGreaterThan(3);
}, 30_000);

test('files at the top are those that package.json names; what they share lies in chunks', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { exports: object };
  const named = JSON.stringify(exports);
  const top = files.filter((path) => /^dist\/[^/]+$/.test(path));
  expect(top.length).toBeGreaterThan(10);
  expect(top.filter((path) => !named.includes(`"./${path}"`))).toEqual([]);
  expect(files.some((path) => path.startsWith('dist/chunks/'))).toBe(true);
});

test('a program of Node compiles where modules are resolved as bundlers do', async () => {
  await writeFile(
    join(folder, 'sink.ts'),
    `import { fileSink, openRoot, writeRoot } from 'xylem';
     const file = await openRoot('sample.root');
     const h = await (await file.tree('Events')).draw('Dimuon_mass');
     console.log(\`\${h.entries} entries, mean \${h.mean?.[0]}\`);
     await writeRoot(fileSink('sink.root'), (out) => out.histogram('h', h));
     await file.close();`,
  );
  expect(await compile('sink.ts', BUNDLER)).toBe('');
  expect((await inFolder(process.execPath, ['out/sink.js'])).stdout).toMatch(/^2400 entries, mean \d/);
}, 60_000);

test('npx xylem ls and hist work in a folder of their own', async () => {
  const { stdout } = await inFolder('npx', ['--offline', '--no', 'xylem', 'ls', 'sample.root', 'Events']);
  expect(stdout).toContain('2,400 entries');
  expect(stdout).toMatch(/^Muon_pt +float\[\]/m);
  const drawn = await inFolder('npx', [
    '--offline',
    '--no',
    'xylem',
    'hist',
    'sample.root',
    'Events',
    'nMuon',
    '--json',
  ]);
  expect(JSON.parse(drawn.stdout)).toMatchObject({ kind: 'histogram', entries: 2400 });
});

/** Compiles a program strictly, and returns what the compiler says. */
async function compile(name: string, resolution: string[], types: string[] = []): Promise<string> {
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--outDir', 'out'];
  return inFolder(process.execPath, [tsc, ...options, ...types, ...resolution, name]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

const NODENEXT = ['--module', 'nodenext'];
const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler'];

test('the ten lines of the README compile strictly, for Node and for bundlers, and run', async () => {
  const readme = await readFile(resolve(root, 'README.md'), 'utf8');
  const example = /```ts\n\/\/ ten-lines\.ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(example.split('\n').length).toBeGreaterThan(10);
  await writeFile(join(folder, 'ten-lines.ts'), example);
  expect(await compile('ten-lines.ts', NODENEXT)).toBe('');
  expect(await compile('ten-lines.ts', BUNDLER)).toBe('');
  const { stdout } = await inFolder(process.execPath, ['out/ten-lines.js']);
  expect(stdout).toContain('[ 67.5625, 29.3125 ]\n[ 58.46875, 34.40625 ]\n[ 30.15625, 16.59375 ]');
  expect(stdout).toContain('60 80 31\n80 100 532\n100 120 23');
  expect(stdout).toMatch(/\{ nMuon: 3, 'Muon_pt\[0\]': [\d.]+ \}/);
}, 60_000);

test('the library reads over HTTP, and ends its reader when the last file is closed', async () => {
  await writeFile(
    join(folder, 'address.mjs'),
    `import { openRoot } from 'xylem/node';
     const file = await openRoot(process.argv[2], { headers: { 'X-Token': 'secret' } });
     const other = await openRoot('sample.root');
     console.log(file.reader === other.reader, (await (await file.tree('Events')).draw('Muon_pt')).entries);
     await Promise.all([file.close(), other.close()]);`,
  );
  const { stdout } = await inFolder(process.execPath, ['address.mjs', server.url]);
  expect(stdout).toBe('true 2400\n');
  expect(server.requests.length).toBeGreaterThan(0);
});

test('the library loads no code of the command line, and nothing that Bun cannot inline', async () => {
  const dist = join(folder, 'node_modules/xylem/dist');
  const seen = new Map<string, string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    const code = await readFile(path, 'utf8');
    seen.set(path, code);
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*\(?\s*["'](\.\/[^"']+\.js)["']/g))
      await follow(join(path, '..', name));
  };
  for (const entry of [
    'node.js',
    'index.js',
    'xylem-selector.worker.js',
    'xylem.worker.js',
    'xylem-insight.worker.js',
    'node-decode.worker.js',
  ])
    await follow(join(dist, entry));
  expect(seen.size).toBeGreaterThan(5);
  for (const [path, code] of seen) {
    expect(code.includes('process.argv') || code.includes('resvg'), path).toBe(false);
    expect(code, path).not.toContain('?.constructor');
  }
});

test('the element can be imported where there are no elements; two readers keep their files apart', async () => {
  await writeFile(
    join(folder, 'server.mjs'),
    `import 'xylem/element';
     import { createRequire } from 'node:module';
     import { createReader, openRoot } from 'xylem';
     const { openRoot: required } = createRequire(import.meta.url)('xylem');
     const f = await openRoot('sample.root');
     const g = await required('sample.root', { workers: 1 });
     const tree = await f.tree('Events');
     const ask = async (file) =>
       (await f.tree('Events', { friends: { ex: { file, tree: 'Events' } } })).draw('ex.run');
     const told = await ask(g).then(() => 'values', ({ code }) => code);
     const beside = await f.open('sample.root');
     const { fills } = await ask(beside);
     const { grade } = await f.reader.insight.doctor(f.info);
     const [chunk] = await Array.fromAsync?.(tree.chunks(['Entry$'], { entries: Float64Array.of(3, 7) })) ?? [];
     const numbers = chunk ? [...chunk['Entry$']] : [3, 7];
     f.reader.terminate();
     g.reader.terminate();
     const ended = await f.keys().then(() => 'keys', ({ code }) => code);
     const reader = createReader({ wasm: 'nowhere.wasm' });
     const { message, fix } = await reader.open({ kind: 'path', path: 'sample.root' }).catch((error) => error);
     console.log(JSON.stringify({ told, fills, grade, numbers, ended, message, fix: fix.includes('wasm') }));`,
  );
  const { stdout, stderr } = await inFolder(process.execPath, ['server.mjs']);
  expect(stderr).not.toMatch(/garbage collection|DEP0137/);
  expect(JSON.parse(stdout)).toMatchObject({
    told: 'ARGUMENT',
    fills: 2400,
    grade: 'good',
    numbers: [3, 7],
    ended: 'ABORTED',
    message: expect.stringContaining('nowhere.wasm'),
    fix: true,
  });
});

test.each([
  ['a browser, by its own name', 'createReader', 'xylem/browser', ['--module', 'nodenext']],
  ['a browser, by the main name', 'createReader', 'xylem', ['--module', 'nodenext']],
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
