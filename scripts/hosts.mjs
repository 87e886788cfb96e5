// Builds what other programs load: node scripts/hosts.mjs jupyter
//   jupyter    build/hosts/*.whl and *.tar.gz, the Python package xylem (hosts/jupyter)

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { buildFrame, buildWasm } from './build.mjs';
import { must, root, runMain, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

/** @param {string[]} path */
const at = (...path) => join(root, ...path);

/** The one file of the element, compressed: hosts send it over their own channels. */
const MAX_ONE_FILE = 900_000;
/** The loader, which anywidget sends with each widget, and which a saved notebook may hold. */
const MAX_LOADER = 3_000;

/** @param {string | Buffer} content */
const compressed = (content) => gzipSync(content, { level: 9 });

async function makeParts() {
  await buildWasm();
  await buildFrame();
  await must('Building the element in one file', 'vite', ['build', '--mode', 'one', '--logLevel', 'warn']);
  await must('Building the widget', 'vite', ['build', '--mode', 'jupyter', '--logLevel', 'warn']);
  const built = (/** @type {string} */ name) => readFile(at('build/hosts', name));
  const loader = await built('jupyter-loader.js');
  const element = compressed(await built('xylem-viewer.one.js'));
  const writer = deflateRawSync(await readFile(at('build/xylem-write.wasm')), { level: 9 });
  if (element.length > MAX_ONE_FILE)
    throw new StepError(`The element in one file has ${element.length} bytes; ${MAX_ONE_FILE} are allowed.`);
  if (loader.length > MAX_LOADER)
    throw new StepError(`The loader has ${loader.length} bytes; ${MAX_LOADER} are allowed.`);
  return {
    'loader.js': loader,
    'element.js.gz': element,
    'widget.js.gz': compressed(await built('jupyter-widget.js')),
    'write.txt.gz': compressed(writer.toString('base64')),
    'frame.js.gz': compressed(await readFile(at('build/jsroot/frame.js'))),
  };
}

async function jupyter() {
  const folder = at('hosts/jupyter');
  const parts = await makeParts();
  const place = join(folder, 'src/xylem/static');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const hash = createHash('sha256');
  for (const [name, content] of Object.entries(parts)) {
    hash.update(content);
    await writeFile(join(place, name), content);
    process.stdout.write(`${String(content.length).padStart(9)} ${name}\n`);
  }
  await writeFile(join(place, 'version.txt'), `${hash.digest('hex').slice(0, 16)}\n`);
  for (const name of ['LICENSE', 'THIRD_PARTY.md']) await cp(at(name), join(folder, name));
  const out = at('build/hosts/jupyter');
  await rm(out, { recursive: true, force: true });
  const python = process.env.PYTHON ?? 'python3';
  await must('Making the wheel (it needs the Python package build)', python, [
    ...['-m', 'build', '--outdir', out, folder],
  ]);
  for (const name of await readdir(out)) process.stdout.write(`${join('build/hosts/jupyter', name)}\n`);
}

/** @type {Record<string, () => Promise<void>>} */
const hosts = { jupyter };

await runMain(async () => {
  await setUp({ forTests: false });
  for (const name of process.argv.slice(2)) {
    const make = hosts[name];
    if (make === undefined)
      throw new StepError(`There is no host "${name}"; there are ${Object.keys(hosts).join(', ')}.`);
    await make();
  }
});
