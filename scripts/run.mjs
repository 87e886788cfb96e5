// Starting other programs: quietly, with their output kept for when they fail.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
};

/** A step of set-up or build that failed; its message is all that a person needs to see. */
export class StepError extends Error {}

/**
 * The programs of npm packages, with the package of each. Node runs their scripts itself: it is then the Node that runs
 * this script, and Windows, where a program without its suffix is not found, needs no shell.
 * @type {Record<string, string>}
 */
const packages = {
  biome: '@biomejs/biome',
  playwright: '@playwright/test',
  stryker: '@stryker-mutator/core',
  tsc: 'typescript',
  vite: 'vite',
  vitest: 'vitest',
};

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {[command: string, args: string[]]} that start it on this system
 */
function started(command, args) {
  const name = packages[command];
  if (name === undefined) return [command, args];
  const folder = join(root, 'node_modules', name);
  /** @type {{ bin: Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const script = bin[command];
  if (script === undefined) throw new StepError(`The package ${name} has no program ${command}.`);
  return [process.execPath, [join(folder, script), ...args]];
}

/**
 * Runs a program in the checkout and gives its exit status and all that it wrote.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [extra] environment variables
 * @param {string} [cwd] the folder; by default the checkout
 * @returns {Promise<{ status: number, output: string }>}
 */
export function capture(command, args, extra = {}, cwd = root) {
  return new Promise((settle) => {
    const child = spawn(...started(command, args), {
      cwd,
      env: { ...environment, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a batch file on Windows, which only a shell starts. Its arguments here are words without spaces.
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('error', (error) => settle({ status: 127, output: `${command}: ${error.message}\n` }));
    child.on('close', (status) => settle({ status: status ?? 1, output }));
  });
}

/**
 * Runs a program that must succeed; throws a StepError with its output when it does not.
 * @param {string} what for people: "Building the C core"
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [extra] environment variables
 * @param {string} [cwd] the folder; by default the checkout
 */
export async function must(what, command, args, extra, cwd) {
  const { status, output } = await capture(command, args, extra, cwd);
  if (status !== 0) throw new StepError(`${what} failed (${command} ended with ${status}):\n${output}`);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} [input]
 * @returns {boolean} whether the program is there and succeeds
 */
export function succeeds(command, args, input) {
  return spawnSync(command, args, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

/**
 * @param {string} name of a program, or its path
 * @returns {string | undefined} its path, undefined when it is not there
 */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Runs a script's main function: a StepError is shown as its message, anything else with its stack.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(
      `${error instanceof StepError ? error.message : error instanceof Error ? error.stack : error}\n`,
    );
    process.exitCode = 1;
  }
}
