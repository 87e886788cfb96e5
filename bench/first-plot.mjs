// Bytes and time until the first plot, over links: npm run bench first-plot -- --help
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { root, runMain } from '../scripts/run.mjs';
import { keep } from './history.mjs';
import { settings } from './settings.mjs';
import { started } from './wan-links.mjs';

const help = `npm run bench first-plot -- [--dist FOLDER,FOLDER] [--links none,F,E] [--runs 5] [--parts]

Opens a page with the element, and the built page, in a new Chromium with an empty cache, and draws Muon_pt of the sample. The
server compresses by gzip. Prints the bytes of scripts, styles and modules until the plot is there, and the time from navigation to the
plot, for each build in turns. Links are those of the tables of networks; F has a round trip of 72 ms and 8 Mb/s, E 22 ms and 100 Mb/s.

  --dist    folders as dist/ of a build; default: dist
  --parts   prints each file, compressed`;

/** Round trip in ms and Mb/s. @type {Record<string, [number, number]>} */
const LINKS = { none: [0, 0], F: [72, 8], E: [22, 100] };

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

const ELEMENT = `<!doctype html><html lang="en"><title>Portal</title><link rel="icon" href="data:,">
<script type="module" src="/xylem-viewer.js"></script>
<xylem-viewer src="/page/sample.root" tree="Events" draw="Muon_pt" view="plot"></xylem-viewer></html>`;

/**
 * Serves a build compressed, as a server of files does, and its sample by ranges.
 * @param {string} dist
 */
async function serveBuild(dist) {
  /** @type {Map<string, number>} */
  const sent = new Map();
  /** @type {Map<string, Buffer>} */
  const compressed = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    if (path.endsWith('.root')) {
      const bytes = readFileSync(join(dist, path));
      const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
      const end = Math.min(to === '' ? bytes.length : Number(to) + 1, bytes.length);
      response.writeHead(206, { 'Content-Range': `bytes ${from}-${end - 1}/${bytes.length}`, ETag: '"1"' });
      response.end(bytes.subarray(Number(from), end));
      return;
    }
    try {
      const name = path === '/' ? 'element.html' : path === '/page/' ? 'page/index.html' : path.slice(1);
      const body =
        compressed.get(name) ??
        gzipSync(path === '/' ? ELEMENT : readFileSync(join(dist, name)), { level: 9 });
      compressed.set(name, body);
      sent.set(name, body.length);
      response.writeHead(200, {
        'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
        'Content-Encoding': 'gzip',
        'Content-Length': body.length,
        'Cache-Control': 'max-age=3600',
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((settle) => server.listen(0, '127.0.0.1', () => settle(undefined)));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    sent,
    close: () => server.close(),
  };
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

await runMain(async () => {
  const given = settings(help, { dist: join(root, 'dist'), links: 'none,F,E', runs: '5', parts: false });
  const executablePath = findChromium();
  const builds = await Promise.all(
    given.dist.split(',').map(async (dist) => ({ dist, site: await serveBuild(dist) })),
  );
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  console.log('| build | link | what | files | kB by gzip | until the plot, ms |\n|---|---|---|---|---|---|');
  /** @type {Record<string, object>} */
  const figures = {};
  try {
    for (const link of given.links.split(',')) {
      const [rtt, mbps] = LINKS[link] ?? [0, 0];
      /** @type {Map<string, { ms: number[], files: Map<string, number> }>} */
      const results = new Map();
      for (let run = 0; run < Number(given.runs); run++)
        for (const { dist, site } of builds)
          for (const [what, path] of [
            ['element', '/'],
            ['page', '/page/?url=/page/sample.root&tree=Events&draw=Muon_pt'],
          ]) {
            const proxy =
              rtt > 0
                ? await started([
                    join(root, 'bench/link-proxy.mjs'),
                    '127.0.0.1',
                    `${site.port}`,
                    `${rtt}`,
                    `${mbps}`,
                  ])
                : undefined;
            site.sent.clear();
            const context = await browser.newContext({ serviceWorkers: 'block' });
            const page = await context.newPage();
            await page.goto(`http://127.0.0.1:${proxy?.line ?? site.port}${path}`, { waitUntil: 'commit' });
            await page.locator('.plot canvas').first().waitFor({ timeout: 120_000 });
            const ms = await page.evaluate(() => performance.now());
            const files = new Map(site.sent);
            await context.close();
            proxy?.child.kill();
            const key = `${dist}|${what}`;
            const found = results.get(key) ?? { ms: [], files };
            found.ms.push(ms);
            results.set(key, found);
          }
      for (const [key, { ms, files }] of results) {
        const [dist, what] = key.split('|');
        const sum = [...files.values()].reduce((all, one) => all + one, 0);
        console.log(
          `| ${dist} | ${link} | ${what} | ${files.size} | ${(sum / 1000).toFixed(1)} | ${Math.round(median(ms))} |`,
        );
        figures[`${what}, ${link}${builds.length > 1 ? `, ${dist}` : ''}`] = {
          kB: sum / 1000,
          ms: median(ms),
        };
        if (given.parts)
          for (const [name, size] of [...files].sort((a, b) => b[1] - a[1]))
            console.log(`    ${size} ${name}`);
      }
    }
  } finally {
    await browser.close();
    for (const { site } of builds) site.close();
  }
  keep('first-plot', figures, false);
});
