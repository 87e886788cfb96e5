// The start of the page and its first histogram: npm run bench page -- --help
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { root, runMain } from '../scripts/run.mjs';
import { serve } from '../scripts/serve.mjs';
import { traceTasks } from './page-tasks.mjs';
import { sendRange } from './serve-file.mjs';
import { settings } from './settings.mjs';

const help = `npm run bench page -- [--file FILE --tree TREE --draw EXPR] [--json OUT]

Opens the built page in a new Chromium with an empty cache, from a server that has just started, and reads what Chromium's
own tracing says: first paint, tasks of the main thread over 50 ms, and what was loaded. With a FILE, it also draws a branch
of it, from an address and as a chosen file, and counts the long tasks meanwhile.`;

const longTask = 50;

/** @param {string} path */
async function serveFile(path) {
  const server = createServer((request, response) => sendRange(path, request, response));
  await new Promise((settle) => server.listen(0, '127.0.0.1', () => settle(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/file.root`, close: () => server.close() };
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} address
 * @param {(page: import('@playwright/test').Page) => Promise<void>} ready
 */
async function visit(browser, address, ready) {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  /** @type {string[]} */
  const loaded = [];
  page.on('response', (response) => loaded.push(new URL(response.url()).pathname));
  let paint = Number.NaN;
  let readyMs = Number.NaN;
  const tasks = await traceTasks(browser, page, async () => {
    await page.goto(address);
    await ready(page);
    readyMs = await page.evaluate(() => performance.now());
    paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
  });
  await page.close();
  const long = tasks.filter(({ wall }) => wall > longTask).sort((a, b) => b.wall - a.wall);
  return {
    firstPaintMs: Math.round(paint),
    readyMs: Math.round(readyMs),
    longTasksMs: long.map(({ wall }) => Math.round(wall)),
    mostCpuMs: Math.round(Math.max(...tasks.map(({ cpu }) => cpu))),
    loaded,
  };
}

/** @param {string[]} paths @param {RegExp} kind */
async function gzipped(paths, kind) {
  let sum = 0;
  for (const path of new Set(paths.filter((one) => kind.test(one)))) {
    sum += gzipSync(await readFile(join(root, 'dist/page', path)), { level: 9 }).length;
  }
  return sum;
}

await runMain(async () => {
  const given = settings(help, { file: undefined, tree: undefined, draw: undefined, json: undefined });
  const site = await serve({ port: 0 });
  const file = given.file === undefined ? undefined : await serveFile(given.file);
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const start = await visit(browser, site.url, (page) => page.locator('.start').waitFor());
    /** @type {Record<string, unknown>} */
    const report = {
      firstPaintMs: start.firstPaintMs,
      longTasksMs: start.longTasksMs,
      mostCpuMs: start.mostCpuMs,
      pageScriptsGzip: await gzipped(start.loaded, /assets\/(?!.*worker).*\.js$/),
      workerGzip: await gzipped(start.loaded, /worker.*\.js$/),
      wasmGzip: await gzipped(start.loaded, /\.wasm$/),
      stylesGzip: await gzipped(start.loaded, /\.css$/),
    };
    if (file !== undefined) {
      const query = new URLSearchParams({
        url: file.url,
        tree: given.tree ?? 'Events',
        draw: given.draw ?? '',
      });
      const drawn = await visit(browser, `${site.url}?${query}`, async (page) => {
        await page.locator('.plot canvas').first().waitFor({ timeout: 120_000 });
        await page.locator('.status .reads').waitFor({ timeout: 120_000 });
      });
      const local = await visit(browser, site.url, async (page) => {
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles(given.file ?? '');
        for (const name of [given.tree ?? 'Events', given.draw ?? '']) {
          await page.getByRole('searchbox', { name: 'Filter the contents' }).fill(name);
          const label = page.locator('.label').getByText(name, { exact: true });
          await page.getByRole('treeitem').filter({ has: label }).first().click();
        }
        await page.locator('.plot canvas').first().waitFor({ timeout: 120_000 });
      });
      report.drawing = { longTasksMs: drawn.longTasksMs, mostCpuMs: drawn.mostCpuMs };
      report.firstHistogramMs = { remote: drawn.readyMs, local: local.readyMs };
    }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (given.json !== undefined) await writeFile(given.json, JSON.stringify(report));
  } finally {
    await browser.close();
    site.close();
    file?.close();
  }
});
