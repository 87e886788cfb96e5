// npm test: sets up, builds, and runs every check. Shows the output of what fails, and ends with
// "N passed, N failed" over the native tests, Vitest, the Playwright stories, the stories of a user's day in
// Chromium and Firefox, lint, types, and what is left without features that changed. Before that line it prints the figures of scripts/sizes.mjs, and each test that passed
// only when it was run again as a finding. Both fail nothing.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.mjs';
import { lint } from './lint.mjs';
import { findings, retriedStories } from './retried.mjs';
import { capture, root, runMain } from './run.mjs';
import { NEEDS_32, sanitizes32, setUp } from './setup.mjs';
import { countLines, keepSize, sizeLines } from './sizes.mjs';
import { reportOf, retriedOf, tellStories } from './stories.mjs';
import { checkTypes } from './types.mjs';

/**
 * @typedef {import('./retried.mjs').Retried} Retried
 * @typedef {{ passed: number, failed: number, skipped: number, output: string, retried?: Retried[] }} Outcome
 */

/**
 * One check that passes or fails as a whole.
 * @param {{ status: number, output: string }} result
 * @returns {Outcome}
 */
const single = ({ status, output }) => ({
  passed: status === 0 ? 1 : 0,
  failed: status === 0 ? 0 : 1,
  skipped: 0,
  output,
});

/**
 * A stage that counts its tests; one that ends badly without a failed test counts as one failure.
 * @param {{ status: number, output: string }} result
 * @param {{ passed: number, failed: number, skipped?: number } | undefined} counts
 * @returns {Outcome}
 */
function counted({ status, output }, counts) {
  const { passed, failed, skipped = 0 } = counts ?? { passed: 0, failed: 0 };
  const unseen = failed === 0 && (status !== 0 || counts === undefined || passed === 0) ? 1 : 0;
  return { passed, failed: failed + unseen, skipped, output };
}

/** @param {string} path */
async function readReport(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined; // counted() takes a stage without a report for a failed one
  }
}

/** Why tests were skipped, each reason once: see tests/needs.ts. @param {string} output */
function reasons(output) {
  const lines = output.match(/^skipped: .*$/gm) ?? [];
  return [...new Set(lines)].map((line) => `${line}\n`).join('');
}

/** In 32 bits, where size_t is as wide as in wasm; in 64 where clang cannot link for 32. */
async function nativeTests() {
  const narrow = sanitizes32();
  if (!narrow) process.stderr.write(`native tests run in 64 bits: those in 32 need ${NEEDS_32}\n`);
  const target = narrow ? 'native-test-32' : 'native-test';
  const result = await capture('make', ['-s', '-j2', '-C', 'wasm', target]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(result.output) ?? [];
  return counted(
    result,
    passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) },
  );
}

async function unitTests() {
  const path = join(root, 'build', 'vitest.json');
  const retried = join(root, 'build', 'vitest-retried.json');
  await Promise.all([path, retried].map((each) => rm(each, { force: true })));
  const reporters = ['--reporter=default', '--reporter=json', '--reporter=./scripts/retried.mjs'];
  const result = await capture('vitest', ['run', ...reporters, `--outputFile.json=${path}`], {
    XYLEM_RETRIED: retried,
  });
  const report = await readReport(path);
  const counts = report && {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return { ...counted(result, counts), retried: await readReport(retried) };
}

/** The stories of a user's day. @param {string} browser */
async function dayIn(browser) {
  const result = await tellStories(browser);
  const report = await readReport(reportOf(browser));
  const counts = report && { passed: report.numPassedTests, failed: report.numFailedTests };
  return { ...counted(result, counts), retried: await readReport(retriedOf(browser)) };
}

async function stories() {
  const path = join(root, 'build', 'playwright.json');
  await rm(path, { force: true });
  const result = await capture('playwright', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: path,
  });
  const report = await readReport(path);
  const stats = report?.stats;
  const counts = stats && {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  };
  return { ...counted(result, counts), retried: (report?.suites ?? []).flatMap(retriedStories) };
}

await runMain(async () => {
  await setUp({ forTests: true });
  process.stderr.write('Building …\n');
  await build();

  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {(Retried & { stage: string })[]} */
  const again = [];
  /** @param {string} name @param {() => Promise<Outcome>} run */
  async function stage(name, run) {
    const started = performance.now();
    const outcome = await run();
    const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
    if (outcome.failed > 0) process.stderr.write(`${outcome.output}\n`);
    else if (outcome.skipped > 0) process.stderr.write(reasons(outcome.output));
    const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
    process.stderr.write(
      `${name}: ${outcome.passed} passed, ${outcome.failed} failed${skipped} (${seconds} s)\n`,
    );
    keepSize(`npm test: ${name}, s`, seconds);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    again.push(...(outcome.retried ?? []).map((one) => ({ stage: name, ...one })));
  }
  // Stages that do not keep two cores busy run beside others.
  await Promise.all([
    stage('lint', async () => single(await lint())),
    stage('types', async () => single(await checkTypes())),
    stage('native tests', nativeTests),
  ]);
  await stage('vitest', unitTests);
  await stage('stories', stories);
  await Promise.all([
    stage('a day in Chromium', () => dayIn('chromium')),
    stage('a day in Firefox', () => dayIn('firefox')),
  ]);
  await stage('without features', async () =>
    single(await capture('node', ['scripts/removable.mjs', '--changed'])),
  );
  countLines();
  process.stderr.write(sizeLines().join(''));
  process.stderr.write(findings(again));
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  if (total.failed > 0) process.exitCode = 1;
});
