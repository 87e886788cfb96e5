// Random parts of the entries against all of them: npm run bench:sample -- --help
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const help = `npm run bench:sample -- [--data FOLDER] [--file NAME] [--fractions 1,0.2,0.01] [--rtt MS] [--mbps N] [--runs N]

Reads all branches of a tree over a link, of all entries and of random parts of them, each in a process
of its own, and prints medians of the time and CPU after the tree was opened, requests and bytes.

  --data FOLDER   has NAME.root; default build/bench. Made by make_bench_data.py FOLDER --only NAME
  --file NAME     default aodlike
  --rtt MS, --mbps N   the link; default 22 and 100
  --runs N        default 1`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.XYLEM_BENCH_DATA ?? join(root, 'build/bench') },
    file: { type: 'string', default: 'aodlike' },
    fractions: { type: 'string', default: '1,0.2,0.01' },
    rtt: { type: 'string', default: '22' },
    mbps: { type: 'string', default: '100' },
    runs: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const path = join(given.data, `${given.file}.root`);
if (given.help || !existsSync(path)) {
  console.error(given.help ? help : `${path} is not there.\n\n${help}`);
  process.exit(given.help ? 0 : 2);
}

const run = promisify(execFile);
/** @param {number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)] ?? Number.NaN;

const server = spawn(process.execPath, [join(root, 'bench/link-server.mjs'), given.data], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((done) => server.stdout.once('data', (text) => done(String(text).trim())));
try {
  await fetch(`${address}__set?rtt-ms=${given.rtt}&mbps=${given.mbps}`);
  /** @type {Map<string, { seconds: number, cpu: number, requests: number, bytes: number, rows: number, baskets: number, branches: number }[]>} */
  const runs = new Map();
  for (let i = 0; i < Math.max(1, Number(given.runs)); i++) {
    for (const fraction of given.fractions.split(',')) {
      const args = [join(root, 'bench/sample-read.mjs'), `${address}${given.file}.root`, fraction];
      const { stdout } = await run(process.execPath, args);
      runs.set(fraction, [...(runs.get(fraction) ?? []), JSON.parse(stdout)]);
    }
  }
  const all = runs.get('1');
  const whole = all ? median(all.map(({ seconds }) => seconds)) : Number.NaN;
  console.log(['entries', 'rows', 'requests', 'MB', 'time s', 'CPU s', 'of all'].join('\t'));
  for (const [fraction, list] of runs) {
    const seconds = median(list.map((one) => one.seconds));
    const [one] = list;
    const cells = [
      `${100 * Number(fraction)} %`,
      one?.rows,
      median(list.map(({ requests }) => requests)),
      (median(list.map(({ bytes }) => bytes)) / 1e6).toFixed(1),
      seconds.toFixed(2),
      median(list.map(({ cpu }) => cpu)).toFixed(2),
      (seconds / whole).toFixed(2),
    ];
    console.log(cells.join('\t'));
  }
  const [first] = [...runs.values()].flat();
  console.log(`${first?.branches} branches, ${first?.baskets} baskets, ${given.rtt} ms, ${given.mbps} Mb/s`);
} finally {
  server.kill();
}
