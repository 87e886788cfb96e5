// Starting a program that is measured.
import { spawn } from 'node:child_process';
import { root } from './settings.mjs';

/**
 * Runs a program in the checkout. Extra certificates of the machine are left out of its environment, because Node reads
 * them at each start, which can cost more than what is measured.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string> | undefined, timeout?: number }} [options] timeout in ms, 0: none
 * @returns {Promise<string>} what it printed
 */
export async function run(command, args, options) {
  return (await started(command, args, options)).out;
}

/** A program in Python that runs a command and prints what it took: seconds, and MB of its largest process. */
const MEASURE = `import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[1:])
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
took = {"wall_s": wall, "cpu_s": used.ru_utime + used.ru_stime, "rss_mb": used.ru_maxrss / 1024}
sys.stderr.write("\\n" + json.dumps(took))
sys.exit(status)`;

/**
 * Runs a program from its start to its end.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, node?: string, command?: string | undefined }} [options] the program: `command`,
 *   or a Node
 * @returns {Promise<{ out: string, wall_s: number, cpu_s: number, rss_mb: number }>}
 */
export async function runWhole(args, { env, node = process.execPath, command = node } = {}) {
  const { out, err } = await started('python3', ['-c', MEASURE, command, ...args], { env });
  return { out, ...JSON.parse(err.slice(err.lastIndexOf('{'))) };
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
