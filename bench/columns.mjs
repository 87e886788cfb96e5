// Columns and exports against summing up the same branches: npm run bench columns -- --help
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { distOf, measuring } from './against.mjs';
import { allCases, truthOf } from './cases.mjs';
import { median, ratio } from './figures.mjs';
import { keep } from './history.mjs';
import { run } from './program.mjs';
import { root, settings } from './settings.mjs';

const help = `npm run bench columns -- [--data FOLDER] [--only a,b] [--how a,b] [--runs N] [--against REV] [--uproot]

Opens each file and does with the branches of a case of "npm run bench sums" what --how says, each in a process of its
own with two workers, in interleaved runs. Prints medians of wall and CPU seconds and of the peak of resident memory,
and the medians of the ratios to the sums of the same round and to uproot.

  --data FOLDER    files of bench/data/make.py; default $BENCH_DATA or build/bench
  --only a,b       cases by name or by the start of it; default nano-zlib, nano-rntuple, scalars-720k, h1like
                   and h1like-small
  --how a,b        chunks, chunks:BYTES, arrays, or formats to export (parquet:snappy is one); default chunks,arrays. The sums are always run
  --runs N         default 5
  --against REV    a revision, or a folder with a build (its dist), which runs in the same rounds
  --record         add a line to bench/history.jsonl
  --uproot         uproot does the same (arrays, parquet, arrow) in these rounds: ORACLE_PYTHON or python3 has it,
                   awkward and pyarrow`;

const given = settings(help, {
  only: 'nano-zlib,nano-rntuple,scalars-720k,h1like,h1like-small',
  how: 'chunks,arrays',
  runs: '5',
  against: undefined,
  uproot: false,
  record: false,
});
const starts = given.only.split(',');
const cases = allCases().filter(
  ({ name, file, how }) =>
    how === 'summary' &&
    starts.some((start) => name === start || name.startsWith(`${start}/`)) &&
    existsSync(join(given.data, `${file}.root`)),
);
const runs = Math.max(1, Number(given.runs));
const builds = [
  { name: '', dist: join(root, 'dist') },
  ...(given.against ? [{ name: ` (${given.against})`, dist: distOf(given.against) }] : []),
];
const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));
/** @type {Record<string, object>} */
const figures = {};

/** The tasks that uproot does, too. */
const OF_UPROOT = ['arrays', 'parquet', 'arrow'];

/** @typedef {{ wall_s: number, cpu_s: number, rss_mb: number, entries: number, out_mb: number }} Measured */

console.log(`Medians of ${runs} interleaved runs; load ${loadavg()[0]?.toFixed(1)}`);
console.log(
  ['case', 'task', 'wall s', 'CPU s', 'MB', 'wall / sums', 'CPU / sums', 'CPU / uproot', 'MB out'].join('\t'),
);
try {
  for (const one of cases) {
    const path = join(given.data, `${one.file}.root`);
    const list = join(folder, 'branches');
    writeFileSync(list, `${truthOf(given.data, one).branches.join('\n')}\n`);
    for await (const _ of createReadStream(path, { highWaterMark: 1 << 24 }));
    const hows = given.how.split(',');
    const tasks = builds.flatMap(({ name, dist }) =>
      ['sums', ...hows].map((how) => ({ how, build: name, dist })),
    );
    const half = tasks.length / builds.length;
    if (given.uproot)
      for (const how of hows.filter((name) => OF_UPROOT.includes(name)))
        tasks.push({ how, build: ' (uproot)', dist: '' });
    /** @type {Measured[][]} */
    const measured = tasks.map(() => []);
    for (let round = 0; round < runs; round++) {
      for (const [i, { how, dist }] of tasks.entries()) {
        const asked = [path, one.tree, list, how];
        const out = dist
          ? await run(process.execPath, [join(import.meta.dirname, 'columns-read.mjs'), ...asked], {
              env: measuring(dist),
            })
          : await run(process.env.ORACLE_PYTHON ?? 'python3', [
              join(import.meta.dirname, 'peers/columns_uproot.py'),
              ...asked,
            ]);
        measured[i]?.push(JSON.parse(out.trim().split('\n').at(-1) ?? ''));
      }
    }
    for (const [i, { how, build }] of tasks.entries()) {
      const own = measured[i] ?? [];
      const sums = measured[i < half || build === ' (uproot)' ? 0 : half] ?? [];
      const peer = measured[tasks.findIndex((task) => task.build === ' (uproot)' && task.how === how)] ?? [];
      /** @param {'wall_s' | 'cpu_s' | 'rss_mb' | 'out_mb'} key */
      const of = (key) => median(own.map((figures) => figures[key]));
      /** @param {'wall_s' | 'cpu_s'} key @param {Measured[]} others */
      const times = (key, others) =>
        ratio(
          own.map((figures) => figures[key]),
          others.map((figures) => figures[key]),
        );
      const cells = [times('wall_s', sums), times('cpu_s', sums), times('cpu_s', peer)];
      const row = [of('wall_s').toFixed(2), of('cpu_s').toFixed(2), of('rss_mb').toFixed(0)];
      row.push(...cells.map((one) => (Number.isNaN(one) ? '' : one.toFixed(2))), of('out_mb').toFixed(1));
      figures[`${one.name} ${how}${build}`] = {
        wall_s: of('wall_s'),
        cpu_s: of('cpu_s'),
        rss_mb: of('rss_mb'),
        cpu_of_sums: cells[1],
        cpu_of_uproot: cells[2],
      };
      console.log([one.name, how + build, ...row].join('\t'));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
keep('columns', figures, given.record);
