// Starting a program that is measured.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/**
 * Runs a program in the checkout. Extra certificates of the machine are left out of its environment: Node
 * reads them at each start, which can cost more than what is measured.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string> | undefined, timeout?: number }} [options] timeout in ms, 0: none
 * @returns {Promise<string>} what it printed
 */
export function run(command, args, { env, timeout = 0 } = {}) {
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
    child.on('exit', (code) =>
      code === 0
        ? done(out)
        : fail(new Error(`${command} ${args[0]}: ${err.slice(-400) || `exit code ${code}`}`)),
    );
  });
}
