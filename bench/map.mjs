// The map of a file with many baskets, in the built page in headless Chromium: npm run bench:map -- --help
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { serve } from '../scripts/serve.mjs';
import { dragAndZoom, openMap, slowdown, watchTasks } from './map-page.mjs';

const help = `npm run bench:map -- [--file FILE] [--runs N]

Opens FILE in the page, its map, and drags and zooms it. Prints for each run the time from the click on the
tab to the painted map, and the tasks of the page's thread that took more than 50 ms: while the map was made,
and while it was dragged and zoomed; the CPU time of the thread for each step of that; and how many times
longer a loop took than its CPU time, which is 1 where nothing else runs.

  --file FILE    default aodlike.root in $BENCH_DATA or build/bench, made by make_bench_data.py --only aodlike
  --runs N       default 3`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    file: {
      type: 'string',
      default: join(process.env.BENCH_DATA ?? join(root, 'build/bench'), 'aodlike.root'),
    },
    runs: { type: 'string', default: '3' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (given.help || !existsSync(given.file)) {
  console.log(given.help ? help : `There is no ${given.file}.\n\n${help}`);
  process.exit(given.help ? 0 : 2);
}

const site = await serve({ port: 0 });
const executablePath = findChromium();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath === undefined ? {} : { executablePath }),
});
/** @param {import('./map-page.mjs').Task[]} tasks */
const listed = (tasks) =>
  tasks.length === 0 ? 'none' : tasks.map(({ duration }) => `${duration.toFixed(0)} ms`).join(', ');
for (let run = 1; run <= Math.max(1, Number(given.runs)); run++) {
  const page = await browser.newPage();
  await page.goto(site.url);
  const chooser = page.waitForEvent('filechooser');
  await page.locator('.top-bar button', { hasText: 'Open file…' }).click();
  await (await chooser).setFiles(given.file);
  await page.locator('.file-row').waitFor();
  await page.getByRole('treeitem').first().click();
  await page.locator('.facts.big').waitFor();
  const slower = await slowdown(page);
  const tasks = await watchTasks(page);
  const painted = await openMap(page);
  const making = await tasks();
  const { windows, cpu } = await dragAndZoom(page);
  const mean = cpu.reduce((sum, ms) => sum + ms, 0) / cpu.length;
  console.log(
    `${basename(given.file)}, run ${run}: painted after ${painted.toFixed(0)} ms (machine ${slower.toFixed(1)} times slower than idle); long tasks ${listed(making)}; ` +
      `${windows} windows dragged and zoomed to: CPU of a step ${mean.toFixed(1)} ms, at most ${Math.max(...cpu).toFixed(1)} ms; long tasks ${listed(await tasks())}`,
  );
  await page.close();
}
await browser.close();
site.close();
