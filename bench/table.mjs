// All aims of speed in one table: npm run bench -- --record
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIGURES, keep, newest } from './history.mjs';
import { root, settings } from './settings.mjs';

const help = `npm run bench table | -- --record [OPTIONS]

Runs the benchmarks that stand beside an aim, and prints all aims in one table: what is measured, in units of what, the aim, and the
figure of the newest record. A figure that is over 5 % worse than that is told again below the table, with the commits between.
Each benchmark checks that values are equal to those of its peers.

  --record         adds a line to bench/history.jsonl: the checkout has to be committed
  --data FOLDER    the files of bench/data/make.py, small.py, and adl.root of tests/fixtures/make_adl.py
  --only TEXT      rows that contain the text
  --runs N         rounds; default 3
  --hadd PROGRAM   default hadd
  --node PROGRAM   a Node for the rows of small commands; default: this one
ORACLE_PYTHON has ROOT and uproot; bench/peers/build.sh has been run. A row that cannot be measured says why.`;

const given = settings(help, {
  record: false,
  only: '',
  runs: '3',
  hadd: 'hadd',
  node: process.execPath,
});

/** @typedef {Record<string, any>} Figures by case, as a benchmark keeps them */
/**
 * A row: smaller figures are better.
 * @typedef {{ what: string, unit: string, aim: number | undefined, bench: string, args?: string[], figure: (figures: Figures) => number }} Row
 */

const QUERIES = 'CPU of compiled RDataFrame';
const RTT = 0.022;
const LINK_E = 100 / 8;

/** @param {string} label @param {string[]} inputs @returns {Row} */
const merged = (label, inputs) => ({
  what: `merge, ${label}`,
  unit: 'CPU of hadd',
  aim: 1,
  bench: 'merge',
  args: ['--hadd', given.hadd, ...inputs],
  figure: ({ hadd }) => 1 / hadd.cpu_of_first,
});

/** @param {string} command @returns {Row} */
const small = (command) => ({
  what: `xylem ${command}, h1like.root`,
  unit: 'ms of CPU over an empty Node',
  aim: 40,
  bench: 'start',
  args: [
    ...['--file', join(given.data, 'h1like.root'), '--tree', 'h42', '--branch', 'nentry'],
    ...['--node', given.node],
  ],
  figure: (figures) => (figures[`xylem ${command}`].cpu_s - figures['empty program'].cpu_s) * 1000,
});

/** @param {string} what @param {string} unit @param {number | undefined} aim @param {string} key @param {string} of @returns {Row} */
const columns = (what, unit, aim, key, of) => ({
  ...{ what, unit, aim, bench: 'columns' },
  args: ['--only', 'nano-rntuple/all', '--how', 'chunks,parquet', '--uproot'],
  figure: (figures) => figures[key][of],
});

/** @param {string} file @param {string} one @returns {Row} */
const together = (file, one) => ({
  what: `100 histograms in one call, ${file}, ${one}`,
  unit: 'CPU of one alone',
  aim: 3,
  bench: 'draws',
  args: ['--only', 'nano-zlib/ranges-cut,nano-zlib/cuts'],
  figure: (figures) => figures[`${file}/${one}`].cpu_of_single,
});

/** @param {string} what @param {string} unit @param {number | undefined} aim @param {string} key @param {string} of @returns {Row} */
const plot = (what, unit, aim, key, of) => ({
  ...{ what, unit, aim, bench: 'first-plot' },
  figure: (figures) => figures[key][of],
});

/** @param {string} what @param {number} aim @param {string} of @returns {Row} */
const queries = (what, aim, of) => ({
  ...{ what, unit: QUERIES, aim, bench: 'selectors' },
  args: ['--only', 'q', '--peers', 'RDataFrame'],
  figure: (figures) => figures['first / RDataFrame'][of],
});

/** @param {string} what @param {string} unit @param {number | undefined} aim @param {string} reader @returns {Row} */
const sums = (what, unit, aim, reader) => ({
  ...{ what, unit, aim, bench: 'sums' },
  args: ['--only', 'nano-zlib/all', '--peers', 'ROOT,inflate'],
  figure: (figures) => 1 / figures[`nano-zlib/all ${reader}`].cpu_of_xylem,
});

/** @param {string} name @param {number} aim @param {'ms' | 'of_ROOT'} of @returns {Row} */
const fit = (name, aim, of) => ({
  what: `fit, ${name}`,
  unit: of === 'ms' ? 'ms' : 'time of ROOT',
  aim,
  bench: 'fits',
  figure: (figures) => figures[name][of],
});

/** @type {Row[]} */
const ROWS = [
  merged('2 copies of nano-zlib', []),
  merged('2,000 small files', ['--inputs', 'small']),
  merged('2 files of 20,000 histograms', ['--inputs', 'histograms']),
  ...['ls', 'scan', 'draw'].map(small),
  columns('chunks of nano-rntuple', 'CPU of sums', 1.3, 'nano-rntuple/all chunks', 'cpu_of_sums'),
  columns('chunks of nano-rntuple, memory', 'MB', 350, 'nano-rntuple/all chunks', 'rss_mb'),
  columns('Parquet of nano-rntuple', 'CPU of uproot', 0.5, 'nano-rntuple/all parquet', 'cpu_of_uproot'),
  together('nano-zlib', 'ranges-cut'),
  together('nano-zlib', 'cuts'),
  plot('first plot of the element', 'kB by gzip', 250, 'element, E', 'kB'),
  plot('first plot of the page', 'kB by gzip', undefined, 'page, E', 'kB'),
  plot('first plot of the element, link E', 'ms', undefined, 'element, E', 'ms'),
  plot('first plot of the element, link F', 'ms', undefined, 'element, F', 'ms'),
  queries('eight queries as written first, mean', 1, 'cpu'),
  queries('eight queries as written first, the worst', 1.3, 'cpu_most'),
  {
    ...{ what: '2,000 small files drawn in one call', unit: 'CPU of one file of their size', aim: 1.5 },
    bench: 'small',
    figure: (figures) => 1 / figures['xylem draw of one file'].cpu_of_first,
  },
  {
    ...{ what: 'wall of 200 branches over link E', unit: 'time of its bytes and 5 round trips', aim: 1 },
    bench: 'walls',
    args: ['--file', 'nano-zlib.root', '--tree', 'Events'],
    figure: ({ 'wall of 200': { wall, MB } }) => wall / (MB / LINK_E + 5 * RTT),
  },
  sums('sums of nano-zlib', 'CPU of decompressing it alone, native', 1.5, 'inflate'),
  sums('sums of nano-zlib', 'CPU of ROOT', undefined, 'ROOT'),
  fit('gaus, 100 bins', 5, 'ms'),
  fit('crystalball, 10,000 bins', 1, 'of_ROOT'),
  fit('gausn, 1,000,000 values', 1, 'of_ROOT'),
];

const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));

/** @param {Row} row @returns {Figures | string} or why there are none */
function measure({ bench, args = [] }) {
  const out = join(folder, 'figures.json');
  rmSync(out, { force: true });
  const own = bench === 'fits' ? [given.runs] : ['--data', given.data, '--runs', given.runs];
  console.error(`${bench} ${args.join(' ')}`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bench/run.mjs'), bench, ...own, ...args],
    {
      env: { ...process.env, BENCH_DATA: given.data, [FIGURES]: out },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  if (existsSync(out)) return JSON.parse(readFileSync(out, 'utf8'));
  return (
    stderr
      .trim()
      .split('\n')
      .findLast((line) => /Error|no |not /.test(line)) ?? `exit status ${status}`
  );
}

/** @param {number | undefined} value */
const shown = (value) => (value === undefined ? '' : String(Number(value.toPrecision(3))));

const before = newest('table');
/** @type {Map<string, Figures | string>} */
const measured = new Map();
/** @type {Record<string, { value: number }>} */
const figures = {};
const worse = [];
const lines = [`| measured | in | aim | now | ${before?.date ?? 'before'} |`, '|---|---|---|---|---|'];
try {
  for (const row of ROWS) {
    const name = `${row.what}, ${row.unit}`;
    if (!name.includes(given.only)) continue;
    const key = `${row.bench} ${row.args?.join(' ')}`;
    const result = measured.get(key) ?? measure(row);
    measured.set(key, result);
    let value = Number.NaN;
    let why = typeof result === 'string' ? result : '';
    try {
      if (typeof result !== 'string') value = row.figure(result);
    } catch (thrown) {
      why = String(thrown);
    }
    const last = before?.figures[name]?.value;
    if (Number.isFinite(value)) figures[name] = { value };
    if (last !== undefined && value > last * 1.05) worse.push(`${name}: ${shown(last)} -> ${shown(value)}`);
    const now = Number.isFinite(value) ? shown(value) : `not measured: ${why || 'no figure of the peer'}`;
    lines.push(`| ${row.what} | ${row.unit} | ${shown(row.aim)} | ${now} | ${shown(last)} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`Medians of ${given.runs} rounds; load ${loadavg()[0]?.toFixed(1)}\n\n${lines.join('\n')}`);
if (before && worse.length > 0) {
  console.log(`\nOver 5 % worse than at ${before.commit}:\n${worse.map((one) => `  ${one}`).join('\n')}`);
  const commits = ['log', '--format=  %h %an %ad %s', '--date=short', `${before.commit}..HEAD`];
  const { stdout } = spawnSync('git', commits, { cwd: root, encoding: 'utf8' });
  console.log(`\nCommits since then:\n${stdout}`);
}
keep('table', figures, given.record);
