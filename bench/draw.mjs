// A draw of three branches with a cut: npm run bench:draw -- --help
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const help = `npm run bench:draw -- [--data FOLDER] [--runs N] [--workers N] [--rdf PROGRAM]

Muon_pt*TMath::SinH(Muon_eta)+cos(Muon_phi) for Muon_pt>5 of nano-zlib.root, from opening the file to the histogram, each
time in a process of its own; medians of wall and CPU seconds. --rdf is bench/peers/draw_rdf.cpp, compiled: the same
by RDataFrame on one thread, in the same rounds. Fills, mean and standard deviation must be equal.

  --data FOLDER   files of make_bench_data.py; default $BENCH_DATA or build/bench
  --runs N        default 5
  --workers N     decode workers of xylem; default 1`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.BENCH_DATA ?? join(root, 'build/bench') },
    runs: { type: 'string', default: '5' },
    workers: { type: 'string', default: '1' },
    rdf: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (given.help) {
  console.log(help);
  process.exit(0);
}
const file = join(given.data, 'nano-zlib.root');
/** @type {Record<string, string[]>} */
const readers = {
  xylem: [process.execPath, join(root, 'bench/draw-read.mjs'), file, 'Events', given.workers],
  ...(given.rdf !== undefined && { RDataFrame: [given.rdf, file, 'Events'] }),
};

/** @typedef {{ wall_s: number, cpu_s: number, fills: number, mean: number, stdDev: number }} Run */
/** @type {Record<string, Run[]>} */
const runs = {};
for (let round = 0; round < Number(given.runs); round++) {
  for (const [name, [command = '', ...args]] of Object.entries(readers)) {
    const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    runs[name] ??= [];
    runs[name].push(JSON.parse(stdout));
  }
}

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const [first] = runs.xylem ?? [];
for (const [name, list] of Object.entries(runs)) {
  for (const { fills, mean, stdDev } of list) {
    const near = [
      [mean, first?.mean],
      [stdDev, first?.stdDev],
    ].every(([a = 0, b = 0]) => Math.abs(a - b) <= 1e-9 * (first?.stdDev ?? 0));
    if (fills !== first?.fills || !near) throw new Error(`${name} filled something else: ${fills}, ${mean}`);
  }
  const wall = median(list.map(({ wall_s }) => wall_s)).toFixed(3);
  console.log(`${name.padEnd(12)} ${wall} s  ${median(list.map(({ cpu_s }) => cpu_s)).toFixed(3)} s CPU`);
}
console.log(`${first?.fills} fills, mean ${first?.mean}`);
