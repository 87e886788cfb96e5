// Linked plots: npm run bench boards -- --help
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { runMain, StepError } from '../scripts/run.mjs';
import { serve } from '../scripts/serve.mjs';
import { mosaicPage } from './boards-mosaic.mjs';
import { settings } from './settings.mjs';

const help = `npm run bench boards -- --file FILE [--tree TREE] [--plots A,B,…] [--runs N] [--mosaic FOLDER --parquet FILE --columns A,B,…]

Opens a board of eight plots of FILE in the built page, in a new Chromium with an empty cache, and drags over each plot with
the mouse. Times are those of the browser's own timeline. bench/README.md tells how FILE is made. With --mosaic, the folder
in which "npm install @uwdata/mosaic-core @uwdata/mosaic-sql @duckdb/duckdb-wasm" was run, it does the same with Mosaic and
DuckDB-Wasm on the same columns as Parquet, in the same rounds.`;

const PLOTS = 'MET_s000,PV_s005,nJet,Generator_s008,Jet_pt,Jet_eta,Jet_mass,Muon_pt';
/** The axes of these plots, for Mosaic, which does not choose them. */
const AXES = '-4:390,-54:5800,-1:20,-4:4,0:350,-3:3,-2:160,0:380';
/** Moves of a drag, one each frame: two seconds. */
const MOVES = 120;

/** Serves a file by ranges, and counts the bytes of each place that were sent. */
async function countingServer(/** @type {string} */ path) {
  const { size } = await stat(path);
  /** @type {[from: number, to: number][]} */
  const sent = [];
  const server = createServer((request, response) => {
    const head = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': '*',
      'Accept-Ranges': 'bytes',
    };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = from === undefined ? [0, size - 1] : [Number(from), Math.min(Number(to), size - 1)];
    if (request.method === 'HEAD' || from === undefined) {
      response.writeHead(200, { ...head, 'Content-Length': size });
      if (request.method === 'HEAD') return response.end();
    } else
      response.writeHead(206, {
        ...head,
        'Content-Length': end - start + 1,
        'Content-Range': `bytes ${start}-${end}/${size}`,
      });
    sent.push([start, end + 1]);
    return createReadStream(path, { start, end }).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/${path.split('/').pop()}`,
    /** Bytes that were sent, and bytes that were sent more than once. */
    counted() {
      const sorted = [...sent].sort(([a], [b]) => a - b);
      let [bytes, twice, end] = [0, 0, 0];
      for (const [from, to] of sorted) {
        bytes += to - from;
        twice += Math.max(0, Math.min(end, to) - from);
        end = Math.max(end, to);
      }
      return { requests: sent.length, bytes, twice };
    },
    close: () => server.close(),
  };
}

const share = (/** @type {number[]} */ values, /** @type {number} */ part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ??
  Number.NaN;

/**
 * Drags over each plot.
 * @param {import('@playwright/test').Page} page
 * @param {string} stages a selector of the places where plots are drawn
 * @param {number} rest time for which the pointer rests before a drag, as a hand does, in ms
 */
async function dragAll(page, stages, rest) {
  const count = await page.locator(stages).count();
  /** @type {{ plot: number, moves: number[], longest: number, late: number }[]} */
  const drags = [];
  for (let plot = 0; plot < count; plot++) {
    const stage = page.locator(stages).nth(plot);
    await stage.scrollIntoViewIfNeeded();
    const box = await stage.boundingBox();
    if (!box) throw new StepError(`Plot ${plot} is not there.`);
    const [from, to] = [box.x + 0.25 * box.width, box.x + 0.8 * box.width];
    const y = box.y + 0.4 * box.height;
    await page.mouse.move(from, y);
    await page.waitForTimeout(rest);
    await page.evaluate(() => {
      for (const name of ['benchMoves', 'benchTasks']) Reflect.get(globalThis, name).splice(0);
    });
    await page.mouse.down();
    const start = performance.now();
    for (let move = 1; move <= MOVES; move++) {
      await page.mouse.move(from + ((to - from) * move) / MOVES, y);
      const left = start + (move * 1000) / 60 - performance.now();
      if (left > 0) await new Promise((done) => setTimeout(done, left));
    }
    await page.waitForTimeout(300);
    const { benchMoves: moves, benchTasks: tasks } = await page.evaluate(collected);
    await page.mouse.up();
    await page.waitForTimeout(1500);
    drags.push({ plot, moves, longest: Math.max(0, ...tasks), late: MOVES - moves.length });
  }
  return drags;
}

/** Collects what the browser's timeline has: moves, and tasks over 50 ms. Runs in the page. */
function watch() {
  /** @type {number[]} */
  const benchMoves = [];
  /** @type {number[]} */
  const benchTasks = [];
  Object.assign(globalThis, { benchMoves, benchTasks });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntriesByName('board move')) benchMoves.push(duration);
  }).observe({ type: 'measure' });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) benchTasks.push(duration);
  }).observe({ type: 'longtask' });
}

/** Returns the times that `watch` has collected, in the page. */
const collected = () => {
  const { benchMoves, benchTasks } = /** @type {{ benchMoves: number[], benchTasks: number[] }} */ (
    /** @type {unknown} */ (globalThis)
  );
  return { benchMoves, benchTasks };
};

/** Waits until a board shows all entries. @param {import('@playwright/test').Page} page @param {number} count */
async function boardReady(page, count) {
  await page
    .locator('.board-plot')
    .nth(count - 1)
    .waitFor({ timeout: 180_000 });
  await page.waitForFunction(
    () => !document.body.innerText.includes('The others are being read'),
    undefined,
    {
      timeout: 180_000,
    },
  );
}

/**
 * @param {import('@playwright/test').Browser} browser @param {string} address
 * @param {(page: import('@playwright/test').Page) => Promise<void>} ready
 * @param {string} stages a selector of the places where plots are drawn
 */
async function visit(browser, address, ready, stages) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, serviceWorkers: 'block' });
  await page.addInitScript(watch);
  await page.goto(address);
  await ready(page);
  const plots = await page.evaluate(() => performance.now());
  // The first brush: the pointer comes, presses at once and moves, until all plots show what is selected.
  const box = await page.locator(stages).first().boundingBox();
  if (!box) throw new StepError('There is no plot.');
  const before = await page.evaluate(() => performance.now());
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.4 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.4 * box.height, { steps: 4 });
  await page.waitForFunction(() => Reflect.get(globalThis, 'benchMoves').length > 0, undefined, {
    ...{ timeout: 60_000, polling: 20 },
  });
  const first = (await page.evaluate(() => performance.now())) - before;
  await page.mouse.up();
  await page.waitForTimeout(1500);
  const { benchTasks } = await page.evaluate(collected);
  const drags = await dragAll(page, stages, 800);
  await page.close();
  return { plots, first, drags, longest: Math.max(0, ...benchTasks, ...drags.map(({ longest }) => longest)) };
}

/** @param {string} name @param {Awaited<ReturnType<typeof visit>>[]} runs */
function line(name, runs) {
  const median = (/** @type {number[]} */ values) => share(values, 0.5);
  const moves = runs.flatMap(({ drags }) => drags.flatMap((drag) => drag.moves));
  const cells = [
    name,
    (median(runs.map(({ plots }) => plots)) / 1000).toFixed(2),
    (median(runs.map(({ first }) => first)) / 1000).toFixed(2),
    share(moves, 0.5).toFixed(1),
    share(moves, 0.95).toFixed(1),
    Math.max(...moves).toFixed(0),
    String(moves.length),
    String(runs.flatMap(({ drags }) => drags).reduce((sum, { late }) => sum + Math.max(0, late), 0)),
    Math.max(...runs.map(({ longest }) => longest)).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

await runMain(async () => {
  const given = settings(help, {
    file: 'build/bench/boards.root',
    tree: 'Events',
    plots: PLOTS,
    runs: '3',
    axes: AXES,
    columns: undefined,
    mosaic: undefined,
    parquet: undefined,
    json: undefined,
  });
  const plots = given.plots.split(',');
  const file = await countingServer(given.file);
  const site = await serve({ port: 0 });
  const executablePath = findChromium();
  const launch = () =>
    chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  const axes = given.axes.split(',').map((axis) => {
    const [low = 0, high = 1] = axis.split(':').map(Number);
    return /** @type {const} */ ([low, high]);
  });
  const columns = (given.columns ?? given.plots).split(',');
  const mosaic =
    given.mosaic === undefined
      ? undefined
      : await mosaicPage(given.mosaic, given.parquet ?? '', { columns, axes });
  const show = new URLSearchParams(plots.map((plot) => ['plot', plot]));
  const query = new URLSearchParams({
    url: file.url,
    tree: given.tree,
    view: 'board',
    show: String(show),
  });
  const [own, other] = [[], []].map(() => /** @type {Awaited<ReturnType<typeof visit>>[]} */ ([]));
  /** @type {ReturnType<typeof file.counted> | undefined} */
  let bytes;
  try {
    for (let run = 0; run < Number(given.runs); run++) {
      const browser = await launch();
      own?.push(
        await visit(
          browser,
          `${site.url}?${query}`,
          (page) => boardReady(page, plots.length),
          '.board-stage',
        ),
      );
      bytes ??= file.counted();
      await browser.close();
      if (!mosaic) continue;
      const second = await launch();
      other?.push(await visit(second, mosaic.url, mosaic.ready, 'canvas'));
      await second.close();
    }
  } finally {
    file.close();
    site.close();
    await mosaic?.close();
  }
  process.stdout.write(
    '| | plots, s | first brush, s | move p50, ms | p95 | most | moves | not painted | longest task, ms |\n|---|---|---|---|---|---|---|---|---|\n',
  );
  process.stdout.write(`${line('xylem', own ?? [])}\n`);
  if (mosaic) process.stdout.write(`${line('Mosaic and DuckDB-Wasm', other ?? [])}\n`);
  process.stdout.write(
    `xylem read ${((bytes?.bytes ?? 0) / 1e6).toFixed(1)} MB in ${bytes?.requests} requests, ${((bytes?.twice ?? 0) / 1e6).toFixed(2)} MB of them twice\n`,
  );
  for (const [plot, name] of plots.entries()) {
    const moves = (own ?? []).flatMap(({ drags }) => drags[plot]?.moves ?? []);
    process.stdout.write(`  ${name}: p95 ${share(moves, 0.95).toFixed(1)} ms of ${moves.length} moves\n`);
  }
});
