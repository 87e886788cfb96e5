// How much of the source a command runs: npm run bench walk -- --help
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, loadConfigFromFile, mergeConfig } from 'vite';
import { run } from './program.mjs';

const help = `npm run bench walk -- [--list] [--most N] [COMMAND ARG…]

Runs a command of the command line, by default "draw" of a branch of the sample. Prints how many files of web/ and workers/
ran, and how many of their functions: a file ran if one of its functions was called, also while it was loaded. V8 counts
the calls in a build in build/walk that is not minified.

  --list    the files, with the number of functions in each
  --most N  fails when more than N files run`;

const root = resolve(import.meta.dirname, '..');
const { values: given, positionals } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    most: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});
if (given.help) {
  console.log(help);
  process.exit(0);
}
const args =
  positionals.length > 0 ? positionals : ['draw', join(root, 'public/sample.root'), 'Events', 'Muon_pt'];
const folder = join(root, 'build/walk');
const dist = join(folder, 'dist');

/** Builds the command line and its worker so that each function can be traced to its source file. */
async function buildPlain() {
  for (const mode of ['node', 'node-worker']) {
    const loaded = await loadConfigFromFile({ command: 'build', mode }, join(root, 'vite.config.ts'));
    const config = mergeConfig(loaded?.config ?? {}, {
      configFile: false,
      logLevel: 'error',
      mode,
      build: { outDir: dist },
    });
    const { output } = config.build.rolldownOptions;
    output.minify = false;
    delete output.comments;
    await build(config);
  }
}

/**
 * The source file of each place in a built script: pairs of a place and the file whose code begins there.
 * @param {string} path
 * @returns {[number, string][]}
 */
function regionsOf(path) {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^\/\/ ((?:web|workers)\/\S+\.tsx?)$/gm)].map(({ index, 1: source = '' }) => [
    index,
    source,
  ]);
}

/** @returns {Map<string, Set<number>>} the places of the functions that ran, by source file */
function functionsRun() {
  const counted = join(folder, 'coverage');
  /** @type {Map<string, Set<number>>} */
  const found = new Map();
  for (const name of readdirSync(counted)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(counted, name), 'utf8')).result) {
      if (!url.startsWith(pathToFileURL(dist).href)) continue;
      const regions = regionsOf(fileURLToPath(url));
      for (const { functionName, ranges } of functions) {
        const [{ count, startOffset }] = ranges;
        // The module itself is a function without a name.
        if (count === 0 || (functionName === '' && startOffset === 0)) continue;
        const [, source = ''] = regions.findLast(([at]) => at <= startOffset) ?? [];
        found.set(source, (found.get(source) ?? new Set()).add(startOffset));
      }
    }
  }
  return found;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await buildPlain();
for (const name of ['xylem', 'xylem-math', 'xylem-export', 'xylem-write'])
  copyFileSync(join(root, `build/${name}.wasm`), join(dist, `${name}.wasm`));
await run(process.execPath, [join(dist, 'cli/xylem.js'), ...args], {
  env: { NODE_V8_COVERAGE: join(folder, 'coverage'), XDG_CACHE_HOME: join(folder, 'cache') },
});
const found = functionsRun();
const functions = [...found.values()].reduce((sum, { size }) => sum + size, 0);
if (given.list)
  for (const [source, { size }] of [...found].sort()) console.log(`${String(size).padStart(4)}  ${source}`);
console.log(`${found.size} files, ${functions} functions: ${args.join(' ')}`);
if (given.most !== undefined && found.size > Number(given.most)) process.exitCode = 1;
