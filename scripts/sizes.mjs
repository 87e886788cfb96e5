// Sizes of what is built. They inform: each is told beside the one that was last recorded, with a warning where it grew by
// more than 3 %, and no build or test fails by one.
//   node scripts/sizes.mjs             the sizes that the last builds and tests measured
//   node scripts/sizes.mjs --record    adds them to scripts/sizes.json, which is their history
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './run.mjs';

/** @typedef {Record<string, [date: string, size: number][]>} History for each name, the oldest first */

const recorded = join(root, 'scripts/sizes.json');
/** A file for each name, because several processes measure at the same time. */
const measured = join(root, 'build/sizes');
/** Growth above which a size is warned of. */
const MUCH = 0.03;

/** @returns {History} */
const readHistory = () => JSON.parse(readFileSync(recorded, 'utf8'));

/**
 * Returns the line that tells a size, and whether it grew by more than 3 %.
 * @param {string} name
 * @param {number} size
 * @param {number | undefined} last the size that was recorded last; undefined where there is none
 */
export function sizeLine(name, size, last) {
  const digits = (/** @type {number} */ value) => value.toLocaleString('en-US');
  const grown = last === undefined ? 0 : size / last - 1;
  const change = `${grown < 0 ? '−' : '+'}${Math.abs(100 * grown).toFixed(1)} %`;
  const before = last === undefined ? 'not recorded yet' : `recorded ${digits(last)}, ${change}`;
  const grew = last !== undefined && size > last * (1 + MUCH);
  return { line: `${grew ? 'warning: it grew: ' : ''}${name}: ${digits(size)} (${before})`, grew };
}

/**
 * Tells a size: bytes, or lines where the name says so. Never throws.
 * @param {string} name
 * @param {number} size
 */
export function tellSize(name, size) {
  try {
    mkdirSync(measured, { recursive: true });
    writeFileSync(join(measured, `${name.replace(/\W+/g, '-')}.json`), JSON.stringify([name, size]));
    process.stderr.write(`${sizeLine(name, size, readHistory()[name]?.at(-1)?.[1]).line}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${size} (${error})\n`);
  }
}

/** The sizes that were measured. @returns {[name: string, size: number][]} */
function measuredSizes() {
  try {
    return readdirSync(measured).map((name) => JSON.parse(readFileSync(join(measured, name), 'utf8')));
  } catch {
    return []; // nothing was measured yet
  }
}

/** Lines of all sizes that were measured, or of those that grew. @param {boolean} grown */
export function sizeLines(grown) {
  const history = readHistory();
  return measuredSizes()
    .map(([name, size]) => sizeLine(name, size, history[name]?.at(-1)?.[1]))
    .filter(({ grew }) => grew || !grown)
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
  if (process.argv.includes('--record')) record();
  process.stdout.write(sizeLines(false).join(''));
}
