// Selectors beside drawings and other programs: npm run bench selectors -- --help
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { distOf, measuring } from './against.mjs';
import { median, ratio } from './figures.mjs';
import { keep } from './history.mjs';
import { selectorPeers } from './peers/peers.mjs';
import { run } from './program.mjs';
import { root, settings } from './settings.mjs';

const help = `npm run bench selectors -- [--data FOLDER] [--only a,b] [--runs N] [--against REV] [--peers a,b]

Cases: "ten", ten histograms of lists with a cut, of copies of nano-zlib.root; and the eight queries of the Analysis Description
Benchmarks (docs/features/selectors), of copies of adl.root, also as one writes them first ("first"), with entry, filter and some.
Each runs from opening the files to the histograms in a process of its own,
in interleaved rounds, with one worker. All histograms have to be equal. Prints medians of wall and CPU seconds and of the
peak of memory, the medians of the ratios of the selector to each, of the one that is written first to each, and the lines of code
of a query.

  --data FOLDER    nano-zlib.root of bench/data/make.py, and adl.root of tests/fixtures/make_adl.py with 300,000 events;
                   default $BENCH_DATA or build/bench
  --only a,b       cases by the start of their names
  --copies N       of nano-zlib.root; default 20
  --adl-copies N   of adl.root; default 3
  --runs N         default 5
  --against REV    a revision, or a folder with a build (its dist), which runs in the same rounds
  --record         add a line to bench/history.jsonl

  --peers a,b      RDataFrame, awkward, coffea, groot; bench/peers/peers.mjs says what they need`;

const given = settings(help, {
  only: 'ten,q',
  copies: '20',
  'adl-copies': '3',
  runs: '5',
  against: undefined,
  record: false,
  peers: '',
});

const ADL = [
  ...['q1-met', 'q2-jets', 'q3-central-jets', 'q4-two-jets'],
  ...['q5-z-window', 'q6-trijet', 'q7-isolated-jets', 'q8-beside-z'],
];
/** The sources of the queries, whose lines are counted. @type {Record<string, string[]>} */
const SOURCES = {
  RDataFrame: [join(root, 'bench/peers/selectors_rdf.cpp'), join(root, 'tests/fixtures/adl_queries.h')],
  awkward: [join(root, 'bench/peers/selectors_awkward.py')],
  coffea: [join(root, 'bench/peers/selectors_awkward.py')],
  groot: [join(root, 'bench/peers/groot/main.go')],
};

/**
 * A way to make the histograms of a case: a program, of which LIST and OUT are the last arguments, and its source.
 * @typedef {{ name: string, command: string, args: string[], env?: Record<string, string> | undefined, sources: string[] }} Way
 */

/** @param {string} name @returns {Way[]} the selector first */
function waysOf(name) {
  const selector =
    name === 'ten'
      ? join(root, 'bench/ten-histograms.mjs')
      : join(root, `docs/features/selectors/${name}.mjs`);
  /** @param {string} label @param {string} how @param {number} workers @param {string} [dist] @returns {Way} */
  const own = (label, how, workers, dist = join(root, 'dist')) => ({
    ...{
      name: label,
      command: process.execPath,
      env: measuring(dist),
      sources: how === 'draws' ? [] : [selector],
    },
    args: [join(root, 'bench/selectors-read.mjs'), how, String(workers)],
  });
  const ways = [own('selector', selector, 1)];
  if (name !== 'ten') {
    const first = join(root, `docs/features/selectors/first/${name}.mjs`);
    ways.push({ ...own('first', first, 1), sources: [first] });
    if (given.against)
      ways.push({ ...own(`first (${given.against})`, first, 1, distOf(given.against)), sources: [first] });
  }
  if (name === 'ten') ways.push(own('ten draws', 'draws', 1), own('selector, 2 workers', selector, 2));
  if (given.against) ways.push(own(`selector (${given.against})`, selector, 1, distOf(given.against)));
  for (const { name: peer, command, env } of selectorPeers(given.peers)) {
    const [program = '', ...args] = command(name);
    ways.push({ name: peer, command: program, args, env, sources: SOURCES[peer] ?? [] });
  }
  return ways;
}

/**
 * Lines of code of a query: all of a selector, and in sources of several queries those between its name and the next one.
 * @param {string} path @param {string} name
 */
function linesOf(path, name) {
  let inside = path.endsWith('.mjs');
  let count = 0;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, mark] = /^\s*(?:\/\/|#) (ten|end|q\d-[\w-]+)$/.exec(line) ?? [];
    if (mark !== undefined) inside = mark === name;
    else if (inside && /\S/.test(line) && !/^\s*(\/\/|#|\/\*\*)/.test(line)) count += 1;
  }
  return count;
}

/** @typedef {{ wall_s: number, cpu_s: number, rss_mb: number }} Measured */

/** Ratios of the CPU time of the queries that are written first to each way. @type {Map<string, number[]>} */
const all = new Map();
const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));
/** @type {Record<string, object>} */
const figures = {};
console.log(`Medians of ${given.runs} interleaved runs; load ${loadavg()[0]?.toFixed(1)}`);
console.log(
  [
    'case',
    'way',
    'wall s',
    'CPU s',
    'MB',
    'wall of selector / this',
    'CPU',
    'CPU of first / this',
    'lines',
  ].join('\t'),
);
try {
  for (const name of ['ten', ...ADL]) {
    if (!given.only.split(',').some((start) => name.startsWith(start))) continue;
    const path = join(resolve(given.data), name === 'ten' ? 'nano-zlib.root' : 'adl.root');
    if (!existsSync(path)) {
      console.log(`There is no ${path}: ${name} is left out.`);
      continue;
    }
    for await (const _ of createReadStream(path, { highWaterMark: 1 << 24 }));
    const copies = Array.from(
      { length: Number(name === 'ten' ? given.copies : given['adl-copies']) },
      (_, i) => join(folder, `${name}-${i}.root`),
    );
    for (const copy of copies) symlinkSync(path, copy);
    const list = join(folder, `${name}.txt`);
    writeFileSync(list, copies.join('\n'));
    const ways = waysOf(name);
    const out = join(folder, `${name}.json`);
    /** @type {Measured[][]} */
    const measured = ways.map(() => []);
    let first;
    for (let round = 0; round < Number(given.runs); round++)
      for (const [i, { name: way, command, args, env }] of ways.entries()) {
        const said = await run(command, [...args, list, out], { env });
        measured[i]?.push(JSON.parse(said.trim().split('\n').at(-1) ?? ''));
        const bins = JSON.parse(readFileSync(out, 'utf8'));
        first ??= bins;
        if (!isDeepStrictEqual(first, bins)) throw new Error(`${name}: ${way} gives other histograms`);
      }
    for (const [i, { name: way, sources }] of ways.entries()) {
      /** @param {number} of @param {keyof Measured} key */
      const list = (of, key) => (measured[of] ?? []).map((one) => one[key]);
      const lines = sources.reduce((sum, source) => sum + linesOf(source, name), 0);
      const medians = {
        wall_s: median(list(i, 'wall_s')),
        cpu_s: median(list(i, 'cpu_s')),
        rss_mb: median(list(i, 'rss_mb')),
      };
      figures[`${name} ${way}`] = medians;
      const { wall_s, cpu_s, rss_mb } = medians;
      const ratios = /** @type {const} */ (['wall_s', 'cpu_s']).map((key) =>
        ratio(list(0, key), list(i, key)).toFixed(2),
      );
      const first = ways.findIndex(({ name }) => name === 'first');
      const ofFirst = first < 0 ? undefined : ratio(list(first, 'cpu_s'), list(i, 'cpu_s'));
      if (ofFirst !== undefined && i !== first) all.set(way, [...(all.get(way) ?? []), ofFirst]);
      const last = [...ratios, ofFirst?.toFixed(2) ?? '', lines];
      console.log([name, way, wall_s.toFixed(2), cpu_s.toFixed(2), rss_mb.toFixed(0), ...last].join('\t'));
    }
  }
  for (const [way, ratios] of all) {
    const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length;
    console.log(`CPU of first / ${way}: mean ${mean.toFixed(2)}, at most ${Math.max(...ratios).toFixed(2)}`);
    figures[`first / ${way}`] = { cpu: mean, cpu_most: Math.max(...ratios) };
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
keep('selectors', figures, given.record);
