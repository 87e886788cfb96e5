// Figures of the project: sizes of what is built, lines of code and documents, times. They inform: npm test prints each
// beside the figure that was recorded last, and warns if it grew by more than 3 % without a reason. No build and no test
// fails because of a figure. A reason is a line in the message of a commit since the last record:
//   Size: the table of codecs
//   Lines of docs: examples of selectors        a reason for one figure, "docs, lines"
//   Time: the stories of walls
//   node scripts/sizes.mjs             prints the figures of the last builds and tests
//   node scripts/sizes.mjs --record    adds them to scripts/sizes.json, which is their history
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './run.mjs';

/** @typedef {Record<string, [date: string, size: number][]>} History for each name, the oldest first */

const recorded = join(root, 'scripts/sizes.json');
/** A file for each name, because several processes measure at the same time. */
const measured = join(root, 'build/sizes');
/** Growth above which a figure is warned of. */
const MUCH = 0.03;

/** @returns {History} */
const readHistory = () => JSON.parse(readFileSync(recorded, 'utf8'));

/** The kind of a figure, as the end of its name says. @param {string} name */
const kindOf = (name) => (/, (ms|s)$/.test(name) ? 'Time' : /, lines$/.test(name) ? 'Lines' : 'Size');

/**
 * Returns the reason that the messages of commits give for the growth of a figure.
 * @param {string} name
 * @param {string} messages
 * @returns {string | undefined} undefined if they give none
 */
export function reasonFor(name, messages) {
  for (const [, kind, one, reason] of messages.matchAll(/^(Size|Lines|Time)(?: of ([^:]+))?: (.+)$/gm))
    if (kind === kindOf(name) && (one === undefined || name.startsWith(one))) return reason;
  return undefined;
}

/**
 * Returns the line that tells a figure, and whether it grew by more than 3 % without a reason.
 * @param {string} name
 * @param {number} size
 * @param {number | undefined} last the figure that was recorded last; undefined if there is none
 * @param {string} [messages] of the commits since then
 */
export function sizeLine(name, size, last, messages = '') {
  if (last === undefined) return { line: `${name}: ${digits(size)} (not recorded yet)`, grew: false };
  const more = size === last ? 0 : size / (last || 1) - 1;
  const isMuch = size > last * (1 + MUCH);
  const reason = isMuch ? reasonFor(name, messages) : undefined;
  const grew = isMuch && reason === undefined;
  const change = `${more < 0 ? '−' : '+'}${Math.abs(100 * more).toFixed(1)} %`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const line = `${name}: ${digits(size)} (recorded ${digits(last)}, ${change}${why})`;
  return { line: grew ? `warning: it grew: ${line}` : line, grew };
}

/** @param {number} value */
const digits = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/**
 * Keeps a figure for npm test, and prints it. Never throws.
 * @param {string} name Ends in ", lines", ", ms" or ", s" if it is not a number of bytes.
 * @param {number} size
 */
export function tellSize(name, size) {
  try {
    keepSize(name, size);
    process.stderr.write(`${sizeLine(name, size, readHistory()[name]?.at(-1)?.[1]).line}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${size} (${error})\n`);
  }
}

/** Keeps a figure for npm test, which prints it. @param {string} name @param {number} size */
export function keepSize(name, size) {
  mkdirSync(measured, { recursive: true });
  writeFileSync(join(measured, `${name.replace(/\W+/g, '-')}.json`), JSON.stringify([name, size]));
}

/** @param {string[]} args @param {string} [cwd] */
const git = (args, cwd = root) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Counts the lines of the code that ships and of the documents, as git lists their files. */
export function countLines() {
  /** @param {string} name @param {string[]} folders @param {RegExp} [without] */
  const count = (name, folders, without) => {
    const paths = git(['ls-files', '-z', ...folders])
      .split('\0')
      .filter((path) => path !== '' && !without?.test(path));
    const lines = paths.map((path) => readFileSync(join(root, path), 'latin1').split('\n').length - 1);
    keepSize(
      `${name}, lines`,
      lines.reduce((sum, one) => sum + one, 0),
    );
  };
  count('code of web, workers and wasm/src', ['web', 'workers', 'wasm/src']);
  // Modules of C that only features load are counted with these.
  const ofFeatures = 'web/features/|wasm/src/(write|export)/';
  const faces = 'web/(ui|element|cli|verbs|plot)/';
  count('code of the reader alone', ['web', 'workers', 'wasm/src'], RegExp(`^(${ofFeatures}|${faces})`));
  const commands = 'web/(cli|verbs)/';
  count(
    'code of the reader and the plain page',
    ['web', 'workers', 'wasm/src'],
    RegExp(`^(${ofFeatures}|${commands})`),
  );
  count('docs', ['docs/*.md']);
  count('README.md', ['README.md']);
  count('bench', ['bench']);
}

/**
 * Messages of the commits since the figures were recorded; empty if git does not have them.
 * @param {string} [folder] a checkout
 */
export function messagesSinceRecord(folder = root) {
  try {
    const commit = git(['log', '-1', '--format=%H', '--', 'scripts/sizes.json'], folder).trim();
    return commit === '' ? '' : git(['log', '--format=%B', `${commit}..HEAD`], folder);
  } catch {
    return '';
  }
}

/** The figures that were measured. @returns {[name: string, size: number][]} */
function measuredSizes() {
  try {
    return readdirSync(measured).map((name) => JSON.parse(readFileSync(join(measured, name), 'utf8')));
  } catch {
    return []; // nothing was measured yet
  }
}

/** Returns the lines of all figures that were measured, those to be warned of last. */
export function sizeLines() {
  const history = readHistory();
  const messages = messagesSinceRecord();
  return measuredSizes()
    .map(([name, size]) => sizeLine(name, size, history[name]?.at(-1)?.[1], messages))
    .sort((a, b) => Number(a.grew) - Number(b.grew))
    .map(({ line }) => `${line}\n`);
}

function record() {
  const history = readHistory();
  const [date = ''] = new Date().toISOString().split('T');
  for (const [name, size] of measuredSizes()) {
    const known = history[name] ?? [];
    if (known.at(-1)?.[1] !== size) history[name] = [...known, [date, size]];
  }
  const lines = Object.entries(history)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sizes]) => `  ${JSON.stringify(name)}: ${JSON.stringify(sizes)}`);
  writeFileSync(recorded, `{\n${lines.join(',\n')}\n}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  countLines();
  if (process.argv.includes('--record')) record();
  process.stdout.write(sizeLines().join(''));
}
