// Whole processes in turns: npm run bench start|metadata|memory|check|small|merge -- --help
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandLine, distOf } from './against.mjs';
import { median, ratio } from './figures.mjs';
import { keep } from './history.mjs';
import { runWhole } from './program.mjs';
import { inTurns, root, settings } from './settings.mjs';

const help = `npm run bench start|metadata|memory|check|small|merge -- [OPTIONS]

Whole processes, from their start to their end, in turns. Prints medians of wall and CPU (user + system) seconds and of the
peak of resident memory, and the medians of the ratios of the CPU time to that of the first process of the same round.

  start      commands of the command line with the sample, beside an empty program of Node; --file, --tree and --branch choose others
  metadata   opens aodlike.root and lists its 11,000 branches, beside JSROOT; --file and --tree choose another tree
  memory     sums up all branches of nano-zlib.root, and of a chain of it --times N (10); draws each of its numbers
  check      xylem check of --files N (1000) small files: copies of the sample and of the files of the tests
  small      draws x0 of 2,000 files of small/ in one call, and of small.root, which has them in one tree (bench/data/small.py)
  merge      xylem merge --force beside hadd -fk -f (--hadd PROGRAM) of two copies of nano-zlib.root; with --inputs small,
             of the 2,000 files of small/; with --inputs histograms, of two files with 20,000 histograms each (bench/data/small.py)

  --runs N         default 5; 15 for start
  --against REV    a revision, or a folder with a build (its dist), which takes turns with this one
  --node PROGRAM   another Node
  --record         add a line to bench/history.jsonl`;

const name = process.argv[1] ?? '';
const given = settings(help, {
  file: undefined,
  tree: undefined,
  branch: 'Muon_pt',
  times: '10',
  files: '1000',
  hadd: 'hadd',
  inputs: 'copies',
  runs: name === 'start' ? '15' : '5',
  against: undefined,
  node: process.execPath,
  record: false,
});
const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));
const sample = join(root, 'public/sample.root');

/** @typedef {{ label: string, args: string[], command?: string }} Program */

/** A program of Node that opens a file by a build. @param {string} dist @param {string} text @param {string[]} args */
const library = (dist, text, args) => [
  '--input-type=module',
  '-e',
  `const { openRoot } = await import('${pathToFileURL(join(dist, 'node.js')).href}');
   const [path, tree, times] = process.argv.slice(1);
   const file = await openRoot(times ? Array.from({ length: Number(times) }, () => path) : path, { workers: 2 });
   const opened = await file.tree(tree);
   ${text}
   await file.close();`,
  ...args,
];

/** The programs of a build. @type {Record<string, (dist: string) => Program[]>} */
const OF_BUILD = {
  start: (dist) =>
    [
      ['--version'],
      ['ls', given.file ?? sample],
      ['draw', given.file ?? sample, given.tree ?? 'Events', given.branch],
      ['scan', given.file ?? sample, given.tree ?? 'Events', given.branch, '--limit', '5'],
    ].map((args) => ({
      label: `xylem ${args[0]}`,
      args: [commandLine(dist), ...args],
    })),
  metadata: (dist) => [
    {
      label: 'xylem',
      args: library(dist, 'console.log(opened.info.branches.length);', [
        given.file ?? fileOf('aodlike'),
        given.tree ?? 'CollectionTree',
      ]),
    },
  ],
  memory: (dist) => {
    const args = [given.file ?? fileOf('nano-zlib'), given.tree ?? 'Events'];
    const numbers = `const names = opened.info.branches.filter(({ kind, baskets }) => kind === 'number' && baskets > 0).map(({ path }) => path);`;
    return [
      { label: 'sums', args: library(dist, `${numbers} await opened.summarize({ branches: names });`, args) },
      {
        label: `sums, ${given.times} times`,
        args: library(dist, `${numbers} await opened.summarize({ branches: names });`, [
          ...args,
          given.times,
        ]),
      },
      {
        label: 'histograms',
        args: library(dist, `${numbers} for (const one of names) await opened.draw(one);`, args),
      },
    ];
  },
  check: (dist) => [{ label: 'xylem check', args: [commandLine(dist), 'check', '--json', ...smallFiles()] }],
  merge: (dist) => [
    {
      label: 'xylem merge',
      args: [commandLine(dist), 'merge', '--force', join(folder, 'xylem.root'), ...inputs()],
    },
  ],
  small: (dist) =>
    [
      ['2,000 files', 'small/*.root'],
      ['one file', 'small.root'],
    ].map(([label, files = '']) => ({
      label: `xylem draw of ${label}`,
      args: [commandLine(dist), 'draw', join(given.data, files), 't', 'x0', '--json'],
    })),
};

/** Programs beside them. @type {Record<string, () => Program[]>} */
const BESIDE = {
  start: () => [{ label: 'empty program', args: ['-e', ''] }],
  metadata: () => [
    { label: 'empty program', args: ['-e', ''] },
    { label: 'JSROOT', args: jsroot() },
  ],
  merge: () => [
    { label: 'hadd', command: given.hadd, args: ['-fk', '-f', join(folder, 'hadd.root'), ...inputs()] },
  ],
};

/** @param {string} file */
function fileOf(file) {
  const path = join(given.data, `${file}.root`);
  if (!existsSync(path))
    throw new Error(`There is no ${path}: python3 bench/data/make.py ${given.data} --only ${file}`);
  return path;
}

function jsroot() {
  const module = (/** @type {string} */ one) =>
    pathToFileURL(join(root, 'node_modules/jsroot/modules', one)).href;
  const text = `const { openFile } = await import('${module('io.mjs')}'); await import('${module('tree.mjs')}');
    const count = (list) => list.arr.reduce((n, b) => n + 1 + count(b.fBranches), 0);
    const [path, tree] = process.argv.slice(1);
    console.log(count((await (await openFile(path)).readObject(tree)).fBranches)); process.exit(0);`;
  return ['--input-type=module', '-e', text, given.file ?? fileOf('aodlike'), given.tree ?? 'CollectionTree'];
}

function smallFiles() {
  const fixtures = join(root, 'tests/fixtures/files');
  const sources = [
    sample,
    ...readdirSync(fixtures)
      .filter((one) => one.endsWith('.root'))
      .sort()
      .map((one) => join(fixtures, one)),
  ];
  mkdirSync(join(folder, 'small'), { recursive: true });
  return Array.from({ length: Number(given.files) }, (_, i) => {
    const path = join(folder, 'small', `${String(i).padStart(5, '0')}.root`);
    if (!existsSync(path)) copyFileSync(sources[i % sources.length] ?? '', path);
    return path;
  });
}

/** The files of a folder that bench/data/small.py made. @param {string} name */
function inputsOf(name) {
  const path = join(given.data, name);
  if (!existsSync(path)) throw new Error(`There is no ${path}: python3 bench/data/small.py ${given.data}`);
  return readdirSync(path)
    .sort()
    .map((one) => join(path, one));
}

/** The files to merge. */
function inputs() {
  if (given.inputs !== 'copies') return inputsOf(given.inputs);
  return ['a', 'b'].map((one) => {
    const path = join(folder, `${one}.root`);
    if (!existsSync(path)) symlinkSync(resolve(given.file ?? fileOf('nano-zlib')), path);
    return path;
  });
}

try {
  const make = OF_BUILD[name];
  if (make === undefined) throw new Error(help);
  const other = given.against === undefined ? undefined : distOf(given.against);
  const programs = [
    ...make(join(root, 'dist')),
    ...(other ? make(other).map((one) => ({ ...one, label: `${one.label} (${given.against})` })) : []),
    ...(BESIDE[name]?.() ?? []),
  ];
  const env = { XDG_CACHE_HOME: folder };
  const results = await inTurns(
    Object.fromEntries(
      programs.map(({ label, args, command }) => [
        label,
        () => runWhole(args, { node: given.node, env, command }),
      ]),
    ),
    given.runs,
  );
  const [first = []] = Object.values(results);
  console.log(`Medians of ${given.runs} rounds; load ${loadavg()[0]?.toFixed(1)}`);
  console.log(['', 'wall s', 'CPU s', 'peak MB', 'CPU / first'].join('\t'));
  /** @type {Record<string, object>} */
  const figures = {};
  for (const [label, list] of Object.entries(results)) {
    /** @param {'wall_s' | 'cpu_s' | 'rss_mb'} key */
    const of = (key) => list.map((one) => one[key]);
    const [wall_s, cpu_s, rss_mb] = [median(of('wall_s')), median(of('cpu_s')), median(of('rss_mb'))];
    const times = ratio(
      of('cpu_s'),
      first.map((one) => one.cpu_s),
    );
    figures[label] = { wall_s, cpu_s, rss_mb, cpu_of_first: times };
    console.log([label, wall_s.toFixed(3), cpu_s.toFixed(3), rss_mb.toFixed(0), times.toFixed(2)].join('\t'));
  }
  if (name === 'check') {
    const bytes = smallFiles().reduce((sum, path) => sum + statSync(path).size, 0);
    const seconds = median(first.map((one) => one.wall_s));
    console.log(
      `${(Number(given.files) / seconds).toFixed(0)} files/s, ${(bytes / 1e6 / seconds).toFixed(2)} MB/s`,
    );
  }
  keep(name, figures, given.record);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
