// Builds dist/: only the parts whose sources are newer than their last build.
//   node scripts/build.mjs [PART ...]    parts: page element modules types; all of them by default
// With XYLEM_MODULES=FOLDER the WebAssembly modules are taken from there, for example from the dist/ of a release of the
// same version, or of a build of the same commit on another machine. Emscripten, cargo and make are not needed then.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { must, root, runMain, StepError } from './run.mjs';
import { givenModules, setUp } from './setup.mjs';

/** @param {string} path */
const at = (path) => join(root, path);
const wasm = at('build/xylem.wasm');
const registry = at('web/core/modules/registry.json');
const modules = Object.keys(JSON.parse(readFileSync(registry, 'utf8'))).map((name) => `xylem-${name}.wasm`);

/** The core that the element begins with, and its parts. Only the element has them, within its scripts. */
const firstModules = ['first', 'zstd', 'xz', 'ntuple'].map((name) => `xylem-${name}.wasm`);

/** The sources of every part; a folder counts with all files in it. */
const sources = [
  'web',
  'workers',
  'public',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** The declarations of the package's entries. */
const typeEntries = [
  'web/index.d.ts',
  'web/node.d.ts',
  'web/plot/public/plot-svg.d.ts',
  'web/element/xylem-viewer.d.ts',
  'web/element/react.d.ts',
  'web/element/vue.d.ts',
];

/** @type {Record<string, { needs: string, make: () => Promise<void>, gives: string }>} */
const parts = {
  page: { needs: 'web/index.html', gives: 'dist/page/preview.html', make: makePage },
  element: {
    needs: 'web/element/xylem-viewer.ts',
    gives: 'dist/xylem-viewer.js',
    make: makeElement,
  },
  modules: { needs: 'web/node.ts', gives: 'dist/cli/xylem.js', make: makeModules },
  types: { needs: 'web/index.ts', gives: 'custom-elements.json', make: makeTypes },
};

/** @param {string} mode */
async function vite(mode) {
  await must(`Building the ${mode}`, 'vite', ['build', '--mode', mode, '--logLevel', 'warn']);
}

async function makePage() {
  // The policy of the page has the checksum of this script.
  await buildFrame();
  await makeShared();
  await vite('page');
  await putShared('dist/page/assets');
  await putFrame('dist/page/jsroot');
  await makePreview();
  await putSelector('dist/page/selector');
  await listShell();
}

/** The same page without anything around the file, for previewers of portals: see docs/embedding.md. */
async function makePreview() {
  const page = await readFile(at('dist/page/index.html'), 'utf8');
  const mark = '<meta name="xylem-embed-origins"';
  if (!page.includes(mark)) throw new StepError('web/index.html has no list of origins.');
  // An installed page has no previews.
  const preview = page
    .replace(mark, () => `<meta name="xylem-embed" />\n    ${mark}`)
    .replace(/^.*rel="manifest".*\n/m, '');
  await writeFile(at('dist/page/preview.html'), preview);
}

/** Tells the service worker of the page what the page consists of, so that it keeps nothing else. */
async function listShell() {
  const page = at('dist/page');
  const files = (await readdir(page, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(page, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => /^(assets|jsroot|selector)\/|^icon\.svg$/.test(name))
    .sort();
  const worker = join(page, 'shell-worker.js');
  const text = await readFile(worker, 'utf8');
  const list = 'const sums = {};';
  if (!text.includes(list)) throw new StepError('public/shell-worker.js has no list of files.');
  const sums = await Promise.all(
    files.map(async (name) => {
      const bytes = await readFile(join(page, name));
      return [name, createHash('sha256').update(bytes).digest('base64')];
    }),
  );
  await writeFile(
    worker,
    text.replace(list, () => `const sums = ${JSON.stringify(Object.fromEntries(sums))};`),
  );
}

async function makeElement() {
  await rm(at('dist/xylem-viewer'), { recursive: true, force: true });
  await makeShared();
  await vite('element');
  await putShared('dist/xylem-viewer');
  await putFrame('dist/jsroot');
  await putSelector('dist/selector');
}

/** Sources of the files that all parts of the package have in common. */
const shared = ['web/features/exports/work/shared', 'web/features/figures/work/fonts/files.ts'];

/** The libraries and fonts that all parts have in common, made again only where they changed. */
async function makeShared() {
  if (!shared.some((path) => existsSync(at(path)))) return;
  const changed = await Promise.all(
    [...shared, 'vite.config.ts', 'package-lock.json'].map((path) => newest(at(path))),
  );
  if ((await newest(at('build/shared'))) < Math.max(...changed)) await vite('shared');
}

/** @param {string} folder Gets these libraries and fonts, and loses those of an earlier build. */
async function putShared(folder) {
  if (!existsSync(at('build/shared'))) return;
  await mkdir(at(folder), { recursive: true });
  for (const name of await readdir(at(folder)))
    if (name.startsWith('shared-')) await rm(at(join(folder, name)));
  for (const name of await readdir(at('build/shared')))
    await copyFile(at(join('build/shared', name)), at(join(folder, name)));
}

/** The script of the frame in which JSROOT draws, made again only where it changed. */
export async function buildFrame() {
  if (!existsSync(at('web/features/jsroot'))) return;
  const changed = await Promise.all(
    ['web/features/jsroot/view', 'web/base', 'vite.config.ts', 'package-lock.json'].map((path) =>
      newest(at(path)),
    ),
  );
  const made = await stat(at('build/jsroot/frame.js')).catch(() => undefined);
  if (made === undefined || made.mtimeMs < Math.max(...changed)) await vite('jsroot');
}

/**
 * The frame: its page, and one classic script.
 * @param {string} folder
 */
async function putFrame(folder) {
  if (!existsSync(at('web/features/jsroot'))) return;
  await buildFrame();
  await mkdir(at(folder), { recursive: true });
  await copyFile(at('web/features/jsroot/view/frame.html'), at(join(folder, 'frame.html')));
  await copyFile(at('build/jsroot/frame.js'), at(join(folder, 'frame.js')));
}

/**
 * The parts that selectors need in a page: the editor with the script of their workers, and the frame that starts these. The policy
 * of the frame names its own script by a checksum.
 * @param {string} folder
 */
async function putSelector(folder) {
  if (!existsSync(at('web/features/selectors'))) return;
  const [changed, made] = await Promise.all([
    newest(at('web')),
    stat(at('build/selector/parts.js')).catch(() => undefined),
  ]);
  if (made === undefined || made.mtimeMs < changed) await vite('selector');
  const frame = await readFile(at('web/features/selectors/view/box/frame.html'), 'utf8');
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(frame) ?? [];
  if (script === undefined || !frame.includes("'sha256-'"))
    throw new StepError(
      'web/features/selectors/view/box/frame.html has no script, or no place for its checksum.',
    );
  const sum = createHash('sha256').update(script).digest('base64');
  await mkdir(at(folder), { recursive: true });
  await writeFile(at(join(folder, 'frame.html')), frame.replace("'sha256-'", `'sha256-${sum}'`));
  await copyFile(at('build/selector/parts.js'), at(join(folder, 'parts.js')));
}

/** The library for browsers and for Node, and the command line: what is public at the top, one wasm, other parts in chunks/. */
async function makeModules() {
  await mkdir(at('dist'), { recursive: true });
  for (const name of await readdir(at('dist'))) {
    if (name.endsWith('.js') && name !== 'xylem-viewer.js') await rm(at(join('dist', name)));
  }
  await rm(at('dist/chunks'), { recursive: true, force: true });
  await makeShared();
  await putShared('dist/xylem-viewer');
  await vite('library');
  await vite('plot');
  await vite('library-worker');
  await vite('library-insight');
  if (existsSync(at('web/features/selectors'))) await vite('library-selector');
  await vite('node');
  await rm(at('dist/cli'), { recursive: true, force: true });
  await vite('program');
  await vite('launch');
  await writeFile(at('dist/cli/package.json'), '{ "type": "commonjs" }\n');
  await vite('node-worker');
  await copyFile(wasm, at('dist/xylem.wasm'));
  for (const name of modules) await copyFile(at(`build/${name}`), at(`dist/${name}`));
  await chmod(at('dist/cli/xylem.js'), 0o755);
}

async function makeTypes() {
  await rm(at('dist/types'), { recursive: true, force: true });
  await must('Writing the type declarations', 'tsc', ['-p', 'scripts/tsconfig.types.json']);
  for (const name of ['react.d.ts', 'vue.d.ts'])
    await copyFile(at(`web/element/${name}`), at(`dist/types/web/element/${name}`));
  for (const entry of await readdir(at('dist/types'), { recursive: true })) {
    if (!entry.endsWith('.d.ts')) continue;
    // Node's own resolution wants the extension that the sources leave out.
    const path = join(at('dist/types'), entry);
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace(/((?:from|import\()\s*['"])(\.{1,2}\/[^'"]+?)(?:\.js)?(?=['"])/g, '$1$2.js'),
    );
  }
  // They need packages, and these lines are read before packages are installed.
  const { keepDeclared } = await import('./declarations.mjs');
  const { writeApiDocs } = await import('./api-docs.mjs');
  await keepDeclared(at('dist/types'), typeEntries);
  await dropInnerComments();
  await writeApiDocs();
}

/** Comments stay where the package's names are declared; those of the program's own types are for its sources. */
async function dropInnerComments() {
  const folder = at('dist/types');
  /** @type {Set<string>} */
  const named = new Set();
  /** @param {string} path A file whose names are those of the package, as are those that it exports from others. */
  const name = async (path) => {
    if (named.has(path)) return;
    named.add(path);
    const text = await readFile(path, 'utf8');
    for (const [, other = ''] of text.matchAll(/export [^;]*? from ['"](\.{1,2}\/[^'"]+)\.js['"]/g))
      await name(join(path, '..', `${other}.d.ts`));
  };
  for (const entry of typeEntries) await name(join(folder, entry));
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry);
    const isPublic =
      named.has(path) || /^web[\\/](api|library|element|core[\\/](columns|dtypes))\b/.test(entry);
    if (!entry.endsWith('.d.ts') || isPublic) continue;
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, ''));
  }
}

/**
 * @param {string} path
 * @returns {Promise<number>} the newest modification in ms, of the folder and all that is in it
 */
async function newest(path) {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  const inside = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  return Math.max(info.mtimeMs, ...inside);
}

/**
 * Copies the modules of the core from a folder to build/, those that differ.
 * @param {string} folder
 */
async function takeModules(folder) {
  await mkdir(at('build'), { recursive: true });
  const first = firstModules.every((name) => existsSync(resolve(folder, name)));
  // Without them the element has the whole core.
  if (!first) for (const name of firstModules) await rm(at(`build/${name}`), { force: true });
  for (const name of ['xylem.wasm', ...modules, ...(first ? firstModules : [])]) {
    const path = resolve(folder, name);
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined)
      throw new StepError(
        `XYLEM_MODULES: ${path} cannot be read. Name a folder that has all modules of a build.`,
      );
    if (!WebAssembly.validate(bytes))
      throw new StepError(`XYLEM_MODULES: ${path} is not a module of WebAssembly.`);
    const target = at(join('build', name));
    const present = await readFile(target).catch(() => undefined);
    if (present === undefined || !present.equals(bytes)) await writeFile(target, bytes);
  }
}

/** Builds build/xylem.wasm and the modules beside it, where make sees what has changed, or takes those that are given. */
export async function buildWasm() {
  if (givenModules !== undefined) return takeModules(givenModules);
  await must('Building the C core', 'make', ['-s', '-j2', '-C', 'wasm', 'wasm']);
}

/**
 * Builds the C core and those of the named parts that are out of date.
 * @param {string[]} [names] default: all
 */
export async function build(names = Object.keys(parts)) {
  await buildWasm();
  // A part gets the time of its newest source; a source saved in the meantime is newer.
  const state = String(
    Math.max(
      ...(await Promise.all(
        [...sources.map(at), wasm, ...[...modules, ...firstModules].map((one) => at(`build/${one}`))].map(
          newest,
        ),
      )),
    ),
  );
  await mkdir(at('build/built'), { recursive: true });
  for (const name of names) {
    const part = parts[name];
    if (part === undefined)
      throw new StepError(`There is no part "${name}"; there are ${Object.keys(parts).join(', ')}.`);
    if (!existsSync(at(part.needs)))
      throw new StepError(`The ${name} cannot be built: ${part.needs} is missing.`);
    const stamp = at(`build/built/${name}`);
    const built = await readFile(stamp, 'utf8').catch(() => undefined);
    if (built === state && existsSync(at(part.gives))) continue;
    await rm(stamp, { force: true });
    await part.make();
    await writeFile(stamp, state);
  }
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    await setUp({ forTests: false });
    const names = process.argv.slice(2);
    await build(names.length > 0 ? names : undefined);
  });
}
