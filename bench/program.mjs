// Starting a program that is measured.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/**
 * Runs a program in the checkout. Extra certificates of the machine are left out of its environment: Node
 * reads them at each start, which can cost more than what is measured.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string> | undefined, timeout?: number }} [options] timeout in ms, 0: none
 * @returns {Promise<string>} what it printed
 */
export async function run(command, args, options) {
  return (await started(command, args, options)).out;
}

/**
 * Runs a program of Node from its start to its end.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, node?: string }} [options] node: another Node
 * @returns {Promise<{ out: string, wall_s: number, cpu_s: number, rss_mb: number }>}
 */
export async function runWhole(args, { env, node = process.execPath } = {}) {
  const usage = join(import.meta.dirname, 'usage.mjs');
  const start = performance.now();
  const { out, err } = await started(node, ['--import', usage, ...args], { env });
  const wall_s = (performance.now() - start) / 1000;
  return { out, wall_s, ...JSON.parse(err.slice(err.lastIndexOf('{'))) };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string> | undefined, timeout?: number }} [options]
 * @returns {Promise<{ out: string, err: string }>}
 */
function started(command, args, { env, timeout = 0 } = {}) {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, timeout, env: { ...inherited, ...env } });
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0
        ? done({ out, err })
        : fail(new Error(`${command} ${args[0]}: ${err.slice(-400) || `exit code ${code}`}`)),
    );
  });
}
