// xylem check on many small files: npm run bench:check -- --help
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './figures.mjs';
import { runWhole } from './program.mjs';

const help = `npm run bench:check -- [--files N] [--runs N] [--jobs N] [--json OUT]

Copies the sample and the files of the tests, in turn, until there are N, to a temporary folder that is removed
afterwards, and runs "xylem check --json" on all of them. Prints of each run files and MB a second, wall and
CPU (user + system) seconds, the peak of resident memory; and medians.

  --files N    default 1000
  --runs N     default 3
  --jobs N     files that are read at once; default that of xylem check
  --json OUT   all runs`;

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '3' },
    jobs: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (given.help) {
  console.log(help);
  process.exit(0);
}

const fixtures = join(root, 'tests/fixtures/files');
const sources = [
  join(root, 'public/sample.root'),
  ...readdirSync(fixtures)
    .filter((name) => name.endsWith('.root'))
    .sort()
    .map((name) => join(fixtures, name)),
];
const count = Math.max(1, Number(given.files));
const folder = mkdtempSync(join(tmpdir(), 'xylem-check-'));

/** @param {string[]} paths */
async function checkAll(paths) {
  const jobs = given.jobs === undefined ? [] : ['--jobs', given.jobs];
  const program = join(root, 'dist/cli/xylem.js');
  const { out, ...figures } = await runWhole([program, 'check', '--json', ...jobs, ...paths]);
  const { summary } = JSON.parse(out);
  if (summary.files !== paths.length || summary.failed !== 0)
    throw new Error(`not all files were good: ${JSON.stringify(summary)}`);
  return figures;
}

try {
  /** @type {string[]} */
  const paths = [];
  for (let i = 0; i < count; i++) {
    const path = join(folder, `${String(i).padStart(5, '0')}.root`);
    copyFileSync(sources[i % sources.length] ?? '', path);
    paths.push(path);
  }
  const megabytes = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
  console.log(`${count} files, ${megabytes.toFixed(1)} MB; load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(['', 'files/s', 'MB/s', 'wall s', 'CPU s', 'peak MB'].join('\t'));
  /** @param {string} name @param {{ wall_s: number, cpu_s: number, rss_mb: number }} result */
  const print = (name, { wall_s, cpu_s, rss_mb }) =>
    console.log(
      [
        name,
        (count / wall_s).toFixed(0),
        (megabytes / wall_s).toFixed(2),
        wall_s.toFixed(2),
        cpu_s.toFixed(2),
        rss_mb.toFixed(0),
      ].join('\t'),
    );
  const results = [];
  for (let run = 0; run < Math.max(1, Number(given.runs)); run++) {
    const result = await checkAll(paths);
    results.push(result);
    print(`run ${run + 1}`, result);
  }
  print('median', {
    wall_s: median(results.map(({ wall_s }) => wall_s)),
    cpu_s: median(results.map(({ cpu_s }) => cpu_s)),
    rss_mb: median(results.map(({ rss_mb }) => rss_mb)),
  });
  if (given.json) writeFileSync(given.json, `${JSON.stringify({ count, megabytes, results }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
