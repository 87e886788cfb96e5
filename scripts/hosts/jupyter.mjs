// Builds build/hosts/jupyter/*.whl and *.tar.gz, the Python package xylem: the widget for notebooks, and the extension of
// JupyterLab that opens files (hosts/jupyter)

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { build, buildFrame, buildWasm } from '../build.mjs';
import { must, root, runMain } from '../run.mjs';
import { setUp } from '../setup.mjs';
import { tellSize } from '../sizes.mjs';
import { pythonWith } from './tools.mjs';

/** @param {string[]} path */
const at = (...path) => join(root, ...path);

/** @param {string | Buffer} content */
const compressed = (content) => gzipSync(content, { level: 9 });

/** The fonts of figures, which a notebook gets when it draws a letter of them. @returns {Promise<Record<string, Buffer>>} */
async function fontParts() {
  const list = await readFile(at('web/features/figures/work/fonts/files.ts'), 'utf8').catch(() => '');
  /** @type {Record<string, Buffer>} */
  const parts = {};
  for (const [, path = '', name] of list.matchAll(
    /'(@fontsource\/[\w-]+\/files\/([\w-]+)\.woff)\?inline'/g,
  )) {
    const bytes = await readFile(at('node_modules', path));
    parts[`fonts/${name}.woff.gz`] = compressed(`data:font/woff;base64,${bytes.toString('base64')}`);
  }
  return parts;
}

async function makeParts() {
  await buildWasm();
  await buildFrame();
  await must('Building the element in one file', 'vite', ['build', '--mode', 'one', '--logLevel', 'warn']);
  await must('Building the widget', 'vite', ['build', '--mode', 'jupyter', '--logLevel', 'warn']);
  const built = (/** @type {string} */ name) => readFile(at('build/hosts', name));
  const loader = await built('jupyter-loader.js');
  const element = compressed(await built('xylem-viewer.one.js'));
  const writer = deflateRawSync(await readFile(at('build/xylem-write.wasm')), { level: 9 });
  // Hosts send the element over their own channels, anywidget the loader with each widget, which a saved notebook may hold.
  tellSize('the element in one file, gzip', element.length);
  tellSize('the loader of the widget', loader.length);
  return {
    'loader.js': loader,
    'element.js.gz': element,
    'widget.js.gz': compressed(await built('jupyter-widget.js')),
    'write.txt.gz': compressed(writer.toString('base64')),
    'frame.js.gz': compressed(await readFile(at('build/jsroot/frame.js'))),
    ...(await fontParts()),
  };
}

/**
 * The extension of JupyterLab, as it is installed below share/jupyter/labextensions: a script that JupyterLab loads, and
 * the element, of which the page loads what it needs.
 * @param {string} folder
 */
async function makeLabExtension(folder) {
  await build(['element', 'types']);
  await must('Building the extension', 'vite', ['build', '--mode', 'jupyterlab', '--logLevel', 'warn']);
  const place = join(folder, 'labextension');
  await rm(place, { recursive: true, force: true });
  await mkdir(join(place, 'static'), { recursive: true });
  const made = join(place, 'static/made');
  for (const name of ['xylem-viewer.js', 'xylem-viewer', 'jsroot'])
    await cp(at('dist', name), join(made, 'element', name), { recursive: true });
  await cp(at('build/hosts/jupyter-lab.js'), join(made, 'remoteEntry.js'));
  // Browsers keep files of extensions indefinitely, by their addresses.
  const hash = createHash('sha256');
  for (const name of (await readdir(made, { recursive: true })).sort()) {
    const path = join(made, name);
    if ((await stat(path)).isFile()) hash.update(name).update(await readFile(path));
  }
  const identity = hash.digest('hex').slice(0, 16);
  await rename(made, join(place, 'static', identity));
  const load = `static/${identity}/remoteEntry.js`;
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'));
  const description = {
    ...{ name: 'xylem', version, description: 'Opens CERN ROOT files of any size', license: 'MIT' },
    jupyterlab: { extension: true, _build: { load, extension: './extension' } },
  };
  await writeFile(join(place, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  const install = {
    packageManager: 'python',
    packageName: 'xylem',
    uninstallInstructions: 'pip uninstall xylem',
  };
  await writeFile(join(place, 'install.json'), `${JSON.stringify(install, null, 2)}\n`);
}

await runMain(async () => {
  await setUp({ forTests: false });
  const folder = at('hosts/jupyter');
  const parts = await makeParts();
  const place = join(folder, 'src/xylem/static');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const hash = createHash('sha256');
  for (const [name, content] of Object.entries(parts)) {
    hash.update(content);
    await mkdir(dirname(join(place, name)), { recursive: true });
    await writeFile(join(place, name), content);
    process.stdout.write(`${String(content.length).padStart(9)} ${name}\n`);
  }
  await writeFile(join(place, 'version.txt'), `${hash.digest('hex').slice(0, 16)}\n`);
  await makeLabExtension(folder);
  for (const name of ['LICENSE', 'THIRD_PARTY.md']) await cp(at(name), join(folder, name));
  const out = at('build/hosts/jupyter');
  await rm(out, { recursive: true, force: true });
  const python = await pythonWith('wheel', 'hosts/jupyter/build-requirements.txt');
  await must('Making the wheel', python, ['-m', 'build', '--no-isolation', '--outdir', out, folder]);
  for (const name of await readdir(out)) {
    const { size } = await stat(join(out, name));
    process.stdout.write(`${String(size).padStart(9)} ${join('build/hosts/jupyter', name)}\n`);
  }
});
