// How well `xylem fleet` foretells real jobs: npm run bench fleet -- --help
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { median } from './figures.mjs';
import { BLOCK_BYTES, missingServer, realServers, shapedServers } from './fleet-servers.mjs';
import { needFiles, root, settings } from './settings.mjs';

const help = `npm run bench fleet -- [--data FOLDER] [--only NAME,…] [--runs N] [--json OUT]

Real jobs at two sites read real files of real servers over links that a proxy or the server makes slow; the same is
simulated. Prints measured and simulated time to the last job and bytes over the links, medians of the runs. The time of
computing is measured, not simulated: the model gets the mean processor time of the jobs.

  --data FOLDER     h1like.root, nano-rntuple.root, scalars-720k.root, made by bench/data/make.py; default build/bench
  --again JSON      simulates again what --json wrote, and measures nothing
  --fresh           each job is a process of its own; the time of its start is measured, too
  --sites A;B       for each site slots,latency in ms,Mb/s; default 1,40,80;2,150,30
ORACLE_PYTHON names a Python with ROOT and uproot; nginx and xrootd (with the plug-ins of xrootd-server) are
needed, or named by XYLEM_NGINX and XYLEM_XROOTD; without one of them its jobs are left out.`;

const given = settings(help, {
  only: undefined,
  runs: '3',
  sites: '1,40,80;2,150,30',
  json: undefined,
  fresh: false,
  again: undefined,
});
const python = process.env.ORACLE_PYTHON;
needFiles(given.data, ['h1like', 'nano-rntuple', 'scalars-720k'], help);
if (python === undefined) throw new Error('ORACLE_PYTHON names no Python.');

/** @typedef {import('./fleet-servers.mjs').FleetSite} FleetSite */
/** @type {FleetSite[]} */
const sites = given.sites.split(';').map((text, i) => {
  const [slots = 1, latencyMs = 0, mbitPerS = 0] = text.split(',').map(Number);
  return { name: i === 0 ? 'near' : `far ${i}`, slots, latencyMs, mbitPerS };
});

const H1 = {
  kind: 'TTree',
  file: 'h1like',
  tree: 'h42',
  entries: 283_813,
  branches: ['md0_d', 'dm_d', 'ptds_d', 'etads_d', 'ptd0_d', 'rpd0_t', 'ik', 'njets'],
};
const PREFIXES = ['MET', 'PuppiMET', 'RawMET', 'TkMET', 'CaloMET', 'PV', 'BeamSpot', 'Pileup', 'Generator'];
PREFIXES.push('fixedGridRho', 'L1', 'Flag', 'SoftActivity', 'LHE', 'btagWeight');
const NANO = {
  kind: 'RNTuple',
  file: 'nano-rntuple',
  tree: 'Events',
  entries: 100_000,
  branches: Array.from(
    { length: 30 },
    (_, i) => `${PREFIXES[i % PREFIXES.length]}_s${String(i).padStart(3, '0')}`,
  ),
};
const MINI = { kind: 'TTree', file: 'scalars-720k', tree: 'mini', entries: 720_000, branches: ['*'] };

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {'root' | 'uproot' | 'jsroot' | 'xylem'} program
 * @property {string} read as a model names it
 * @property {typeof H1} use
 * @property {number} jobs @property {number} files
 * @property {'nginx' | 'xrootd' | 'shaped'} server
 * @property {boolean} [cached] @property {boolean} [push] @property {boolean} [recorded] simulated from a trace of one job
 */
/** @type {Case[]} */
const cases = [
  { name: 'ROOT, xrootd', program: 'root', read: 'cache:30', use: H1, jobs: 24, files: 24, server: 'xrootd' },
  {
    ...{ name: 'ROOT, xrootd, from a recorded job', program: 'root', read: 'recorded', recorded: true },
    ...{ use: H1, jobs: 24, files: 24, server: 'xrootd' },
  },
  {
    // So few files that each site reads each of them.
    ...{ name: 'ROOT, XCache, 2 files', program: 'root', read: 'cache:30', use: H1, cached: true },
    ...{ jobs: 24, files: 2, server: 'xrootd' },
  },
  {
    ...{ name: 'ROOT, RNTuple, xrootd', program: 'root', read: 'pool', use: NANO },
    ...{ jobs: 24, files: 24, server: 'xrootd' },
  },
  { name: 'uproot, nginx', program: 'uproot', read: 'uproot', use: H1, jobs: 24, files: 24, server: 'nginx' },
  {
    ...{ name: 'uproot, range server', program: 'uproot', read: 'uproot', use: H1 },
    ...{ jobs: 24, files: 24, server: 'shaped' },
  },
  { name: 'JSROOT, nginx', program: 'jsroot', read: 'jsroot', use: H1, jobs: 24, files: 24, server: 'nginx' },
  {
    ...{ name: 'JSROOT, RNTuple, nginx', program: 'jsroot', read: 'jsroot', use: NANO },
    ...{ jobs: 24, files: 24, server: 'nginx' },
  },
  { name: 'xylem, nginx', program: 'xylem', read: 'xylem', use: H1, jobs: 24, files: 24, server: 'nginx' },
  {
    ...{ name: 'xylem, range server', program: 'xylem', read: 'xylem', use: H1 },
    ...{ jobs: 24, files: 24, server: 'shaped' },
  },
  {
    ...{ name: 'ROOT, copies of 2 files', program: 'root', read: 'cache:30', use: MINI, push: true },
    ...{ jobs: 12, files: 2, server: 'nginx' },
  },
];

/**
 * A process that runs one job after another.
 * @param {Case['program']} program @param {NodeJS.ProcessEnv} [environment]
 */
async function startWorker(program, environment = {}) {
  const [command = '', ...args] =
    program === 'xylem' || program === 'jsroot'
      ? [process.execPath, join(root, 'bench/peers/fleet_job.mjs'), program]
      : [python ?? '', '-W', 'ignore', join(root, 'bench/peers/fleet_job.py'), program];
  const env = { ...process.env, ...environment };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`a job of ${program} ended`);
    return value;
  };
  await answer();
  return {
    /** @param {string} url @param {typeof H1} use @returns {Promise<number>} processor time in s */
    async run(url, { kind, tree, branches }) {
      child.stdin.write(`${JSON.stringify({ url, kind, tree, branches })}\n`);
      return JSON.parse(await answer()).cpu;
    },
    stop: () => child.kill(),
  };
}

const JSROOT_PAGE = `<script type="module">
import { openFile } from './jsroot/io.mjs';
import { rntupleProcess } from './jsroot/rntuple.mjs';
import { TSelector, treeProcess } from './jsroot/tree.mjs';
window.readJob = async (url, name, branches) => {
  const file = await openFile(url);
  const object = await file.readObject(name);
  const selector = new TSelector();
  for (const branch of branches) selector.addBranch(branch);
  selector.Process = () => {};
  await (object._typename === 'ROOT::RNTuple' ? rntupleProcess : treeProcess)(object, selector);
};
</script>`;

/** @param {Case} one @param {string} folder */
async function measure(one, folder) {
  const data = join(folder, 'data');
  const kept = join(folder, 'copies');
  // xrootd does not run as the superuser.
  chmodSync(folder, 0o755);
  mkdirSync(data);
  mkdirSync(kept);
  const names = ['warm', ...Array.from({ length: one.files }, (_, i) => String(i))];
  for (const name of names)
    symlinkSync(resolve(given.data, `${one.use.file}.root`), join(data, `${name}.root`));
  if (one.program === 'jsroot') {
    symlinkSync(join(root, 'node_modules/jsroot/modules'), join(data, 'jsroot'));
    writeFileSync(join(data, 'jsroot.html'), JSROOT_PAGE);
  }
  const servers =
    one.server === 'shaped'
      ? await shapedServers(data, sites)
      : await realServers(one.server, one.cached ?? false, folder, data, sites);
  const workers = await Promise.all(
    sites.map((site) => Promise.all(Array.from({ length: site.slots }, () => startWorker(one.program)))),
  );
  /** @type {Map<string, Promise<string>>} */
  const copies = new Map();
  /** The address of a file for a job at a site; with push, of a copy there. @param {number} site @param {string} name */
  const placeOf = (site, name) => {
    const url = `${servers.urls[site]}${name}.root`;
    if (!one.push) return url;
    const path = join(kept, `${site}-${name}.root`);
    const copy = copies.get(path) ?? fetched(url, path);
    copies.set(path, copy);
    return copy;
  };
  try {
    for (const [site, some] of workers.entries())
      for (const worker of some) await worker.run(await placeOf(site, 'warm'), one.use);
    const trace = one.recorded ? await recordedJob(one, servers.urls[0] ?? '', folder) : undefined;
    await servers.bytes();
    const free = workers.map((some) => [...some]);
    let [cpu, startMs] = [0, 0];
    /** @type {Promise<void>[]} */
    const running = [];
    /** @type {() => void} */
    let wake = () => {};
    const start = performance.now();
    for (let job = 0; job < one.jobs; job++) {
      // As the simulation chooses: the site with most free slots of all.
      const share = (/** @type {number} */ i) => (free[i]?.length ?? 0) / (sites[i]?.slots ?? 1);
      let site = 0;
      for (;;) {
        site = sites.reduce((best, _, i) => (share(i) > share(best) ? i : best), 0);
        if (share(site) > 0) break;
        await new Promise((go) => (wake = () => go(undefined)));
      }
      const idle = free[site]?.pop();
      if (idle === undefined) throw new Error('no slot is free');
      const run = async () => {
        let worker = idle;
        if (given.fresh) {
          const begun = performance.now();
          worker.stop();
          worker = await startWorker(one.program);
          workers[site]?.push(worker);
          startMs += (performance.now() - begun) / one.jobs;
        }
        const used = await worker.run(await placeOf(site, String(job % one.files)), one.use);
        cpu += used;
        free[site]?.push(worker);
        wake();
      };
      running.push(run());
    }
    await Promise.all(running);
    const seconds = (performance.now() - start) / 1000;
    return { seconds, bytes: await servers.bytes(), cpu: cpu / one.jobs, startMs, trace };
  } finally {
    for (const worker of workers.flat()) worker.stop();
    await servers.stop();
  }
}

/**
 * The trace of a job by XrdCl's recorder, at one of the sites.
 * @param {Case} one @param {string} url @param {string} folder
 */
async function recordedJob(one, url, folder) {
  const plugIns = join(folder, 'plug-ins');
  const output = join(folder, 'trace.csv');
  mkdirSync(plugIns);
  const { host } = new URL(url);
  const lines = [`url = root://${host}`, 'lib = libXrdClRecorder.so', 'enable = true', `output = ${output}`];
  writeFileSync(join(plugIns, 'recorder.conf'), `${lines.join('\n')}\n`);
  const worker = await startWorker(one.program, { XRD_PLUGINCONFDIR: plugIns });
  await worker.run(`${url}warm.root`, one.use);
  worker.stop();
  return readFileSync(output, 'utf8');
}

/** @param {string} url @param {string} path */
async function fetched(url, path) {
  const { body } = await fetch(url);
  if (body === null) throw new Error(`${url} is empty`);
  await pipeline(
    Readable.fromWeb(/** @type {import('node:stream/web').ReadableStream} */ (body)),
    createWriteStream(path),
  );
  return path;
}

/**
 * @param {Case} one @param {{ cpu: number, startMs?: number, trace?: string | undefined }} job processor time in s, time of
 * its start in ms, and its trace
 * @param {string} folder
 */
function simulate(one, { cpu, startMs = 0, trace }, folder) {
  if (trace !== undefined) writeFileSync(join(folder, 'trace.csv'), trace);
  const cache = one.cached ? { kind: 'blocks', bytes: 1e12, blockBytes: BLOCK_BYTES } : { kind: 'none' };
  const { file, tree, branches, entries } = one.use;
  const model = {
    origin: { mbitPerS: 1e6, disk: { mbPerS: 1e5 } },
    sites: sites.map(({ name, slots, latencyMs, mbitPerS }) => {
      const lan = { latencyMs: 0.05, mbitPerS: 20_000 };
      return { name, slots, link: { latencyMs, mbitPerS }, lan, disk: { mbPerS: 5000 }, cache };
    }),
    datasets: [{ name: 'd', file: join(resolve(given.data), `${file}.root`), tree, files: one.files }],
    uses: [
      {
        ...{ name: 'u', dataset: 'd', read: one.read, cpuMsPerEntry: (1000 * cpu) / entries, startMs },
        ...(trace === undefined
          ? { branches: branches.includes('*') ? [] : branches }
          : { trace: 'trace.csv' }),
      },
    ],
    jobs: { count: one.jobs, zipf: 'each', process: given.fresh ? 'new' : 'kept' },
  };
  const path = join(folder, 'model.json');
  writeFileSync(path, JSON.stringify(model));
  const access = one.push ? 'push' : 'pull';
  const args = [join(root, 'dist/cli/xylem.js'), 'fleet', path, '--json', '--access', access];
  const [report] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  return { seconds: report.seconds, bytes: report.origin.bytes };
}

/** @param {number} simulated @param {number} measured */
const off = (simulated, measured) => {
  const percent = 100 * (simulated / measured - 1);
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
};
/** @param {number} bytes */
const mega = (bytes) => (bytes / 1e6).toFixed(1);

console.log(
  '| jobs | s measured | s simulated | | MB measured | MB simulated | |\n|---|---|---|---|---|---|---|',
);
const only = given.only?.split(',');
/** @type {{ name: string, measured: { seconds: number, bytes: number, cpu: number, startMs?: number, trace?: string | undefined } }[]} */
const before = given.again === undefined ? [] : JSON.parse(readFileSync(given.again, 'utf8'));
const rows = [];
for (const one of cases.filter(
  ({ name }) => only === undefined || only.some((word) => name.includes(word)),
)) {
  const earlier = before.find(({ name }) => name === one.name);
  if (given.again !== undefined && earlier === undefined) continue;
  const missing = earlier ? undefined : missingServer(one.server);
  if (missing !== undefined) {
    console.log(`| ${one.jobs} of ${one.name} | not measured: there is no ${missing} | | | | | |`);
    continue;
  }
  const runs = [];
  for (let i = 0; i < Number(given.runs) && earlier === undefined; i++) {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-fleet-'));
    try {
      runs.push(await measure(one, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const measured = earlier?.measured ?? {
    seconds: median(runs.map(({ seconds }) => seconds)),
    bytes: median(runs.map(({ bytes }) => bytes)),
    cpu: median(runs.map(({ cpu }) => cpu)),
    startMs: median(runs.map(({ startMs }) => startMs)),
    trace: runs[0]?.trace,
  };
  const folder = mkdtempSync(join(tmpdir(), 'xylem-fleet-'));
  const simulated = simulate(one, measured, folder);
  rmSync(folder, { recursive: true });
  rows.push({
    name: one.name,
    measured,
    simulated,
    runs: runs.map(({ seconds, bytes, cpu }) => ({ seconds, bytes, cpu })),
  });
  if (given.json) writeFileSync(given.json, JSON.stringify(rows, null, 1));
  const cells = [
    `${one.jobs} of ${one.name}`,
    measured.seconds.toFixed(1),
    simulated.seconds.toFixed(1),
    off(simulated.seconds, measured.seconds),
    mega(measured.bytes),
    mega(simulated.bytes),
    off(simulated.bytes, measured.bytes),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
