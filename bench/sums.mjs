// Reading and summing up the benchmark files: npm run bench sums -- --help
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { distOf, measuring } from './against.mjs';
import { allCases, truthOf } from './cases.mjs';
import { median, ratio } from './figures.mjs';
import { keep } from './history.mjs';
import { peersHere } from './peers/peers.mjs';
import { run } from './program.mjs';
import { root, settings } from './settings.mjs';

const help = `npm run bench sums -- [--data FOLDER] [--only a,b] [--runs N] [--workers N] [--json OUT] [--peers a,b] [--from a,b]
                [--against REV] [--record]

Reads each case from opening the file until all its branches are summed up, in a process of its own, in
interleaved runs, and prints medians: wall and CPU seconds, peak resident MB. Every sum is checked against
what was given to ROOT when the files were written. The last columns are the ratios of wall and CPU time to those of
this build in the same round. Files that are not there are left out. The cases draw/...
fill a histogram of an expression of three branches with a cut, by one decode worker; all readers must agree in
the number of fills, mean and standard deviation.

  --data FOLDER    files of bench/data/make.py; default $BENCH_DATA or build/bench
  --only a,b       cases by name or by the start of it; --list names them
  --runs N         default 3
  --workers N      decode workers; default by the number of cores
  --json OUT       all runs
  --peers a,b      other readers, which get the same files in the same rounds: ROOT, uproot, JSROOT, groot; and inflate,
                   which decompresses the baskets of a file that has only zlib, by libdeflate on one thread, and does no more;
                   bench/peers/peers.mjs says what they need
  --from a,b       the same in headless Chromium, so that the ratio is to Node in the same round;
                   the page has the file as one that was chosen, dropped, or lies in its private folder (opfs),
                   or reads it from a server on this machine (loopback), or again what the cache kept of that (again)
  --against REV    a revision, which is built in build/against, or a folder with a build (its dist), in the same rounds
  --record         add a line to bench/history.jsonl
  --profile        where the time of all threads of xylem goes, by samples of 0.5 ms, in place of the table`;

const given = settings(help, {
  only: '',
  runs: '3',
  workers: undefined,
  json: undefined,
  peers: '',
  from: '',
  profile: false,
  against: undefined,
  record: false,
  list: false,
});
const wanted = given.only.split(',').filter(Boolean);
const named = allCases().filter(
  ({ name }) => wanted.length === 0 || wanted.some((start) => name === start || name.startsWith(`${start}/`)),
);
if (given.list) {
  console.log(named.map(({ name }) => name).join('\n'));
  process.exit(0);
}
const cases = named.filter(({ name, file }) => {
  const there =
    existsSync(join(given.data, `${file}.root`)) && existsSync(join(given.data, `${file}.meta.json`));
  if (!there) console.error(`${name}: ${file}.root is not in ${given.data}, left out`);
  return there;
});
const runs = Math.max(1, Number(given.runs));
const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));

/** @typedef {{ wall_s: number, cpu_s: number, rss_mb: number, open_s?: number, longest_ms?: number }} Measured */

/** @param {string} text @returns {Measured} of the last line of JSON */
function measured(text) {
  const line = text.split('\n').findLast((other) => other.startsWith('{'));
  if (!line) throw new Error(`no result: ${text.slice(-300)}`);
  return JSON.parse(line);
}

/** @param {string} path */
async function warm(path) {
  for await (const _ of createReadStream(path, { highWaterMark: 1 << 24 }));
}

if (given.profile) {
  const { profileCase, columns } = await import('./profile.mjs');
  console.log(`Milliseconds of all threads; load ${loadavg()[0]?.toFixed(1)}`);
  console.log(['case', ...columns].join('\t'));
  for (const one of cases.filter(({ how }) => how !== 'draw')) {
    const path = join(given.data, `${one.file}.root`);
    const list = join(folder, 'branches');
    writeFileSync(list, `${truthOf(given.data, one).branches.join('\n')}\n`);
    await warm(path);
    const members = JSON.stringify(one.members ?? {});
    const args = [path, one.tree, one.how, list, join(folder, 'sums'), members];
    if (given.workers !== undefined) args.push(given.workers);
    const parts = profileCase(root, folder, args);
    console.log([one.name, ...parts.map((ms) => ms.toFixed(0))].join('\t'));
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

const other = given.against === undefined ? undefined : distOf(given.against);
const places = given.from.split(',').filter(Boolean);
const browser =
  places.length > 0
    ? await (await import('./browser.mjs')).openBrowser(join(root, 'dist'), given.data)
    : undefined;
const rows = [];
console.log(
  `Medians of ${runs} interleaved runs; load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);
const titles = ['wall s', 'CPU s', 'MB', 'branches', 'checked', 'wall / xylem', 'CPU / xylem'];
console.log(['case', 'reader', ...titles].join('\t'));
/** Programs that decompress only. */
const unchecked = new Set();
let wrong = 0;
try {
  for (const one of cases) {
    const path = join(given.data, `${one.file}.root`);
    const { sums, branches } = truthOf(given.data, one);
    let truth = one.draw ? undefined : sums;
    const expected = one.draw ? ['mean', 'deviation'] : one.members ? Object.keys(one.members) : branches;
    const list = join(folder, 'branches');
    const out = join(folder, 'sums');
    writeFileSync(list, `${branches.join('\n')}\n`);
    await warm(path);
    /** @type {Record<string, () => Promise<Measured>>} */
    const readers = {
      xylem: async () => measured(await run(process.execPath, ownArguments(one, path, list, out))),
    };
    if (other) {
      const env = measuring(other);
      readers[given.against ?? ''] = async () =>
        measured(await run(process.execPath, ownArguments(one, path, list, out), { env }));
    }
    for (const place of browser && one.how === 'summary' ? places : []) {
      readers[`chromium, ${place}`] = async () => {
        const read = await browser?.read(path, one.tree, branches, place);
        if (!read) throw new Error('There is no browser.');
        const { sums, ...times } = read;
        writeFileSync(out, JSON.stringify(sums));
        return times;
      };
    }
    for (const { name, command, draw, env, limit } of peersHere(given.peers)) {
      if (limit) unchecked.add(name);
      const asked = one.draw ? draw?.(path, one.tree, list, one.draw) : command(path, one.tree, list);
      if (asked === undefined) continue;
      const [program = '', ...args] = asked;
      readers[name] = async () => measured(await run(program, [...args, `sums=${out}`], { env }));
    }
    /** @type {Record<string, Measured[]>} */
    const results = {};
    /** @type {Record<string, string>} */
    const checks = {};
    for (let round = 0; round < runs; round++) {
      for (const [name, read] of Object.entries(readers)) {
        if (checks[name]?.startsWith('failed')) continue;
        rmSync(out, { force: true });
        try {
          const result = await read();
          results[name] = [...(results[name] ?? []), result];
          if (unchecked.has(name)) continue;
          const sums = JSON.parse(readFileSync(out, 'utf8'));
          truth ??= sums;
          const bad = expected.filter((branch) => !equal(sums[branch], truth?.[branch]));
          checks[name] = bad.length === 0 ? 'equal' : `${bad.length} differ (${bad[0]})`;
        } catch (thrown) {
          const [why] = (thrown instanceof Error ? thrown.message : String(thrown)).trim().split('\n');
          checks[name] = `failed: ${why}`;
        }
      }
    }
    if (checks.xylem !== 'equal') wrong += 1;
    for (const [name, list] of Object.entries(results)) {
      /** @param {'wall_s' | 'cpu_s'} key */
      const ratioToOwn = (key) =>
        ratio(
          list.map((result) => result[key]),
          (results.xylem ?? []).map((result) => result[key]),
        );
      const row = {
        case: one.name,
        reader: name,
        wall: median(list.map(({ wall_s }) => wall_s)),
        cpu: median(list.map(({ cpu_s }) => cpu_s)),
        rss: median(list.map(({ rss_mb }) => rss_mb)),
        wall_ratio: ratioToOwn('wall_s'),
        cpu_ratio: ratioToOwn('cpu_s'),
        check: checks[name] ?? 'no sums',
        load: loadavg()[0],
        runs: list,
      };
      rows.push(row);
      const number = (/** @type {number} */ value, digits = 3) =>
        Number.isFinite(value) ? value.toFixed(digits) : '-';
      const cells = [number(row.wall), number(row.cpu), number(row.rss, 0), branches.length, row.check];
      cells.push(number(row.wall_ratio, 2), number(row.cpu_ratio, 2));
      const longest = list.map(({ longest_ms }) => longest_ms).filter((value) => value !== undefined);
      if (longest.length > 0) cells.push(`page blocked ${number(Math.max(...longest), 0)} ms at most`);
      console.log([one.name, name, ...cells].join('\t'));
    }
    for (const [name, check] of Object.entries(checks)) {
      if (!results[name]) console.log([one.name, name, check].join('\t'));
    }
  }
  keep(
    'sums',
    Object.fromEntries(
      rows.map(({ case: name, reader, wall, cpu, rss, cpu_ratio }) => [
        `${name} ${reader}`,
        { wall_s: wall, cpu_s: cpu, rss_mb: rss, cpu_of_xylem: cpu_ratio },
      ]),
    ),
    given.record,
  );
  if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong > 0 ? 1 : 0;

/** @param {import('./cases.mjs').Case} one @param {string} path @param {string} list @param {string} out */
function ownArguments({ tree, how, members, draw }, path, list, out) {
  if (draw) {
    const { expr, cut } = draw;
    return [join(root, 'bench/draw-read.mjs'), path, tree, expr, cut, given.workers ?? '1', `sums=${out}`];
  }
  const args = [join(root, 'bench/sums-read.mjs'), path, tree, how, list, out, JSON.stringify(members ?? {})];
  return given.workers === undefined ? args : [...args, given.workers];
}

/** Peers that do not count have 0 values. @param {[number, number] | undefined} a @param {[number, number] | undefined} b */
function equal(a, b) {
  if (!a || !b) return false;
  const counted = a[0] === 0 || a[0] === b[0];
  return counted && Math.abs(a[1] - b[1]) <= 1e-9 * Math.max(1, Math.abs(b[1]));
}
