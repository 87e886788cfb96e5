// npm run test:hosts: xylem in real hosts, as far as they are installed; no part of npm test.
//   JUPYTER_PYTHON   a Python with jupyterlab, hist, pyarrow and uproot: the wheel is installed into it
//   HOST_FILE        a large file for the figures; without it, the sample

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { must, root, runMain } from './run.mjs';

/** @param {string} what */
const tell = (what) => process.stdout.write(`${what}\n`);

async function jupyter() {
  const python = process.env.JUPYTER_PYTHON;
  if (python === undefined || !existsSync(python)) {
    tell('Jupyter: skipped, because JUPYTER_PYTHON names no Python.');
    return;
  }
  await must('Building the wheel', process.execPath, ['scripts/hosts.mjs', 'jupyter'], { PYTHON: python });
  const built = join(root, 'build/hosts/jupyter');
  const wheel = (await readdir(built)).find((name) => name.endsWith('.whl')) ?? '';
  const install = ['-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', join(built, wheel)];
  await must('Installing the wheel', python, install);
  await must('The tests in Python', python, ['-m', 'unittest', 'discover', '-s', 'hosts/jupyter/tests']);
  tell('Jupyter: the tests in Python passed.');
  await must('The tests in JupyterLab', 'playwright', [
    'test',
    '--config',
    'hosts/jupyter/tests/playwright.config.ts',
  ]);
  tell('Jupyter: the tests in JupyterLab passed.');
}

async function bundlers() {
  const story = ['test', 'e2e/element/package.spec.ts'];
  await must('The builds of bundlers', 'playwright', story, { XYLEM_BUNDLERS: '1' });
  tell('Bundlers: webpack, esbuild, React, Vue and Next.js build the element and the library.');
}

await runMain(async () => {
  await bundlers();
  await jupyter();
});
