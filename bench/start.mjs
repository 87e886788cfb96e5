// Start-up: what small commands cost above Node's own start: npm run bench:start -- --help
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine, distOf } from './against.mjs';
import { median } from './figures.mjs';
import { record } from './history.mjs';
import { runWhole } from './program.mjs';

const help = `npm run bench:start -- [--runs N] [--node PROGRAM] [--against REV] [--record]

CPU and wall milliseconds of whole processes of the command line with the embedded sample, and how much of the CPU time is
above an empty program of Node. All take turns; the figures are medians.

  --runs N         default 15
  --node PROGRAM   another Node
  --against REV    a revision, or a folder with a build (its dist), which takes turns with this one
  --record         add a line to bench/history.jsonl`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    node: { type: 'string', default: process.execPath },
    against: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (given.help) {
  console.log(help);
  process.exit(0);
}
const sample = join(root, 'public/sample.root');
const builds = { now: join(root, 'dist'), ...(given.against && { [given.against]: distOf(given.against) }) };
const programs = [
  { name: 'empty program', args: [join(import.meta.dirname, 'empty.mjs')] },
  ...Object.entries(builds).flatMap(([build, dist]) =>
    [['--version'], ['ls', sample], ['draw', sample, 'Events', 'nMuon']].map((args) => ({
      name: `${args[0]} (${build})`,
      args: [commandLine(dist), ...args],
    })),
  ),
];
const caches = mkdtempSync(join(tmpdir(), 'xylem-bench-'));
/** @type {Map<string, Awaited<ReturnType<typeof runWhole>>[]>} */
const results = new Map(programs.map(({ name }) => [name, []]));
try {
  for (let round = 0; round < Math.max(1, Number(given.runs)); round++)
    for (const { name, args } of programs)
      results.get(name)?.push(await runWhole(args, { node: given.node, env: { XDG_CACHE_HOME: caches } }));
} finally {
  rmSync(caches, { recursive: true });
}

/** @param {string} name @param {'cpu_s' | 'wall_s'} key */
const of = (name, key) => 1000 * median((results.get(name) ?? []).map((result) => result[key]));
const empty = of('empty program', 'cpu_s');
/** @type {Record<string, object>} */
const figures = {};
console.log(`Medians of ${given.runs} runs in ms; load ${loadavg()[0]?.toFixed(1)}`);
console.log(['', 'wall', 'CPU', 'CPU above Node'].join('\t'));
for (const { name } of programs) {
  const row = { wall: of(name, 'wall_s'), cpu: of(name, 'cpu_s'), above: of(name, 'cpu_s') - empty };
  figures[name] = Object.fromEntries(Object.entries(row).map(([key, ms]) => [`${key}_ms`, Math.round(ms)]));
  console.log([name, ...Object.values(row).map((ms) => ms.toFixed(0))].join('\t'));
}
if (given.record) record('start', figures);
