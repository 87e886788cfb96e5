// Many drawings of an open tree in one call, beside one call each: npm run bench draws -- --help
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { distOf, measuring } from './against.mjs';
import { median, ratio } from './figures.mjs';
import { keep } from './history.mjs';
import { root, settings } from './settings.mjs';

const help = `npm run bench draws -- [--data FOLDER] [--only TEXT,TEXT] [--count N] [--runs N] [--against REV]

Each case is N drawings of one open tree: one call after another, and one call for all. Both ways take turns; wall and CPU
times of the process are medians, and ratios the medians of each round. Bins and axes have to be equal; means are added in
the order in which tasks end.

  --data FOLDER    the files of bench/data/make.py; default build/bench
  --only TEXT,…    cases whose names contain one of these
  --count N        drawings; default 100
  --runs N         default 5
  --workers N      default: as many as the library takes
  --against REV    the one call of another build as well: a revision, or a folder with a build
  --record         add a line to bench/history.jsonl`;

const given = settings(help, {
  only: '',
  count: '100',
  runs: '5',
  workers: undefined,
  against: undefined,
  record: false,
});
const count = Number(given.count);
const workers = given.workers === undefined ? {} : { workers: Number(given.workers) };

/** @typedef {import('../web/node').DrawChoice} Choice */
/** @typedef {import('../web/node').TreeHandle} Tree */
/** @typedef {import('../web/node').Histogram} Histogram */
/** @typedef {{ wall: number, cpu: number }} Figures */

/** @template T @param {(i: number) => T} make @returns {T[]} */
const list = (make) => Array.from({ length: count }, (_, i) => make(i));

/** Branches of numbers, evenly taken, with lists or without. @param {Tree} tree @param {boolean} lists */
function branchNames(tree, lists) {
  const names = tree.info.branches
    .filter(({ kind, typeName }) => kind === 'number' && (lists || !typeName.endsWith('[]')))
    .map(({ path }) => path);
  return list(
    (i) => names[Math.floor((i * names.length) / Math.max(count, names.length)) % names.length] ?? '',
  );
}

const RANGE = /** @type {[number, number]} */ ([0, 200]);

/** @type {Record<string, { file: string, tree: string, draws: (tree: Tree) => Choice[] }>} */
const CASES = {};
/** @type {[file: string, tree: string, value: string, cut: string][]} */
const FILES = [
  ['scalars-720k', 'mini', 'v01', 'v02 > 0.5'],
  ['nano-zlib', 'Events', 'MET_s000', 'nMuon >= 2'],
];
for (const [file, tree, value, cut] of FILES) {
  const one = { file, tree };
  CASES[`${file}/ranges-cut`] = {
    ...one,
    draws: () => list((i) => ({ expr: value, cut, bins: 100, range: [0, 50 + i] })),
  };
  CASES[`${file}/branches-cut`] = {
    ...one,
    draws: (t) => branchNames(t, false).map((expr) => ({ expr, cut, bins: 100, range: RANGE })),
  };
  CASES[`${file}/branches-cut-found`] = {
    ...one,
    draws: (t) => branchNames(t, false).map((expr) => ({ expr, cut })),
  };
  CASES[`${file}/cuts`] = {
    ...one,
    draws: () => list((i) => ({ expr: value, cut: `${cut} && ${value} > ${i}`, bins: 100, range: RANGE })),
  };
  CASES[`${file}/branches`] = { ...one, draws: (t) => branchNames(t, true).map((expr) => ({ expr })) };
  CASES[`${file}/branches-range`] = {
    ...one,
    draws: (t) => branchNames(t, true).map((expr) => ({ expr, bins: 100, range: RANGE })),
  };
}

/** @param {() => Promise<Histogram[]>} act @returns {Promise<{ figures: Figures, result: Histogram[] }>} */
async function timed(act) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await act();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return { figures: { wall, cpu: (user + system) / 1000 }, result };
}

/** @type {(dist: string) => Promise<typeof import('../web/node')>} */
const library = (dist) => import(`${measuring(dist).XYLEM_BENCH_DIST}`);
const own = await library(join(root, 'dist'));
const other = given.against === undefined ? undefined : await library(distOf(given.against));

/** @type {Record<string, object>} */
const allFigures = {};
for (const [name, { file, tree, draws }] of Object.entries(CASES)) {
  if (!given.only.split(',').some((text) => name.includes(text))) continue;
  const path = join(given.data, `${file}.root`);
  if (!existsSync(path)) {
    console.log(`There is no ${path}: ${name} is left out.`);
    continue;
  }
  const opened = await own.openRoot(path, workers);
  const place = await opened.tree(tree);
  const choices = draws(place);
  const second = await other?.openRoot(path, workers);
  const there = await second?.tree(tree);
  /** @type {Record<string, () => Promise<any>>} */
  const ways = {
    single: async () => {
      const results = [];
      for (const { expr, ...options } of choices) results.push(await place.draw(expr, options));
      return results;
    },
    together: () => place.draw(choices),
    ...(there && { other: () => there.draw(choices) }),
  };
  /** @type {Record<string, Figures[]>} */
  const all = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  let first;
  for (let run = -1; run < Number(given.runs); run++) {
    for (const [way, act] of Object.entries(ways)) {
      const { figures, result } = await timed(act);
      const bins = result.map(({ axes, fills, sums }) => [axes, fills, sums]);
      first ??= bins;
      if (!isDeepStrictEqual(first, bins)) console.log(`${name}: ${way} gives other histograms`);
      // The first round warms up.
      if (run >= 0) all[way]?.push(figures);
    }
  }
  const of = (/** @type {string} */ way, /** @type {'wall' | 'cpu'} */ what) =>
    (all[way] ?? []).map((one) => one[what]);
  const texts = Object.keys(ways).map(
    (way) =>
      `${way} ${median(of(way, 'wall')).toFixed(0)} ms, CPU ${median(of(way, 'cpu')).toFixed(0)}` +
      (way === 'single'
        ? ''
        : ` (x ${ratio(of('single', 'wall'), of(way, 'wall')).toFixed(2)}, CPU x ${ratio(of('single', 'cpu'), of(way, 'cpu')).toFixed(2)})`),
  );
  console.log(`${name}: ${texts.join('; ')}`);
  allFigures[name] = { cpu_of_single: ratio(of('together', 'cpu'), of('single', 'cpu')) * count };
  await opened.close();
  await second?.close();
}
keep('draws', allFigures, given.record);
