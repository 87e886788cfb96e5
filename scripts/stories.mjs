// The stories of a user's day (e2e/browsers) in the browsers that are named:
//   node scripts/stories.mjs [--write] chromium firefox webkit
// --write writes docs/browsers.md from the last run of each browser.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.mjs';
import { capture, root, runMain, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

export const browsers = ['chromium', 'firefox', 'webkit'];

/** @param {string} browser */
export const reportOf = (browser) => join(root, 'build/browsers', `${browser}-report.json`);
/** @param {string} browser */
export const retriedOf = (browser) => join(root, 'build/browsers', `${browser}-retried.json`);
/** @param {string} browser */
const recordOf = (browser) => join(root, 'build/browsers', `${browser}.json`);

/**
 * Runs the stories in one browser; dist has to be built.
 * @param {string} browser
 * @returns {Promise<{ status: number, output: string }>}
 */
export async function tellStories(browser) {
  await Promise.all([recordOf, reportOf, retriedOf].map((path) => rm(path(browser), { force: true })));
  const args = ['run', '--config', 'e2e/browsers/vitest.config.ts', '--root', root];
  const report = ['--reporter=json', `--outputFile.json=${reportOf(browser)}`];
  return capture('vitest', [...args, '--reporter=default', ...report, '--reporter=./scripts/retried.mjs'], {
    XYLEM_BROWSER: browser,
    XYLEM_RETRIED: retriedOf(browser),
  });
}

/** @typedef {{ name: string, version: string, stories: { story: string, passed: boolean }[] }} Record */

async function writeTable() {
  /** @type {Record[]} */
  const records = [];
  for (const browser of browsers) {
    const text = await readFile(recordOf(browser), 'utf8').catch(() => undefined);
    if (text === undefined)
      throw new StepError(`Run the stories in ${browser} first: the table has all browsers.`);
    records.push(JSON.parse(text));
  }
  const stories = records[0]?.stories.map(({ story }) => story) ?? [];
  /** @param {Record} record @param {string} story */
  const cell = ({ stories }, story) =>
    stories.find((one) => one.story === story)?.passed ? 'passed' : 'failed';
  const rows = [
    ['Story', ...records.map(({ name, version }) => `${name} ${version}`)],
    ['---', ...records.map(() => '---')],
    ...stories.map((story) => [story, ...records.map((record) => cell(record, story))]),
  ];
  const lines = [
    '# Browsers',
    '',
    "The stories of a user's day (`e2e/browsers/stories.test.ts`) run in Chromium and in Firefox ESR as part of `npm test`,",
    'and in WebKitGTK, the open engine closest to Safari, by `npm run test:webkit`. Many more stories run in Chromium',
    '(`e2e/*.spec.ts`). `node scripts/stories.mjs --write chromium firefox webkit` writes this table.',
    '',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    'Older browsers: xylem needs SIMD in WebAssembly (Chrome 91, Firefox 89, Safari 16.4). In WebKitGTK the text of a',
    'saved file is compared inside of the page, because its driver cannot be told a folder for downloads.',
    '',
  ];
  await writeFile(join(root, 'docs/browsers.md'), lines.join('\n'));
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const names = process.argv.slice(2).filter((name) => name !== '--write');
    const unknown = names.find((name) => !browsers.includes(name));
    if (unknown !== undefined)
      throw new StepError(`There is no browser "${unknown}"; choose of ${browsers.join(', ')}.`);
    await setUp({ forTests: true, inWebKit: names.includes('webkit') });
    await build();
    for (const browser of names) {
      const { status, output } = await tellStories(browser);
      process.stdout.write(output);
      if (status !== 0) process.exitCode = 1;
    }
    if (process.argv.includes('--write')) await writeTable();
  });
}
