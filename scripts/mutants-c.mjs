// npm run test:mutants:c -- [--count N] [FILE ...]: puts faults into the C core, one at a time, and tells which
// ones no test notices. Not part of the gate. Faults are replacements of one operator in one line; N of them
// (default 40), evenly spread over each file, are tried. Needs emcc and a built core. See docs/testing.md.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, root, runMain, StepError } from './run.mjs';

/** The tests that are to notice faults in a file. @type {Record<string, string[]>} */
const AREAS = {
  'decode/task_plan': ['tests/engine/golden.test.ts', 'tests/engine/entry-selection.test.ts'],
  'decode/decoder': [
    'tests/engine/golden.test.ts',
    'tests/engine/edges.test.ts',
    'tests/wasm/products.test.ts',
  ],
  'compute/fill': ['tests/query/axes.test.ts', 'tests/query/twins.test.ts', 'tests/engine/summarize.test.ts'],
  'ntuple/entry_offsets': ['tests/engine/ntuple.test.ts', 'tests/engine/ntuple-groups.test.ts'],
};

/** A fault: what is replaced, and what by. @type {[RegExp, string][]} */
const FAULTS = [
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \+= /g, ' -= '],
  [/ -= /g, ' += '],
  [/ << /g, ' >> '],
  [/\bif \((?!!)(.*)\) (return|continue|break)/g, 'if (0) $2'],
  [/\? (.+?) : (.+?);/g, '? $2 : $1;'],
];
const DEFAULT_COUNT = 40;
const MUTANT_MS = 90_000;

const scratch = join(root, 'build', 'mutants-c');

/** The text without comments, whose lines stay where they are. @param {string} text */
const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));

/**
 * All faults of a file.
 * @param {string} text
 * @returns {{ line: number, before: string, after: string, text: string }[]}
 */
function faultsOf(text) {
  const lines = text.split('\n');
  const code = withoutComments(text).split('\n');
  return code.flatMap((line, i) => {
    if (/^\s*(#|static const|enum\b)/.test(line)) return [];
    return FAULTS.flatMap(([pattern, replacement]) =>
      [...line.matchAll(pattern)].map((match) => {
        const after =
          line.slice(0, match.index) +
          match[0].replace(new RegExp(pattern.source), replacement) +
          line.slice(match.index + match[0].length);
        const mutated = lines.with(i, after).join('\n');
        return { line: i + 1, before: line.trim(), after: after.trim(), text: mutated };
      }),
    );
  });
}

/** At most `count` of a list, evenly spread. @template T @param {T[]} list @param {number} count */
function spread(list, count) {
  const step = Math.max(1, list.length / count);
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** A copy of what the tests read, with a core of its own. */
function prepare() {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(join(scratch, 'build'), { recursive: true });
  for (const name of ['web', 'workers', 'tests', 'scripts', 'public', 'package.json', 'README.md'])
    cpSync(join(root, name), join(scratch, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  cpSync(join(root, 'build', 'xylem-math.wasm'), join(scratch, 'build', 'xylem-math.wasm'));
  writeFileSync(
    join(scratch, 'vitest.config.ts'),
    `export default { test: { include: ['tests/**/*.test.ts'], bail: 1, retry: 0, testTimeout: 30_000, maxWorkers: 1 } };`,
  );
}

/** The commands of make that compile one file and link the core. @param {string} file */
async function commandsOf(file) {
  const { output } = await capture('make', ['-n', '-B', '-C', 'wasm', '../build/xylem.wasm']);
  const lines = output.replaceAll('\\\n', ' ').split('\n');
  const compile = lines.find((line) => line.includes(` -c src/${file}.c `));
  const link = lines.find((line) => line.includes('wasm/linked.wasm') && line.includes('emcc'));
  if (!compile || !link) throw new StepError('make does not say how the core is built\n');
  const source = join(scratch, 'mutant.c');
  const object = join(scratch, 'mutant.o');
  return {
    compile: compile
      .replace(`-c src/${file}.c`, `-Isrc/${dirname(file)} -c ${source}`)
      .replace(`../build/wasm/src/${file}.o`, object)
      .replace('-MMD -MP', '')
      .replace('-Werror', '-w'),
    // The linker's optimiser takes most of the time, and the tests do not need it.
    link: link
      .replace(`../build/wasm/src/${file}.o`, object)
      .replace('../build/wasm/linked.wasm', join(scratch, 'build', 'xylem.wasm'))
      .replace(/ -O3 -sBINARYEN_EXTRA_PASSES=\S+/, ' -O0'),
  };
}

/** @param {string} file @param {string} text */
function writeMutant(file, text) {
  // Headers beside the file are found from where it really is.
  const folder = join(root, 'wasm', 'src', dirname(file));
  const source = text.replace(/#include "(\.\.?\/[^"]+|[^"/]+)"/g, (line, name) =>
    existsSync(join(folder, name)) ? `#include "${join(folder, name)}"` : line,
  );
  writeFileSync(join(scratch, 'mutant.c'), source);
}

/** @param {string} command */
const inWasm = (command) => capture('sh', ['-c', `cd wasm && ${command}`]);

/** @param {string} file @param {number} count */
async function tryFile(file, count) {
  const text = readFileSync(join(root, 'wasm', 'src', `${file}.c`), 'utf8');
  const { compile, link } = await commandsOf(file);
  const test = () =>
    capture('timeout', [`${MUTANT_MS / 1000}`, 'vitest', 'run', '--root', scratch, ...(AREAS[file] ?? [])]);

  writeMutant(file, text);
  const sound = [await inWasm(compile), await inWasm(link), await test()].find(({ status }) => status !== 0);
  if (sound) throw new StepError(`The tests of ${file} fail without a fault:\n${sound.output}`);

  let [killed, all] = [0, 0];
  const survivors = [];
  for (const fault of spread(faultsOf(text), count)) {
    writeMutant(file, fault.text);
    if ((await inWasm(compile)).status !== 0) continue; // No fault, but a text that is not C.
    if ((await inWasm(link)).status !== 0) continue;
    all++;
    if ((await test()).status !== 0) killed++;
    else survivors.push(`  ${file}.c:${fault.line}  ${fault.before}  ->  ${fault.after}`);
  }
  const score = all === 0 ? 100 : (100 * killed) / all;
  process.stdout.write(`${file}.c: ${killed} of ${all} killed, ${score.toFixed(1)} %\n`);
  for (const survivor of survivors) process.stdout.write(`${survivor}\n`);
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf('--count');
  const count = at < 0 ? DEFAULT_COUNT : Number(args.splice(at, 2)[1]);
  const files = args.length > 0 ? args : Object.keys(AREAS);
  for (const file of files) {
    if (AREAS[file] === undefined)
      throw new StepError(`${file} is none of ${Object.keys(AREAS).join(', ')}\n`);
  }
  prepare();
  for (const file of files) await tryFile(file, count);
  rmSync(scratch, { recursive: true, force: true });
});
