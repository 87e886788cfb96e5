// The page of bench/boards.mjs with Mosaic and DuckDB-Wasm: the same plots, brushed with the same mouse. Mosaic comes from a folder in
// which npm has installed it; the product knows nothing of it.
import { createReadStream } from 'node:fs';
import { cp, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { build } from 'vite';
import { StepError } from '../scripts/run.mjs';

const PAGE = `<!doctype html><meta charset="utf-8"><title>mosaic</title>
<style>body{margin:8px;display:grid;grid-template-columns:repeat(3,1fr);gap:12px;font:14px sans-serif} figure{margin:0} canvas{width:100%;height:210px;display:block}</style>
<script type="module" src="page.js"></script>`;

/** The script of the page. Each plot is a client of Mosaic with a query of its bins, and a brush of its selection. */
const SCRIPT = `
import { Coordinator, wasmConnector, MosaicClient, Selection, clauseInterval } from '@uwdata/mosaic-core';
import { Query, count, column, sql } from '@uwdata/mosaic-sql';
import * as duckdb from '@duckdb/duckdb-wasm';
const { columns, axes } = await (await fetch('plots.json')).json();
const worker = new Worker('duckdb/duckdb-browser-eh.worker.js');
const db = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
await db.instantiate(new URL('duckdb/duckdb-eh.wasm', location.href).href);
const connection = await db.connect();
await db.registerFileURL('data.parquet', new URL('data.parquet', location.href).href, duckdb.DuckDBDataProtocol.HTTP, false);
const mc = new Coordinator(wasmConnector({ duckdb: db, connection }));
const names = columns.map((name, i) => '"' + name + '" AS c' + i).join(', ');
await mc.exec('CREATE TABLE t AS SELECT ' + names + ' FROM read_parquet("data.parquet")');
const selection = Selection.crossfilter();
const BINS = 100;
let asked = 0, event = 0;
const shown = new Map();
class Bins extends MosaicClient {
  constructor(i, canvas) {
    super(selection);
    Object.assign(this, { i, canvas, all: undefined });
  }
  query(filter = []) {
    const [low, high] = axes[this.i];
    const bin = sql\`floor((\${column('c' + this.i)} - \${low}) * \${BINS / (high - low)})\`;
    return Query.from('t').select({ bin, n: count() }).groupby('bin').where(filter);
  }
  queryResult(data) {
    const bins = new Float64Array(BINS);
    for (const { bin, n } of data) if (bin >= 0 && bin < BINS) bins[bin] += Number(n);
    this.all ??= bins;
    const { canvas } = this;
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, canvas.width, canvas.height);
    const top = Math.max(...this.all);
    for (const [values, colour] of [[this.all, '#ddd'], [bins, '#06a']]) {
      context.fillStyle = colour;
      values.forEach((value, k) => {
        const height = (value / top) * canvas.height;
        context.fillRect((k * canvas.width) / BINS, canvas.height - height, canvas.width / BINS, height);
      });
    }
    shown.set(this.i, asked);
    const others = clients.filter((one) => one !== brushed);
    if (event > 0 && others.every(({ i }) => shown.get(i) === asked)) {
      performance.measure('board move', { start: event });
      event = 0;
    }
    if (shown.size === columns.length) document.body.dataset.ready = 'yes';
    return this;
  }
}
let brushed;
const clients = columns.map((_, i) => {
  const figure = document.body.appendChild(document.createElement('figure'));
  const canvas = figure.appendChild(document.createElement('canvas'));
  [canvas.width, canvas.height] = [400, 210];
  const client = new Bins(i, canvas);
  const [low, high] = axes[i];
  const valueAt = ({ clientX }) => {
    const { left, width } = canvas.getBoundingClientRect();
    return low + ((high - low) * Math.min(width, Math.max(0, Math.round(clientX - left)))) / width;
  };
  const clause = (value) =>
    clauseInterval(column('c' + i), value, {
      source: client, clients: new Set([client]), pixelSize: 1,
      scale: { type: 'linear', domain: [low, high], range: [0, canvas.getBoundingClientRect().width] },
    });
  let from;
  canvas.addEventListener('pointerenter', () => selection.activate(clause([low, high])));
  canvas.addEventListener('pointerdown', (at) => {
    canvas.setPointerCapture(at.pointerId);
    from = valueAt(at);
    brushed = client;
  });
  canvas.addEventListener('pointermove', (at) => {
    if (from === undefined) return;
    const to = valueAt(at);
    asked++;
    event = at.timeStamp;
    selection.update(clause([Math.min(from, to), Math.max(from, to)]));
  });
  canvas.addEventListener('pointerup', () => {
    from = undefined;
    event = 0;
    selection.update(clause(null));
  });
  return client;
});
for (const client of clients) mc.connect(client);
`;

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/**
 * @param {string} folder where npm has installed Mosaic
 * @param {string} parquet the columns, in the order of the plots
 * @param {{ columns: string[], axes: (readonly [number, number])[] }} plots
 */
export async function mosaicPage(folder, parquet, plots) {
  const site = await mkdtemp(join(tmpdir(), 'xylem-bench-mosaic-'));
  await symlink(resolve(folder, 'node_modules'), join(site, 'node_modules'));
  await writeFile(join(site, 'entry.js'), SCRIPT);
  await build({
    ...{ root: site, configFile: false, logLevel: 'error' },
    build: {
      ...{ outDir: join(site, 'out'), target: 'esnext', minify: false },
      lib: { entry: join(site, 'entry.js'), formats: ['es'], fileName: () => 'page.js' },
    },
  });
  await writeFile(join(site, 'out/index.html'), PAGE);
  await writeFile(join(site, 'out/plots.json'), JSON.stringify(plots));
  await cp(resolve(folder, 'node_modules/@duckdb/duckdb-wasm/dist'), join(site, 'out/duckdb'), {
    recursive: true,
  });
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const name = path === '/data.parquet' ? parquet : join(site, 'out', path === '/' ? 'index.html' : path);
    const found = await stat(name).catch(() => undefined);
    if (!found?.isFile()) return response.writeHead(404).end();
    const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(name))] ?? 'application/octet-stream';
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(to ? Number(to) : found.size - 1, found.size - 1);
    const range = from === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${found.size}` };
    response.writeHead(from === undefined ? 200 : 206, {
      ...{ 'Content-Type': type, 'Accept-Ranges': 'bytes', 'Content-Length': end - start + 1 },
      ...range,
    });
    if (request.method === 'HEAD') return response.end();
    return createReadStream(name, { start, end }).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  return {
    url,
    /** @param {import('@playwright/test').Page} page */
    async ready(page) {
      page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
      await page.waitForFunction(() => document.body.dataset.ready === 'yes', undefined, {
        timeout: 180_000,
      });
      if ((await page.locator('canvas').count()) !== plots.columns.length)
        throw new StepError('Plots are missing.');
    },
    async close() {
      server.close();
      await rm(site, { recursive: true });
    },
  };
}
