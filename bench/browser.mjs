// The same cases in headless Chromium: the built library on a page of its own, the file chosen by its input.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';

const PAGE = `<!doctype html><meta charset="utf-8"><title>bench</title><input type="file">
<script type="module">
  import { createByteReader } from './index.js';
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' });
  globalThis.readCase = async (tree, branches) => {
    const blob = document.querySelector('input').files[0];
    const reader = createByteReader();
    tasks.length = 0;
    const start = performance.now();
    const file = await reader.open({ kind: 'blob', blob, name: blob.name });
    await reader.tree(file.id, tree);
    const opened = performance.now();
    const summaries = await reader.summarize(file.id, { tree, branches });
    const end = performance.now();
    reader.terminate();
    const bad = summaries.find(({ error }) => error);
    if (bad) throw new Error(bad.error.message);
    const sums = Object.fromEntries(
      summaries.map(({ values, nans, sum }, i) => [branches[i], [values + nans, sum]]),
    );
    const longest_ms = tasks.reduce((most, { duration }) => Math.max(most, duration), 0);
    return { sums, wall_s: (end - start) / 1000, open_s: (opened - start) / 1000, longest_ms };
  };
</script>`;

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** @param {string} root */
export async function openBrowser(root) {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') {
      response.setHeader('Content-Type', 'text/html').end(PAGE);
      return;
    }
    const ending = /** @type {'.js' | '.wasm'} */ (url.slice(url.lastIndexOf('.')));
    try {
      const bytes = await readFile(join(root, 'dist', url.replaceAll('..', '')));
      response.setHeader('Content-Type', TYPES[ending] ?? 'text/plain').end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const executablePath = findChromium();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  return {
    /**
     * @param {string} path @param {string} tree @param {string[]} branches
     * @returns {Promise<{ sums: Record<string, [number, number]>, wall_s: number, cpu_s: number, rss_mb: number, longest_ms: number }>}
     */
    async read(path, tree, branches) {
      const page = await browser.newPage();
      try {
        await page.goto(`http://127.0.0.1:${port}/`);
        await page.setInputFiles('input', path);
        await page.waitForFunction('globalThis.readCase');
        const result = await page.evaluate(
          ([name, list]) =>
            /** @type {{ readCase: (tree: string, branches: string[]) => Promise<any> }} */ (
              /** @type {unknown} */ (globalThis)
            ).readCase(name, list),
          /** @type {[string, string[]]} */ ([tree, branches]),
        );
        return { ...result, cpu_s: Number.NaN, rss_mb: Number.NaN };
      } finally {
        await page.close();
      }
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
