// The options of a benchmark, and the files that it needs.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const root = resolve(import.meta.dirname, '..');

/**
 * Parses the options. Prints the help and ends the process if it is asked for.
 * @template {Record<string, string | boolean | undefined>} Options
 * @param {string} help
 * @param {Options} options their defaults: false for one without a value, undefined for one that has no default
 * @returns {{ [Name in keyof Options]: Options[Name] extends string ? string : Options[Name] extends boolean ? boolean : string | undefined } & { data: string }}
 *   with `data`, the folder of the files: --data, BENCH_DATA or build/bench
 */
export function settings(help, options) {
  const all = { data: process.env.BENCH_DATA ?? join(root, 'build/bench'), ...options, help: false };
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        typeof value === 'boolean'
          ? { type: /** @type {const} */ ('boolean'), default: value, ...(name === 'help' && { short: 'h' }) }
          : { type: /** @type {const} */ ('string'), ...(value !== undefined && { default: value }) },
      ]),
    ),
  });
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  return /** @type {any} */ (values);
}

/**
 * Ends the process if a file is missing.
 * @param {string} folder @param {string[]} names without ".root" @param {string} help
 */
export function needFiles(folder, names, help) {
  const missing = names.filter((name) => !existsSync(join(folder, `${name}.root`)));
  if (missing.length === 0) return;
  console.error(
    `${folder} has no ${missing.join(', ')}: python3 bench/data/make.py ${folder} --only ${missing.join(',')}\n`,
  );
  console.log(help);
  process.exit(2);
}

/**
 * Runs tasks in turns.
 * @template Result
 * @param {Record<string, () => Promise<Result>>} tasks
 * @param {string | number} count of rounds
 * @returns {Promise<Record<string, Result[]>>} the results of each task, one for each round
 */
export async function inTurns(tasks, count) {
  /** @type {Record<string, Result[]>} */
  const results = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < Math.max(1, Number(count)); round++)
    for (const [name, run] of Object.entries(tasks)) results[name]?.push(await run());
  return results;
}
