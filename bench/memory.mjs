// How much memory reading takes: npm run bench:memory -- --help
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const help = `npm run bench:memory -- [--file FILE] [--tree NAME] [--times N] [--workers N] [--json OUT]

Reads all branches of numbers of a tree, each time in a process of its own, and prints the peak of resident
memory of the whole process, with its workers:
  histograms    of each branch one after another, with its limits found first
  summaries     of all branches in one pass
  N times       the same of a chain of the file N times, one after another: N times as many entries

  --file FILE    default $BENCH_DATA/nano-zlib.root or build/bench/nano-zlib.root
  --tree NAME    default Events
  --times N      default 10
  --workers N    default 2`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    file: {
      type: 'string',
      default: join(process.env.BENCH_DATA ?? join(root, 'build/bench'), 'nano-zlib.root'),
    },
    tree: { type: 'string', default: 'Events' },
    times: { type: 'string', default: '10' },
    workers: { type: 'string', default: '2' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (given.help || !existsSync(given.file)) {
  console.log(given.help ? help : `There is no ${given.file}.\n\n${help}`);
  process.exit(given.help ? 0 : 2);
}

const megabytes = statSync(given.file).size / 1e6;
console.log(`${given.file}: ${megabytes.toFixed(0)} MB, ${given.workers} workers\n`);
console.log(['', 'entries', 'values', 's', 'peak MB'].join('\t'));
const cases = [
  { name: 'histograms', how: 'draw', times: '1' },
  { name: 'summaries', how: 'summary', times: '1' },
  { name: `${given.times} times`, how: 'summary', times: given.times },
];
/** @type {{ name: string, branches: number, entries: number, values: number, wall_s: number, rss_mb: number }[]} */
const rows = [];
for (const { name, how, times } of cases) {
  const args = [join(root, 'bench/memory-read.mjs'), given.file, given.tree, how, times, given.workers];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr.slice(-400)}`);
  const row = { name, ...JSON.parse(stdout) };
  rows.push(row);
  const { entries, values, wall_s, rss_mb } = row;
  console.log([name, entries, values, wall_s.toFixed(1), rss_mb.toFixed(0)].join('\t'));
}
if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
const [drawn, once, often] = rows;
if (drawn?.values !== once?.values || often?.values !== Number(given.times) * (once?.values ?? 0)) {
  console.error('The numbers of values do not agree.');
  process.exitCode = 1;
}
