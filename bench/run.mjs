// The benchmarks: npm run bench NAME -- OPTIONS. Builds what NAME measures, and runs it; without a name, lists them.
import { build } from '../scripts/build.mjs';
import { runMain, StepError } from '../scripts/run.mjs';

/** @type {Record<string, { about: string, file?: string, parts?: string[] }>} */
const BENCHES = {
  sums: {
    about: 'reads and sums up the branches of each file; also in Chromium, beside other readers, profiled',
  },
  columns: { about: 'columns and exports beside these sums' },
  draws: { about: 'many drawings of a tree in one call' },
  selectors: { about: 'selectors beside drawings, RDataFrame, awkward, coffea and groot' },
  start: { about: 'what small commands cost above the start of Node', file: 'processes' },
  metadata: { about: 'opening and listing a tree of 11,000 branches', file: 'processes' },
  memory: { about: 'peak of memory while all branches of a tree are read', file: 'processes' },
  table: {
    about: 'all aims in one table; also `npm run bench -- --record`',
    parts: ['modules', 'page', 'element'],
  },
  check: { about: 'xylem check of 1,000 small files', file: 'processes' },
  small: { about: 'a drawing of 2,000 small files beside one of one file of their size', file: 'processes' },
  merge: { about: 'xylem merge beside hadd', file: 'processes' },
  chain: { about: 'a command over a list of many files by HTTP' },
  farm: { about: 'thousands of small files, some of them bad, by Dask with workers that are killed' },
  caches: { about: 'users behind a shared nginx cache' },
  wan: { about: 'the table "TTreeCache with LANs and WANs", over HTTP and root://' },
  fits: { about: 'fits beside those of ROOT' },
  fleet: { about: 'real jobs at two sites beside those that xylem fleet simulates' },
  talks: {
    about: 'what `xylem whatif` promises of ROOT and uproot, beside measured CPU times and durations',
  },
  promise: { about: 'what `xylem whatif` promises, beside the logs of servers and reads of a disk' },
  walk: { about: 'which source files and functions a command runs' },
  page: { about: 'start of the page and its first histogram', parts: ['page'] },
  'first-plot': {
    about: 'bytes and time until the first plot of the element and the page, over links',
    parts: ['page', 'element'],
  },
  'page-chain': { about: 'a list of thousands of files in the page', parts: ['page', 'modules'] },
  boards: { about: 'linked plots of 2.4 million entries, beside Mosaic and DuckDB-Wasm', parts: ['page'] },
  walls: { about: 'walls of plots over a slow link, beside JSROOT', parts: ['page', 'modules'] },
};

await runMain(async () => {
  const words = process.argv.slice(2);
  const [name = '', ...rest] = words[0] === '--record' ? ['table', ...words] : words;
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench === undefined) {
    const lines = Object.entries(BENCHES).map(([one, { about }]) => `  ${one.padEnd(12)} ${about}\n`);
    const text = `npm run bench NAME -- OPTIONS; --help tells the options\nnpm run bench -- --record      all aims in one table\n\n${lines.join('')}`;
    if (name !== '') throw new StepError(`There is no benchmark "${name}".\n\n${text}`);
    process.stdout.write(text);
    return;
  }
  if (!rest.includes('--help') && !rest.includes('-h')) await build(bench.parts ?? ['modules']);
  process.argv = [process.execPath, name, ...rest];
  await import(`./${bench.file ?? name}.mjs`);
});
