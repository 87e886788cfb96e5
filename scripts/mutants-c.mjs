// npm run test:mutants:c -- [--count N] [FILE ...]: puts faults into the C core, one at a time, and tells which
// ones no test notices. Not part of the gate. Faults are replacements of one operator in one line; N of them
// (default all), evenly spread over each file, are tried. A fault that compiles to the same code as the file
// itself is left out. Native tests come first because they take a second; what they do not notice is linked to a
// core for Vitest. Needs clang and emcc. See docs/testing.md.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, must, root, runMain, StepError } from './run.mjs';

/**
 * The tests that are to notice faults in a file.
 * @type {Record<string, { native: string[], vitest: string[] }>}
 */
const AREAS = {
  'decode/task_plan': { native: ['task_plan'], vitest: ['tests/decode/task-plan.test.ts'] },
  'decode/block_plan': { native: ['block_plan'], vitest: ['tests/decode/read-block.test.ts'] },
  'decode/decoder': {
    native: ['decoder', 'raw_entries', 'whole_files', 'wrapping_counts', 'lying_counts'],
    vitest: ['tests/engine/entry-selection.test.ts'],
  },
  'compute/fill': {
    native: ['fill', 'summary_reference'],
    vitest: ['tests/engine/summarize.test.ts', 'tests/query/axes.test.ts'],
  },
  'ntuple/entry_offsets': {
    native: ['entry_offsets', 'ntuple_mutations'],
    vitest: ['tests/engine/ntuple-groups.test.ts', 'tests/engine/entry-selection.test.ts'],
  },
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
  [/ \* /g, ' / '],
  [/ \/ /g, ' * '],
  [/ << /g, ' >> '],
  [/(?<=(->|\.)\w+|\])\+\+/g, '--'],
  [/\bif \((?!!)(.*)\) (return|continue|break)/g, 'if (0) $2'],
  [/\? (.+?) : (.+?);/g, '? $2 : $1;'],
];
const NATIVE_MS = 6_000;
const VITEST_MS = 90_000;

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
  for (const name of readdirSync(join(root, 'build')).filter((one) => /^xylem-[a-z]+\.wasm$/.test(one)))
    cpSync(join(root, 'build', name), join(scratch, 'build', name));
  writeFileSync(
    join(scratch, 'vitest.config.ts'),
    `export default { test: { include: ['tests/**/*.test.ts'], bail: 1, retry: 0, testTimeout: 30_000, maxWorkers: 1 } };`,
  );
}

/**
 * The commands that make would run to build a target, one a line.
 * @param {string} target
 */
async function recipeOf(target) {
  const { output } = await capture('make', ['-n', '-B', '-C', 'wasm', target]);
  return output.replaceAll('\\\n', ' ').split('\n');
}

/**
 * The command among those of make that compiles the file, for the text of a mutant.
 * @param {string[]} recipe @param {string} file @param {string} object
 */
function compileOf(recipe, file, object) {
  const line = recipe.find((command) => command.includes(` -c src/${file}.c `));
  if (!line) throw new StepError('make does not say how the core is built\n');
  return line
    .replace(`-c src/${file}.c`, `-Isrc/${dirname(file)} -c ${join(scratch, 'mutant.c')}`)
    .replace(/-o \S+\.o/, `-o ${object}`)
    .replace('-MMD -MP', '')
    .replace('-Werror', '-w');
}

/** The commands that build a core with a mutant in it. @param {string} file */
async function wasmCommands(file) {
  const recipe = await recipeOf('../build/xylem.wasm');
  const object = join(scratch, 'mutant.wasm.o');
  const link = recipe.find((line) => line.includes('wasm/linked.wasm') && line.includes('emcc'));
  if (!link) throw new StepError('make does not say how the core is linked\n');
  return {
    object,
    compile: compileOf(recipe, file, object),
    // The linker's optimiser takes most of the time, and the tests do not need it.
    link: link
      .replace(`../build/wasm/src/${file}.o`, object)
      .replace('../build/wasm/linked.wasm', join(scratch, 'build', 'xylem.wasm'))
      .replace(/ -O3 -sBINARYEN_EXTRA_PASSES=\S+/, ' -O0'),
  };
}

/** The command that builds and runs the native tests with a mutant in them. @param {string} file */
async function nativeCommand(file) {
  const { native } = AREAS[file] ?? { native: [] };
  const object = join(scratch, 'mutant.o');
  const steps = [];
  for (const test of native) {
    const target = `../build/native/test/test_${test}`;
    await must(`Building the native test ${test}`, 'make', ['-s', '-C', 'wasm', target]);
    const recipe = await recipeOf(target);
    const link = recipe.find((line) => line.endsWith(`-o ${target}`));
    if (!link) throw new StepError('make does not say how a native test is linked\n');
    if (steps.length === 0) steps.push(compileOf(recipe, file, object));
    const program = join(scratch, `test_${test}`);
    // Before the library, so that the linker takes the mutant instead of its member.
    steps.push(link.replace(`-o ${target}`, `-o ${program}`).replace(/(\S+libxylem\.a)/, `${object} $1`));
    steps.push(`timeout ${NATIVE_MS / 1000} ${program}`);
  }
  return steps.join(' && ');
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
  const { compile, link, object } = await wasmCommands(file);
  const native = await nativeCommand(file);
  const { vitest = [] } = AREAS[file] ?? {};
  const test = () =>
    capture('timeout', [`${VITEST_MS / 1000}`, 'vitest', 'run', '--root', scratch, ...vitest]);

  writeMutant(file, text);
  for (const step of [() => inWasm(native), () => inWasm(compile), () => inWasm(link), test]) {
    const { status, output } = await step();
    if (status !== 0) throw new StepError(`The tests of ${file} fail without a fault:\n${output}`);
  }
  const sound = readFileSync(object);

  let [killed, all, same] = [0, 0, 0];
  const survivors = [];
  for (const fault of spread(faultsOf(text), count)) {
    writeMutant(file, fault.text);
    if ((await inWasm(compile)).status !== 0) continue; // No fault, but a text that is not C.
    if (readFileSync(object).equals(sound)) {
      same++;
      continue;
    }
    all++;
    if ((await inWasm(native)).status !== 0) killed++;
    else if ((await inWasm(link)).status !== 0 || (await test()).status !== 0) killed++;
    else survivors.push(`  ${file}.c:${fault.line}  ${fault.before}  ->  ${fault.after}`);
  }
  const score = all === 0 ? 100 : (100 * killed) / all;
  process.stdout.write(
    `${file}.c: ${killed} of ${all} killed, ${score.toFixed(1)} %; ${same} change nothing\n`,
  );
  for (const survivor of survivors) process.stdout.write(`${survivor}\n`);
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf('--count');
  const count = at < 0 ? Number.POSITIVE_INFINITY : Number(args.splice(at, 2)[1]);
  const files = args.length > 0 ? args : Object.keys(AREAS);
  for (const file of files) {
    if (AREAS[file] === undefined)
      throw new StepError(`${file} is not one of ${Object.keys(AREAS).join(', ')}\n`);
  }
  prepare();
  for (const file of files) await tryFile(file, count);
  rmSync(scratch, { recursive: true, force: true });
});
