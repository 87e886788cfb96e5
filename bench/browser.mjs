// The same cases in headless Chromium: the built library on a page of its own. The file is chosen by an input, dropped
// on the page, copied into the page's private folder before (OPFS), or read from `xylem serve` on this machine.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { serve } from '../scripts/serve.mjs';

/** Where the page has the file from; `again`: from the server, of which an earlier visit has kept what it read. */
export const PLACES = ['chosen', 'dropped', 'opfs', 'loopback', 'again'];

const PAGE = `<!doctype html><meta charset="utf-8"><title>bench</title><input type="file"><p>Drop here</p>
<script type="module">
  import { createReader } from './index.js';
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' });
  let dropped;
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    dropped = event.dataTransfer.files[0];
  });
  const blobs = {
    chosen: () => document.querySelector('input').files[0],
    dropped: () => dropped,
    opfs: async () => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('bench.root', { create: true });
      await blobs.chosen().stream().pipeTo(await handle.createWritable());
      return handle.getFile();
    },
  };
  globalThis.readCase = async (place, name, tree, branches) => {
    const blob = await blobs[place]?.();
    const url = new URL('files/' + name, location.href).href;
    const source = blob ? { kind: 'blob', blob, name: blob.name } : { kind: 'url', url };
    const reader = createReader();
    // A page has started before a person has chosen a file; bench/page.mjs has the time from navigation on. A build that is
    // compared may have no such call.
    await reader.warm?.();
    await new Promise((done) => setTimeout(done, 1000));
    tasks.length = 0;
    const start = performance.now();
    const file = await reader.open(source);
    await reader.tree(file.id, tree);
    const opened = performance.now();
    const summaries = await reader.summarize(file.id, { tree, branches });
    const end = performance.now();
    const records = await reader.trace(file.id);
    // What is kept for the next visit is written before this ends.
    await reader.close(file.id);
    reader.terminate();
    const bad = summaries.find(({ error }) => error);
    if (bad) throw new Error(bad.error.message);
    const sums = Object.fromEntries(
      summaries.map(({ values, nans, sum }, i) => [branches[i], [values + nans, sum]]),
    );
    const longest_ms = tasks.reduce((most, { duration }) => Math.max(most, duration), 0);
    const times = { wall_s: end - start, open_s: opened - start };
    for (const name of Object.keys(times)) times[name] /= 1000;
    return { sums, ...times, longest_ms, records };
  };
</script>`;

/**
 * A copy of a built library whose `xylem serve` has the page of the bench and the library as its page.
 * @param {string} dist
 */
function buildSite(dist) {
  const site = mkdtempSync(join(tmpdir(), 'xylem-bench-site-'));
  const page = join(site, 'page');
  cpSync(dist, site, { recursive: true, filter: (path) => path !== join(dist, 'page') });
  mkdirSync(page);
  for (const { name } of readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isFile()))
    cpSync(join(dist, name), join(page, name));
  // Builds before this folder had all files at the top.
  const chunks = join(dist, 'chunks');
  if (existsSync(chunks)) cpSync(chunks, join(page, 'chunks'), { recursive: true });
  writeFileSync(join(page, 'index.html'), PAGE);
  return site;
}

/** @param {string} dist a built library @param {string} data folder of the files */
export async function openBrowser(dist, data) {
  const site = buildSite(dist);
  const server = await serve({ port: 0, file: data, command: join(site, 'cli/xylem.js') });
  const executablePath = findChromium();
  const profiles = mkdtempSync(join(tmpdir(), 'xylem-bench-profiles-'));
  let visits = 0;
  return {
    /**
     * @param {string} file @param {string} tree @param {string[]} branches @param {string} place
     * @returns {Promise<{ sums: Record<string, [number, number]>, wall_s: number, cpu_s: number,
     *   rss_mb: number, longest_ms: number, records: import('../web/node').ReadRecord[] }>}
     */
    async read(file, tree, branches, place) {
      // A profile on disk, as people have it: in a private window all storage is in memory.
      const context = await chromium.launchPersistentContext(
        join(profiles, String(visits++)),
        executablePath === undefined ? {} : { executablePath },
      );
      const session = await context.browser()?.newBrowserCDPSession();
      /** Seconds of all processes of the browser. */
      const cpu = async () => {
        const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
        return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
      };
      /** @param {string} from */
      const visit = async (from) => {
        const page = await context.newPage();
        await page.goto(server.url);
        await page.waitForFunction('globalThis.readCase');
        if (from === 'dropped') await drop(page, file);
        else if (from !== 'loopback') await page.setInputFiles('input', file);
        const before = await cpu();
        const result = await page.evaluate(
          ([from, name, tree, list]) =>
            /** @type {{ readCase: (place: string, name: string, tree: string, list: string[]) => Promise<any> }} */ (
              /** @type {unknown} */ (globalThis)
            ).readCase(from, name, tree, list),
          /** @type {[string, string, string, string[]]} */ ([from, basename(file), tree, branches]),
        );
        const cpu_s = (await cpu()) - before;
        await page.close();
        return { ...result, cpu_s, rss_mb: Number.NaN };
      };
      try {
        if (place !== 'again') return await visit(place);
        await visit('loopback');
        return await visit('loopback');
      } finally {
        await context.close();
      }
    },
    close() {
      server.close();
      for (const folder of [site, profiles]) rmSync(folder, { recursive: true });
    },
  };
}

/** @param {import('@playwright/test').Page} page @param {string} file */
async function drop(page, file) {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop']))
    await client.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
}
