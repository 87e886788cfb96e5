// Another build to compare with: a folder, or a revision that is built here.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');

/** @param {string} command @param {string[]} args @param {string} cwd */
const must = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** @param {string} rev @returns {string} its whole hash */
export const commitOf = (rev) => must('git', ['rev-parse', '--verify', `${rev}^{commit}`], root);

/**
 * The folder of a build: `given` itself where it is a folder with a build, else that of the revision `given`, which is
 * built once, in build/against. Its packages are those of this checkout where both name the same.
 * @param {string} given
 * @returns {string}
 */
export function distOf(given) {
  if (existsSync(join(given, 'node.js'))) return resolve(given);
  const checkout = join(root, 'build/against', commitOf(given).slice(0, 12));
  const dist = join(checkout, 'dist');
  if (existsSync(join(dist, 'node.js'))) return dist;
  if (!existsSync(join(checkout, 'package.json')))
    must('git', ['worktree', 'add', '--force', '--detach', checkout, given], root);
  const lock = (/** @type {string} */ folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (!existsSync(join(checkout, 'node_modules')) && lock(checkout) === lock(root))
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  // Earlier revisions do not make it themselves.
  mkdirSync(dist, { recursive: true });
  console.error(`Building ${given} in ${checkout}`);
  must(process.execPath, ['scripts/build.mjs', 'modules'], checkout);
  return dist;
}

/** @param {string} dist @returns {Record<string, string>} what makes the programs of bench/ measure that build */
export const measuring = (dist) => ({ XYLEM_BENCH_DIST: pathToFileURL(join(dist, 'node.js')).href });

/** @param {string} dist @returns {string} its command line */
export function commandLine(dist) {
  const path = join(dist, 'cli/xylem.js');
  if (!statSync(path, { throwIfNoEntry: false })) throw new Error(`${dist} has no command line`);
  return path;
}
