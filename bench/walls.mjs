// Walls over a slow link: npm run bench walls -- --help
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { serve } from '../scripts/serve.mjs';
import { keep } from './history.mjs';
import { needFiles, root, settings } from './settings.mjs';
import { httpLinks } from './wan-links.mjs';

const help = `npm run bench walls -- [--data FOLDER] [--file NAME] [--tree NAME --branches N] [--link MS,MBPS] [--runs N]

Without --tree: all objects of a file as a wall in the built page in headless Chromium, and by JSROOT (node_modules, or
JSROOT=FOLDER), which reads all at once and draws each into a place of the same size. The wall is gone through by Page Down
as soon as a screen is painted.
With --tree: N of its branches, evenly taken, as one \`xylem wall\`, and drawn one by one: by one reader (the library), and
with --commands by as many \`xylem draw\`.

  --data FOLDER    the files; default build/bench
  --plots N        how many the file has; default 1000
  --link MS,MBPS   a round trip and the bandwidth; default 22,100, the link E of the table of wan
  --runs N         default 3; medians`;

const given = settings(help, {
  file: 'th1-1000.root',
  tree: undefined,
  plots: '1000',
  branches: '200',
  commands: false,
  link: '22,100',
  runs: '3',
});
const path = join(given.data, given.file);
needFiles(given.data, [given.file.replace(/\.root$/, '')], help);
const [rtt = 22, mbps = 100] = given.link.split(',').map(Number);
const links = await httpLinks(given.data);
const base = await links.use(rtt, mbps);
const url = new URL(given.file, base).href;
const cli = join(root, 'dist/cli/xylem.js');

/** @typedef {{ first?: number, wall: number, cpu?: number, requests: number, MB: number }} Figures */

/** Runs what is measured; adds the requests and bytes of the link. @param {() => Promise<Partial<Figures>>} run */
async function measured(run) {
  await fetch(`${base}__stats?reset`);
  const began = performance.now();
  const own = await run();
  const wall = (performance.now() - began) / 1000;
  const { requests, bytes } = JSON.parse(await (await fetch(`${base}__stats`)).text());
  return { wall, ...own, requests, MB: bytes / 1e6 };
}

/** Seconds of CPU of a program of Node with its threads. @param {string[]} args */
async function program(args) {
  const child = spawn('bash', [
    '-c',
    'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2>&1',
    'bash',
    process.execPath,
    ...args,
  ]);
  let text = '';
  child.stderr.on('data', (more) => {
    text += more;
  });
  const status = await new Promise((done) => child.once('exit', done));
  if (status !== 0) throw new Error(`${args.join(' ').slice(0, 200)} failed`);
  return {
    cpu: text
      .trim()
      .split(/\s+/)
      .reduce((sum, seconds) => sum + Number(seconds), 0),
  };
}

/** Names of branches of numbers and texts, evenly taken from all. @param {string} tree */
async function branchNames(tree) {
  const { openRoot } = await import(join(root, 'dist/node.js'));
  const file = await openRoot(path);
  const { branches } = (await file.tree(tree)).info;
  const names = branches
    .filter((/** @type {{ kind: string }} */ { kind }) => kind === 'number' || kind === 'string')
    .map((/** @type {{ path: string }} */ one) => one.path);
  await file.close();
  const count = Math.min(Number(given.branches), names.length);
  return Array.from({ length: count }, (_, i) => names[Math.floor((i * names.length) / count)]);
}

const single = `
import { openRoot } from ${JSON.stringify(join(root, 'dist/node.js'))};
const [url, tree, ...names] = process.argv.slice(1);
const file = await openRoot(url);
const opened = await file.tree(tree);
for (const name of names) await opened.draw(name);
await file.close();`;

/** @param {string} tree @returns {Promise<Record<string, () => Promise<Partial<Figures>>>>} */
async function treeCases(tree) {
  const names = await branchNames(tree);
  /** @type {Record<string, () => Promise<Partial<Figures>>>} */
  const cases = {
    [`wall of ${names.length}`]: () =>
      program([cli, 'wall', url, '--no-cache', '--tree', tree, ...names, '--html', '-']),
    'one by one, one reader': () => program(['--input-type=module', '-e', single, url, tree, ...names]),
  };
  if (given.commands) {
    cases['one by one, one command each'] = async () => {
      let cpu = 0;
      for (const name of names)
        cpu += (await program([cli, 'draw', url, tree, name, '--no-cache', '--json'])).cpu;
      return { cpu };
    };
  }
  return cases;
}

/** Serves JSROOT, and a page that draws all of a file with it. */
async function jsrootSite() {
  const folder = process.env.JSROOT ?? join(root, 'node_modules/jsroot');
  const page = readFileSync(join(root, 'bench/peers/wall_jsroot.html'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      return;
    }
    const file = join(folder, pathname);
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = /^\.m?js$/.test(extname(file)) ? 'text/javascript' : 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    close: () => server.close(),
  };
}

/** In the page: plots that are painted and places in the document, and the numbers of the painted ones. */
const look = () => {
  const places = [...globalThis.document.querySelectorAll('.wall-place, .place')];
  const done = places.filter((place) => place.querySelector('canvas, svg'));
  const numbers = done.map((place) => Number(place.getAttribute('data-index') ?? places.indexOf(place)));
  return { places: places.length, numbers };
};

/**
 * Opens a page and goes through it until all plots were painted, those of a wall that scrolls screen by screen.
 * @param {string} address @param {number} all @returns {Promise<Partial<Figures>>}
 */
async function visit(address, all) {
  const executablePath = findChromium();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
    const began = performance.now();
    await page.goto(address);
    const seen = new Set();
    let first = Number.NaN;
    for (;;) {
      const { places, numbers } = await page.evaluate(look);
      const now = (performance.now() - began) / 1000;
      for (const number of numbers) seen.add(number);
      if (numbers.length > 0 && Number.isNaN(first)) first = now;
      if (seen.size >= all) return { first, wall: now };
      if (now > 240) throw new Error(`only ${seen.size} of ${all} plots`);
      if (places > 0 && places === numbers.length && places < all) {
        await page.locator('.wall-place[tabindex="0"]').focus();
        await page.keyboard.press('PageDown');
      }
      await page.waitForTimeout(20);
    }
  } finally {
    await browser.close();
  }
}

async function fileCases() {
  const all = Number(given.plots);
  const [site, jsroot] = [await serve({ port: 0 }), await jsrootSite()];
  const ours = `${site.url}?${new URLSearchParams({ url, view: 'wall', items: '**' })}`;
  const theirs = `${jsroot.url}?${new URLSearchParams({ url })}`;
  const close = () => [site, jsroot].map((one) => one.close());
  return { cases: { xylem: () => visit(ours, all), JSROOT: () => visit(theirs, all) }, close };
}

const { cases, close } = given.tree
  ? { cases: await treeCases(given.tree), close: () => [] }
  : await fileCases();
/** @type {Record<string, Figures[]>} */
const all = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let run = 0; run < Number(given.runs); run++) {
  for (const [name, act] of Object.entries(cases)) all[name]?.push(await measured(act));
}
const table = Object.entries(all).map(([name, runs]) => {
  /** @type {Record<string, string | number>} */
  const line = { name };
  for (const what of Object.keys(runs[0] ?? {})) {
    const values = runs
      .map((one) => one[/** @type {keyof Figures} */ (what)] ?? Number.NaN)
      .sort((a, b) => a - b);
    line[what] = Number((values[Math.floor(values.length / 2)] ?? Number.NaN).toPrecision(3));
  }
  return line;
});
console.table(table);
keep('walls', Object.fromEntries(table.map(({ name, ...figures }) => [String(name), figures])), false);
close();
links.stop();
