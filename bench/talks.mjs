// The tables of `xylem whatif --table` beside measured ROOT and uproot: npm run bench talks -- --help
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from './figures.mjs';
import { run } from './program.mjs';
import { needFiles, root, settings } from './settings.mjs';
import { httpLinks } from './wan-links.mjs';

/** The tree of each file, and the branches of readings of a few. @type {Record<string, { tree: string, few: string }>} */
const FILES = {
  h1like: { tree: 'h42', few: 'md0_d,dm_d,ptds_d,etads_d,ptd0_d,rpd0_t,ik,njets' },
  'h1like-flushed': { tree: 'h42', few: 'md0_d,dm_d,ptds_d,etads_d,ptd0_d,rpd0_t,ik,njets' },
  'nano-zlib': { tree: 'Events', few: 'nMuon,nJet,MET_s000,PV_s005,Pileup_s007' },
  'nano-zstd': { tree: 'Events', few: 'nMuon,nJet,MET_s000,PV_s005,Pileup_s007' },
  'nano-lz4': { tree: 'Events', few: 'nMuon,nJet,MET_s000,PV_s005,Pileup_s007' },
  'nano-lzma': { tree: 'Events', few: 'nMuon,nJet,MET_s000,PV_s005,Pileup_s007' },
  'scalars-720k': { tree: 'mini', few: 'eventNumber,mcWeight,v00,v04' },
};
/** ms of a round trip and Mb/s of the clients of the table. @type {Record<string, [number, number]>} */
const CLIENTS = { D: [11, 100], E: [22, 100], G: [240, 10_000] };
/** Programs as "whatif" names them, with the job of cpu.py. @type {Record<string, { program: string, cache?: number }>} */
const PROGRAMS = {
  'no cache': { program: 'root', cache: 0 },
  'TTreeCache of 64 kB': { program: 'root', cache: 64_000 },
  'TTreeCache of 10 MB': { program: 'root', cache: 10_000_000 },
  'TTreeCache of 30 MB': { program: 'root', cache: 30_000_000 },
  uproot: { program: 'uproot' },
};

const help = `npm run bench talks -- [--data FOLDER] [--files a,b] [--links D,E] [--calibration FILE] [--parts a] [--runs N] [--json OUT]

Measures what "xylem whatif" promises of ROOT and uproot: the CPU time of reading all and a few branches of the local file, and the
duration of reading a few over links from bench/range-server.mjs. ORACLE_PYTHON is a Python with ROOT and uproot. Prints Markdown, as
it stands in docs/features/whatif.md. On a busy machine durations need priority: chrt -r 5 npm run bench talks -- --parts links

  --data FOLDER         default build/bench. Made by bench/data/make.py
  --files a,b           of ${Object.keys(FILES).join(', ')}
  --links a,b           of ${Object.keys(CLIENTS).join(', ')}
  --calibration FILE    of "xylem calibrate --save"; default: the one that this user has
  --parts cpu,links     CPU times of local files, durations over links; default both
  --runs N              rounds, of which the medians are told; default 3`;

const given = settings(help, {
  files: Object.keys(FILES).join(),
  links: Object.keys(CLIENTS).join(),
  calibration: '',
  parts: 'cpu,links',
  runs: '3',
  json: join(root, 'build/bench-talks.json'),
});
const files = given.files.split(',');
needFiles(given.data, files, help);
const cli = join(root, 'dist/cli/xylem.js');
const runs = Math.max(1, Number(given.runs));
const folder = mkdtempSync(join(tmpdir(), 'xylem-talks-'));

/** @typedef {{ cpu?: number, wall?: number, failed?: string, missing?: string }} Answer */

/** Starts cpu.py, which does one job after another. */
function startPython() {
  const script = join(root, 'web/features/whatif/cli/cpu.py');
  const child = spawn(process.env.ORACLE_PYTHON ?? 'python3', ['-W', 'ignore', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {object} job @returns {Promise<{ cpu: number, wall: number }>} */
    async run(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      /** @type {Answer} */
      const answer = JSON.parse((await lines.next()).value ?? '{"failed": "python ended"}');
      const { cpu, wall, failed, missing } = answer;
      if (cpu === undefined || wall === undefined) throw new Error(failed ?? missing);
      return { cpu: 1000 * cpu, wall: 1000 * wall };
    },
    end: () => child.stdin.end(),
  };
}

/**
 * Returns the promises of whatif by the name of the program.
 * @param {string} name @param {string[]} options
 * @returns {Promise<Map<string, { calls: number, trips: number, ms: number, cpuMs: number, wallMs: number }>>}
 */
async function promised(name, options) {
  const more = given.calibration === '' ? [] : ['--calibration', given.calibration];
  const args = [
    cli,
    'whatif',
    join(given.data, `${name}.root`),
    FILES[name]?.tree ?? '',
    ...options,
    ...more,
  ];
  const { outcomes } = JSON.parse(await run(process.execPath, [...args, '--json']));
  // The first row of each program in a table of shares is that of all entries.
  return new Map(outcomes.reverse().map((/** @type {{ strategy: string }} */ one) => [one.strategy, one]));
}

const python = startPython();
const links = await httpLinks(given.data);
/** @type {{ group: string, cells: string[], off: number, promise: number, fact: number }[]} */
const rows = [];

/** @param {string} group @param {string[]} cells @param {number | undefined} promise @param {number[]} facts */
function tell(group, cells, promise, facts) {
  const fact = median(facts);
  const off = (promise ?? Number.NaN) / fact - 1;
  rows.push({ group, cells, promise: promise ?? Number.NaN, fact, off });
  const percent = `${off >= 0 ? '+' : ''}${(100 * off).toFixed(0)} %${Math.abs(off) <= 0.2 ? '' : ' *'}`;
  console.log(`| ${[...cells, time(promise), time(fact), percent].join(' | ')} |`);
}

/** @param {number | undefined} ms */
const time = (ms) =>
  ms === undefined ? '–' : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toPrecision(3)} s`;

try {
  const parts = given.parts.split(',');
  if (parts.includes('cpu')) console.log('| CPU | reading | promised | measured | |\n|---|---|---|---|---|');
  for (const name of parts.includes('cpu') ? files : []) {
    const { tree = '', few = '' } = FILES[name] ?? {};
    const meta = JSON.parse(readFileSync(join(given.data, `${name}.meta.json`), 'utf8'));
    for (const [reading, branches] of /** @type {[string, string[] | null][]} */ ([
      ['a few', few.split(',')],
      ['all', null],
    ])) {
      const options = branches === null ? [] : ['--branches', few];
      const promise = await promised(name, [...options, '--table', 'shares']);
      for (const [program, as] of [
        ['root', 'TTreeCache of 30 MB'],
        ['uproot', 'uproot'],
      ]) {
        const facts = [];
        for (let i = 0; i < runs; i++) {
          const file = join(given.data, `${name}.root`);
          facts.push((await python.run({ program, file, tree, branches, ranges: [0, meta.entries] })).cpu);
        }
        tell('cpu', [`${name}, ${program}`, reading], promise.get(as ?? '')?.cpuMs, facts);
      }
    }
  }
  const linked = files.filter((one) => one.startsWith('h1like') || one === 'nano-zstd');
  if (parts.includes('links'))
    console.log('\n| duration over a link | read with | promised | measured | |\n|---|---|---|---|---|');
  for (const name of parts.includes('links') ? linked : []) {
    const { tree = '', few = '' } = FILES[name] ?? {};
    const meta = JSON.parse(readFileSync(join(given.data, `${name}.meta.json`), 'utf8'));
    for (const link of given.links.split(',')) {
      const [rtt = 0, mbps = 0] = CLIENTS[link] ?? [];
      const over = ['--latency', String(rtt), '--bandwidth', String(mbps), '--branches', few];
      const caches = await promised(name, [...over, '--table', 'caches']);
      const shares = await promised(name, [...over, '--table', 'shares']);
      const url = `${await links.use(rtt, mbps)}${name}.root`;
      for (const [as, job] of Object.entries(PROGRAMS)) {
        const wall = (caches.get(as) ?? shares.get(as))?.wallMs;
        // A request for each basket over a slow link takes minutes.
        const times = (wall ?? 0) > 10_000 ? 1 : runs;
        const facts = [];
        for (let i = 0; i < times; i++) {
          const asked = { ...job, file: url, tree, branches: few.split(','), ranges: [0, meta.entries] };
          facts.push((await python.run(asked)).wall);
        }
        tell('wall', [`${name}, ${link}: ${rtt} ms, ${mbps} Mb/s`, as], wall, facts);
      }
      const own = [];
      for (let i = 0; i < runs; i++) own.push(await readByXylem(url, tree, few));
      tell('wall', [`${name}, ${link}: ${rtt} ms, ${mbps} Mb/s`, 'xylem'], caches.get('xylem')?.wallMs, own);
    }
  }
} finally {
  python.end();
  links.stop();
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(given.json, `${JSON.stringify(rows, null, 1)}\n`);
for (const group of ['cpu', 'wall']) {
  const of = rows.filter((row) => row.group === group);
  if (of.length === 0) continue;
  const good = of.filter(({ off }) => Math.abs(off) <= 0.2).length;
  const middle = median(of.map(({ off }) => Math.abs(off)));
  console.log(
    `\n${group}: ${good} of ${of.length} within 20 %; the median is ${(100 * middle).toFixed(0)} %`,
  );
}

/** The time of the reads that xylem makes for values, in ms, after the file was opened. @param {string} url @param {string} tree @param {string} few */
async function readByXylem(url, tree, few) {
  const out = join(folder, 'trace.json');
  const args = [cli, 'summary', url, tree, '--branches', few, '--no-cache', '--json', '--trace', out];
  await run(process.execPath, args);
  /** @type {{ reads: { origin: string, purpose: string, started: number, done: number }[] }} */
  const { reads } = JSON.parse(readFileSync(out, 'utf8'));
  const data = new Set(reads.filter(({ origin }) => origin === 'decode').map(({ purpose }) => purpose));
  const own = reads.filter(({ purpose }) => data.has(purpose));
  return Math.max(...own.map(({ done }) => done)) - Math.min(...own.map(({ started }) => started));
}
