// Builds build/hosts/xylem-VERSION.vsix, the extension of VS Code: node scripts/vscode.mjs

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build as vite } from 'vite';
import { build } from '../build.mjs';
import { must, root, runMain, StepError } from '../run.mjs';
import { tellSize } from '../sizes.mjs';

const folder = join(root, 'hosts/vscode');
const out = join(folder, 'out');
const dist = join(root, 'dist');

/**
 * Whether a list of views loads this file when it is used. The extension has the names in lists without their code.
 * @param {string} id
 * @param {string | undefined} from
 */
const isLoadedByList = (id, from = '') =>
  id.startsWith('.') && /\/web\/(features|verbs)\/page\.ts$/.test(from);

/**
 * The extension for Node, that for a web page, and the view.
 * @param {string} entry
 * @param {string} name
 * @param {'cjs' | 'es'} format
 * @param {Record<string, string>} texts
 */
async function bundle(entry, name, format, texts) {
  await vite({
    configFile: false,
    logLevel: 'warn',
    root: folder,
    publicDir: false,
    define: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, JSON.stringify(text)])),
    // The types alone are used of the library.
    ssr: { noExternal: true, target: name === 'extension.cjs' ? 'node' : 'webworker' },
    build: {
      ssr: format === 'cjs',
      outDir: out,
      emptyOutDir: false,
      minify: true,
      target: 'es2022',
      ...(format === 'es' && { lib: { entry: join(folder, entry), formats: ['es'], fileName: () => name } }),
      rolldownOptions: {
        input: join(folder, entry),
        external: (id, from) => /^(vscode$|node:)/.test(id) || isLoadedByList(id, from),
        output: { format, entryFileNames: name, codeSplitting: false },
      },
    },
  });
}

/** Copies the command line and the library with all that they import, and the modules of the core. */
async function copyEngine() {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @param {string} path */
  const follow = async (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = await readFile(path, 'utf8');
    // The parts of the command line have lists of the modules that they need.
    const names = path.endsWith('.cjs')
      ? /["'`](\.\.\/xylem-viewer\/[^"'`]+\.js)["'`]/g
      : /(?:from|import)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;
    for (const [, name = ''] of text.matchAll(names)) await follow(resolve(dirname(path), name));
  };
  for (const name of ['node.js', 'node-decode.worker.js']) await follow(join(dist, name));
  for (const name of await readdir(join(dist, 'cli'))) await follow(join(dist, 'cli', name));
  for (const name of await readdir(dist)) if (name.endsWith('.wasm')) seen.add(join(dist, name));
  for (const path of seen) await cp(path, join(out, 'engine', relative(dist, path)));
  await writeFile(join(out, 'engine/package.json'), '{ "type": "module" }\n');
}

await runMain(async () => {
  await build(['element', 'modules']);
  await must('Installing what makes the extension', 'npm', [
    'ci',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  await must('Checking the types of the extension', 'tsc', ['--noEmit', '-p', folder]);
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, 'media'), { recursive: true });
  const frame = await readFile(join(dist, 'jsroot/frame.js'));
  const FRAME_SHA256 = createHash('sha256').update(frame).digest('base64');
  await writeFile(join(out, 'media/frame.js'), frame);
  await bundle('src/view.ts', 'view.js', 'es', { FRAME_SHA256 });
  // It stands in the document of a view: each request of one goes through two workers and the extension host.
  const VIEW_SCRIPT = await readFile(join(out, 'view.js'), 'utf8');
  if (/<\/script|<!--/i.test(VIEW_SCRIPT)) throw new StepError('The view cannot stand in a document.');
  await rm(join(out, 'view.js'));
  await bundle('src/extension.ts', 'extension.cjs', 'cjs', { FRAME_SHA256, VIEW_SCRIPT });
  await bundle('src/browser.ts', 'browser.cjs', 'cjs', { FRAME_SHA256, VIEW_SCRIPT });
  // For the same reason the element is one file in place of fifty.
  await must('Building the element', 'vite', ['build', '--mode', 'vscode', '--logLevel', 'warn']);
  await cp(join(root, 'build/hosts/xylem-viewer.vscode.js'), join(out, 'media/xylem-viewer.js'));
  await copyEngine();
  for (const name of ['LICENSE', 'THIRD_PARTY.md']) await cp(join(root, name), join(folder, name));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const target = join(root, 'build/hosts', `xylem-${version}.vsix`);
  await mkdir(dirname(target), { recursive: true });
  // npm runs it in the folder of the extension.
  await must('Packing the extension', 'npm', ['run', 'pack', '--prefix', folder, '--', '--out', target]);
  const { size } = await stat(target);
  tellSize('the extension of VS Code', size);
  process.stdout.write(`${relative(root, target)}: ${size} bytes\n`);
});
