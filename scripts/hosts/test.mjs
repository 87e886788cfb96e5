// npm run test:hosts [-- NAME ...]: xylem in real hosts; no part of npm test. Installs the hosts first: see tools.mjs.
//   HOST_FILE   a large file for the figures; without it, the sample
// All of: bundlers, jupyter, lite, vscode, invenio. A host that fails does not keep the others from being tried.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../build.mjs';
import { capture, must, root, runMain, StepError } from '../run.mjs';
import { setUp } from '../setup.mjs';
import { codeServer, pyodide, pythonWith } from './tools.mjs';

/** @param {string} what */
const tell = (what) => process.stdout.write(`${what}\n`);

/**
 * Runs tests, shows what they print, and throws where one fails.
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [extra]
 */
async function tests(what, command, args, extra) {
  const { status, output } = await capture(command, args, extra);
  tell(output.trimEnd());
  if (status !== 0) throw new StepError(`${what} failed.`);
}

const config = ['--config', 'hosts/jupyter/tests/playwright.config.ts'];

let madeWheel = false;
async function wheel() {
  const built = join(root, 'build/hosts/jupyter');
  if (!madeWheel) await must('Building the wheel', process.execPath, ['scripts/hosts/jupyter.mjs']);
  madeWheel = true;
  return join(built, (await readdir(built)).find((name) => name.endsWith('.whl')) ?? '');
}

async function jupyter() {
  const path = await wheel();
  const python = await pythonWith('notebooks', 'hosts/jupyter/tests/requirements.txt');
  const install = ['-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', path];
  await must('Installing the wheel', python, install);
  await tests('The tests in Python', python, ['-m', 'unittest', 'discover', '-s', 'hosts/jupyter/tests']);
  await tests('The tests in notebooks', 'playwright', ['test', ...config], { JUPYTER_PYTHON: python });
}

async function lite() {
  const path = await wheel();
  const python = await pythonWith('lite', 'hosts/jupyter/tests/lite/requirements.txt');
  const install = ['-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', path];
  await must('Installing the wheel', python, install);
  const out = join(root, 'build/hosts/lite');
  const build = ['hosts/jupyter/tests/lite/build.py', path, await pyodide(), out];
  await must('Building JupyterLite', python, build);
  await tests('The tests in JupyterLite', 'playwright', ['test', ...config, 'lite.spec.ts'], {
    LITE_SITE: join(out, 'site'),
  });
}

async function vscode() {
  await must('Building the extension', process.execPath, ['scripts/hosts/vscode.mjs']);
  const server = await codeServer();
  const file = process.env.HOST_FILE ?? join(root, 'public/sample.root');
  await tests('The tests in VS Code', process.execPath, ['scripts/hosts/test-vscode.mjs', file, server]);
  const web = ['scripts/hosts/test-vscode.mjs', join(root, 'public/sample.root'), server, 'web'];
  await tests('The test in VS Code without an engine', process.execPath, web);
}

async function invenio() {
  const python = await pythonWith('invenio', 'hosts/invenio/tests/requirements.txt');
  const install = ['-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', 'hosts/invenio'];
  await must('Installing the previewer', python, [...install, '--no-build-isolation']);
  await tests('The tests in Invenio', python, ['-m', 'pytest', '-q', 'hosts/invenio/tests']);
  await build(['page']);
  const story = ['test', '--config', 'hosts/invenio/tests/playwright.config.ts'];
  await tests('The story of a portal', 'playwright', story, { INVENIO_PYTHON: python });
}

async function bundlers() {
  // The package is packed as it is: with all that dist/ has.
  await build();
  const story = ['test', 'e2e/element/package.spec.ts'];
  await tests('The builds of bundlers', 'playwright', story, { XYLEM_BUNDLERS: '1' });
}

/** @type {Record<string, () => Promise<void>>} */
const hosts = { bundlers, jupyter, lite, vscode, invenio };

await runMain(async () => {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked : Object.keys(hosts);
  for (const name of names)
    if (hosts[name] === undefined)
      throw new StepError(`There is no host "${name}"; there are ${Object.keys(hosts).join(', ')}.`);
  await setUp({ forTests: true });
  /** @type {string[]} */
  const failed = [];
  for (const name of names) {
    tell(`== ${name}`);
    try {
      await hosts[name]?.();
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      failed.push(name);
      tell(error.message);
    }
  }
  tell(
    `${names.length - failed.length} hosts passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`,
  );
  if (failed.length > 0) process.exitCode = 1;
});
