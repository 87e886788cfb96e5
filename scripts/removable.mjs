// npm run test:removable [ID… | all]: takes features out of a copy of the checkout, and shows that what is left builds and works.
// Without names: each feature by itself, with those that need it, and then all of them at once, with the tests of what is left.
//   --types    only checks the types of what is left
//   --tests    runs the tests of what is left for the named features, too
//   --changed  the features that the last commit or the working tree changes; all at once if these are more than two
// Prints a line for each: lines and files that went, files that were edited (only the lists), and seconds.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { findChromium } from './browsers.mjs';
import { featureIds, listsOf, placesOf, withDependents, withoutEntries } from './features.mjs';
import { capture, must, root, runMain, StepError } from './run.mjs';

const SAMPLE = 'public/sample.root';

/** A copy of what git has, or would have, with the packages and the built modules of the checkout. */
async function copied() {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-without-'));
  const { output } = await capture('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const path of output.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'build'));
  for (const name of readdirSync(join(root, 'build')).filter((each) => each.endsWith('.wasm')))
    await cp(join(root, 'build', name), join(folder, 'build', name));
  return folder;
}

/** @param {string} path @returns {string[]} the files in a folder, or the file itself */
function filesAt(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesAt(join(path, name)));
}

const linesOf = (/** @type {string} */ path) => readFileSync(path, 'utf8').split('\n').length - 1;

/** Takes features out of a checkout. @param {string} folder @param {readonly string[]} ids */
function takeOut(folder, ids) {
  const gone = ids.flatMap(placesOf).map((path) => join(folder, path));
  const files = gone.flatMap(filesAt);
  const code = files.filter(
    (path) => path.startsWith(join(folder, 'web/')) && /\.(tsx?|css|html)$/.test(path),
  );
  const lines = code.reduce((sum, path) => sum + linesOf(path), 0);
  for (const path of gone) rmSync(path, { recursive: true, force: true });
  const edited = listsOf(folder).filter((name) => {
    const path = join(folder, 'web/features', name);
    const before = readFileSync(path, 'utf8');
    const after = withoutEntries(before, ids);
    writeFileSync(path, after);
    return after !== before;
  });
  return { lines, files: files.length, edited };
}

/**
 * Tests and stories outside of the folders of features that import one of those that are gone, or say that they need it.
 * @param {string} folder
 * @param {readonly string[]} ids
 */
function testsWithout(folder, ids) {
  const tests = ['tests', 'e2e']
    .flatMap((name) => filesAt(join(folder, name)))
    .filter((path) => /\.tsx?$/.test(path));
  /** @type {Map<string, boolean>} */
  const known = new Map();
  /** @param {string} path @returns {string | undefined} the source that an import means */
  const fileOf = (path) =>
    [path, `${path}.ts`, `${path}.tsx`, `${path}.mjs`].find(
      (one) => existsSync(one) && statSync(one).isFile(),
    );
  /** @param {string} path @returns {boolean} whether all that it imports is still there */
  const isWhole = (path) => {
    const told = known.get(path);
    if (told !== undefined) return told;
    known.set(path, true);
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^'?]+)'/g);
    const whole = [...imports].every(([, name = '']) => {
      const target = join(dirname(path), name);
      const file = fileOf(target);
      if (file === undefined) return fileOf(join(root, relative(folder, target))) === undefined;
      return !/\/(tests|e2e)\//.test(file) || isWhole(file);
    });
    known.set(path, whole);
    return whole;
  };
  /** @param {string} path */
  const says = (path) => {
    const [, words = ''] = /^\/\/ Needs features: (.*)\.$/m.exec(readFileSync(path, 'utf8')) ?? [];
    return words === 'all' || words.split(', ').some((id) => ids.includes(id));
  };
  return tests.filter((path) => says(path) || !isWhole(path));
}

/**
 * Opens the page of a copy with the sample, and draws a branch. Throws for an error of the page.
 * @param {string} folder
 */
async function openPage(folder) {
  const outDir = join(folder, 'dist/page');
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    build: { outDir },
    preview: { port: 0 },
  });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.httpServer.address());
    await page.goto(`http://localhost:${port}/?url=sample.root&tree=Events&draw=Muon_pt`);
    const shown = page
      .getByRole('img', { name: /^Plot of .*Muon_pt/ })
      .first()
      .waitFor();
    await shown.catch((error) => errors.push(String(error)));
    if (errors.length > 0) throw new StepError(`The page does not draw:\n${errors.join('\n')}`);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @param {readonly string[]} ids @param {{ types: boolean, tests: boolean }} how */
async function without(ids, { types, tests }) {
  const started = performance.now();
  const folder = await copied();
  /** @param {string} what @param {string[]} args */
  const run = (what, args) =>
    must(`Without ${ids.join(', ')}: ${what}`, 'node', args, { XYLEM_MODULES: join(root, 'build') }, folder);
  try {
    const out = takeOut(folder, ids);
    const left = testsWithout(folder, ids);
    for (const path of left) rmSync(path);
    await run('types', ['scripts/types.mjs']);
    if (types) return { ...out, left: left.length, seconds: (performance.now() - started) / 1000 };
    await run('build', ['scripts/build.mjs']);
    const xylem = ['--help', `ls ${SAMPLE}`, `draw ${SAMPLE} Events Muon_pt`];
    for (const line of xylem) await run(`xylem ${line}`, ['dist/cli/xylem.js', ...line.split(' ')]);
    await openPage(folder);
    if (tests) await run('tests', ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot']);
    return { ...out, left: left.length, seconds: (performance.now() - started) / 1000 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The features that the last commit or the working tree changes. */
async function changed() {
  const { output } = await capture('git', ['diff', '--name-only', 'HEAD~1']);
  const paths = output.split('\n');
  return featureIds().filter((id) =>
    placesOf(id).some((place) => paths.some((path) => path.startsWith(place))),
  );
}

await runMain(async () => {
  const words = process.argv.slice(2);
  const all = featureIds();
  const named = words.filter((word) => !word.startsWith('--') && word !== 'all');
  const odd = named.find((id) => !all.includes(id));
  if (odd !== undefined) throw new StepError(`There is no feature "${odd}". There are ${all.join(', ')}.`);
  const how = { types: words.includes('--types'), tests: words.includes('--tests') };
  const touched = words.includes('--changed') ? await changed() : undefined;
  const whole = named.length === 0 && touched === undefined && !words.includes('all');
  const alone = (touched ?? (whole ? all : named)).map((id) => ({
    name: id,
    ids: withDependents([id]),
    how,
  }));
  const together = { name: 'all', ids: all, how: { ...how, tests: whole || how.tests } };
  const atOnce = words.includes('all') || (touched !== undefined && touched.length > 2);
  const runs = whole ? [...alone, together] : atOnce ? [together] : alone;
  process.stdout.write(
    '| without | also | lines | files | edited | tests left out | s |\n|---|---|---|---|---|---|---|\n',
  );
  for (const run of runs) {
    const { lines, files, edited, left, seconds } = await without(run.ids, run.how);
    const also = run.name === 'all' ? '' : run.ids.filter((id) => id !== run.name).join(', ');
    process.stdout.write(
      `| ${run.name} | ${also} | ${lines} | ${files} | ${edited.join(', ')} | ${left} | ${Math.round(seconds)} |\n`,
    );
  }
});
