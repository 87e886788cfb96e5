// The hosts that tests and builds need, in pinned versions: installed below build/hosts/tools when they are asked for first.
//   XYLEM_HOST_TOOLS   another folder for them
//   PYTHON             the Python that makes environments (3.11 or newer)

import { createHash } from 'node:crypto';

import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { must, root, StepError, succeeds } from '../run.mjs';

const folder = resolve(process.env.XYLEM_HOST_TOOLS ?? join(root, 'build/hosts/tools'));

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Makes a tool anew where what describes it has changed.
 * @param {string} name
 * @param {string} description
 * @param {(place: string) => Promise<void>} make
 */
async function kept(name, description, make) {
  const place = join(folder, name);
  const stamp = join(place, 'made-from.txt');
  const hash = createHash('sha256').update(description).digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === hash) return place;
  process.stdout.write(`Installing ${name}…\n`);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await make(place);
  await writeFile(stamp, hash);
  return place;
}

/**
 * A Python with the packages of a file of pinned requirements.
 * @param {string} name of the environment
 * @param {string} requirements path of the file, from the checkout
 * @returns {Promise<string>} the path of its Python
 */
export async function pythonWith(name, requirements) {
  const path = join(root, requirements);
  const place = await kept(name, await readFile(path, 'utf8'), async (made) => {
    const base = process.env.PYTHON ?? 'python3';
    if (!succeeds(base, ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']))
      throw new StepError(
        `${base} is no Python 3.11 or newer with venv (Debian: python3-venv). PYTHON may name another.`,
      );
    await must(`Making the environment ${name}`, base, ['-m', 'venv', made]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', path];
    await must(`Installing the packages of ${requirements}`, join(made, 'bin/python'), install);
  });
  return join(place, 'bin/python');
}

/** code-server with the Node that it takes. Nothing is compiled: what it lacks so, it does without. */
export async function codeServer() {
  const pinned = join(root, 'hosts/vscode/tests/code-server');
  const lock = await readFile(join(pinned, 'package-lock.json'), 'utf8');
  return await kept('code-server', lock, async (place) => {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(pinned, name), join(place, name));
    await must('Installing code-server', 'npm', ['ci', '--prefix', place, ...QUIET]);
    const inner = join(place, 'node_modules/code-server/lib/vscode');
    for (const part of [inner, join(inner, 'extensions')]) {
      const args = ['install', '--omit=dev', '--prefix', part, ...QUIET];
      await must('Installing what code-server needs', 'npm', args);
    }
  });
}

/** The npm package pyodide, in a folder of its own. */
export async function pyodide() {
  const pinned = join(root, 'hosts/jupyter/tests/lite');
  const lock = await readFile(join(pinned, 'package-lock.json'), 'utf8');
  const place = await kept('pyodide', lock, async (made) => {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(pinned, name), join(made, name));
    await must('Installing pyodide', 'npm', ['ci', '--prefix', made, ...QUIET]);
  });
  return join(place, 'node_modules/pyodide');
}
