// Opening and listing a tree of about 11,000 branches: npm run bench:metadata -- --help
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './figures.mjs';
import { run } from './program.mjs';

const help = `npm run bench:metadata -- [--file FILE] [--tree NAME] [--runs N] [--json OUT]

Opens FILE and lists the branches of its tree, each time in a process of its own, the programs in turn.
Prints medians of the CPU (user + system) of the process, of what is left of it without the start of Node,
and of the peak of memory. Peers run where they are named:
  JSROOT    the folder of an installed jsroot package
  GROOT     a program that lists with groot: GROOT list FILE TREE - prints branches, cpu_s and rss_mb as JSON

  --file FILE    default build/bench/aodlike.root, made by make_bench_data.py FOLDER --only aodlike
  --tree NAME    default CollectionTree
  --runs N       default 9`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    file: {
      type: 'string',
      default: join(process.env.XYLEM_BENCH_DATA ?? join(root, 'build/bench'), 'aodlike.root'),
    },
    tree: { type: 'string', default: 'CollectionTree' },
    runs: { type: 'string', default: '9' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (given.help || !existsSync(given.file)) {
  console.log(given.help ? help : `There is no ${given.file}.\n\n${help}`);
  process.exit(given.help ? 0 : 2);
}

const { JSROOT, GROOT } = process.env;
const script = join(root, 'bench/metadata-read.mjs');
const programs = [
  { name: 'node alone', node: true, command: [process.execPath, script, 'none'] },
  { name: 'xylem', node: true, command: [process.execPath, script, 'xylem', given.file, given.tree] },
  ...(JSROOT
    ? [{ name: 'JSROOT', node: true, command: [process.execPath, script, 'jsroot', given.file, given.tree] }]
    : []),
  ...(GROOT ? [{ name: 'groot', node: false, command: [GROOT, 'list', given.file, given.tree, '-'] }] : []),
];

/** @type {Map<string, { branches: number, cpu_s: number, rss_mb: number }[]>} */
const results = new Map(programs.map(({ name }) => [name, []]));
for (let round = 0; round < Math.max(1, Number(given.runs)); round++) {
  for (const { name, command } of programs) {
    const [program = '', ...args] = command;
    const text = await run(program, args);
    results.get(name)?.push(JSON.parse(text.slice(text.indexOf('{'))));
  }
}

/** @param {string} name @param {'cpu_s' | 'rss_mb' | 'branches'} field */
const of = (name, field) => median((results.get(name) ?? []).map((result) => result[field]));

const branches = of('xylem', 'branches');
const start = of('node alone', 'cpu_s');
const rows = programs.map(({ name, node }) => ({
  name,
  cpu: of(name, 'cpu_s'),
  withoutStart: of(name, 'cpu_s') - (node ? start : 0),
  megabytes: of(name, 'rss_mb'),
}));
console.log(`${given.file}: ${branches} branches, medians of ${given.runs} runs\n`);
console.log(['', 'CPU s', 'without Node s', 'peak MB'].join('\t'));
for (const { name, cpu, withoutStart, megabytes } of rows)
  console.log([name, cpu.toFixed(3), withoutStart.toFixed(3), megabytes.toFixed(0)].join('\t'));
if (given.json) writeFileSync(given.json, `${JSON.stringify({ branches, rows }, null, 2)}\n`);
for (const { name } of programs.slice(1)) {
  if (of(name, 'branches') === branches) continue;
  console.error(`${name} lists ${of(name, 'branches')} branches`);
  process.exitCode = 1;
}
